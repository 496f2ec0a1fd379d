"""A lesson is no game: nothing of it is told, kept or counted; it uses what can be seen, and ends where that fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.referee import Abandon, Ask, Begin, Effect, Order, Save, Seen, Settings, State, Tell, fold, start
from quarto_pi.referee.lesson import AWAITED, Awaited, line_from, pieces_from
from quarto_pi.referee.menu import Item
from quarto_pi.referee.messages import Learn, LessonStage
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import PIECES, SQUARES, Board, Options, Trait
from quarto_pi.rules.board import PLAIN_LINES
from quarto_pi.sensing.events import PiecePlaced, ReaderFailed
from tests.referee.heard_evenings import heard, told


def in_lesson(*placed: tuple[str, int], settings: Settings | None = None) -> tuple[State, list[Effect]]:
    """A lesson in which these pieces, by their numbers, have been put on these cells one after the other."""
    state, _ = start(settings or Settings())
    state, effects = fold(state, Order(1_000, Item.TEACH))
    at = 2_000
    for cell, number in placed:
        state, further = fold(state, Seen(at, (PiecePlaced(cell, PIECES[number], at, at - 700),)))
        effects = (*effects, *further)
        at += 1_000
    return state, list(effects)


def test_nothing_of_a_lesson_is_told_kept_counted_or_asked_of_the_computer() -> None:
    done: list[Effect] = []
    stages = set()
    state: State | None = None
    for _, effects, after in told(heard("lesson"), is_gated=True):
        if after.lesson is not None:
            stages.add(after.lesson.stage)
            done += effects
        state = after if state is None or after.lesson is not None else state
    assert stages == set(LessonStage) - {LessonStage.CLEAR}
    assert not [effect for effect in done if isinstance(effect, Tell | Save | Ask | Begin)]
    assert sum(isinstance(effect, Abandon) for effect in done) == 1
    assert state is not None
    assert (state.tally, state.score) == (start(Settings())[0].tally, (0, 0))


def test_a_lesson_against_the_computer_is_the_guests_alone() -> None:
    seats = (Settings().seats[0], replace(Settings().seats[0], level=3))
    state, effects = in_lesson(("offer", 0), settings=Settings(seats=seats))
    assert state.phase is RefereePhase.LESSON
    assert not any(isinstance(effect, Ask) for effect in effects)


def test_a_lesson_is_not_begun_in_a_game() -> None:
    state, _ = start(Settings())
    state, _ = fold(state, Seen(2_000, (PiecePlaced("offer", PIECES[0], 2_000, 1_000),)))
    assert state.is_under_way
    state, _ = fold(state, Order(3_000, Item.TEACH))
    assert state.lesson is None


@pytest.mark.parametrize("trait", Trait)
def test_four_of_a_lesson_share_one_trait_that_is_in_play_and_no_other(trait: Trait) -> None:
    state, _ = start(Settings(rules=Options(traits=(trait,))))
    row = PLAIN_LINES[0]
    for first in PIECES:
        four = (first, *pieces_from(state, first))
        assert len(set(four)) == 4
        (shared,) = Board.of(dict(zip(row, four, strict=True))).alignments()
        assert [value.trait for value in shared.values] == [trait]


def test_the_line_of_a_lesson_can_be_seen_all_along() -> None:
    state, _ = start(Settings())
    for square in SQUARES:
        line = line_from(state, square)
        assert line[0] == square
        assert set(line) in [set(each) for each in PLAIN_LINES]
    lost = frozenset({"b1", "a3"})
    state = replace(state, table=replace(state.table, lost=lost))
    diagonal = line_from(state, SQUARES[0])
    assert not {square.name for square in diagonal} & lost
    state = replace(state, table=replace(state.table, lost=frozenset({"b1", "a3", "c3"})))
    assert line_from(state, SQUARES[0]) == ()


def test_a_lesson_ends_when_its_next_square_can_be_seen_no_more_and_not_for_another() -> None:
    state, _ = in_lesson(("a1", 0))
    assert state.view is not None
    assert isinstance(state.view.prompt, Learn)
    target = state.view.prompt.square
    assert target is not None
    elsewhere, _ = fold(state, Seen(6_000, (ReaderFailed("d4", 6_000),)))
    assert elsewhere.lesson is not None
    here, _ = fold(state, Seen(6_000, (ReaderFailed(target.name, 6_000),)))
    assert here.lesson is None
    assert here.phase is RefereePhase.CHOOSE
    # What stands there of it has to go, and is no move of a game.
    assert here.clearing.remains == {PIECES[0]}
    assert not here.is_under_way


def test_every_stage_of_a_lesson_waits_for_something() -> None:
    assert set(AWAITED) == set(LessonStage)
    assert set(AWAITED.values()) == set(Awaited)
