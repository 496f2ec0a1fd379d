"""Time: the move's clock, time out, pause, and time that must not fall (R11, D1, D3, D4)."""

from __future__ import annotations

import pytest

from quarto_pi.rules import (
    Called,
    ClockPaused,
    Ended,
    FalseCallRule,
    Game,
    GameOver,
    GamePaused,
    GameResumed,
    Options,
    Phase,
    Placed,
    Reason,
    Result,
    SquareTaken,
    TimedOut,
    TimeOut,
    TimeRunsBackwards,
    WrongMoment,
    apply,
    pass_time,
)
from tests.rules.script import FULL, FULL_OPENED_BY_LAST, A, B, action, piece, play, refuse, square

MINUTE = Options(clock_ms=60_000)
STRICT = Options(clock_ms=60_000, time_out=TimeOut.FORFEIT)


def left(words: str, options: Options = MINUTE) -> int | None:
    game = play(words, options=options)
    return game.time_left(game.now)


def test_r11_without_a_clock_no_time_is_counted() -> None:
    assert left("7 @99999999", Options()) is None
    assert play("7 @99999999").news == ()


def test_r11_the_starters_first_give_is_not_timed() -> None:
    assert left("@99999999") is None


def test_r11_a_moves_clock_runs_from_being_given_a_piece_to_giving_the_next() -> None:
    assert left("@1000 7") == 60_000
    assert left("@1000 7 @4000") == 57_000
    assert left("@1000 7 @4000 b2") == 57_000
    assert left("@1000 7 @4000 b2 @5000") == 56_000
    assert left("@1000 7 @4000 b2 @5000 c") == 60_000


def test_r11_moving_the_piece_and_calling_do_not_stop_the_clock() -> None:
    assert left("7 @2000 b2 >b3 call1 call0") == 58_000


def test_r11_another_piece_begins_another_move() -> None:
    assert left("7 @50000 c") == 60_000


def test_r11_other_lengths_may_be_set() -> None:
    assert left("7 @400", Options(clock_ms=1000)) == 600


def test_r11_the_clock_stops_in_the_final_call() -> None:
    assert left(FULL) is None
    game = play(FULL, options=Options(clock_ms=10, final_call_ms=1000, time_out=TimeOut.FORFEIT))
    assert play("@999", game).phase is Phase.FINAL_CALL


@pytest.mark.parametrize("words", ["7", "7 @2000 b2"])
def test_d4_time_out_is_told_once_and_the_game_goes_on(words: str) -> None:
    game = play(words + " @59999", options=MINUTE)
    assert game.news == ()
    game = play("@60000", game)
    assert (game.news, game.over) == ((TimedOut(B),), False)
    assert (play("@999999", game).news, left(words + " @70000")) == ((), -10_000)
    assert play("b3" if game.hand else "c", game).over is False


def test_d4_every_move_can_time_out() -> None:
    game = play("7 @60000 b2 c @120000", options=MINUTE)
    assert game.news == (TimedOut(A),)


def test_d4_time_out_loses_where_that_is_chosen() -> None:
    assert not play("7 @59999", options=STRICT).over
    game = play("7 @60000", options=STRICT)
    assert game.result == Result(A, Reason.FORFEIT)
    assert game.news == (TimedOut(B), Ended(game.result))


def test_d4_an_action_at_the_last_moment_is_in_time_and_one_at_the_limit_is_not() -> None:
    game = play("7 b2", options=STRICT)
    assert not play("@59999 c", game).over
    refuse(game, "c", GameOver, "the game is over", at=60_000)
    assert pass_time(game, 60_000).result == Result(A, Reason.FORFEIT)


