"""The tables of transitions: their pictures in the docs, every row of them, and nothing that happens beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from quarto_pi.referee import (
    Ask,
    Button,
    ButtonName,
    Choose,
    Input,
    Order,
    Patience,
    Seen,
    Settings,
    State,
    fold,
    start,
)
from quarto_pi.referee.inputs import BoardNews, EntryCame, MatchBegins, MatchLeft
from quarto_pi.referee.menu import MENU, Item, MenuOccurrence, Stage
from quarto_pi.referee.messages import LessonStage
from quarto_pi.referee.phases import PHASES, NoSuchTransition, Occurrence, RefereePhase, Transitions
from quarto_pi.referee.stages import (
    CALL_IN_QUESTION,
    CLEARING,
    GAME_END,
    LESSON,
    MISMATCH,
    READING,
    RESUMING,
    CallOccurrence,
    CallStage,
    ReadingStage,
    ResumingOccurrence,
    mismatch_stage,
)
from quarto_pi.referee.step import Step
from quarto_pi.remote_play.log import parse_entry
from quarto_pi.rules import Options, Player, parse_piece
from quarto_pi.sensing import events as sensed
from tests.games.performance import Memory
from tests.referee.heard_evenings import Heard, heard, resumed

DOCS = Path(__file__).parents[2] / "docs" / "referee.md"
TABLES: tuple[Transitions[Any, Any], ...] = (
    PHASES,
    CALL_IN_QUESTION,
    MENU,
    RESUMING,
    CLEARING,
    MISMATCH,
    READING,
    GAME_END,
    LESSON,
)

table_by_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


# --- the tables by themselves -----------------------------------------------------------------------------------------


@table_by_table
def test_diagram_in_the_docs_is_drawn_from_the_table(table: Transitions[Any, Any]) -> None:
    assert f"```mermaid\n{table.diagram()}```" in DOCS.read_text(encoding="utf-8")


@table_by_table
def test_every_stage_can_be_reached_and_left(table: Transitions[Any, Any]) -> None:
    reached = {table.first}
    while True:
        further = reached | {to for stage in reached for to in table.ways[stage].values()}
        if further == reached:
            break
        reached = further
    stages = {kind for stage in table.ways if stage is not None for kind in type(stage)}
    assert reached == set(table.ways) == stages | {table.first}
    assert all(set(ways.values()) - {stage} for stage, ways in table.ways.items())


@table_by_table
def test_every_occurrence_can_happen(table: Transitions[Any, Any]) -> None:
    occurrences = {occurrence for ways in table.ways.values() for occurrence in ways}
    assert occurrences == {each for occurrence in occurrences for each in type(occurrence)}


def test_transition_that_the_table_does_not_know_is_refused() -> None:
    with pytest.raises(NoSuchTransition, match="in the phase 'attract' it cannot be that the piece is placed"):
        PHASES.follow(RefereePhase.ATTRACT, Occurrence.PLACED)
    with pytest.raises(NoSuchTransition, match="in the menu while there is none it cannot be that a button is pressed"):
        MENU.follow(None, MenuOccurrence.STEPPED)
    with pytest.raises(NoSuchTransition, match="in the menu it does not lead to 'values' that a button is held"):
        MENU.lead(None, MenuOccurrence.OPENED, Stage.VALUES)


def test_step_that_goes_beside_a_table_changes_nothing() -> None:
    state, _ = start(Settings())
    step = Step(state, 100)
    with pytest.raises(NoSuchTransition):
        step.change_menu(MenuOccurrence.CHOSEN)
    with pytest.raises(NoSuchTransition):
        step.change_call(CallOccurrence.OBJECTED)
    with pytest.raises(NoSuchTransition):
        step.change_resuming(ResumingOccurrence.TOUCHED)
    assert step.state is state


# --- evenings that go every way ---------------------------------------------------------------------------------------

Followed = tuple[Transitions[Any, Any], Enum | None, Enum]
"""A row of a table that was looked up: the stage, and what happened in it."""


@dataclass(frozen=True)
class Fold:
    """An input with the state before and after it, and the rows that were looked up meanwhile."""

    received: Input
    before: State
    after: State
    followed: tuple[Followed, ...]


def folds(evening: Heard) -> Iterator[Fold]:
    """An evening input by input, with the computer's answers as soon as it was asked."""
    followed: list[Followed] = []
    plain = Transitions.follow

    def follow(table: Transitions[Any, Any], stage: Enum | None, occurrence: Enum) -> Enum | None:
        followed.append((table, stage, occurrence))
        to: Enum | None = plain(table, stage, occurrence)
        return to

    with patch.object(Transitions, "follow", follow):
        state, effects = start(evening.settings, evening.inputs[0].at, evening.patience, evening.before)
        # What led to the first state was followed from none.
        yield Fold(evening.inputs[0], state, state, tuple(followed))
        waiting = list(evening.inputs)
        while waiting:
            asked = [evening.computer(effect) for effect in effects if isinstance(effect, Ask)]
            waiting[:0] = asked
            received, before = waiting.pop(0), state
            followed.clear()
            state, effects = fold(state, received)
            yield Fold(received, before, state, tuple(followed))


