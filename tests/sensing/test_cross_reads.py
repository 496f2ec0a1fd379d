"""A tag heard where it is not: on two squares, garbled, foreign, or two on one square."""

import random

import pytest

from quarto_pi.sensing.board import Sensing, Sweep
from quarto_pi.sensing.cell import Candidate
from quarto_pi.sensing.events import (
    BoardEvent,
    ForeignTag,
    ForeignTagGone,
    PieceLifted,
    PieceMoved,
    PiecePlaced,
    TwoTags,
    TwoTagsGone,
)
from quarto_pi.sensing.readings import DEFAULT_TIMES, Outcome
from quarto_pi.sensing.tags import TagTable
from tests.sensing.hands import UIDS, garbled
from tests.sensing.test_presence import LONG, board_with
from tests.sensing.watched import DSQH, FOREIGN, LTRF, Watched, told


def test_a_neighbour_that_hears_a_resting_piece_all_the_time_changes_nothing() -> None:
    board = board_with({"b2": LTRF})
    assert board.show({"b2": LTRF, "b3": LTRF}, 20_000) == []
    assert board.pieces == {"b2": LTRF}
    assert board.state.cells["b3"].judged.cross_reads == 400


def test_a_far_square_that_shows_a_resting_piece_changes_nothing() -> None:
    board = board_with({"a1": LTRF})
    assert board.show({"a1": LTRF, "d4": LTRF}, 20_000) == []


def test_a_neighbour_that_hears_the_piece_while_its_own_square_misses_a_beat_changes_nothing() -> None:
    board = board_with({"b2": LTRF})
    for _ in range(50):
        assert board.show({"b2": LTRF}, 300) + board.show({"b3": LTRF}, 50) == []


@pytest.mark.slow
def test_a_weak_piece_whose_neighbour_hears_it_often_stays_where_it_is() -> None:
    board = board_with({"b2": LTRF})
    rng = random.Random(5)
    for _ in range(4_000):
        picture = {cell: LTRF for cell, rate in (("b2", 0.7), ("b3", 0.5)) if rng.random() < rate}
        assert board.show(picture, 50) == []


def test_a_piece_moved_to_the_next_square_is_moved_though_the_old_one_still_hears_it_now_and_then() -> None:
    board = board_with({"b2": LTRF})
    rng = random.Random(6)
    events: list[BoardEvent] = []
    for _ in range(100):
        events += board.show({"b3": LTRF, "b2": LTRF} if rng.random() < 0.3 else {"b3": LTRF}, 50)
    assert told(events) == [(PieceMoved, "b3")]


@pytest.mark.slow
def test_a_new_piece_goes_to_the_square_that_hears_it_more_often() -> None:
    rng = random.Random(7)
    for _ in range(50):
        board = Watched()
        board.show({}, 500)
        events: list[BoardEvent] = []
        for _ in range(60):
            events += board.show({"b2": LTRF, "b3": LTRF} if rng.random() < 0.4 else {"b2": LTRF}, 50)
        assert told(events) == [(PiecePlaced, "b2")]


def test_a_new_piece_heard_equally_by_two_squares_is_placed_on_neither_until_one_falls_silent() -> None:
    board = Watched()
    assert board.show({"b2": LTRF, "b3": LTRF}, LONG) == []
    events = board.show({"b3": LTRF}, LONG)
    assert told(events) == [(PiecePlaced, "b3")]


def test_the_old_square_that_has_not_been_looked_at_again_does_not_hold_up_a_move_for_long() -> None:
    board = board_with({"a1": LTRF})
    stale = board.show({"a1": LTRF, "c3": LTRF}, 150)
    events = stale + board.show({"c3": LTRF}, 1_000)
    assert told(events) == [(PieceMoved, "c3")]


def test_a_piece_taken_from_under_a_dead_reader_is_moved_when_it_rests_elsewhere() -> None:
    board = board_with({"a1": LTRF})
    board.show({"a1": Outcome.DEAD}, 3_000)
    events = board.show({"a1": Outcome.DEAD, "c3": LTRF}, 3_000)
    assert told(events) == [(PieceMoved, "c3")]


def test_a_neighbours_garbled_uid_is_no_foreign_tag() -> None:
    board = board_with({"b2": LTRF})
    rng = random.Random(8)
    for _ in range(400):
        picture = {"b2": LTRF} | ({"b3": garbled(UIDS[LTRF], rng)} if rng.random() < 0.4 else {})
        assert board.show(picture, 50) == []
    assert board.state.cells["b3"].judged.garbled > 100


@pytest.mark.slow
def test_a_pieces_own_garbled_uid_is_no_removal_and_no_foreign_tag() -> None:
    board = board_with({"b2": LTRF})
    rng = random.Random(9)
    for _ in range(400):
        assert board.show({"b2": garbled(UIDS[LTRF], rng)}, 50) == []
    assert board.pieces == {"b2": LTRF}


def test_a_piece_lifted_beside_a_neighbour_that_is_heard_there_garbled_is_lifted() -> None:
    board = board_with({"b2": LTRF, "b3": DSQH})
    ghost = f"{int(UIDS[LTRF], 16) ^ 0b100:014X}"
    events = board.show({"b2": LTRF, "b3": ghost}, 5_000)
    assert told(events) == [(PieceLifted, "b3")]


