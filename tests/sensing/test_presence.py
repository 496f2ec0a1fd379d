"""Placed, lifted and moved: nothing before it rests, nothing by one time-out, nothing by an error."""

import pytest

from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.cell import LOOKS_REMEMBERED, Presence
from quarto_pi.sensing.events import BoardEvent, Found, PieceLifted, PieceMoved, PiecePlaced
from quarto_pi.sensing.readings import DEFAULT_TIMES, SQUARE_NAMES, Outcome
from tests.sensing.watched import DSQH, DTQH, LSRF, LTRF, Shown, Watched, told, told_of_pieces

INTERVALS = (20, 50, 100, 250, 500)
LONG = 6_000


def board_with(pieces: dict[str, Piece], interval: int = 50) -> Watched:
    board = Watched(interval)
    board.show({}, 500)
    board.show(pieces, 4_000)
    assert board.pieces == pieces
    return board


@pytest.mark.parametrize("interval", INTERVALS)
def test_piece_that_rests_is_placed_once_and_in_time(interval: int) -> None:
    board = Watched(interval)
    board.show({}, 1_000)
    start = board.now
    events = board.show({"b2": LTRF}, LONG)
    (placed,) = events
    assert isinstance(placed, PiecePlaced)
    assert (placed.cell, placed.piece, placed.since) == ("b2", LTRF, start)
    assert placed.at - start >= DEFAULT_TIMES.placed_after_ms
    assert placed.at - start < max(DEFAULT_TIMES.placed_after_ms, interval) + interval


@pytest.mark.parametrize("interval", INTERVALS)
def test_piece_seen_in_one_sweep_only_is_not_placed(interval: int) -> None:
    board = Watched(interval)
    board.show({}, 1_000)
    assert board.show({"b2": LTRF}, interval) + board.show({}, LONG) == []


@pytest.mark.parametrize("interval", [20, 50, 100])
def test_piece_held_over_squares_one_after_the_other_is_not_placed(interval: int) -> None:
    board = Watched(interval)
    for cell in ("a1", "b1", "b2", "c2", "c3", "d4"):
        assert board.show({cell: LTRF}, 200) == []
    assert board.show({}, LONG) == []


@pytest.mark.parametrize("interval", INTERVALS)
def test_piece_that_is_gone_is_lifted_once(interval: int) -> None:
    board = board_with({"b2": LTRF}, interval)
    start = board.now
    (lifted,) = board.show({}, LONG)
    assert isinstance(lifted, PieceLifted)
    assert (lifted.cell, lifted.piece, lifted.since) == ("b2", LTRF, start)


def test_piece_lifted_for_an_instant_is_ignored() -> None:
    board = board_with({"b2": LTRF})
    assert board.show({}, 150) + board.show({"b2": LTRF}, LONG) == []


def test_every_second_look_missed_is_no_removal_of_a_piece_known_to_be_weak() -> None:
    board = board_with({"b2": LTRF})
    for _ in range(100):
        assert board.show({}, 50) + board.show({"b2": LTRF}, 50) == []
    # it has become one that is given time: a run that would have been enough before is not now
    assert board.show({}, 600) + board.show({"b2": LTRF}, LONG) == []


def test_a_tag_that_always_answered_is_believed_gone_sooner_than_a_weak_one() -> None:
    strong, weak = board_with({"b2": LTRF}), board_with({"b2": LTRF})
    for _ in range(100):
        strong.show({"b2": LTRF}, 100)
        weak.show({"b2": LTRF}, 50)
        weak.show({}, 50)
    weak.show({"b2": LTRF}, 50)
    strong_started, weak_started = strong.now, weak.now
    (strong_lifted,), (weak_lifted,) = strong.show({}, LONG), weak.show({}, LONG)
    assert strong_lifted.at - strong_started < weak_lifted.at - weak_started


def test_doubt_in_a_tag_that_has_hardly_ever_answered_grows_with_every_look_all_the_same() -> None:
    assert [Presence(LTRF, looks=200, missed=199, misses=misses).doubt for misses in (1, 2, 30)] == [1, 2, 30]