def stage_of(table: Transitions[Any, Any], state: State, now: int) -> Enum | None:
    """The stage in which a state is."""
    stages: dict[str, Enum | None] = {
        PHASES.name: state.phase,
        CALL_IN_QUESTION.name: None if state.call is None else state.call.stage,
        MENU.name: None if state.menu is None else state.menu.view.stage,
        RESUMING.name: None if state.resuming is None else state.resuming.stage_at(now),
        CLEARING.name: state.clearing.stage,
        MISMATCH.name: mismatch_stage(state.mismatch),
        GAME_END.name: None if state.end is None else state.end.stage,
        LESSON.name: None if state.lesson is None else state.lesson.stage,
        READING.name: None if state.reading is None else ReadingStage.OPEN,
    }
    return stages[table.name]


def until(evening: Heard, reached: Callable[[State], bool], *further: Callable[[int], Input]) -> Heard:
    """An evening as far as a state, and then other inputs, whose times count from there."""
    inputs = []
    for each in folds(evening):
        inputs.append(each.received)
        if reached(each.after):
            begun = each.received.at
            # The first one has been folded by starting; what the computer answers is asked for again.
            played = [received for received in inputs[1:] if received in evening.inputs]
            return replace(evening, inputs=(*played, *(received(begun) for received in further)))
    raise AssertionError("the evening never comes to that")


def sweeps(length: int, first: int = 100) -> tuple[Callable[[int], Input], ...]:
    """Looks at which nothing is seen any more, ten times a second."""
    return tuple((lambda begun, at=at: Seen(begun + at)) for at in range(first, length, 100))


def order(item: Item) -> Callable[[int], Input]:
    """What somebody wants, elsewhere than in the menu."""
    return lambda begun: Order(begun + 50, item)


def on_the_table(
    *things: tuple[int, sensed.BoardEvent | Input], length: int = 6_000, before: Heard | None = None
) -> Heard:
    """An evening of what is sensed and pressed at these moments, on a board with a give place and nothing on it."""
    evening = before or Heard(Settings(), Patience(), (), Memory())
    inputs: list[Input] = [Seen(at) for at in range(0, length, 100)]
    for at, thing in things:
        inputs.append(thing if isinstance(thing, Button | Order | Choose | BoardNews) else Seen(at, (thing,)))  # type: ignore[arg-type]
    return replace(evening, inputs=tuple(sorted(inputs, key=lambda received: received.at)))


def finger(down: int, up: int | None = None) -> tuple[tuple[int, Input], ...]:
    """The button of the menu goes down, and comes up."""
    first: tuple[int, Input] = (down, Button(down, ButtonName.MENU, down=True))
    return (first,) if up is None else (first, (up, Button(up, ButtonName.MENU, down=False)))