def test_a_uid_like_a_far_piece_is_a_foreign_tag() -> None:
    board = board_with({"a1": LTRF})
    like = f"{int(UIDS[LTRF], 16) ^ 0b100:014X}"
    (event,) = board.show({"a1": LTRF, "d4": like}, LONG)
    assert event == ForeignTag("d4", like, event.at)


def test_a_uid_like_a_neighbours_that_never_fails_is_a_foreign_tag_after_all() -> None:
    board = board_with({"b2": LTRF})
    like = f"{int(UIDS[LTRF], 16) ^ 0b100:014X}"
    assert board.show({"b2": LTRF, "b3": like}, DEFAULT_TIMES.garbled_after_ms - 500) == []
    (event,) = board.show({"b2": LTRF, "b3": like}, 1_500)
    assert event == ForeignTag("b3", like, event.at)
    assert board.show({"b2": LTRF, "b3": like}, 5_000) == []
    assert [type(event) for event in board.show({"b2": LTRF}, 5_000)] == [ForeignTagGone]


def test_a_foreign_tag_is_reported_once_and_when_it_has_gone() -> None:
    board = Watched()
    events = board.show({"b2": FOREIGN}, LONG)
    assert events == [ForeignTag("b2", FOREIGN, events[0].at)]
    assert board.state.photograph.foreign == (("b2", FOREIGN),)
    events = board.show({}, LONG)
    assert events == [ForeignTagGone("b2", FOREIGN, events[0].at)]


def test_a_foreign_tag_seen_once_is_nothing() -> None:
    board = Watched()
    assert board.show({"b2": FOREIGN}, 50) + board.show({}, LONG) == []


def test_a_piece_put_on_top_of_another_makes_two_tags_on_a_square() -> None:
    board = board_with({"b2": LTRF})
    events = board.show({"b2": [LTRF, DSQH]}, LONG)
    assert told(events) == [(TwoTags, "b2")]
    assert isinstance(events[0], TwoTags)
    assert set(events[0].things) == {LTRF, DSQH}
    assert board.pieces == {"b2": LTRF}
    assert board.state.photograph.two_tags == ("b2",)
    events = board.show({"b2": LTRF}, LONG)
    assert [type(event) for event in events] == [TwoTagsGone]


def test_two_pieces_put_on_a_square_together_are_not_placed_until_one_is_taken_away() -> None:
    board = Watched()
    events = board.show({"b2": [LTRF, DSQH]}, LONG)
    assert [type(event) for event in events] == [TwoTags]
    events = board.show({"b2": DSQH}, LONG)
    assert [type(event) for event in events] == [TwoTagsGone, PiecePlaced]
    assert board.pieces == {"b2": DSQH}


def test_a_piece_moved_on_top_of_another_leaves_its_square_and_makes_two_tags() -> None:
    board = board_with({"a1": DSQH, "b2": LTRF})
    events = board.show({"b2": [LTRF, DSQH]}, LONG)
    assert set(told(events)) == {(PieceLifted, "a1"), (TwoTags, "b2")}


def test_more_tags_than_can_be_named_are_two_tags_on_a_square() -> None:
    board = Watched()
    events = board.show({"b2": []}, LONG)
    assert [type(event) for event in events] == [TwoTags]


def test_a_neighbour_heard_beside_the_own_piece_is_no_second_tag() -> None:
    board = board_with({"b2": LTRF, "b3": DSQH})
    assert board.show({"b2": LTRF, "b3": [LTRF, DSQH]}, 20_000) == []


def test_two_tags_of_the_same_piece_on_a_square_are_that_piece() -> None:
    sensing = Sensing(TagTable.from_codes({"04A1B2C3": "LTRF", "DEADBEEF": "LTRF"}))
    state = sensing.start_empty()
    happened: list[BoardEvent] = []
    pictures = (["04A1B2C3", "DEADBEEF"], "04A1B2C3", "DEADBEEF")
    for turn in range(60):
        state, events = sensing.fold(state, Sweep.from_trace(50 * turn, {"b2": pictures[turn % 3]}))
        happened += events
    assert [type(event) for event in happened[:1]] == [PiecePlaced]
    assert len(happened) == 2


@pytest.mark.parametrize("interval", [20, 100, 250])
def test_what_was_judged_is_counted_for_each_cell(interval: int) -> None:
    board = board_with({"b2": LTRF}, interval)
    board.show({"b2": LTRF, "b3": LTRF, "c1": Outcome.ERROR, "c4": Outcome.DEAD}, 10 * interval)
    judged = {cell: board.state.cells[cell].judged for cell in ("b3", "c1", "c4")}
    assert (judged["b3"].cross_reads, judged["c1"].errors, judged["c4"].dead) == (10, 10, 10)


@pytest.mark.parametrize(("score", "hits", "leads"), [(15, 15, True), (16, 0, False), (0, 16, False)])
def test_cell_leads_that_has_heard_a_tag_clearly_more_often_lately_and_altogether(
    score: int, hits: int, leads: bool
) -> None:
    lead = DEFAULT_TIMES.lead_sweeps
    one, other = Candidate(LTRF, 0, score=15 + lead, hits=15 + lead), Candidate(LTRF, 0, score=score, hits=hits)
    assert one.leads([other], DEFAULT_TIMES) is leads
