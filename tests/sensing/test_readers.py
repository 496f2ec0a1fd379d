"""Readers that fail: a lost one is an event, and a board without supply is not an empty board."""

import copy
import random

import pytest

from quarto_pi.rules import PIECES
from quarto_pi.sensing.cell import WORKING
from quarto_pi.sensing.events import BoardEvent, PieceLifted, PiecePlaced, ReaderFailed, ReaderRecovered
from quarto_pi.sensing.readings import CELLS, DEFAULT_TIMES, SQUARE_NAMES, Outcome
from tests.sensing.test_presence import INTERVALS, LONG, board_with
from tests.sensing.watched import DSQH, LTRF, Shown, Watched, told


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("failure", [Outcome.ERROR, Outcome.DEAD])
def test_a_reader_that_only_fails_is_lost_once_and_recovered_once(failure: Outcome, interval: int) -> None:
    board = board_with({"a1": LTRF}, interval)
    start = board.now
    (lost,) = board.show({"a1": LTRF, "b2": failure}, LONG)
    assert isinstance(lost, ReaderFailed)
    slowest = max(DEFAULT_TIMES.lost_after_ms + interval, DEFAULT_TIMES.lost_after_sweeps * interval)
    assert (lost.cell, DEFAULT_TIMES.lost_after_ms <= lost.at - start <= slowest) == ("b2", True)
    (recovered,) = board.show({"a1": LTRF}, LONG)
    assert isinstance(recovered, ReaderRecovered)


@pytest.mark.slow
def test_single_errors_lose_no_reader() -> None:
    board = board_with({"a1": LTRF})
    for _ in range(100):
        assert board.show({"a1": LTRF, "b2": Outcome.ERROR}, 1_000) + board.show({"a1": LTRF}, 50) == []


@pytest.mark.parametrize("failure", [Outcome.ERROR, Outcome.DEAD])
@pytest.mark.parametrize("duration", [200, 1_000, 5_000, 60_000])
def test_a_brown_out_of_all_readers_lifts_and_places_nothing(duration: int, failure: Outcome) -> None:
    pieces: dict[str, Shown] = dict(zip(SQUARE_NAMES[:9], PIECES, strict=False))
    board = Watched()
    board.show(pieces, 2_000)
    events = board.show(dict.fromkeys(CELLS, failure), duration) + board.show(pieces, LONG)
    assert {type(event) for event in events} <= {ReaderFailed, ReaderRecovered}
    assert len(events) == (34 if duration > DEFAULT_TIMES.lost_after_ms else 0)


def test_a_piece_on_a_lost_readers_cell_stays_in_the_photograph_and_the_cell_is_named() -> None:
    board = board_with({"b2": LTRF})
    board.show({"b2": Outcome.DEAD}, LONG)
    photograph = board.photographs[-1].photograph
    assert (photograph.piece_on("b2"), photograph.lost) == (LTRF, ("b2",))


def test_a_piece_taken_away_under_a_dead_reader_is_lifted_once_the_reader_is_back() -> None:
    board = board_with({"b2": LTRF})
    board.show({"b2": Outcome.DEAD}, LONG)
    events = board.show({}, LONG)
    assert [type(event) for event in events] == [ReaderRecovered, PieceLifted]


def test_a_piece_put_down_under_a_dead_reader_is_placed_once_the_reader_is_back() -> None:
    board = Watched()
    board.show({"b2": Outcome.DEAD}, LONG)
    events = board.show({"b2": DSQH}, LONG)
    assert [type(event) for event in events] == [ReaderRecovered, PiecePlaced]


def test_misses_from_before_a_reader_was_lost_count_for_nothing_once_it_is_back() -> None:
    # A tag as weak as this one has to be missed often before it counts as gone.
    board = board_with({"b2": LTRF}, 400)
    for look in range(200):
        assert board.show({} if look % 3 else {"b2": LTRF}, 400) == []
    missed = looks_until_lifted(copy.copy(board))
    for _ in range(missed - 1):
        assert board.show({}, 400) == []
    for failing in (True, False):
        while not (events := board.show({"b2": Outcome.DEAD} if failing else {}, 400)):
            pass
        assert told(events) == [(ReaderFailed if failing else ReaderRecovered, "b2")]
    assert looks_until_lifted(board) >= missed - 1


def looks_until_lifted(board: Watched) -> int:
    """How often an empty square is looked at until the piece counts as lifted."""
    looks = 1
    while not board.show({}, board.interval):
        looks += 1
    return looks


def test_what_a_reader_says_between_failures_while_it_is_lost_counts_for_nothing() -> None:
    board = board_with({"b2": LTRF})
    board.show({"b2": Outcome.DEAD}, LONG)
    for _ in range(50):
        assert board.show({}, 50) + board.show({"b2": Outcome.ERROR}, 50) == []
    assert board.pieces == {"b2": LTRF}


def test_a_lost_reader_that_works_again_recovers_though_the_tag_on_it_is_weak_and_breaks_off() -> None:
    board = board_with({"b2": LTRF}, 90)
    board.show({"b2": Outcome.DEAD}, LONG)
    rng = random.Random(4)
    events: list[BoardEvent] = []
    for _ in range(60):
        events += board.show({"b2": LTRF if rng.random() < 0.5 else Outcome.ERROR}, 90)
    assert told(events) == [(ReaderRecovered, "b2")]


def test_however_seldom_a_reader_is_looked_at_it_is_lost_and_recovered_by_so_many_looks_only() -> None:
    condition, now = WORKING, 0
    for fails, looks in ((True, DEFAULT_TIMES.lost_after_sweeps), (False, DEFAULT_TIMES.recovered_after_sweeps)):
        assert looks >= 2
        for _ in range(looks):
            assert condition.lost is not fails
            condition, now = condition.after(fails, now, DEFAULT_TIMES), now + 60_000
        assert condition.lost is fails
