"""What falls due by itself: the table of deadlines has all of it, and nothing that nobody would miss."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache

import pytest

from quarto_pi.referee import (
    Answer,
    Ask,
    Before,
    Closed,
    Input,
    Interrupted,
    Patience,
    Seen,
    Settings,
    State,
    fold,
    start,
)
from quarto_pi.referee.deadlines import DEADLINES, NEVER, Due, DueMoment, Moments, is_due, next_due
from quarto_pi.referee.effects import Effect
from quarto_pi.rules import Game, Give, Place, apply, parse_piece, parse_square
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.sweep import Sweep
from quarto_pi.sensing.touched import doubts_of, touched_on
from quarto_pi.trace.reader import read_trace
from tests.games.evening import HERE, Evening, evenings, read_evening
from tests.games.performance import LEVEL, Memory, Performance


@dataclass(frozen=True)
class Heard:
    """An evening as the referee hears of it, after the sensing layer, and the computer's answers."""

    settings: Settings
    patience: Patience
    inputs: tuple[Input, ...]
    computer: Callable[[Ask], Answer]
    before: Before | None = None


@cache
def heard(name: str) -> Heard:
    """What the referee hears of an evening in tests/games."""
    evening = read_evening(HERE / f"{name}.game")
    performance = Performance(evening)
    performance.play()
    kiosk = evening.kiosk
    trace = read_trace(io.StringIO(performance.trace()), Settings(languages=kiosk.languages), LEVEL, foreign=True)
    sensing = Sensing(trace.header.tags)
    board = sensing.start_empty()
    inputs: list[Input] = []
    for line in trace.lines:
        if isinstance(line, Sweep):
            board, events = sensing.fold(board, line)
            inputs.append(Seen(line.at, events, doubts_of(board), touched_on(board)))
        else:
            inputs.append(line)
    inputs = sorted([*inputs, *performance.doors], key=lambda received: received.at)
    return Heard(
        trace.header.settings, kiosk.patience, tuple(inputs), Memory(evening.answers, performance.memory.computer)
    )


def told(evening: Heard, *, is_gated: bool) -> Iterator[tuple[int, tuple[Effect, ...], State]]:
    """When the referee wants what done, and its state then; with every sweep folded, or passed over where it may be."""

    def folded(state: State, received: Input) -> tuple[State, tuple[Effect, ...]]:
        return fold(state if is_gated else replace(state, quiet=None), received)

    last = evening.inputs[-1].at
    state, effects = start(evening.settings, evening.inputs[0].at, evening.patience, evening.before)
    asked = [effect for effect in effects if isinstance(effect, Ask)]
    for received in (*evening.inputs, Closed(last)):
        while asked:
            state, further = folded(state, evening.computer(asked.pop(0)))
            effects += further
            asked += [effect for effect in further if isinstance(effect, Ask)]
        state, further = folded(state, received)
        asked += [effect for effect in further if isinstance(effect, Ask)]
        yield received.at, effects + further, state
        effects = ()


def first_difference(evening: Heard) -> str | None:
    """What is done otherwise, or is otherwise at the end, when every sweep is folded; None where nothing is."""
    last: list[State] = []
    both = zip(told(evening, is_gated=True), told(evening, is_gated=False), strict=True)
    for (at, effects, gated), (_, others, thorough) in both:
        if effects != others:
            return f"{at} ms: {[type(each).__name__ for each in effects]}, {[type(each).__name__ for each in others]}"
        last = [replace(gated, quiet=None), replace(thorough, quiet=None)]
    names = [each.name for each in fields(State) if getattr(last[0], each.name) != getattr(last[1], each.name)]
    return f"at the end: {names}" if names else None


def odd(patience: Patience, seed: int) -> Patience:
    """The same patience with odd lengths, none of which is a multiple of another or of a second."""
    rng = random.Random(seed)
    primes = (
        11,
        13,
        17,
        19,
        23,
        29,
        31,
        37,
        41,
        43,
        47,
        53,
        59,
        61,
        67,
        71,
        73,
        79,
        83,
        89,
        97,
        101,
        103,
        107,
        109,
        113,
    )
    lengths = {each.name: getattr(patience, each.name) for each in fields(patience)}
    # What is 0 never happens.
    return replace(patience, **{name: length + rng.choice(primes) for name, length in lengths.items() if length})


# --- one evening for each deadline ------------------------------------------------------------------------------------


def resumed() -> Heard:
    """A game that was stopped with a piece given, and goes on at a board from which the placed one is missing."""
    game = apply(apply(Game(), Give(parse_piece("LTRF"))), Place(parse_square("a1")))
    game = apply(game, Give(parse_piece("DSQH")))
    before = Before(1, last=Interrupted(game, Settings()))
    sweeps = tuple(Seen(at) for at in range(0, 12_000, 110))
    return Heard(Settings(), Patience(), sweeps, Memory(), before)