def begins(at: int) -> MatchBegins:
    """A game with another board begins, whose player gives the first piece."""
    return MatchBegins(at, "0badcafe", "south", Player.A, Options(), Player.B)


LTRF, DSQH = parse_piece("LTRF"), parse_piece("DSQH")
PLAYED = (
    "after-the-game",
    "attract",
    "button-stuck",
    "call-out-of-turn-forfeits",
    "call-twice-where-false-ones-forfeit",
    "computer-is-given-another-piece",
    "computer-opponent-from-the-menu",
    "computer-sees-what-was-missed",
    "d09-undo-the-only-piece",
    "d09-undo-with-the-next-piece-given",
    "d11-false-press-with-one-button",
    "d14-giver-presses-while-the-receiver-thinks",
    "fix-cleared-and-two-pieces-of-the-next-game",
    "hand-takes-another-piece-away",
    "how-to-play",
    "lesson",
    "lesson-after-a-game",
    "lesson-left-by-playing",
    "lesson-without-give-place",
    "many-games-new-pieces-before-all-are-off",
    "menu-by-its-own-button",
    "menu-new-game-asks-again",
    "menu-through-all-items",
    "menu-undo",
    "r03-exchanged-by-hand-and-placed",
    "start-with-pieces-standing-without-give-place",
)
"""Evenings of tests/games that go most of the ways."""

OPENED = finger(500, 600)
AT_VALUES = (*OPENED, *finger(1_000, 1_100), *finger(1_500, 1_600), *finger(2_000, 2_100), *finger(2_500, 3_700))


def _at_item(state: State, phase: RefereePhase, count: int) -> bool:
    return state.phase is phase and state.game.board.count == count


def _left(stage: LessonStage) -> Callable[[], Heard]:
    """A lesson that is left in this stage."""
    name = "lesson-after-a-game" if stage is LessonStage.CLEAR else "lesson"
    return lambda: until(
        heard(name), lambda state: state.lesson is not None and state.lesson.stage is stage, order(Item.NEW_GAME)
    )


