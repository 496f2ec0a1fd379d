from dataclasses import replace

import pytest
from PIL import ImageChops

from quarto_pi.referee.messages import (
    CarryOut,
    FalseCall,
    HurryUp,
    MissedAlignment,
    PlaceThis,
    StandsThere,
    Thinking,
    WhoCalled,
)
from quarto_pi.referee.phases import Overlay
from quarto_pi.referee.view import ClockView, Mark
from quarto_pi.rules import PIECES, SQUARES, Board, Piece, Player, parse_board
from quarto_pi.screens import boards, draw
from quarto_pi.screens.boards import MarkedBoard, board_picture, corner_of
from quarto_pi.screens.drawing import page_of, pages_of
from quarto_pi.screens.layout import DrawnPicture
from quarto_pi.screens.scene import Bar, scene_of
from quarto_pi.words import Words
from tests.screens.examples import ALONE, B3, CROSS, DIAGONAL, LONG, examples, view_of
from tests.screens.sheet import LARGE, SIZES

ENGLISH = Words("en")


@pytest.mark.slow
def test_every_view_is_a_picture_of_one_bit_and_of_the_size_of_the_display() -> None:
    for size in (*SIZES, (96, 64), (128, 128), (256, 64)):
        for name, view in examples():
            picture = draw(view, size, ENGLISH, 12_345)
            assert (picture.mode, picture.size) == ("1", size), name
            assert picture.getbbox() is not None, name


def test_the_same_view_at_the_same_moment_is_the_same_picture() -> None:
    for name, view in examples():
        first = draw(view, LARGE, ENGLISH, 700).tobytes()
        assert draw(replace(view), LARGE, Words("en"), 700).tobytes() == first, name


def test_an_open_alignment_is_drawn_like_any_other_board() -> None:
    # D8: nothing but the view is looked at, and in it only pieces and marks: two boards that differ in one piece,
    # of which one holds an alignment, differ in that piece's square only.
    plain, aligned = parse_board("..../..../..../897d"), parse_board("..../..../..../89ad")
    assert not plain.alignments()
    assert aligned.alignments()
    left, top = corner_of(SQUARES[2], 12)
    for message in (Thinking(Player.B, LONG), CarryOut(Player.B, LONG, SQUARES[13])):
        view = view_of(message, ALONE)
        for now_ms in range(0, 8_000, 250):
            pictures = [draw(replace(view, board=board), LARGE, ENGLISH, now_ms) for board in (plain, aligned)]
            box = ImageChops.logical_xor(*pictures).getbbox()
            if box is not None:
                assert box[2] - box[0] <= 12
                assert box[3] - box[1] <= 12
                assert box[1] >= 16 + top
                assert box[0] >= left


def test_the_computer_looks_at_every_empty_square_whatever_stands_on_the_others() -> None:
    board = Board.of({SQUARES[0]: PIECES[0]})
    seen = {
        boards.board_picture(MarkedBoard(board, searched=True), 48, now_ms).tobytes() for now_ms in range(0, 7_500, 500)
    }
    assert len(seen) == 15


def test_every_mark_looks_different() -> None:
    pictures = {
        mark: tuple(
            boards.board_picture(MarkedBoard(Board(), {"b2": mark}), 48, now_ms).tobytes()
            for now_ms in (0, boards.BEAT_MS)
        )
        for mark in Mark
    }
    alike = [{Mark.TARGET, Mark.PUT}, {Mark.TAKE, Mark.MISSED}]
    for one in Mark:
        for other in Mark:
            if one is not other and {one, other} not in alike:
                assert pictures[one] != pictures[other], (one, other)


def test_what_is_told_in_passing_has_an_inverted_headline() -> None:
    view = replace(view_of(PlaceThis(Player.B, LONG)), notice=FalseCall(Player.B))
    assert scene_of(view, ENGLISH).bar is Bar.INVERTED
    assert scene_of(replace(view, notice=None), ENGLISH).bar is Bar.PLAIN


