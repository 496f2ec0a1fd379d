"""The call: maker's and receiver's moment, the call before placing, the false call (R7 to R9, D1, D2, D11)."""

from __future__ import annotations

import pytest

from quarto_pi.rules import (
    Called,
    Calling,
    Ended,
    FalseCallRule,
    Game,
    Latched,
    Options,
    Phase,
    Placed,
    Player,
    Reason,
    Result,
    WrongMoment,
)
from tests.rules.script import (
    FULL,
    FULL_OPENED_BY_LAST,
    OPENED_BY_A,
    OPENED_BY_B,
    A,
    B,
    names,
    piece,
    play,
    refuse,
    square,
)

ROW = {("a1 b1 c1 d1", "light tall")}
READY = "0 a1 1 b1 2 c1 3"  # A holds the piece that wins on d1
FORFEIT = Options(false_call=FalseCallRule.FORFEIT)
UNSENSED = Options(giving_sensed=False)


def moments(game: Game) -> list[Player]:
    return [player for player in Player if game.is_moment_of(player)]


def won_by(game: Game) -> Player | None:
    assert game.result is not None
    assert game.result.reason is Reason.CALL
    return game.result.winner


def calls(game: Game) -> list[tuple[Player, bool]]:
    return [(call.player, call.valid) for call in game.calls]


def test_r7_an_alignment_alone_wins_nothing() -> None:
    game = play(OPENED_BY_A)
    assert (game.over, game.phase, names(game.open)) == (False, Phase.GIVE, ROW)


def test_r7_the_winning_call_points_out_what_is_open() -> None:
    game = play(OPENED_BY_A + " call0")
    assert game.phase is Phase.OVER
    assert game.result == Result(A, Reason.CALL, play(OPENED_BY_A).open)
    called = Called(A, True, play(OPENED_BY_A).open, placed=4, given=False)
    assert game.news == (called, Ended(game.result))
    assert game.calls == (called,)


def test_r4_r7_all_open_alignments_are_pointed_out_at_once() -> None:
    game = play("4 a2 5 a3 6 a4 9 b2 0 b1 1 c1 2 d1 3 a1")
    assert game.maker is A
    game = play("call0", game)
    assert game.result is not None
    assert names(game.result.alignments) == {("a1 b1 c1 d1", "light tall"), ("a1 a2 a3 a4", "light")}


@pytest.mark.parametrize(("words", "maker"), [(OPENED_BY_A, A), (OPENED_BY_B, B)])
def test_r8_the_maker_may_call_while_holding_the_turn(words: str, maker: Player) -> None:
    game = play(words)
    assert moments(game) == [maker]
    assert won_by(play(f"call{maker.value}", game)) is maker


@pytest.mark.parametrize(("words", "maker"), [(OPENED_BY_A + " 9", A), (OPENED_BY_B + " 9", B)])
def test_r8_the_receiver_may_call_from_the_give_to_the_placement(words: str, maker: Player) -> None:
    game = play(words)
    assert moments(game) == [maker.other]
    assert won_by(play(f"call{maker.other.value}", game)) is maker.other


def test_r8_after_the_placement_neither_may_call_what_lapsed() -> None:
    for words in (OPENED_BY_A + " 8 a2", OPENED_BY_A + " 8 a2 9"):
        for player in Player:
            assert play(words).open_for(player) == ()
            assert not play(f"{words} call{player.value}").over


def test_r9_after_the_give_the_maker_may_no_longer_call() -> None:
    game = play(OPENED_BY_A + " 8 call0")
    assert (game.over, calls(game)) == (False, [(A, False)])
    assert won_by(play("call1", game)) is B


def test_r9_before_the_give_the_receiver_may_not_call() -> None:
    game = play(OPENED_BY_A + " call1")
    assert (game.over, calls(game)) == (False, [(B, False)])
    assert won_by(play("call0", game)) is A


def test_r9_a_receiver_who_calls_too_early_may_call_again_in_time() -> None:
    assert won_by(play(OPENED_BY_A + " call1 8 call1")) is B


def test_r9_nobody_has_a_moment_before_the_first_give() -> None:
    assert moments(Game()) == []
    assert moments(play("7")) == [B]


def test_d8_whose_moment_it_is_does_not_tell_whether_an_alignment_is_open() -> None:
    for rest in ("", " 8", " 8 a2", " 8 a2 9"):
        assert moments(play(OPENED_BY_A + rest)) == moments(play("0 a1 1 b1 2 c1 f d1" + rest))


def test_d1_a_call_before_placing_waits_for_the_placement_and_stands_there() -> None:
    game = play(READY + " @500 call0")
    assert (game.phase, game.calls, game.news) == (Phase.PLACE, (), (Latched(A, 10_500),))
    game = play("@10499 d1", game)
    assert won_by(game) is A
    assert game.result is not None
    assert game.news == (
        Placed(square("d1"), piece("3"), A),
        Called(A, True, game.result.alignments, placed=4, given=False),
        Ended(game.result),
    )
    assert names(game.result.alignments) == ROW


def test_d1_a_waiting_call_is_false_if_its_placement_opens_nothing() -> None:
    game = play(READY + " call0 d2")
    assert (game.over, calls(game), game.latch) == (False, [(A, False)], None)
    assert game.news == (Placed(square("d2"), piece("3"), A), Called(A, False, (), placed=4, given=False))