OTHERS: dict[str, Callable[[], Heard]] = {
    "a game is broken off while it is asked who called": lambda: until(
        heard("d11-false-press-with-one-button"), lambda state: state.call is not None, order(Item.NEW_GAME)
    ),
    "a game is broken off while nobody is taken to have called": lambda: until(
        heard("call-twice-where-false-ones-forfeit"),
        lambda state: state.call is not None and state.call.stage is CallStage.NOBODY,
        order(Item.NEW_GAME),
    ),
    "the menu is left at its values": lambda: on_the_table(*AT_VALUES, length=30_000),
    "the menu is left where it asks again": lambda: on_the_table(*OPENED, *finger(1_000, 2_200), length=30_000),
    "the button is stuck in the menu's values": lambda: on_the_table(*AT_VALUES[:-2], *finger(2_500), length=14_000),
    "the button is stuck where the menu asks again": lambda: on_the_table(*OPENED, *finger(1_000), length=14_000),
    "a second piece is wrong, whose tag is believed late": lambda: on_the_table(
        (1_000, sensed.PiecePlaced("b1", LTRF, 1_000, 800)), (4_000, sensed.PiecePlaced("c1", DSQH, 4_000, 2_500))
    ),
    "a game that waits after a stop is touched": lambda: on_the_table(
        (4_000, sensed.PiecePlaced("a1", LTRF, 4_000, 3_800)), before=resumed()
    ),
    "a game that waits after a stop is gone on with": lambda: on_the_table(
        (4_000, Order(4_000, Item.PAUSE)), before=resumed()
    ),
    "a game is gone on with before every square has been looked at": lambda: on_the_table(
        (500, Order(500, Item.PAUSE)), before=resumed()
    ),
    "an undo while the computer's piece is to be placed": lambda: until(
        heard("computer-undo"), lambda state: _at_item(state, RefereePhase.WAITING, 2), order(Item.UNDO)
    ),
    "an undo of the only piece while the computer's is to be placed": lambda: until(
        heard("computer-first-player"), lambda state: _at_item(state, RefereePhase.WAITING, 1), order(Item.UNDO)
    ),
    "an undo of the only piece with the next one given": lambda: until(
        heard("d09-undo-with-the-next-piece-given"),
        lambda state: _at_item(state, RefereePhase.GIVEN, 1),
        order(Item.UNDO),
    ),
    "a new game is wanted as soon as one is won": lambda: until(
        heard("after-the-game"), lambda state: state.end is not None, order(Item.NEW_GAME), order(Item.NEW_GAME)
    ),
    "how to play is asked for again while it is shown": lambda: on_the_table(
        (1_000, Order(1_000, Item.HOW_TO_PLAY)), (3_000, Order(3_000, Item.HOW_TO_PLAY))
    ),
    **{f"a lesson is left while it waits for this: {stage.value}": _left(stage) for stage in LessonStage},
    "a lesson is wanted while nobody is here": lambda: on_the_table((70_000, Order(70_000, Item.TEACH)), length=71_000),
    "a lesson is wanted while pieces of no game stand there": lambda: until(
        heard("start-with-pieces-standing-without-give-place"),
        lambda state: state.phase is RefereePhase.SET_UP,
        order(Item.TEACH),
    ),
    "the other board leaves before anything is given": lambda: on_the_table(
        (1_000, begins(1_000)), (2_000, MatchLeft(2_000))
    ),
    "a game with another board begins while nobody is here": lambda: on_the_table(
        (70_000, begins(70_000)), (71_000, MatchLeft(71_000)), length=72_000
    ),
    "a game with another board begins in the menu": lambda: on_the_table(
        *OPENED, (9_000, begins(9_000)), length=12_000
    ),
    "a game with another board begins in a lesson": lambda: on_the_table(
        (1_000, Order(1_000, Item.TEACH)), (2_000, begins(2_000)), (4_000, EntryCame(4_000, 0, parse_entry("LTRF")))
    ),
    "a game with another board begins while how to play is shown": lambda: on_the_table(
        (1_000, Order(1_000, Item.HOW_TO_PLAY)), (2_000, begins(2_000))
    ),
    "a game with another board begins over the last one": lambda: until(
        heard("after-the-game"), lambda state: state.end is not None, begins, *sweeps(5_000)
    ),
    "a result is put away": lambda: _impatient("d11-two-buttons"),
    "a result is put away, and played on over": lambda: _impatient("many-games-new-pieces-before-all-are-off"),
}
"""Ways that no evening of a second or two goes."""


def _impatient(name: str) -> Heard:
    evening = heard(name)
    return replace(evening, patience=replace(evening.patience, over_alone=900))


@cache
def _played(name: str) -> tuple[Fold, ...]:
    return tuple(folds(OTHERS[name]() if name in OTHERS else heard(name)))


@pytest.mark.parametrize("name", [*PLAYED, *OTHERS])
def test_stages_change_as_their_tables_say_and_not_otherwise(name: str) -> None:
    for each in _played(name)[1:]:
        for table in TABLES:
            stage = stage_of(table, each.before, each.received.at)
            for followed, at, occurrence in each.followed:
                # That every square has been looked at follows from the time, whenever somebody asks.
                if followed is table and occurrence is not ResumingOccurrence.LOOKED_ROUND:
                    assert at is stage, f"{each.received.at} ms: {table.name}"
                    stage = table.ways[stage][occurrence]
            assert stage is stage_of(table, each.after, each.received.at), f"{each.received.at} ms: {table.name}"


@table_by_table
@pytest.mark.slow
def test_every_row_is_gone_by_some_evening(table: Transitions[Any, Any]) -> None:
    rows = {(stage, occurrence) for stage, ways in table.ways.items() for occurrence in ways}
    gone = {
        (stage, occurrence)
        for name in (*PLAYED, *OTHERS)
        for each in _played(name)
        for followed, stage, occurrence in each.followed
        if followed is table
    }
    assert gone == rows
