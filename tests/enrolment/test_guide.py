"""The guide from its first question to its end."""

from __future__ import annotations

from quarto_pi.enrolment import Gesture, Task
from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    ChooseLanguage,
    Enrolled,
    KnownAlready,
    NotStored,
    PutPiece,
    Ready,
    ReplacePiece,
    SameTagTwice,
    SeveralPieces,
    SeveralTags,
    StartOver,
    StoringFails,
    UnclearTag,
)
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import CELLS, OFFER, SQUARE_NAMES, Outcome, Reading
from quarto_pi.sensing.tags import TagTable
from tests.enrolment.table import TABLE, UIDS, Guided, guided, read_well

LOST = PIECES[11]
REST = TagTable({uid: piece for uid, piece in TABLE.pieces.items() if piece.number < 15})
"""All pieces but the last."""


def test_all_sixteen_pieces_are_enrolled_one_after_another_on_any_cell() -> None:
    guide = guided()
    for piece, uid, cell in zip(PIECES, UIDS, (OFFER, *SQUARE_NAMES), strict=False):
        assert guide.asks() == PutPiece(piece, piece.number + 1, 16)
        guide.put(uid, cell)
        assert guide.notice == Enrolled(piece, cell)
    assert guide.asks() == Ready()
    assert guide.stored[-1] == TABLE
    assert not guide.state.ended
    guide.press()
    assert guide.state.ended


def test_first_start_asks_for_the_language_and_looks_at_the_readers_before_the_pieces() -> None:
    guide = guided(Task(language=True, waits=True), checked=False)
    assert guide.asks() == ChooseLanguage("en")
    guide.press()
    assert (guide.asks(), guide.state.language) == (ChooseLanguage("fr"), "fr")
    guide.hold()
    assert isinstance(guide.asks(), CheckReaders)
    guide.sweep(10)
    assert guide.asks() == CheckReaders(17, (), looked=True)
    guide.sweep(30)
    assert isinstance(guide.asks(), PutPiece)
    assert guide.state.language == "fr"


def test_readers_that_do_not_answer_are_named_and_the_guide_goes_on_without_them_when_told_to() -> None:
    guide = guided(checked=False)
    dead = {"b2", "c3"}
    guide.look = lambda cell, uids: Reading(cell, Outcome.DEAD, (), 0) if cell in dead else read_well(cell, uids)
    guide.sweep(60)
    assert guide.asks() == CheckReaders(17, ("b2", "c3"), looked=True)
    dead.remove("b2")
    guide.sweep(3)
    assert guide.asks() == CheckReaders(17, ("c3",), looked=True)
    guide.press()
    assert isinstance(guide.asks(), PutPiece)
    guide.put(UIDS[0], "a1")
    assert guide.notice == Enrolled(PIECES[0], "a1")


def test_a_tag_counts_after_seven_reads_and_not_before() -> None:
    guide = guided()
    guide.put(UIDS[0], "b2", sweeps=6)
    assert guide.table == {}
    guide.sweep()
    assert guide.table == {UIDS[0]: PIECES[0]}


def test_a_weak_tag_takes_longer() -> None:
    guide = guided()
    answers = iter([True, False] * 20)
    guide.look = lambda cell, uids: read_well(cell, uids if cell != "b2" or next(answers) else ())
    guide.put(UIDS[0], "b2", sweeps=12)
    assert guide.table == {}
    guide.sweep(2)
    assert guide.table == {UIDS[0]: PIECES[0]}


def test_a_piece_that_is_enrolled_already_is_told_and_not_taken_for_another() -> None:
    guide = guided()
    guide.put(UIDS[0], "b2")
    guide.take("b2")
    guide.put(UIDS[0], "c3")
    assert guide.notice == KnownAlready(PIECES[0], "c3")
    assert guide.asks() == PutPiece(PIECES[1], 2, 16)
    guide.take("c3")
    assert guide.notice is None
    assert guide.table == {UIDS[0]: PIECES[0]}


def test_an_enrolled_piece_that_is_only_pushed_to_another_square_is_nothing_worth_telling() -> None:
    guide = guided()
    guide.put(UIDS[0], "b2", sweeps=60)
    guide.lying = {"d4": (UIDS[0],)}
    guide.sweep(30)
    assert guide.notice is None


def test_two_new_pieces_at_once_are_told_and_neither_is_enrolled_until_one_is_gone() -> None:
    guide = guided()
    guide.lying["a1"] = (UIDS[0],)
    guide.put(UIDS[1], "d4", sweeps=40)
    assert guide.notice == SeveralPieces(("a1", "d4"))
    assert guide.table == {}
    guide.take("d4")
    assert guide.table == {UIDS[0]: PIECES[0]}


