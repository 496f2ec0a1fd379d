"""What goes from the game to the page, and what the page's thread has done in the game's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.wiring.platform import simulated_hardware

simulated_hardware()

from quarto_pi.controller.input_poller import MOST_WAITING, PostedTasks, TooManyTasks  # noqa: E402
from quarto_pi.outputs.page import PageOutput  # noqa: E402
from quarto_pi.referee import PERSON, Begin, Keep, Light, Save, Seat, Settings, Show, Tell, View  # noqa: E402
from quarto_pi.referee.effects import Resolved  # noqa: E402
from quarto_pi.referee.messages import ChooseFirst  # noqa: E402
from quarto_pi.referee.phases import RefereePhase  # noqa: E402
from quarto_pi.referee.view import (  # noqa: E402
    Attention,
    Lamp,
    Lights,
    Mark,
)
from quarto_pi.rules import Board, Clear, Game, Give, Player, apply, parse_piece  # noqa: E402
from quarto_pi.web.streams import EndedGame, Feed  # noqa: E402

VIEW = View(RefereePhase.CHOOSE, ChooseFirst(Player.A), Settings(), Board())


def test_newest_view_and_lights_are_shown_together() -> None:
    feed = Feed()
    page = PageOutput(feed, Settings())
    page.perform(Light(Lights((Lamp.ON, Lamp.OFF), Attention.MISMATCH, (("b2", Mark.TARGET), ("offer", Mark.TAKE)))))
    assert feed.moment is None
    page.perform(Show(VIEW))
    assert feed.moment is not None
    assert feed.moment.view is VIEW
    assert feed.moment.lights.panel == {"a": "on", "b": "off", "attention": "double"}
    assert list(feed.moment.lights.squares) == ["b2"]
    assert feed.moment.lights.squares["b2"][1] == "slow"


def test_wishes_are_those_that_were_kept_until_a_game_begins() -> None:
    feed = Feed()
    page = PageOutput(feed, Settings())
    page.perform(Show(VIEW))
    page.perform(Keep(Settings(coach=True)))
    assert feed.moment is not None
    assert feed.moment.wishes.coach
    page.perform(Begin(0, 1, Player.A, Settings(undo=False)))
    assert feed.moment.wishes == Settings(undo=False)


def test_what_is_wished_on_the_page_does_not_take_a_guests_language_away() -> None:
    feed = Feed()
    page = PageOutput(feed, Settings())
    page.perform(Show(replace(VIEW, settings=Settings(language="fr"))))
    page.perform(Keep(Settings(coach=True, language="en")))
    assert feed.moment is not None
    assert feed.moment.wishes == Settings(coach=True, language="fr")


def test_game_is_kept_once_when_it_has_ended() -> None:
    feed = Feed()
    page = PageOutput(feed, Settings())
    page.perform(Begin(0, 1, Player.A, Settings(seats=(PERSON, Seat(3)))))
    going = apply(Game(), Give(parse_piece("LTRF")))
    page.perform(Save(1, going))
    assert not feed.games
    ended = apply(going, Clear())
    page.perform(Save(2, ended))
    page.perform(Save(3, ended))
    assert list(feed.games) == [EndedGame(1, ended, (None, 3))]


def test_lines_are_told_as_other_programs_read_them() -> None:
    feed = Feed()
    PageOutput(feed, Settings()).perform(Tell(7, Resolved()))
    assert feed.lines_after(0) == [(1, '{"t":7,"event":"resolved"}')]
    assert feed.lines_after(1) == []


def test_whoever_looks_below_is_woken_now_and_then() -> None:
    feed, woken = Feed(), []
    feed.wake_by(lambda: woken.append(True))
    page = PageOutput(feed, Settings())
    for now in range(0, 1_000, 10):
        page.tick(now)
    assert len(woken) == 9


def test_errand_is_run_at_the_next_tick_and_its_trouble_is_its_askers() -> None:
    tasks = PostedTasks()
    fine, broken = tasks.ask(lambda: 7), tasks.ask(lambda: 1 // 0)
    assert not fine.done()
    tasks.tick(0)
    assert fine.result() == 7
    assert isinstance(broken.exception(), ZeroDivisionError)


def test_errand_that_nobody_waits_for_any_more_is_not_run() -> None:
    tasks, ran = PostedTasks(), []
    tasks.ask(lambda: ran.append(True)).cancel()
    tasks.tick(0)
    assert ran == []


def test_game_is_not_buried_under_errands() -> None:
    tasks = PostedTasks()
    for _ in range(MOST_WAITING):
        tasks.ask(lambda: None)
    with pytest.raises(TooManyTasks):
        tasks.ask(lambda: None)
