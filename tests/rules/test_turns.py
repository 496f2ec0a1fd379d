"""Give, place, change one's mind, and the wrong piece (R3, R8, D5, D6)."""

from __future__ import annotations

import pytest

from quarto_pi.rules import (
    FalseCallRule,
    GameOver,
    Given,
    Missed,
    Options,
    Phase,
    PieceNotAvailable,
    PieceNotGiven,
    Placed,
    Shifted,
    SquareTaken,
    WrongMoment,
)
from tests.rules.script import FULL, OPENED_BY_A, A, B, names, piece, play, refuse, square


def test_r3_a_turn_is_to_place_and_then_to_give() -> None:
    game = play("7")
    assert (game.phase, game.hand, game.news) == (Phase.PLACE, piece("7"), (Given(piece("7"), A),))
    game = play("b2", game)
    assert (game.phase, game.hand, game.news) == (Phase.GIVE, None, (Placed(square("b2"), piece("7"), B),))
    assert game.board[square("b2")] == piece("7")


def test_r3_nothing_is_placed_before_it_is_given() -> None:
    refuse(play(""), "a1", WrongMoment, "no piece has been given: give one")
    refuse(play("7 b2"), "a1", WrongMoment, "no piece has been given: give one")


def test_r3_only_an_empty_square_can_be_taken() -> None:
    refuse(play("7 b2 c"), "b2", SquareTaken, "b2 is taken by LSQH: choose an empty square")


def test_r1_r3_a_piece_on_the_board_cannot_be_given() -> None:
    refuse(play("7 b2"), "7", PieceNotAvailable, "LSQH stands on the board: the pieces left to give are LTRF, LTRH")
    refuse(play("7 b2 c"), "7", PieceNotAvailable, "LSQH stands on the board")


def test_r3_a_given_piece_may_be_exchanged_until_it_is_placed() -> None:
    game = play("7 c")
    assert (game.hand, game.phase, game.to_act) == (piece("c"), Phase.PLACE, B)
    assert piece("7") in game.available
    refuse(game, "c", PieceNotAvailable, "DSRF has been given already")
    assert play("b2", game).board.pieces == {square("b2"): piece("c")}


def test_r8_exchanging_the_given_piece_leaves_the_receivers_moment_as_it_is() -> None:
    game = play(OPENED_BY_A + " 8 9")
    assert game.open_for(B)
    assert not game.open_for(A)


def test_d3_nothing_can_be_given_after_the_sixteenth_piece() -> None:
    game = play(FULL)
    for digit in "0f":
        refuse(game, digit, WrongMoment, "all sixteen pieces are placed")


def test_d3_nothing_can_be_placed_or_moved_after_the_sixteenth_piece() -> None:
    refuse(play(FULL), "a1", WrongMoment, "")
    refuse(play(FULL), ">a1", WrongMoment, "")


def test_d3_what_is_refused_after_the_sixteenth_piece_is_not_told_to_give_one() -> None:
    game = play(FULL)
    with pytest.raises(WrongMoment) as raised:
        play("a1", game)
    assert "give one" not in str(raised.value), "no piece is left that could be given"


def test_nothing_can_be_done_after_the_end() -> None:
    game = play(OPENED_BY_A + " call0")
    for word in ["8", "a2", ">a2", "call0", "call1", "undo", "pause", "resume", "clear"]:
        refuse(game, word, GameOver, "the game is over")


def test_d5_a_placed_piece_may_be_moved_until_its_player_gives() -> None:
    game = play("7 b2 >c3")
    assert game.news == (Shifted(square("b2"), square("c3"), piece("7"), B),)
    assert game.board.pieces == {square("c3"): piece("7")}
    assert (game.last_turn, len(game.turns), game.to_act) == (game.turns[0], 1, B)
    assert game.turns[0].square == square("c3")
    refuse(play("c", game), ">a1", WrongMoment, "no piece has just been placed")


def test_d5_a_piece_may_be_moved_again_and_back() -> None:
    assert play("7 b2 >c3 >d4 >b2") == play("7 b2")


def test_d5_before_the_first_placement_there_is_nothing_to_move() -> None:
    refuse(play(""), ">a1", WrongMoment, "no piece has just been placed")
    refuse(play("7"), ">a1", WrongMoment, "no piece has just been placed")


def test_d5_a_piece_can_only_be_moved_to_an_empty_square() -> None:
    game = play("7 b2 c a1")
    refuse(game, ">b2", SquareTaken, "b2 is taken by LSQH")
    refuse(game, ">a1", SquareTaken, "DSRF stands on a1 already")


