"""Everything that shows something: the display and the lights of a simulated board, and the page's thread side."""

from __future__ import annotations

from contextlib import ExitStack

from quarto_pi.config import Config
from quarto_pi.controller.loop import Output
from quarto_pi.devices.light_patterns import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.settings import OledSettings
from quarto_pi.outputs.page import PageOutput
from quarto_pi.referee import Settings
from quarto_pi.web.streams import Feed
from quarto_pi.wiring.board import open_outputs, open_panel_lights
from quarto_pi.wiring.platform import simulated_hardware


def displays(stack: ExitStack) -> list[Output]:
    """The outputs of a board that has everything but a voice; the stack closes them."""
    config = Config(oled=OledSettings(), panel_lights=PanelLightsSettings(), square_lights=SquareLightsSettings())
    platform, _ = simulated_hardware(config=config)
    panel = (
        None if config.panel_lights is None else stack.enter_context(open_panel_lights(config.panel_lights, platform))
    )
    return [*open_outputs(config, platform, stack, panel=panel).outputs, PageOutput(Feed(), Settings())]
