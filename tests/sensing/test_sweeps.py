"""What goes in: readings, sweeps, lines of a table trace; and that folding changes nothing but what it returns."""

import pytest

from quarto_pi.sensing.board import Sensing, Sweep, TraceValue, to_trace
from quarto_pi.sensing.events import BoardEvent
from quarto_pi.sensing.readings import CELLS, Outcome, Reading, SensingError, SweepError
from tests.sensing.hands import TAGS, UIDS, Hands, Noise, Table
from tests.sensing.watched import LTRF, reading_of


def test_a_cell_that_is_not_in_a_sweep_counts_as_the_same_again() -> None:
    sensing = Sensing(TAGS)
    whole, partial = sensing.start_empty(), sensing.start_empty()
    for at in range(0, 2_000, 100):
        everything = Sweep(at, tuple(reading_of(cell, LTRF if cell == "b2" else None, at) for cell in CELLS))
        whole, whole_events = sensing.fold(whole, everything)
        partial, partial_events = sensing.fold(partial, everything if at == 0 else Sweep(at))
        assert whole_events == partial_events


def test_a_recorded_evening_replays_to_the_same_events() -> None:
    hands = Hands()
    at = hands.lift(LTRF, hands.put(LTRF, "b2", 500) + 2_000)
    hands.put(LTRF, "c3", at + 500)
    hands.fail(("d4",), 1_000, 4_000)
    sweeps = list(Table(hands, Noise(miss=0.05, error=0.05), 3, 60).sweeps(8_000))
    sensing = Sensing(TAGS)
    live, replayed = sensing.start_empty(), sensing.start_empty()
    happened: list[BoardEvent] = []
    again: list[BoardEvent] = []
    before: dict[str, TraceValue] = {}
    for sweep in sweeps:
        live, events = sensing.fold(live, sweep)
        happened += events
        line = {reading.cell: to_trace(reading) for reading in sweep.readings}
        changed = {cell: value for cell, value in line.items() if before.get(cell) != value}
        before |= changed
        replayed, events = sensing.fold(replayed, Sweep.from_trace(sweep.at, changed))
        again += events
    assert happened == again
    assert len(happened) > 5


def test_folding_leaves_the_old_state_as_it_was() -> None:
    sensing = Sensing(TAGS)
    start = sensing.start_empty()
    first = sensing.fold(start, Sweep.from_trace(0, {"b2": UIDS[LTRF]}))
    again = sensing.fold(start, Sweep.from_trace(0, {"b2": UIDS[LTRF]}))
    assert first == again
    assert start == sensing.start_empty()


def test_a_line_of_a_trace_says_tag_several_nothing_or_error() -> None:
    sweep = Sweep.from_trace(7, {"a1": "04:a1:b2:c3", "b1": ["04A1B2C3", "DEADBEEF"], "c1": None, "d1": "error"})
    assert [(reading.cell, reading.outcome, reading.uids) for reading in sweep.readings] == [
        ("a1", Outcome.TAG, ("04A1B2C3",)),
        ("b1", Outcome.SEVERAL, ("04A1B2C3", "DEADBEEF")),
        ("c1", Outcome.EMPTY, ()),
        ("d1", Outcome.ERROR, ()),
    ]
    assert [to_trace(reading) for reading in sweep.readings] == ["04A1B2C3", ["04A1B2C3", "DEADBEEF"], None, "error"]
    assert to_trace(Reading("a1", Outcome.DEAD, (), 7)) == "error"


def test_a_sweep_takes_the_time_of_its_latest_reading() -> None:
    readings = [Reading("a1", Outcome.EMPTY, (), 5), Reading("b1", Outcome.EMPTY, (), 9)]
    assert Sweep.of(readings).at == 9
    assert Sweep.of([], at=3) == Sweep(3)


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"e5": None}, f"'e5' is not a cell: choose from {', '.join(CELLS)}."),
        ({"ofer": None}, "'ofer' is not a cell: did you mean 'offer'?"),
        ({"a1": "nonsense"}, "'nonsense' is not a UID: write 4, 7 or 10 bytes in hex, such as 04A1B2C3D4E5F6."),
        ({"a1": 7}, '7 says nothing about a1: write a UID, a list of UIDs, null or "error".'),
        ({"a1": [7]}, '[7] says nothing about a1: write a UID, a list of UIDs, null or "error".'),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(cells: dict[str, TraceValue], sentence: str) -> None:
    with pytest.raises(SensingError) as caught:
        Sweep.from_trace(0, cells)
    assert str(caught.value) == sentence


def test_a_sweep_that_makes_no_sense_is_refused_and_changes_nothing() -> None:
    sensing = Sensing(TAGS, cells=("a1",))
    state, _ = sensing.fold(sensing.start(), Sweep(100))
    with pytest.raises(SweepError, match="a sweep at 99 ms comes after one at 100 ms"):
        sensing.fold(state, Sweep(99))
    with pytest.raises(SweepError, match="the cell b1 has no reader on this board"):
        sensing.fold(state, Sweep.from_trace(101, {"b1": None}))
    with pytest.raises(SweepError, match="a sweep without readings has no time"):
        Sweep.of([])
    twice = Reading("a1", Outcome.EMPTY, (), 0)
    with pytest.raises(SweepError, match="the cell a1 comes twice"):
        Sweep(0, (twice, twice))
