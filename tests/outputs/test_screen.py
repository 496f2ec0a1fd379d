"""The small display over a long time: dimmed, asleep, awake again; real luma above a simulated chip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.devices.settings import OledSettings
from quarto_pi.outputs.display import DisplayOutput
from quarto_pi.referee import Settings, Show, start
from quarto_pi.referee.messages import ChooseFirst
from quarto_pi.screens.care import DIM_AFTER_MS, FAINT_AFTER_MS
from tests.displays import Desk, desk


def at(it: Desk, screen: DisplayOutput, moment: int) -> int:
    """The chip's contrast at a millisecond."""
    it.clock.wait_until(moment * 1_000)
    screen.tick(moment)
    it.settle()
    return it.chip.contrast


@pytest.mark.parametrize("contrast", [255, 0xCF, 40])
def test_display_is_never_brighter_than_the_configuration_says(contrast: int) -> None:
    _, effects = start(Settings(), 0)
    first = next(effect for effect in effects if isinstance(effect, Show))
    with desk(OledSettings(contrast=contrast)) as it:
        screen = DisplayOutput(it.oled)
        screen.perform(first)
        bright = at(it, screen, 0)
        dim = at(it, screen, DIM_AFTER_MS)
        later = at(it, screen, FAINT_AFTER_MS)
        assert bright == contrast
        assert bright > dim >= later
        news = _with_another_prompt(first)
        screen.perform(news)
        assert at(it, screen, FAINT_AFTER_MS + 100) == contrast


def _with_another_prompt(effect: Show) -> Show:
    prompt = effect.view.prompt
    assert isinstance(prompt, ChooseFirst)
    return Show(replace(effect.view, prompt=replace(prompt, giver=prompt.giver.other)))
