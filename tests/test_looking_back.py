"""Looking back at a game that is over: one sentence of what there is to be learnt, and nothing while a game runs."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from quarto_pi.controller.computer import LookingBack, mistake_in
from quarto_pi.engine.client import EngineFailure, EngineProcess
from quarto_pi.engine.coach import Mistake, Verdict, answer_to, plain_mistake, question_about
from quarto_pi.engine.solver import Move
from quarto_pi.referee import LookedBack, Seat, Seen, Settings, Show, Speak, State, fold, start
from quarto_pi.referee.messages import Hindsight, Slip
from quarto_pi.referee.stages import EndStage, GameEnd
from quarto_pi.rules import PIECES, Call, Calling, Game, Give, Options, Place, Player, apply, parse_piece, parse_record
from quarto_pi.rules import parse_square as at
from quarto_pi.sensing.events import Found
from quarto_pi.words import Words
from tests.evening import Evening

THREE = (("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"))
GIFT = Hindsight(Slip.GIFT, Player.B, parse_piece("DTRF"), (), 3)
DEEP = """[Starter "0"]
[Squares "false"]
[Traits "colour,height,shape,top"]
[Calling "button"]
[FalseCall "refuse"]
[GivingSensed "true"]
[Winner "0"]
[Reason "call"]

1. 7 2. b2 4 3. c3 1 4. a2 0 5. d2 b 6. d3 9 7. c2 c 8. a4 3 9. b4 a 10. d1 5
11. c4 6 12. c1 d 13. b3 call0
"""
"""Both have seen all that can be seen at once; the loser had no piece left that does not win."""
PATIENCE = 180.0


def played(*turns: tuple[str, str], call: Player | None, options: Options | None = None) -> Game:
    game = Game(options or Options())
    for piece, square in turns:
        game = apply(apply(game, Give(parse_piece(piece))), Place(at(square)))
    return game if call is None else apply(game, Call(call))


def ended(game: Game, settings: Settings | None = None, number: int = 1) -> State:
    """The referee's state just after a game has ended."""
    state, _ = start(settings or Settings())
    standing = tuple(Found(square.name, piece, 5_000) for square, piece in game.board.pieces.items())
    table = state.table.after(Seen(5_000, standing), state.patience.rest)
    end = GameEnd(EndStage.RESULT, 5_000, 5_000)
    return replace(state, game=game, number=number, table=table, end=end)


def never() -> EngineProcess:
    raise AssertionError("nothing has to be looked for ahead")


def saying(program: str) -> EngineProcess:
    """A process that answers what it likes."""
    return EngineProcess([sys.executable, "-c", program])