def test_d1_a_waiting_call_is_false_when_its_time_is_over() -> None:
    game = play(READY + " call0 @9999")
    assert (game.latch is None, game.calls) == (False, ())
    game = play("@10000", game)
    assert (game.latch, calls(game)) == (None, [(A, False)])
    assert game.news == (Called(A, False, (), placed=3, given=True),)
    assert won_by(play("d1 call0", game)) is A


@pytest.mark.parametrize(("at", "winner"), [(9_999, A), (10_000, None)])
def test_d1_the_time_of_a_waiting_call_is_half_open(at: int, winner: Player | None) -> None:
    game = play(f"{READY} call0 @{at} d1")
    assert (game.result.winner if game.result else None) is winner


def test_d1_the_latch_time_may_be_set() -> None:
    options = Options(latch_ms=300)
    assert play(READY + " call0 @299 d1", options=options).over
    assert not play(READY + " call0 @300 d1", options=options).over
    assert not play(READY + " call0 @0 d1", options=Options(latch_ms=0)).over


def test_d1_a_call_with_an_alignment_already_open_wins_at_once() -> None:
    game = play(OPENED_BY_A + " 8 call1")
    assert won_by(game) is B
    assert not any(isinstance(event, Latched) for event in game.news)


def test_d1_only_the_player_who_holds_the_piece_can_call_before_placing() -> None:
    game = play(READY)
    assert (game.may_latch(A), game.may_latch(B)) == (True, False)
    game = play("call1", game)
    assert (game.latch, calls(game)) == (None, [(B, False)])
    assert not play("d1", game).over


def test_d1_nothing_waits_where_no_piece_is_in_hand() -> None:
    for words in ("", "7 b2", FULL):
        game = play(words)
        for player in Player:
            assert not game.may_latch(player)
            assert calls(play(f"call{player.value}", game)) == [(player, False)]


def test_d1_exchanging_the_piece_does_not_end_the_waiting_call() -> None:
    assert won_by(play("0 a1 1 b1 2 c1 f call0 3 d1")) is A


def test_d1_d2_a_waiting_call_that_proves_false_forfeits_where_that_is_chosen() -> None:
    for words in (READY + " call0 d2", READY + " call0 @10000"):
        game = play(words, options=FORFEIT)
        assert game.result == Result(B, Reason.FORFEIT)


def test_d1_d3_a_call_before_the_sixteenth_placement_stands_there() -> None:
    ready = FULL_OPENED_BY_LAST.removesuffix(" d4")
    assert won_by(play(ready + " call0 d4")) is A
    game = play(FULL.removesuffix(" d4") + " call0 d4")
    assert (game.phase, calls(game)) == (Phase.FINAL_CALL, [(A, False)])


@pytest.mark.parametrize(
    ("words", "player"), [("7 b2", B), ("7 b2", A), (OPENED_BY_A, B), (OPENED_BY_A + " 8", A), ("", A), (FULL, A)]
)
def test_d2_a_false_call_is_refused_and_the_game_goes_on(words: str, player: Player) -> None:
    before = play(words)
    game = play(f"call{player.value}", before)
    false = Called(player, False, (), placed=before.board.count, given=before.hand is not None)
    assert game.news == (false,)
    assert game.calls == (false,)
    assert (game.phase, game.position, game.open) == (before.phase, before.position, before.open)


@pytest.mark.parametrize(
    ("words", "player"), [("7 b2", B), ("7 b2", A), (OPENED_BY_A, B), (OPENED_BY_A + " 8", A), ("", A), (FULL, A)]
)
def test_d2_a_false_call_loses_where_that_is_chosen(words: str, player: Player) -> None:
    game = play(f"{words} call{player.value}", options=FORFEIT)
    assert game.result == Result(player.other, Reason.FORFEIT)
    assert game.news[-1] == Ended(game.result)
    assert calls(game) == [(player, False)]


def test_d2_a_right_call_wins_where_false_ones_lose() -> None:
    assert won_by(play(OPENED_BY_A + " call0", options=FORFEIT)) is A


@pytest.mark.parametrize("player", list(Player))
@pytest.mark.parametrize("words", ["", "7", "7 b2", READY])
def test_d7_nobody_calls_in_automatic_mode(words: str, player: Player) -> None:
    game = play(words, options=Options(calling=Calling.AUTO, false_call=FalseCallRule.FORFEIT))
    assert moments(game) == []
    assert not game.may_latch(player)
    refuse(game, f"call{player.value}", WrongMoment, "in automatic mode the board declares the win itself")


@pytest.mark.parametrize("player", list(Player))
def test_d11_either_may_call_where_giving_is_not_sensed(player: Player) -> None:
    game = play(OPENED_BY_A, options=UNSENSED)
    assert moments(game) == [A, B]
    assert won_by(play(f"call{player.value}", game)) is player


@pytest.mark.parametrize("player", list(Player))
def test_d11_an_alignment_lapses_with_the_next_placement_for_both(player: Player) -> None:
    game = play(OPENED_BY_A + " 8 a2", options=UNSENSED)
    assert names(game.missed) == ROW
    assert not play(f"call{player.value}", game).over


def test_d11_with_nothing_open_the_next_to_place_may_call_ahead() -> None:
    game = play("0 a1 1 b1 2 c1", options=UNSENSED)
    assert (game.may_latch(A), game.may_latch(B)) == (True, False)
    assert won_by(play("call0 3 d1", game)) is A
    assert calls(play("call0 3 d2", game)) == [(A, False)]
    assert calls(play("call1", game)) == [(B, False)]


def test_d11_nobody_has_a_moment_on_an_empty_board() -> None:
    assert moments(Game(options=UNSENSED)) == []
