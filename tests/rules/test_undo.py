"""Undo, by agreement, as often as wanted (D9)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.rules import (
    Game,
    GameOver,
    IllegalAction,
    NothingToUndo,
    Options,
    Phase,
    Undone,
)
from tests.rules.script import (
    FULL,
    FULL_OPENED_BY_LAST,
    FULL_WITH_SQUARES,
    OPENED_BY_A,
    A,
    B,
    names,
    piece,
    play,
    refuse,
    square,
)

ROW = {("a1 b1 c1 d1", "light tall")}


def test_d9_undo_takes_back_the_placement_and_the_give_before_it() -> None:
    game = play("7 b2 c a1 undo")
    assert (game.phase, game.hand, game.to_act) == (Phase.GIVE, None, B)
    assert game.board.pieces == {square("b2"): piece("7")}
    assert game.news == (Undone(square("a1"), piece("c"), A),)
    assert piece("c") in game.available
    assert len(game.turns) == 1


def test_d9_undo_takes_back_a_give_that_followed() -> None:
    assert play("7 b2 c a1 4 undo") == play("7 b2 c a1 undo")


def test_d9_what_was_taken_back_can_be_played_again() -> None:
    assert play("7 b2 c a1 undo c a1") == play("7 b2 c a1")


@given(count=st.integers(1, 16), back=st.integers(1, 16))
def test_d9_undo_is_allowed_as_often_as_there_are_placements(count: int, back: int) -> None:
    words = FULL_WITH_SQUARES.split()
    game = play(" ".join(words[: 2 * count]))
    for _ in range(min(back, count)):
        game = play("undo", game)
    left = max(count - back, 0)
    assert game == replace(play(" ".join(words[: 2 * left])), fixed=left > 0)
    if back >= count:
        refuse(game, "undo", NothingToUndo, "nothing to take back")


def test_d9_without_a_placement_there_is_nothing_to_undo() -> None:
    refuse(play(""), "undo", NothingToUndo, "no placement has been made")
    refuse(play("7"), "undo", NothingToUndo, "no placement has been made")


def test_d9_nothing_is_undone_once_the_game_is_over() -> None:
    refuse(play(OPENED_BY_A + " call0"), "undo", GameOver, "the game is over")
    refuse(play(FULL + " @10000"), "undo", GameOver, "the game is over")


def test_d9_the_sixteenth_piece_may_be_taken_back_in_the_final_call() -> None:
    game = play(FULL + " undo")
    assert (game.phase, game.to_act, game.final_call_until) == (Phase.GIVE, B, None)
    assert play("@10000", game).result is None
    assert play("@10000 6 d4", game).final_call_until == 20_000


def test_d9_an_open_alignment_that_is_taken_off_the_board_is_neither_open_nor_missed() -> None:
    for words in (OPENED_BY_A, OPENED_BY_A + " 8"):
        game = play(words + " undo")
        assert (game.open, game.missed) == ((), ())
    assert play(FULL_OPENED_BY_LAST + " undo").open == ()


def test_d9_a_lapsed_alignment_that_is_taken_off_the_board_is_forgotten() -> None:
    game = play(OPENED_BY_A + " 8 a2 undo undo")
    assert game.missed == ()
    game = play("3 d1", game)
    assert names(game.open) == ROW
    assert play("call0", game).over


def test_d9_a_lapsed_alignment_that_stays_stays_lapsed() -> None:
    game = play(OPENED_BY_A + " 8 a2 undo")
    assert (game.open, names(game.missed)) == ((), ROW)
    game = play("call0 9 call1", game)
    assert not game.over
    assert not play("a3 call1", game).over


def test_d9_moving_away_and_back_does_not_revive_an_alignment_that_stays_lapsed() -> None:
    game = play(OPENED_BY_A + " 8 a2 undo")
    try:
        game = play(">d2 >d1", game)
    except IllegalAction:
        return  # its player has given already, so the piece may as well be fixed
    assert game.open == ()


def test_d9_every_missed_alignment_stands_on_the_board_after_a_move_that_followed_an_undo() -> None:
    game = play(OPENED_BY_A + " 8 a2 undo")
    try:
        game = play(">d2", game)
    except IllegalAction:
        return
    assert set(game.missed) <= set(game.board.alignments())


def test_d9_only_the_alignments_that_stand_on_the_board_stay_missed() -> None:
    game = play("8 a2 9 b2 a c2 0 a1 1 b1 2 c1 3 d1 b d2 4 a4")
    assert names(game.missed) == ROW | {("a2 b2 c2 d2", "dark tall")}
    game = play("undo", game)
    assert names(game.missed) == ROW | {("a2 b2 c2 d2", "dark tall")}
    game = play("undo", game)
    assert (names(game.missed), game.open) == (ROW, ())
    assert play("undo", game).missed == ()


def test_d9_the_calls_of_the_moves_that_were_taken_back_are_forgotten() -> None:
    assert play("7 b2 c call0 a1 call0 undo").calls == ()
    assert play("7 b2 c call1 a1 undo").calls == ()
    kept = play("7 b2 call1 c a1 undo").calls
    assert [(call.player, call.placed, call.given) for call in kept] == [(B, 1, False)]


def test_d1_d9_a_waiting_call_is_forgotten() -> None:
    game = play("7 b2 c call0 undo @10000")
    assert (game.latch, game.calls) == (None, ())
    assert not play("0 a1 1 b1 2 c1 3 call0 undo 2 c1 3 d1").over


def test_d5_d9_the_next_placement_after_an_undo_may_be_moved() -> None:
    assert play("7 b2 c a1 call0 undo c a1 >a2").board[square("a2")] == piece("c")


def test_d5_d9_a_piece_whose_player_has_called_stays_fixed_through_an_undo() -> None:
    refused = play("7 b2 call1")
    assert refused.fixed
    with pytest.raises(IllegalAction):
        play(">c3", play("c a1 undo", refused))


def test_r11_d9_who_gives_again_has_a_whole_moves_time() -> None:
    options = Options(clock_ms=60_000)
    game = play("7 b2 c @50000 a1 undo", options=options)
    assert game.time_left(game.now) == 60_000
    game = play("7 @50000 b2 undo", options=options)
    assert game.time_left(game.now) is None


def test_d9_undo_keeps_the_options_the_starter_and_the_time() -> None:
    start = Game(options=Options(squares=True), starter=B)
    assert play("7 @90 b2 undo", start) == replace(start, now=90)