def test_d5_only_the_final_square_counts() -> None:
    away = play("0 a1 1 b1 2 c1 3 d1 >d2")
    assert away.open == ()
    assert away.missed == ()
    assert not play("call0", away).over
    there = play("0 a1 1 b1 2 c1 3 d2 >d1")
    assert names(there.open) == {("a1 b1 c1 d1", "light tall")}
    assert play("call0", there).over


def test_d5_moving_a_piece_does_not_bring_back_what_lapsed_when_it_was_placed() -> None:
    game = play(OPENED_BY_A + " 8 a2 >a3")
    assert game.open == ()
    assert names(game.missed) == {("a1 b1 c1 d1", "light tall")}


def test_d5_a_player_who_has_called_has_chosen_the_square() -> None:
    refuse(play("7 b2 call1"), ">c3", WrongMoment, "LSQH stays on b2: its player has called")


def test_d5_a_call_by_the_opponent_leaves_the_piece_free() -> None:
    assert play("7 b2 call0 >c3").board.pieces == {square("c3"): piece("7")}


def test_d5_the_next_piece_is_free_again_after_a_call() -> None:
    assert play("7 b2 call1 c a1 >a2").board[square("a2")] == piece("c")


def test_d6_a_wrong_piece_is_not_a_move_and_the_right_one_is_named() -> None:
    game = play("7 b2 c")
    refuse(game, "a1=d", PieceNotGiven, "DSRH was put down, but DSRF was given: put DSRH back and place DSRF")
    with pytest.raises(PieceNotGiven) as raised:
        play("a1=d", game)
    assert (raised.value.found, raised.value.expected) == (piece("d"), piece("c"))


def test_d6_the_wrong_piece_is_told_before_the_wrong_square() -> None:
    refuse(play("7 b2 c"), "b2=d", PieceNotGiven, "place DSRF")


def test_d6_the_given_piece_may_be_named() -> None:
    assert play("7 b2=7") == play("7 b2")


def test_d6_a_wrong_piece_lets_no_alignment_lapse() -> None:
    game = play(OPENED_BY_A + " 8")
    refuse(game, "a2=9", PieceNotGiven, "place DTRF")
    assert play("call1", game).over


def test_r8_an_alignment_lapses_when_the_receiver_places() -> None:
    game = play(OPENED_BY_A + " 8")
    assert (names(game.open), game.missed) == ({("a1 b1 c1 d1", "light tall")}, ())
    game = play("a2", game)
    assert (game.open, names(game.missed)) == ((), {("a1 b1 c1 d1", "light tall")})
    assert game.news == (Placed(square("a2"), piece("8"), B), Missed(game.missed))


def test_r8_a_lapsed_alignment_is_worth_nothing_for_the_rest_of_the_game() -> None:
    game = play(OPENED_BY_A + " 8 a2")
    for _ in range(3):
        assert not game.over
        for player in (A, B):
            assert game.open_for(player) == ()
        maker = game.maker
        assert maker is not None
        game = play(f"call{maker.value}", game)
        assert game.calls[-1].valid is False
        free = next(s for s in reversed(game.board.empty_squares))
        game = play(f"{game.available[-1].digit} {free}", game)


def test_r8_all_alignments_that_one_placement_opened_lapse_together() -> None:
    game = play("4 a2 5 a3 6 a4 9 b2 0 b1 1 c1 2 d1 3 a1 8")
    both = {("a1 b1 c1 d1", "light tall"), ("a1 a2 a3 a4", "light")}
    assert names(game.open) == both
    game = play("c3", game)
    assert (game.open, names(game.missed)) == ((), both)


def test_r8_an_alignment_that_replaces_another_is_open_alone() -> None:
    game = play("8 a2 9 b2 a c2 0 a1 1 b1 2 c1 3 d1 b d2")
    assert names(game.open) == {("a2 b2 c2 d2", "dark tall")}
    assert names(game.missed) == {("a1 b1 c1 d1", "light tall")}
    won = play("call0" if game.maker is A else "call1", game)
    assert won.result is not None
    assert names(won.result.alignments) == {("a2 b2 c2 d2", "dark tall")}


def test_d2_a_false_call_that_forfeits_leaves_nothing_to_move() -> None:
    refuse(play("7 b2 call1", options=Options(false_call=FalseCallRule.FORFEIT)), ">c3", GameOver, "the game is over")
