"""The photograph: taken when nothing is in doubt, and only when it is a new one."""

from quarto_pi.sensing.board import Sensing, Sweep
from quarto_pi.sensing.events import BoardEvent, Photograph, Settled
from quarto_pi.sensing.readings import DEFAULT_TIMES, SQUARE_NAMES, Outcome
from tests.sensing.hands import TAGS
from tests.sensing.watched import DSQH, LTRF, Watched


def photographs(board: Watched) -> list[Photograph]:
    return [settled.photograph for settled in board.photographs]


def test_an_empty_board_settles_with_an_empty_photograph() -> None:
    board = Watched(empty=False)
    board.show({}, 3_000)
    assert photographs(board) == [Photograph()]


def test_a_board_with_pieces_settles_with_all_of_them_at_once() -> None:
    board = Watched(empty=False)
    board.show({"b2": LTRF, "offer": DSQH}, 3_000)
    assert photographs(board) == [Photograph((("b2", LTRF), ("offer", DSQH)))]
    assert photographs(board)[0].cell_of(DSQH) == "offer"
    assert photographs(board)[0].piece_on("a1") is None


def test_every_change_settles_once() -> None:
    board = Watched()
    for picture in ({}, {"b2": LTRF}, {"b2": LTRF, "c3": DSQH}, {"c3": DSQH}):
        board.show(picture, 4_000)
    assert [[cell for cell, _ in photograph.pieces] for photograph in photographs(board)] == [
        [],
        ["b2"],
        ["b2", "c3"],
        ["c3"],
    ]


def test_a_board_does_not_settle_while_a_piece_is_sliding() -> None:
    board = Watched()
    board.show({"a1": LTRF}, 2_000)
    before = len(board.photographs)
    for cell in ("b1", "c1", "d1", "d2", "d3"):
        board.show({cell: LTRF}, 200)
    assert len(board.photographs) == before
    board.show({"d3": LTRF}, 2_000)
    assert photographs(board)[before:] == [Photograph((("d3", LTRF),))]


def test_settling_takes_its_time_after_the_last_event() -> None:
    sensing = Sensing(TAGS)
    board = Watched(20)
    board.show({}, 2_000)
    (placed,) = board.show({"b2": LTRF}, 2_000)
    assert board.photographs[-1].at - placed.at == DEFAULT_TIMES.settled_after_ms
    assert sensing.start_empty().photograph == Photograph()


def test_a_neighbours_cross_read_does_not_keep_the_board_from_settling() -> None:
    board = Watched()
    board.show({"b2": LTRF, "b3": LTRF}, 200)
    board.show({"b2": LTRF}, 2_000)
    board.show({"b2": LTRF, "b3": LTRF, "d4": DSQH}, 3_000)
    assert photographs(board)[-1].pieces == (("b2", LTRF), ("d4", DSQH))


def test_a_board_whose_readers_are_lost_settles_too() -> None:
    board = Watched(empty=False)
    board.show(dict.fromkeys((*SQUARE_NAMES, "offer"), Outcome.DEAD), 5_000)
    assert len(board.photographs[-1].photograph.lost) == 17


def test_a_board_without_offer_reader_settles() -> None:
    sensing = Sensing(TAGS, cells=SQUARE_NAMES)
    state = sensing.start()
    happened: list[BoardEvent] = []
    for at in range(0, 2_000, 50):
        state, events = sensing.fold(state, Sweep.from_trace(at, dict.fromkeys(SQUARE_NAMES)))
        happened += events
    assert [type(event) for event in happened] == [Settled]