def answered(looking: LookingBack, state: State) -> Hindsight | None:
    """What comes of it, looked in on as the loop does, until the process has said something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        told = looking.answer(state, 6_000)
        if told is not None:
            return told.hindsight
        if looking.is_done:
            return None
    raise AssertionError("no answer")


def seen_at_once(game: Game, settings: Settings | None = None) -> Hindsight:
    told = LookingBack(never).answer(ended(game, settings), 6_000)
    assert told is not None
    return told.hindsight


def squares_of(hindsight: Hindsight) -> list[str]:
    return [" ".join(square.name for square in each.squares) for each in hindsight.alignments]


# --- what there is to be learnt ---------------------------------------------------------------------------------------


def test_piece_that_was_given_away_is_named_with_the_lines_it_has_won() -> None:
    hindsight = seen_at_once(played(*THREE, ("DTRF", "d1"), call=Player.A))
    assert squares_of(hindsight) == ["a1 b1 c1 d1"]
    assert replace(hindsight, alignments=()) == GIFT
    assert Words("en").say(hindsight) == "Giving a solid piece lost the game: row 1."


def test_win_that_was_overlooked_is_named_with_what_three_had_in_common() -> None:
    game = played(*THREE, ("DTRF", "a2"), ("LTQH", "d1"), call=Player.B)
    hindsight = seen_at_once(game)
    assert (hindsight.slip, hindsight.player, hindsight.piece) == (Slip.OVERLOOKED, Player.A, parse_piece("DTRF"))
    assert Words("en").say(hindsight) == (
        "Player 1 overlooked a Quarto: row 1. Three were solid, and so was the piece to be placed."
    )


def test_who_has_placed_four_alike_and_left_the_call_to_the_other_one_hears_so() -> None:
    game = played(*THREE, ("DTRF", "d1"), call=None)
    game = apply(apply(game, Give(parse_piece("DSQH"))), Call(Player.B))
    hindsight = seen_at_once(game)
    assert Words("en").say(hindsight) == "Player 1 didn't call this Quarto: a1 b1 c1 d1: all solid."


def test_where_the_board_calls_nobody_has_left_a_call_out() -> None:
    game = played(*THREE, ("DTRF", "d1"), call=None, options=Options(calling=Calling.AUTO))
    assert replace(seen_at_once(game), alignments=()) == GIFT


def test_only_person_at_the_board_is_spoken_to() -> None:
    seats = (Seat(None), Seat(3))
    game = played(*THREE, ("DTRF", "a2"), ("LTQH", "d1"), call=Player.B)
    said = Words("en").say(seen_at_once(game, Settings(seats=seats)), seats)
    assert said.startswith("You overlooked a Quarto: row 1.")


def test_what_the_computer_slips_on_is_nothing_to_learn_from() -> None:
    game = played(*THREE, ("DTRF", "d1"), call=Player.A)
    assert LookingBack(never).answer(ended(game, Settings(seats=(Seat(None), Seat(3)))), 6_000) is None


def test_game_that_was_decided_by_no_move_is_not_looked_back_at() -> None:
    assert LookingBack(never).answer(ended(played(*THREE, call=None)), 6_000) is None


def test_turning_point_that_takes_looking_ahead_is_found_by_the_process() -> None:
    game = parse_record(DEEP).game
    assert plain_mistake(game, tuple(Player)) is None
    mistake = mistake_in(answer_to(question_about(game, tuple(Player))))
    assert mistake == Mistake(9, Verdict.DRAW_LOST, better=Move(at("a1"), PIECES[2]))


def test_process_is_asked_and_looked_in_on() -> None:
    looking = LookingBack()
    hindsight = answered(looking, ended(parse_record(DEEP).game))
    looking.close()
    assert hindsight is not None
    assert (hindsight.slip, hindsight.player, hindsight.placed) == (Slip.DRAW_LOST, Player.B, 9)
    assert Words("en").say(hindsight).startswith("Piece 9 could have saved the game. Better: place on a1, give ")


@pytest.mark.parametrize(
    "program", ["print('nonsense', flush=True); input()", "pass", "print('null', flush=True); input()"]
)
def test_what_is_not_found_is_not_told(program: str) -> None:
    looking = LookingBack(lambda: saying(program))
    assert answered(looking, ended(parse_record(DEEP).game)) is None


def test_process_that_cannot_be_started_is_done_without() -> None:
    def fails() -> EngineProcess:
        raise EngineFailure("no such program")

    looking = LookingBack(fails)
    state = ended(parse_record(DEEP).game)
    assert looking.answer(state, 6_000) is None
    assert looking.is_done


def test_process_ends_with_the_next_game() -> None:
    started = []

    def waits() -> EngineProcess:
        started.append(saying("input(); input()"))
        return started[-1]

    looking, state = LookingBack(waits), ended(parse_record(DEEP).game)
    assert looking.answer(state, 6_000) is None
    assert not looking.is_done
    assert looking.answer(replace(state, end=None), 7_000) is None
    assert looking.is_done
    with pytest.raises(EngineFailure, match="ended"):
        started[0].line(PATIENCE)


# --- when it is told --------------------------------------------------------------------------------------------------


def shown(state: State, number: int = 1) -> tuple[Hindsight | None, list[object]]:
    """What is shown in passing, and said, once the referee has heard of a gift in the game of this number."""
    state, effects = fold(state, LookedBack(6_000, number, GIFT))
    views = [effect.view.notice for effect in effects if isinstance(effect, Show)]
    notice = views[-1] if views else None
    said = [effect.message for effect in effects if isinstance(effect, Speak) and isinstance(effect.message, Hindsight)]
    return notice if isinstance(notice, Hindsight) else None, [*said]


def test_it_is_shown_and_said_once_after_a_game() -> None:
    state = ended(played(*THREE, ("DTRF", "d1"), call=Player.A))
    assert shown(state) == (GIFT, [GIFT])


def test_nothing_is_told_of_a_game_that_runs_or_of_another_one() -> None:
    over = ended(played(*THREE, ("DTRF", "d1"), call=Player.A))
    running, _ = start(Settings())
    assert shown(running) == (None, [])
    assert shown(replace(over, game=played(*THREE, call=None), end=None)) == (None, [])
    assert shown(over, number=2) == (None, [])


def test_it_can_be_switched_off() -> None:
    off = Settings(hindsight=False)
    state = ended(played(*THREE, ("DTRF", "d1"), call=Player.A), off)
    assert LookingBack(never).answer(state, 6_000) is None
    assert shown(state) == (None, [])


@pytest.mark.slow
def test_at_a_board_it_comes_with_the_result_and_never_before() -> None:
    with ExitStack() as stack:
        evening = Evening(stack)
        evening.wait(1_500)
        for piece, square in (*THREE, ("DTRF", "d1")):
            evening.turn(piece, square)
        evening.press()
        evening.wait(500)
        views = [effect.view for effect in evening.watcher.effects if isinstance(effect, Show)]
    told = [view for view in views if isinstance(view.notice, Hindsight)]
    assert told
    assert all(view.result is not None for view in told)
