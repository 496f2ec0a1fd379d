"""A still board is not folded again and again: what comes of it has to be the same all the same."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import BoardState, Sensing, Sweep, caught_up
from quarto_pi.sensing.cell import Presence
from quarto_pi.sensing.events import BoardEvent
from quarto_pi.sensing.tags import Evidence
from tests.sensing.evenings import random_hands, random_noise
from tests.sensing.hands import TAGS, Table


def caught_up_state(state: BoardState) -> BoardState:
    """The state with what still sweeps have left to be counted; equal readings may be of another moment."""
    cells = {name: replace(cell, reading=None) for name, cell in caught_up(state.cells, state.repeated).items()}
    return replace(state, cells=cells, repeated=0, still=False)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.0, 0.3])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in (2, 3))])
def test_events_and_knowledge_are_those_of_folding_every_sweep(seed: int, level: float) -> None:
    hands, end = random_hands(seed, 25)
    sensing = Sensing(TAGS)
    quick = thorough = sensing.start_empty()
    told: list[BoardEvent] = []
    told_thoroughly: list[BoardEvent] = []
    repeated = 0
    for sweep in Table(hands, random_noise(seed, level), seed, 100).sweeps(end + 30_000):
        quick, events = sensing.fold(quick, sweep)
        told += events
        repeated = max(repeated, quick.repeated)
        thorough, events = sensing.fold(replace(thorough, still=False), sweep)
        told_thoroughly += events
        assert caught_up_state(quick) == caught_up_state(thorough)
    assert told == told_thoroughly
    assert repeated > 20 or level


@given(st.integers(0, 400), st.integers(0, 50), st.integers(0, 1_500))
def test_many_answers_at_once_are_as_many_answers_one_by_one(looks: int, missed: int, times: int) -> None:
    presence = one_by_one = Presence(PIECES[3], looks, min(missed, looks), echoes=(("b2", 7), ("c3", 1)))
    for _ in range(times):
        one_by_one = one_by_one.after(Evidence.HEARD, 0, 0)
    assert presence.answered(times) == one_by_one


def test_still_board_wakes_up_at_the_first_sweep_that_differs() -> None:
    sensing = Sensing(TAGS)
    state = sensing.start_empty()
    for at in range(0, 3_000, 100):
        state, _ = sensing.fold(state, Sweep(at))
    assert state.still
    state, _ = sensing.fold(state, Sweep.from_trace(3_000, {"b2": TAGS.uids_of(PIECES[0])[0]}))
    assert not state.still


def test_still_board_wakes_up_when_another_piece_answers_where_one_stood() -> None:
    """Exchanged between two sweeps: the cell was never seen empty."""
    sensing = Sensing(TAGS)
    state = sensing.start_empty()
    for at in range(0, 3_000, 100):
        state, _ = sensing.fold(state, Sweep.from_trace(at, {"b2": TAGS.uids_of(PIECES[0])[0]}))
    assert state.still
    state, _ = sensing.fold(state, Sweep.from_trace(3_000, {"b2": TAGS.uids_of(PIECES[1])[0]}))
    assert not state.still
