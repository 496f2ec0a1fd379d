"""The small display over a long time: dimmed, asleep, awake again; real luma above a simulated chip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.chain.messages import ToldMatch, TournamentTold
from quarto_pi.devices.settings import OledSettings
from quarto_pi.outputs.display import DIM_AFTER_MS, FAINT_AFTER_MS, DisplayOutput, address_for
from quarto_pi.referee import PERSON, Begin, Seat, Settings, Show, View, start
from quarto_pi.referee.messages import ChooseFirst, PlaceNext, Won
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Board, Player, Reason, Result
from quarto_pi.screens.drawing import PlayersAtTable, pages_at_table, photo_page, render
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


FRIDAY = TournamentTold("Friday", 2, 5, 3, ToldMatch(7, 12, (0, 0), 1))
AT_TABLE = PlayersAtTable(3, 2, 5, 7, 12, (0, 0), 1)
CHOOSING = View(RefereePhase.SET_UP, ChooseFirst(Player.A), Settings(), Board())


def pages_shown(view: View, told: TournamentTold | None) -> list[bytes]:
    """What is seen, page by page."""
    seen = []
    with desk() as it:
        screen = DisplayOutput(it.oled)
        screen.announce(told)
        screen.perform(Show(view))
        for page in range(4):
            screen.tick(page * PAGE_MS)
            it.settle()
            seen.append(it.seen().tobytes())
    return seen


def test_who_plays_at_the_table_is_shown_before_the_first_piece_and_after_the_last() -> None:
    (page,) = pages_at_table(AT_TABLE, Words(), (128, 64))
    table = render(page, (128, 64), 0).tobytes()
    with_computer = Settings(seats=(PERSON, Seat(3)))
    placing = replace(CHOOSING, prompt=PlaceNext(Player.B), phase=RefereePhase.WAITING)
    assert table in pages_shown(CHOOSING, FRIDAY)
    assert table in pages_shown(over(photo_finish=False), FRIDAY)
    for settings in (Settings(), with_computer):
        # Whoever played here before: now the next two are looked for.
        assert table in pages_shown(replace(CHOOSING, phase=RefereePhase.ATTRACT, settings=settings), FRIDAY)
    assert table not in pages_shown(placing, FRIDAY), "nothing takes turns with a game"
    assert table not in pages_shown(replace(CHOOSING, settings=with_computer), FRIDAY), "it does not count"
    for told in (None, replace(FRIDAY, match=None), replace(FRIDAY, table=0), replace(FRIDAY, over=True)):
        assert table not in pages_shown(CHOOSING, told)