def test_a_second_piece_put_down_just_before_the_first_is_believed_holds_it_up() -> None:
    guide = guided()
    guide.put(UIDS[0], "a1", sweeps=4)
    guide.put(UIDS[1], "d4", sweeps=20)
    assert guide.notice == SeveralPieces(("a1", "d4"))
    assert guide.table == {}


def test_two_tags_on_one_square_are_told_and_nothing_is_enrolled() -> None:
    guide = guided()
    guide.lying["b2"] = (UIDS[0], UIDS[1])
    guide.sweep(30)
    assert guide.notice == SeveralTags("b2")
    assert guide.table == {}


def test_the_same_tag_on_two_squares_far_apart_is_told_as_a_copy() -> None:
    guide = guided()
    guide.put(UIDS[0], "a1")
    guide.put(UIDS[0], "d4", sweeps=30)
    assert guide.notice == SameTagTwice(("a1", "d4"))
    assert guide.table == {UIDS[0]: PIECES[0]}


def test_a_piece_between_two_squares_is_not_clear() -> None:
    guide = guided()
    guide.lying = {"a1": (UIDS[0],), "b1": (UIDS[0],)}
    guide.sweep(14)
    assert guide.notice is None, "it may become clear yet"
    guide.sweep(16)
    assert isinstance(guide.notice, UnclearTag)
    assert guide.table == {}
    guide.lying = {"a1": (UIDS[0],)}
    guide.sweep(20)
    assert guide.table == {UIDS[0]: PIECES[0]}


def test_a_garbled_form_that_a_neighbour_hears_all_the_time_is_never_enrolled() -> None:
    guide = guided()
    shifted = f"{int(UIDS[0], 16) >> 1:014X}"
    guide.put(UIDS[0], "a1", sweeps=4)
    guide.lying["b1"] = (shifted,)
    guide.sweep(40)
    assert guide.notice in (UnclearTag("a1"), UnclearTag("b1"))
    assert guide.table == {}
    guide.lying = {}
    guide.sweep(10)
    assert guide.notice is None


def test_tags_from_one_roll_are_enrolled_beside_each_other_after_a_longer_look() -> None:
    guide = guided()
    alike = UIDS[0][:-2] + "55"
    guide.put(UIDS[0], "a1", sweeps=30)
    guide.put(alike, "b1", sweeps=14)
    assert alike not in guide.table
    guide.sweep(2)
    assert guide.table == {UIDS[0]: PIECES[0], alike: PIECES[1]}


def test_a_press_asks_for_another_piece_and_the_one_passed_over_comes_round_again() -> None:
    guide = guided()
    guide.press()
    assert guide.asks() == PutPiece(PIECES[1], 1, 16)
    for number in (*range(1, 16), 0):
        guide.put(UIDS[number], SQUARE_NAMES[number])
    assert guide.asks() == Ready()
    assert guide.state.roll.table.pieces == TABLE.pieces


def test_holding_goes_one_back_and_what_lies_there_has_to_be_put_down_anew() -> None:
    guide = guided()
    guide.put(UIDS[1], "a1")
    guide.hold()
    assert guide.asks() == PutPiece(PIECES[0], 1, 16)
    guide.sweep(30)
    assert guide.table == {}
    guide.take("a1")
    guide.put(UIDS[0], "b2")
    assert guide.table == {UIDS[0]: PIECES[0]}
    assert guide.stored[-1].pieces == {UIDS[0]: PIECES[0]}


def test_the_page_can_press_and_hold_as_well() -> None:
    guide = guided()
    guide.tap_on_the_page(Gesture.PRESS)
    assert guide.asks() == PutPiece(PIECES[1], 1, 16)


def test_a_bouncing_button_is_pressed_once() -> None:
    guide = guided(Task(language=True), checked=False)
    for _ in range(3):
        guide.press()
    assert guide.asks() == ChooseLanguage("lt")


def test_an_enrolment_that_was_broken_off_goes_on_where_it_was() -> None:
    guide = guided(table=REST)
    assert guide.asks() == PutPiece(PIECES[15], 16, 16)
    guide.put(UIDS[15], "c2")
    assert guide.asks() == Ready()
    assert guide.stored == [TABLE]


def test_fifteen_known_pieces_and_a_new_tag_offer_to_replace_the_one_that_is_missing() -> None:
    guide = guided(table=TABLE)
    assert guide.asks() == AllKnown(0)
    _set_up_without_the_lost_piece(guide)
    assert guide.asks() == AllKnown(15)
    guide.put(UIDS[17], "d4")
    assert guide.asks() == ReplacePiece(LOST, "d4")
    assert guide.stored == []
    guide.hold()
    assert guide.asks() == Ready()
    assert guide.stored[-1].piece_of(UIDS[17]) == LOST
    assert guide.stored[-1].piece_of(UIDS[LOST.number]) is None


