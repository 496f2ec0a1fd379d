"""D8: until an alignment is called or lapses, everything that goes out is the same as if there were none.

The same hands play twice: once by the rules, and once on a board on which no alignment can be seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarto_pi.controller.computer import Computer
from quarto_pi.referee import Light, Settings, Show, Speak, Tell
from quarto_pi.referee.effects import Effect
from quarto_pi.referee.messages import WhoCalled
from quarto_pi.rules import Called, Missed
from quarto_pi.rules.board import Board
from quarto_pi.trace.format import Trace, read_trace
from quarto_pi.trace.replay import effects_of
from tests.games.performance import Lines, Timed
from tests.referee.people import People, as_trace, header

pytestmark = pytest.mark.slow

OUTWARD = (Show, Light, Speak, Tell)


def went_out(trace: Trace) -> Iterator[Timed]:
    """All that people could see, hear or read in the log, and when."""
    lines = Lines(trace.lines)
    for effect in effects_of(replace(trace, lines=lines), Computer()):
        if isinstance(effect, OUTWARD):
            yield lines.reached, effect


def blindly(trace: Trace) -> list[Timed]:
    """The same evening on a board on which no alignment can be seen."""
    with patch.object(Board, "alignments_through", lambda *_: ()):
        return list(went_out(trace))


def gives_away(effect: Effect) -> bool:
    """Whether an alignment is out: called, lapsed, or called by somebody of whom it is asked who it was (D11)."""
    if isinstance(effect, Show):
        return isinstance(effect.view.prompt, WhoCalled)
    if not isinstance(effect, Tell):
        return False
    return isinstance(effect.report, Missed) or (isinstance(effect.report, Called) and effect.report.valid)


def leak(trace: Trace) -> tuple[Timed | None, Timed | None] | None:
    """The first thing that went out in only one of both evenings before an alignment was out; None if there is none."""
    seen = list(went_out(trace))
    until = next((at for at, effect in seen if gives_away(effect)), None)
    real = [timed for timed in seen if until is None or timed[0] < until]
    blind = [timed for timed in blindly(trace) if until is None or timed[0] < until]
    for index in range(max(len(real), len(blind))):
        pair = tuple(timed[index] if index < len(timed) else None for timed in (real, blind))
        if pair[0] != pair[1]:
            return pair[0], pair[1]
    return None


def evening(
    seed: int, gives_on_place: bool, buttons: int, mischief: float, coach: bool = False, turns: int = 8
) -> Trace:
    names = ("call0", "call1") if buttons == 2 else ("call",)
    people = People(seed, gives_on_place, names, mischief, keen=True)
    first = header(
        gives_on_place=gives_on_place,
        buttons=buttons,
        rules={"squares": True, "calling": "button", "clock_seconds": 60},
    )
    return read_trace(as_trace(first, people.play(turns)), Settings(coach=coach), 3)


@settings(max_examples=5)
@given(
    seed=st.integers(0, 2**32),
    gives_on_place=st.booleans(),
    buttons=st.integers(1, 2),
    mischief=st.sampled_from([0.0, 0.3, 0.8]),
)
def test_nothing_shows_that_an_alignment_is_open(
    seed: int, gives_on_place: bool, buttons: int, mischief: float
) -> None:
    assert leak(evening(seed, gives_on_place, buttons, mischief)) is None


def test_the_evenings_have_alignments_that_could_leak() -> None:
    lapsed = 0
    for seed in range(3):
        trace = evening(seed, gives_on_place=True, buttons=1, mischief=0.0)
        lapsed += any(gives_away(effect) for _, effect in went_out(trace))
        assert not any(gives_away(effect) for _, effect in blindly(trace))
    assert lapsed >= 2


@pytest.mark.parametrize("gives_on_place", [True, False])
def test_a_referee_that_hints_would_be_caught(gives_on_place: bool) -> None:
    # The coach is a leak that players have asked for.
    assert any(leak(evening(seed, gives_on_place, 2, 0.0, coach=True)) for seed in range(6))