def test_what_falls_due_first_happens_first() -> None:
    options = Options(clock_ms=60_000, false_call=FalseCallRule.FORFEIT, time_out=TimeOut.FORFEIT)
    game = play("7 @49999 call1 @99999999", options=options)
    assert game.news == (Called(B, False, (), placed=0, given=True), Ended(Result(A, Reason.FORFEIT)))
    game = play("7 @50001 call1 @99999999", options=options)
    assert game.news == (TimedOut(B), Ended(Result(A, Reason.FORFEIT)))
    game = play("7 @50001 call1 @99999999", options=MINUTE)
    assert game.news == (TimedOut(B), Called(B, False, (), placed=0, given=True))


def test_an_action_brings_the_news_of_what_fell_due_before_it() -> None:
    game = play("7", options=MINUTE)
    assert apply(game, action("b2"), at=60_000).news == (TimedOut(B), Placed(square("b2"), piece("7"), B))
    assert play("@60000 b2", game).news == (Placed(square("b2"), piece("7"), B),)


def test_time_must_not_run_backwards() -> None:
    game = play("@5000 7")
    for word in ("b2", "c", "call1", "undo", "pause", "resume", "clear"):
        refuse(game, word, TimeRunsBackwards, "4999 ms lies before 5000 ms", at=4999)
    with pytest.raises(TimeRunsBackwards, match="-1 ms lies before 5000 ms"):
        pass_time(game, -1)
    assert game.now == 5000


def test_time_may_stand_still() -> None:
    assert play("@5000 7 @5000 b2 @5000").now == 5000


def test_without_a_time_an_action_happens_at_the_moment_that_the_game_has_reached() -> None:
    assert play("7", Game(now=3000)).now == 3000
    assert pass_time(Game(now=3000)).now == 3000


def test_a_refused_action_lets_no_time_pass() -> None:
    game = play("7 b2 c", options=MINUTE)
    refuse(game, "b2", SquareTaken, "b2 is taken", at=60_000)
    assert (game.now, pass_time(game, 60_000).news) == (0, (TimedOut(A),))


def test_a_pause_stops_the_clock() -> None:
    game = play("7 @10000 pause", options=STRICT)
    assert game.news == (GamePaused(),)
    game = play("@500000", game)
    assert (game.over, game.time_left(game.now)) == (False, 50_000)
    game = play("resume", game)
    assert (game.news, game.time_left(game.now)) == ((GameResumed(),), 50_000)
    assert not play("@549999", game).over
    assert play("@550000", game).result == Result(A, Reason.FORFEIT)


def test_d1_a_pause_stops_the_time_of_a_waiting_call() -> None:
    game = play("0 a1 1 b1 2 c1 3 call0 @4000 pause @100000 resume")
    assert play("@105999 d1", game).over
    game = play("@106000", game)
    assert [call.valid for call in game.calls] == [False]


def test_d3_a_pause_stops_the_time_of_the_final_call() -> None:
    game = play(FULL_OPENED_BY_LAST + " @1000 pause @100000")
    assert game.phase is Phase.FINAL_CALL
    game = play("resume", game)
    assert play("@108999", game).phase is Phase.FINAL_CALL
    assert play("@109000", game).result == Result(None, Reason.DRAW)


def test_two_pauses_add_up() -> None:
    assert left("7 @1000 pause @2000 resume @3000 pause @10000 resume @11000") == 57_000


def test_while_paused_only_going_on_and_clearing_are_allowed() -> None:
    game = play("7 b2 pause")
    for word in ("c", "a1", ">a1", "call0", "call1", "undo", "pause"):
        refuse(game, word, ClockPaused, "the game is paused: resume it first")
    assert play("clear", game).result == Result(None, Reason.UNFINISHED)
    assert play("resume c", game).phase is Phase.PLACE


def test_d3_a_paused_final_call_ends_in_a_draw_when_the_board_is_cleared() -> None:
    assert play(FULL + " pause @99999 clear").result == Result(None, Reason.DRAW)


def test_a_game_that_is_not_paused_cannot_be_resumed() -> None:
    refuse(play("7"), "resume", WrongMoment, "the game is not paused")
    refuse(play("7 pause resume"), "resume", WrongMoment, "the game is not paused")