def test_a_question_is_not_covered_by_what_is_told_in_passing() -> None:
    for question in (WhoCalled(Player.A), StandsThere(LONG, B3)):
        view = replace(view_of(question), notice=MissedAlignment((DIAGONAL,)))
        assert scene_of(view, ENGLISH).headline == ENGLISH.headline(question)


def test_who_has_to_hurry_still_sees_the_piece() -> None:
    view = view_of(PlaceThis(Player.B, LONG))
    hurried = replace(view, notice=HurryUp(Player.B), clock=ClockView(Player.B, 9))
    assert scene_of(hurried, ENGLISH).headline == "Hurry up!"
    assert scene_of(hurried, ENGLISH).beside == scene_of(view, ENGLISH).beside
    assert draw(hurried, LARGE, ENGLISH, 0).tobytes() != draw(hurried, LARGE, ENGLISH, boards.BEAT_MS).tobytes()


def test_all_alignments_that_were_missed_are_marked() -> None:
    view = replace(view_of(PlaceThis(Player.B, LONG)), notice=MissedAlignment(CROSS))
    table = scene_of(view, ENGLISH).beside
    assert isinstance(table, MarkedBoard)
    assert set(table.marks) == {"a1", "b1", "c1", "d1", "a2", "a3", "a4"}


def test_a_lost_reader_is_seen_as_long_as_it_is_lost() -> None:
    view = view_of(PlaceThis(Player.B, LONG))
    lost = replace(view, overlays=(Overlay.READER_FAULT,))
    assert draw(lost, LARGE, ENGLISH, 0).tobytes() != draw(view, LARGE, ENGLISH, 0).tobytes()


def test_pages_are_shown_in_turn() -> None:
    view = view_of(CarryOut(Player.B, LONG, B3), ALONE)
    count = len(pages_of(view, LARGE, ENGLISH))
    assert count == 2
    pictures = {draw(view, LARGE, ENGLISH, page * 4_000).tobytes() for page in range(4)}
    assert len(pictures) == count


@pytest.mark.slow
def test_touch_folds_a_corner_and_changes_nothing_else_but_where_the_board_is_shown() -> None:
    for size in SIZES:
        for name, view in examples():
            touched = replace(view, marks=(*view.marks, ("b2", Mark.SEEN)))
            for now_ms in (0, 700, 4_300):
                before, after = (draw(each, size, ENGLISH, now_ms) for each in (view, touched))
                changed = ImageChops.logical_xor(before, after)
                corner = (size[0] - 12, size[1] - 12, *size)
                assert changed.crop(corner).getbbox() is not None, name
                changed.paste(0, corner)
                boards = [
                    item for item in page_of(touched, size, ENGLISH, now_ms).items if isinstance(item, DrawnPicture)
                ]
                for item in boards:
                    if isinstance(item.picture, MarkedBoard):
                        changed.paste(0, item.box)
                assert changed.getbbox() is None, name


@pytest.mark.parametrize("piece", [None, PIECES[0], PIECES[15]])
@pytest.mark.parametrize("side", [32, 48, 64])
def test_touched_square_of_a_board_has_its_corner_folded_whatever_stands_there(piece: Piece | None, side: int) -> None:
    board = Board() if piece is None else Board.of({SQUARES[5]: piece})
    touched = board_picture(MarkedBoard(board, {SQUARES[5].name: Mark.SEEN}), side, 0)
    # A piece in a frame or with a mark is drawn a little smaller.
    changed = ImageChops.logical_xor(touched, board_picture(MarkedBoard(board), side, 0))
    pitch = side // 4
    left, top = corner_of(SQUARES[5], pitch)
    box = changed.getbbox()
    assert box is not None
    assert box[2:] == (left + pitch, top + pitch)
    assert box[0] >= left
    assert box[1] >= top