def test_what_was_known_of_a_tag_long_ago_counts_for_half() -> None:
    remembered = Presence(LTRF, looks=LOOKS_REMEMBERED, missed=100, echoes=(("c2", 8), ("d4", 1)))
    assert remembered.answered(1) == Presence(LTRF, looks=LOOKS_REMEMBERED // 2, missed=50, echoes=(("c2", 4),))


@pytest.mark.parametrize("failure", [Outcome.ERROR, Outcome.DEAD])
def test_errors_never_lift_a_piece(failure: Outcome) -> None:
    board = board_with({"b2": LTRF})
    events = board.show({"b2": failure}, 60_000)
    assert not any(isinstance(event, PieceLifted) for event in events)
    assert board.pieces == {"b2": LTRF}


def test_a_piece_is_lifted_though_some_looks_at_its_empty_cell_fail() -> None:
    board = board_with({"b2": LTRF})
    events: list[BoardEvent] = []
    for _ in range(20):
        events += board.show({"b2": Outcome.ERROR}, 50) + board.show({}, 150)
    assert [type(event) for event in events] == [PieceLifted]


def test_a_weak_piece_whose_answers_break_off_more_often_than_not_is_not_lifted() -> None:
    board = board_with({"b2": LTRF})
    for _ in range(50):
        for shown in (Outcome.ERROR, None, Outcome.ERROR, Outcome.ERROR, None, None, Outcome.ERROR) * 2:
            assert board.show({} if shown is None else {"b2": shown}, 50) == []
        assert board.show({"b2": LTRF}, 50) == []


def test_piece_moved_within_an_instant_is_moved_and_not_lifted() -> None:
    board = board_with({"a1": LTRF})
    events = board.show({}, 100) + board.show({"d4": LTRF}, LONG)
    assert told(events) == [(PieceMoved, "d4")]


def test_piece_moved_to_the_next_square_without_a_gap_is_moved() -> None:
    board = board_with({"b2": LTRF})
    (moved,) = board.show({"b3": LTRF}, LONG)
    assert isinstance(moved, PieceMoved)
    assert (moved.origin, moved.cell) == ("b2", "b3")


def test_piece_that_slides_over_squares_is_moved_once_to_where_it_rests() -> None:
    board = board_with({"a1": LTRF})
    events: list[BoardEvent] = []
    for picture in ({"a1": LTRF, "b1": LTRF}, {"b1": LTRF}, {"c1": LTRF}, {}):
        events += board.show(picture, 100)
    events += board.show({"d1": LTRF}, LONG)
    assert told(events) == [(PieceMoved, "d1")]


def test_piece_carried_slowly_is_lifted_and_then_placed() -> None:
    board = board_with({"b2": LTRF})
    events = board.show({}, 2_000) + board.show({"c4": LTRF}, 2_000)
    assert told(events) == [(PieceLifted, "b2"), (PiecePlaced, "c4")]


@pytest.mark.parametrize("gap", [0, 100])
def test_two_pieces_swapped_quickly_are_both_moved(gap: int) -> None:
    board = board_with({"b2": LTRF, "b3": DSQH})
    events = board.show({}, gap) if gap else []
    events += board.show({"b2": DSQH, "b3": LTRF}, LONG)
    assert told_of_pieces(events) == [(PieceMoved, "b2", DSQH), (PieceMoved, "b3", LTRF)]


def test_piece_exchanged_for_another_on_its_square() -> None:
    board = board_with({"b2": LTRF})
    events = board.show({"b2": DSQH}, LONG)
    assert told_of_pieces(events) == [(PieceLifted, "b2", LTRF), (PiecePlaced, "b2", DSQH)]


def test_two_pieces_lifted_at_once_are_both_lifted() -> None:
    board = board_with({"b2": LTRF, "d4": DSQH, "a1": LSRF})
    events = board.show({"a1": LSRF}, LONG)
    assert told(events) == [(PieceLifted, "b2"), (PieceLifted, "d4")]


def test_piece_dropped_while_another_is_lifted() -> None:
    board = board_with({"b2": LTRF})
    events = board.show({"b2": LTRF, "c4": DSQH}, 100) + board.show({"c4": DSQH}, LONG)
    assert set(told(events)) == {(PiecePlaced, "c4"), (PieceLifted, "b2")}
    assert len(events) == 2


def test_a_board_swept_empty_is_reported_piece_by_piece_after_a_longer_time() -> None:
    pieces = dict(zip(SQUARE_NAMES, PIECES, strict=True))
    board = board_with(pieces)
    start = board.now
    events = board.show({}, LONG)
    assert [type(event) for event in events] == [PieceLifted] * 16
    assert all(event.at - start >= DEFAULT_TIMES.vanished_after_ms for event in events)


def test_a_supply_that_dips_so_that_all_squares_look_empty_lifts_nothing() -> None:
    board = board_with(dict(zip(SQUARE_NAMES, PIECES, strict=True)))
    pieces: dict[str, Shown] = dict(board.pieces)
    assert board.show({}, 1_000) + board.show(pieces, LONG) == []


def test_pieces_standing_at_power_up_are_found_and_not_placed() -> None:
    board = Watched(empty=False)
    events = board.show({"b2": LTRF, "c3": DSQH}, 1_000)
    assert told(events) == [(Found, "b2"), (Found, "c3")]
    events = board.show({"b2": LTRF, "c3": DSQH, "d1": DTQH}, 1_000)
    assert told(events) == [(PiecePlaced, "d1")]


def test_a_weak_tag_standing_at_power_up_is_found_however_it_misses() -> None:
    board = Watched(empty=False)
    events = board.show({}, 150)
    for _ in range(10):
        events += board.show({"b2": LTRF}, 100) + board.show({}, 50)
    assert [type(event) for event in events] == [Found]


def test_the_offer_place_is_a_cell_like_any_other() -> None:
    board = board_with({"offer": LTRF})
    events = board.show({}, 1_500) + board.show({"a1": LTRF}, 1_000)
    assert told(events) == [(PieceLifted, "offer"), (PiecePlaced, "a1")]
