"""What falls due by itself: the table of deadlines has all of it, and nothing that nobody would miss."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.referee import (
    Settings,
    State,
    start,
)
from quarto_pi.referee.deadlines import DEADLINES, NEVER, Due, DueMoment, Moments, is_due, next_due
from tests.games.evening import Evening, evenings
from tests.referee.heard_evenings import Heard, first_difference, heard, odd, resumed, told
from tests.referee.remote_evenings import evening_with_board, put, to_the_last_piece

pytestmark = pytest.mark.slow

# --- one evening for each deadline ------------------------------------------------------------------------------------


SHOWN_BY: dict[Due, tuple[str, dict[str, int]]] = {
    Due.NOTICE_ENDS: ("fault-computer-wants-an-unseen-square", {}),
    Due.MENU_CLOSES: ("menu-by-its-own-button", {}),
    Due.PAGE_TURNS: ("how-to-play", {}),
    Due.LESSON: ("lesson", {}),
    Due.LESSON_LEFT: ("lesson-after-a-game", {}),
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
    Due.CELEBRATED: ("after-the-game", {}),
    Due.NEXT_TOLD: ("after-the-game", {}),
    Due.PUT_AWAY: ("d11-two-buttons", {"over_alone": 900}),
    Due.ASLEEP: ("computer-given-on-the-very-square", {"left_alone": 1_000, "sleeps": 2_000}),
    Due.GUEST_LEFT: ("kiosk-language-from-the-menu-stays", {}),
}
"""The shortest evening that is another one without this deadline, with less patience where it would take minutes.

No evening tells of a start after a stop, `Due.LOOKED_ROUND`, or of another board.
"""


def evening_of(due: Due) -> Heard:
    """The evening that shows a deadline."""
    if due is Due.LOOKED_ROUND:
        return resumed()
    if due is Due.GIVEN_FOR_GOOD:
        return evening_with_board(put(3_000, "LTRF", "offer"), length=9_000)
    if due is Due.LAST_WORDLESS:
        return to_the_last_piece()
    name, changes = SHOWN_BY[due]
    evening = heard(name)
    if due is Due.CALLED_IN_THE_AIR:
        rules = replace(evening.settings.rules, latch_ms=changes["latch_ms"])
        return replace(evening, settings=replace(evening.settings, rules=rules))
    return replace(evening, patience=replace(evening.patience, **changes))


def never(_: State) -> Moments:
    """Nothing falls due."""
    return iter(())


TAKES_LONG = {Due.LAST_WORD, Due.GUEST_LEFT, Due.LAST_WORDLESS}
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

QUICK = {name for name, _ in SHOWN_BY.values()} - {"computer-final-word", "d03-nobody-calls-the-sixteenth"}
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
EVERY = 20


def _mark_of(evening: Evening, number: int) -> pytest.MarkDecorator | tuple[()]:
    """Those that show a deadline are always played, of the others a twentieth; `make soak` plays the rest as well."""
    if evening.name in QUICK:
        return ()
    return pytest.mark.campaign if number % EVERY else pytest.mark.slow


EVENINGS = [
    pytest.param(evening, seed, marks=_mark_of(evening, seed), id=evening.name)
    for seed, evening in enumerate(evenings())
    if evening.name not in FOR_HOURS
]


@pytest.mark.parametrize(("evening", "seed"), EVENINGS)
def test_sweeps_that_are_passed_over_would_have_changed_nothing(evening: Evening, seed: int) -> None:
    # With the usual patience, where moments coincide, `python -m tests.soak.deadlines` plays them as well.
    as_heard = heard(evening.name)
    assert first_difference(replace(as_heard, patience=odd(as_heard.patience, seed))) is None


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