SHOWN_BY: dict[Due, tuple[str, dict[str, int]]] = {
    Due.NOTICE_ENDS: ("fault-computer-wants-an-unseen-square", {}),
    Due.MENU_CLOSES: ("menu-by-its-own-button", {}),
    Due.WRONG: ("d06-first-piece-not-given", {}),
    Due.DOUBT_ENDS: ("piece-between-two-squares", {}),
    Due.FACT: ("computer-given-on-the-very-square", {}),
    Due.RULES: ("d03-nobody-calls-the-sixteenth", {}),
    Due.SECOND: ("clock-given-in-the-last-moment", {}),
    Due.HURRY: ("clock-given-in-the-last-moment", {}),
    Due.LAST_WORD: ("computer-final-word", {}),
    Due.RELEASED: ("kiosk-voice", {}),
    Due.MENU_HELD: ("kiosk-voice", {}),
    Due.CHOICE_HELD: ("computer-opponent-from-the-menu", {}),
    Due.STUCK: ("button-stuck", {}),
    Due.JUDGED: ("computer-button-while-it-thinks", {}),
    Due.CALLED_IN_THE_AIR: ("d09-undo-pressed-early-and-again", {"latch_ms": 600}),
    Due.WHO_CALLED: ("d11-one-button-press-before-placing", {}),
    Due.QUESTION: ("fault-computer-wants-an-unseen-square", {}),
    Due.NEXT_QUESTION: ("fix-cleared-and-put-back-wrong-without-give-place", {}),
    Due.SEARCH_ENDS: ("computer-loses-to-a-call", {"each_question": 100, "in_hand": 1_500}),
    Due.CLEARED: ("menu-variant-in-mid-game", {}),
    Due.BEGUN_ANEW: ("fix-cleared-and-new-game-without-give-place", {}),
    Due.PLAYED_ON: ("many-games-new-pieces-before-all-are-off", {}),
    Due.IN_THE_WAY: ("clock-given-too-late", {}),
    Due.LITTERED: ("start-with-pieces-standing-without-give-place", {}),
    Due.STILL_THERE: ("computer-first-player", {"abandoned": 3_500, "still_there": 1_500}),
    Due.GIVEN_UP: ("computer-piece-on-a-wrong-square", {"abandoned": 2_500, "still_there": 1_000}),
    Due.LEFT_ALONE: ("attract", {}),
    Due.PUT_AWAY: ("d11-two-buttons", {"over_alone": 900}),
    Due.ASLEEP: ("computer-given-on-the-very-square", {"left_alone": 1_000, "sleeps": 2_000}),
    Due.GUEST_LEFT: ("kiosk-language-from-the-menu-stays", {}),
}
"""The shortest evening that is another one without this deadline, with less patience where it would take minutes.

No evening tells of a start after a stop, `Due.LOOKED_ROUND`.
"""


def evening_of(due: Due) -> Heard:
    """The evening that shows a deadline."""
    if due is Due.LOOKED_ROUND:
        return resumed()
    name, changes = SHOWN_BY[due]
    evening = heard(name)
    if due is Due.CALLED_IN_THE_AIR:
        rules = replace(evening.settings.rules, latch_ms=changes["latch_ms"])
        return replace(evening, settings=replace(evening.settings, rules=rules))
    return replace(evening, patience=replace(evening.patience, **changes))


def never(_: State) -> Moments:
    """Nothing falls due."""
    return iter(())


TAKES_LONG = {Due.LAST_WORD, Due.GUEST_LEFT}
DUES = [pytest.param(due, marks=pytest.mark.slow if due in TAKES_LONG else (), id=due.name) for due in Due]


@pytest.mark.parametrize("due", DUES)
def test_evening_is_another_one_without_a_deadline(due: Due, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = evening_of(due)
    as_it_is = list(told(evening, is_gated=True))
    monkeypatch.setitem(DEADLINES, due, never)
    without = told(evening, is_gated=True)
    assert any(one[1] != other[1] for one, other in zip(as_it_is, without, strict=True))


def test_table_has_every_deadline() -> None:
    assert list(DEADLINES) == list(Due)


# --- every evening ----------------------------------------------------------------------------------------------------

SLOW = {"attract", "computer-final-word", "d03-nobody-calls-the-sixteenth", "kiosk-language-from-the-menu-stays"}
QUICK = {name for name, _ in SHOWN_BY.values()} - SLOW
FOR_HOURS = {
    "kiosk-closing-time",
    "kiosk-computer-begins-and-nobody-comes",
    "kiosk-game-against-the-computer-left-alone",
    "kiosk-game-left-alone",
    "kiosk-language-by-one-press",
    "kiosk-never-gives-up",
    "kiosk-paused-game-is-kept-longer",
    "kiosk-sleep-without-hours",
    "kiosk-thinking-for-long",
}
"""Folding every sweep of these takes minutes: `python -m tests.soak.deadlines` plays them, too."""
EVENINGS = [
    pytest.param(evening, seed, marks=() if evening.name in QUICK else pytest.mark.slow, id=evening.name)
    for seed, evening in enumerate(evenings())
    if evening.name not in FOR_HOURS
]


@pytest.mark.parametrize(("evening", "seed"), EVENINGS)
def test_sweeps_that_are_passed_over_would_have_changed_nothing(evening: Evening, seed: int) -> None:
    as_heard = heard(evening.name)
    oddly = replace(as_heard, patience=odd(as_heard.patience, seed))
    assert first_difference(as_heard) is None
    assert first_difference(oddly) is None


def test_start_after_a_stop_is_passed_over_as_rightly() -> None:
    evening = resumed()
    assert first_difference(evening) is None
    assert first_difference(replace(evening, patience=odd(evening.patience, 1))) is None


# --- moments ----------------------------------------------------------------------------------------------------------


def test_moment_that_is_past_does_not_come_again() -> None:
    assert DueMoment(500).after(499) == 500
    assert DueMoment(500).after(500) == NEVER


def test_recurring_moment_comes_again_and_again() -> None:
    assert [DueMoment(500, every=40).after(now) for now in (0, 499, 500, 539, 540, 1_000)] == [
        500,
        500,
        540,
        540,
        580,
        1_020,
    ]


def test_board_that_nobody_touches_waits_for_one_thing_after_the_other() -> None:
    state, _ = start(Settings())
    patience = state.patience
    assert next_due(state, 0) == patience.left_alone
    assert not is_due(state, Due.LEFT_ALONE, patience.left_alone - 1)
    assert is_due(state, Due.LEFT_ALONE, patience.left_alone)
    assert not is_due(state, Due.PUT_AWAY, NEVER)
