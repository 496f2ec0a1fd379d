"""How a game ends: the sixteenth piece, the draw, the board cleared, automatic mode (R10, D3, D7)."""

from __future__ import annotations

import pytest

from quarto_pi.rules import Calling, Ended, Missed, Options, Phase, Player, Reason, Result, Trait
from tests.rules.script import FULL, FULL_OPENED_BY_LAST, FULL_WITH_SQUARES, OPENED_BY_A, A, B, names, play

DRAW = Result(None, Reason.DRAW)
AUTO = Options(calling=Calling.AUTO)
DIAGONAL = {("a1 b2 c3 d4", "round")}


def test_r10_sixteen_placed_and_nobody_called_is_a_draw() -> None:
    game = play(FULL)
    assert (game.phase, game.result, game.final_call_until) == (Phase.FINAL_CALL, None, 10_000)
    game = play("@10000", game)
    assert (game.phase, game.result, game.missed) == (Phase.OVER, DRAW, ())
    assert game.news == (Ended(DRAW),)


def test_r10_fifteen_placed_are_no_draw() -> None:
    game = play(FULL.removesuffix(" d4") + " @99999999")
    assert (game.phase, game.result) == (Phase.PLACE, None)


@pytest.mark.parametrize("player", list(Player))
def test_d3_both_may_call_after_the_sixteenth_piece(player: Player) -> None:
    game = play(FULL_OPENED_BY_LAST)
    assert game.maker is A
    assert game.is_moment_of(player)
    game = play(f"@9999 call{player.value}", game)
    assert game.result is not None
    assert (game.result.winner, game.result.reason, names(game.result.alignments)) == (player, Reason.CALL, DIAGONAL)


def test_d3_the_final_call_is_half_open_and_then_the_last_alignment_is_missed() -> None:
    game = play(FULL_OPENED_BY_LAST + " @9999")
    assert names(game.open) == DIAGONAL
    game = play("@10000", game)
    assert (game.result, game.open, names(game.missed)) == (DRAW, (), DIAGONAL)
    assert game.news == (Missed(game.missed), Ended(DRAW))


def test_d3_the_time_of_the_final_call_may_be_set_and_begins_with_the_sixteenth_placement() -> None:
    options = Options(final_call_ms=300)
    game = play(FULL.removesuffix(" d4") + " @1000 d4 @1299", options=options)
    assert game.phase is Phase.FINAL_CALL
    assert play("@1300", game).result == DRAW


def test_d3_with_no_time_for_a_final_call_the_draw_comes_as_soon_as_time_is_told() -> None:
    game = play(FULL_OPENED_BY_LAST, options=Options(final_call_ms=0))
    assert play("@0", game).result == DRAW


def test_d3_a_false_final_call_leaves_the_other_ones_chance() -> None:
    game = play(FULL + " call1 call0")
    assert (game.phase, [call.valid for call in game.calls]) == (Phase.FINAL_CALL, [False, False])


def test_d3_a_cleared_board_ends_the_final_call_with_a_draw() -> None:
    game = play(FULL_OPENED_BY_LAST + " @10 clear")
    assert (game.result, names(game.missed)) == (DRAW, DIAGONAL)
    assert play(FULL + " clear").result == DRAW


@pytest.mark.parametrize("words", ["", "7", "7 b2", OPENED_BY_A, FULL.removesuffix(" d4")])
def test_d3_a_board_cleared_before_the_sixteenth_piece_is_an_unfinished_game(words: str) -> None:
    game = play(words + " clear")
    assert (game.phase, game.result) == (Phase.OVER, Result(None, Reason.UNFINISHED))
    assert game.news == (Ended(Result(None, Reason.UNFINISHED)),)


def test_d3_what_lapsed_earlier_cannot_be_called_in_the_final_call() -> None:
    options = Options(squares=True)
    game = play(FULL, options=options)
    assert game.missed
    assert game.open == ()
    assert not play("call0 call1", game).over


def test_d7_the_board_declares_the_win_with_the_placement() -> None:
    game = play(OPENED_BY_A, options=AUTO)
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == (A, Reason.AUTO)
    assert names(game.result.alignments) == {("a1 b1 c1 d1", "light tall")}
    assert game.news[-1] == Ended(game.result)
    assert game.calls == ()


def test_d7_the_board_declares_the_win_when_the_piece_is_moved_there() -> None:
    game = play("0 a1 1 b1 2 c1 3 d2 >d1", options=AUTO)
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == (A, Reason.AUTO)


def test_d7_the_sixteenth_piece_ends_the_game_at_once() -> None:
    assert play(FULL, options=AUTO).result == DRAW
    game = play(FULL_OPENED_BY_LAST, options=AUTO)
    assert game.result is not None
    assert (game.result.winner, game.result.reason, names(game.result.alignments)) == (A, Reason.AUTO, DIAGONAL)


def test_r5_d7_a_block_wins_in_the_variant_squares_only() -> None:
    block = "0 a1 1 b1 2 a2 3 b2"
    assert not play(block, options=AUTO).over
    assert play(block, options=Options(calling=Calling.AUTO, squares=True)).over
    assert play(FULL_WITH_SQUARES, options=Options(calling=Calling.AUTO, squares=True)).result == DRAW


def test_r6_d7_traits_that_are_not_in_play_win_nothing() -> None:
    row = "0 a1 3 b1 5 c1 6 d1"  # all light, and nothing else in common
    assert not play(row, options=Options(calling=Calling.AUTO, traits=(Trait.HEIGHT, Trait.SHAPE, Trait.TOP))).over
    assert play(row, options=Options(calling=Calling.AUTO, traits=(Trait.COLOUR,))).over


def test_r5_r6_both_variants_combine_in_a_game() -> None:
    options = Options(squares=True, traits=(Trait.COLOUR,))
    assert names(play("0 b2 3 c2 5 b3 6 c3", options=options).open) == {("b2 c2 b3 c3", "light")}
    assert play("0 b2 1 c2 8 b3 9 c3", options=options).open == ()


def test_an_ended_game_has_no_moment_no_clock_and_nobody_to_act() -> None:
    for words in (OPENED_BY_A + " call0", OPENED_BY_A + " clear", FULL + " clear"):
        game = play(words, options=Options(clock_ms=1000))
        assert not any(game.is_moment_of(player) or game.open_for(player) for player in (A, B))
        assert (game.to_act, game.time_left(0), game.latch, game.final_call_until) == (None, None, None, None)


def test_time_goes_on_after_the_end_without_any_news() -> None:
    game = play("7 clear @5000")
    assert (game.now, game.news, game.result) == (5000, (), Result(None, Reason.UNFINISHED))
