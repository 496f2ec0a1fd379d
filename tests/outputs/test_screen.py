"""The small display over a long time: dimmed, asleep, awake again; real luma above a simulated chip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.devices.settings import OledSettings
from quarto_pi.outputs.display import DisplayOutput, address_for
from quarto_pi.referee import Begin, Settings, Show, View, start
from quarto_pi.referee.messages import ChooseFirst, Won
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Board, Player, Reason, Result
from quarto_pi.screens.care import DIM_AFTER_MS, FAINT_AFTER_MS
from quarto_pi.screens.drawing import photo_page, render
from quarto_pi.screens.layout import PAGE_MS
from quarto_pi.words import Words
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


PAGE = "http://192.168.178.101:8040/"


def over(reason: Reason = Reason.CALL, *, photo_finish: bool = True) -> View:
    settings, winner = Settings(photo_finish=photo_finish), None if reason is Reason.UNFINISHED else Player.A
    prompt = Won(Player.A, (), called=True)
    return View(RefereePhase.OVER, prompt, settings, Board(), result=Result(winner, reason))


def test_game_that_is_over_is_offered_to_phones_that_reach_the_page() -> None:
    running = replace(over(), phase=RefereePhase.ATTRACT, result=None)
    assert address_for(over(), PAGE, 12) == f"{PAGE}12"
    assert address_for(running, PAGE, 12) == PAGE
    assert address_for(over(), "", 12) == ""
    assert address_for(over(photo_finish=False), PAGE, 12) == ""
    assert address_for(over(Reason.UNFINISHED), PAGE, 12) == ""
    assert address_for(over(), PAGE, 0) == ""


def test_display_shows_the_code_of_the_game_that_it_has_shown_to_its_end() -> None:
    with desk() as it:
        screen = DisplayOutput(it.oled, lambda: PAGE)
        screen.perform(Begin(0, 12, Player.A, Settings()))
        screen.perform(Show(over()))
        screen.tick(0)
        screen.tick(PAGE_MS)
        it.settle()
        code = render(photo_page(f"{PAGE}12", Words(), it.oled.size), it.oled.size, 0)
        assert it.seen().tobytes() == code.tobytes()