def test_a_new_tag_from_the_same_roll_as_the_piece_beside_it_is_offered_as_well() -> None:
    guide = guided(table=TABLE)
    _set_up_without_the_lost_piece(guide)
    beside = guide.lying["c4"][0]
    guide.put(beside[:-2] + "55", "d4", sweeps=30)
    assert guide.asks() == ReplacePiece(LOST, "d4")


def test_a_press_refuses_the_replacement_until_the_piece_is_put_down_again() -> None:
    guide = guided(table=TABLE)
    _set_up_without_the_lost_piece(guide)
    guide.put(UIDS[17], "d4")
    guide.press()
    guide.sweep(30)
    assert guide.asks() == AllKnown(15)
    guide.take("d4")
    guide.put(UIDS[17], "d4")
    assert guide.asks() == ReplacePiece(LOST, "d4")
    assert guide.stored == []


def test_fourteen_known_pieces_and_a_new_tag_replace_nothing() -> None:
    guide = guided(table=TABLE)
    _set_up_without_the_lost_piece(guide)
    guide.take("a1")
    guide.put(UIDS[17], "d4")
    assert guide.asks() == AllKnown(14)


def test_the_piece_that_is_named_is_replaced_by_the_next_new_tag() -> None:
    guide = guided(Task(replace=LOST), TABLE)
    assert guide.asks() == PutPiece(LOST, 1, 1)
    guide.put(UIDS[3], "a1")
    assert guide.notice == KnownAlready(PIECES[3], "a1")
    guide.take("a1")
    guide.put(UIDS[17], "b2")
    assert guide.asks() == ReplacePiece(LOST, "b2")
    guide.hold()
    assert guide.state.ended
    assert guide.stored[-1].uids_of(LOST) == (UIDS[17],)


def test_enrolling_all_again_asks_first_and_the_old_tags_count_until_the_last_one() -> None:
    guide = guided(table=TABLE)
    guide.hold()
    assert guide.asks() == StartOver()
    guide.press()
    assert guide.asks() == AllKnown(0)
    guide.hold()
    guide.hold()
    assert guide.asks() == PutPiece(PIECES[0], 1, 16)
    assert guide.stored == []
    guide.put(UIDS[1], "a1")
    assert guide.stored[-1].pieces == {UIDS[1]: PIECES[0]}


def test_a_full_disk_is_told_and_tried_again_and_nothing_is_lost() -> None:
    guide = guided()
    guide.disk = False
    guide.put(UIDS[0], "a1", sweeps=60)
    assert guide.notice == StoringFails()
    assert guide.asks() == PutPiece(PIECES[1], 2, 16)
    guide.disk = True
    guide.sweep(60)
    assert guide.notice is None
    assert guide.stored == [TagTable({UIDS[0]: PIECES[0]})]


def test_with_a_full_disk_people_may_play_all_the_same() -> None:
    guide = guided(table=REST)
    guide.disk = False
    guide.put(UIDS[15], "c2", sweeps=60)
    assert guide.asks() == NotStored()
    guide.press()
    assert guide.state.ended
    assert guide.state.roll.table == TABLE


def test_storing_that_works_at_last_makes_the_board_ready() -> None:
    guide = guided(table=REST)
    guide.disk = False
    guide.put(UIDS[15], "c2", sweeps=20)
    guide.disk = True
    guide.sweep(60)
    assert guide.asks() == Ready()


def test_every_question_is_said_once() -> None:
    guide = guided(table=TABLE)
    _set_up_without_the_lost_piece(guide)
    assert [type(message) for message in guide.said].count(AllKnown) == 1
    assert guide.asks() == AllKnown(15)


def test_a_board_without_give_place_has_no_reader_there() -> None:
    guide = guided(cells=SQUARE_NAMES)
    guide.put(UIDS[0], "a1")
    assert guide.table == {UIDS[0]: PIECES[0]}
    assert len(CELLS) == len(SQUARE_NAMES) + 1


def _set_up_without_the_lost_piece(guide: Guided) -> None:
    for piece, uid, square in zip(PIECES, UIDS, SQUARE_NAMES, strict=False):
        if piece != LOST:
            guide.lying[square] = (uid,)
    guide.lying.pop("d4", None)
    guide.lying["d3"] = (UIDS[15],)
    guide.sweep(20)
