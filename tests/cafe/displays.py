"""Everything that shows something: the display and the lights of a simulated board, and the page's thread side."""

from __future__ import annotations

from contextlib import ExitStack

from quarto_pi.app import open_panel_lights, open_performers
from quarto_pi.below import simulated_hardware
from quarto_pi.config import Config
from quarto_pi.devices.light_settings import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.oled_settings import OledSettings
from quarto_pi.loop import Performer
from quarto_pi.performers.page import PagePerformer
from quarto_pi.referee import Settings
from quarto_pi.web.feed import Feed


def displays(stack: ExitStack) -> list[Performer]:
    """The performers of a board that has everything but a voice; the stack closes them."""
    config = Config(oled=OledSettings(), panel_lights=PanelLightsSettings(), square_lights=SquareLightsSettings())
    below, _ = simulated_hardware(config=config)
    panel = None if config.panel_lights is None else stack.enter_context(open_panel_lights(config.panel_lights, below))
    return [*open_performers(config, below, stack, panel=panel), PagePerformer(Feed(), Settings())]
