"""The coach: was a move a mistake, what does it cost, what was better, and why; and what positions were worth.

`python -m quarto_pi.engine.coach` looks back at games: it reads a question in each line and answers it in a line.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.solver import Budget, Move, Option, OutOfBudget, Solver, best_value
from quarto_pi.engine.threats import threats_on, winning_squares
from quarto_pi.rules import Board, Game, NotationError, Options, Player, Position, Reason, Record, Square, parse_record


class Verdict(Enum):
    """How good a move was, and what was wrong with it: the first of these that is so.

    `OVERLOOKED_WIN`: the piece in hand completed an alignment somewhere, and it was not placed there and called.
    `GIFT`: the piece given wins at once, and an answer that is worth what the position was gives none that does.
    `WIN_LOST`, `DRAW_LOST`: the position was worth more before than after.
    `LOST`: it was lost, and nothing could be done about it. `BEST`: no answer is worth more.
    """

    OVERLOOKED_WIN = "overlooked win"
    GIFT = "gift"
    WIN_LOST = "win lost"
    DRAW_LOST = "draw lost"
    LOST = "lost"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the coach thinks of a move: `refutation` is where the opponent wins at once, where that is so."""

    verdict: Verdict
    before: GameValue
    after: GameValue
    better: Move | None = None
    refutation: Square | None = None


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to the player to move: of all `answers`, `safe` ones leave the opponent no forced win.

    Both are None where it is not an answer that decides, or where not all answers could be worked out.
    """

    value: GameValue
    safe: int | None = None
    answers: int | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A move looked at again: what is thought of it, and what the positions were worth to the player who made it.

    `before` is the one in which it was made, `placed` the one after its placement, before anything was given. None
    stands for what is not known.
    """

    judgement: Judgement | None
    before: Worth | None
    placed: Worth | None


def judge(solver: Solver, position: Position, move: Move, budget: Budget | None = None) -> Judgement:
    """The coach's judgement of a move; raises where the move is none that the position allows."""
    return _judgement(solver.options(position, budget or Budget()), solver, position, move)


def review(
    solver: Solver, position: Position, move: Move, nodes: int, stop: Callable[[], bool] = lambda: False
) -> Review:
    """All that can be said of a move within so many nodes for each of its questions, and until somebody says stop.

    What takes longer is left out.
    """
    try:
        options = solver.options(position, Budget(nodes, stop))
    except OutOfBudget:
        return Review(
            None,
            _value_alone(solver, position, Budget(nodes, stop)),
            _placed(solver, position, move, Budget(nodes, stop)),
        )
    try:
        judgement = _judgement(options, solver, position, move)
    except NotationError:
        # A game that ends before anything is given after a placement has a last move that is only half of one.
        judgement = None
    following = tuple(option for option in options if option.square == move.square)
    return Review(judgement, _worth_of(options), _worth_of(following) if move.square is not None else None)


def _value_alone(solver: Solver, position: Position, budget: Budget) -> Worth | None:
    """The value without the answers: where it stands in the book it is known even if they are not."""
    try:
        return Worth(solver.value(position, budget))
    except OutOfBudget:
        return None


def _placed(solver: Solver, position: Position, move: Move, budget: Budget) -> Worth | None:
    """What it is worth to have placed where the move did, before anything is given."""
    if move.square is None or position.hand is None:
        return None
    if _completes(solver.rules, position, move.square):
        return Worth(GameValue.WIN)
    try:
        return _worth_of(solver.options(Position(position.board.place(move.square, position.hand)), budget))
    except OutOfBudget:
        return None


def _worth_of(options: tuple[Option, ...]) -> Worth | None:
    """The worth of a position with these options; None where it has none."""
    if not options:
        return None
    value = best_value(options)
    if all(option.give is None for option in options):
        return Worth(value)
    return Worth(value, sum(option.value is not GameValue.LOSS for option in options), len(options))


def _judgement(options: tuple[Option, ...], solver: Solver, position: Position, move: Move) -> Judgement:
    """What is thought of a move among these options; raises where it is none of them."""
    made, before = _value_made(options, solver, position, move), best_value(options)
    completing = _completing(solver.rules, position)
    if completing:
        if move.square in completing and move.call:
            return Judgement(Verdict.BEST, before, made)
        square = move.square if move.square in completing else completing[0]
        return Judgement(Verdict.OVERLOOKED_WIN, before, made, Move(square, None, call=True))
    refutation = _refutation(solver.rules, position, move)
    best = next(option for option in options if option.value is before)
    if refutation is not None:
        # In a lost position an answer that does not lose at once is better all the same.
        equal = (option for option in options if option.value is before)
        kept = next((option for option in equal if not _hands_over(solver.rules, position, option)), None)
        if kept is not None:
            return Judgement(Verdict.GIFT, before, made, Move(kept.square, kept.give), refutation)
    if made is before:
        return Judgement(Verdict.LOST if made is GameValue.LOSS else Verdict.BEST, before, made)
    verdict = Verdict.WIN_LOST if before is GameValue.WIN else Verdict.DRAW_LOST
    return Judgement(verdict, before, made, Move(best.square, best.give), refutation)


def _value_made(options: tuple[Option, ...], solver: Solver, position: Position, move: Move) -> GameValue:
    """What the move was worth to the player who made it."""
    for option in options:
        if option.square == move.square and (option.give == move.give or option.give is None):
            if not _completes(solver.rules, position, option.square):
                return option.value
            # Who does not call an alignment leaves it to the opponent, who will (R8).
            return GameValue.WIN if move.call else GameValue.LOSS
    raise NotationError(f"the move '{move}' is not possible in '{position}'.")


def _completing(rules: Options, position: Position) -> tuple[Square, ...]:
    """The squares on which the piece in hand completes an alignment."""
    if position.hand is None:
        return ()
    return tuple(winning_squares(threats_on(position.board, rules), position.hand))


def _completes(rules: Options, position: Position, square: Square | None) -> bool:
    return square in _completing(rules, position)


def _hands_over(rules: Options, position: Position, option: Option) -> bool:
    return _refutation(rules, position, Move(option.square, option.give)) is not None


def _refutation(rules: Options, position: Position, move: Move) -> Square | None:
    """Where the piece given wins at once."""
    squares = _refutations(rules, position, move)
    return squares[0] if squares else None


def _refutations(rules: Options, position: Position, move: Move) -> tuple[Square, ...]:
    if move.give is None:
        return ()
    return tuple(winning_squares(threats_on(_board_after(position, move.square), rules), move.give))


def _board_after(position: Position, square: Square | None) -> Board:
    if position.hand is None or square is None:
        return position.board
    return position.board.place(square, position.hand)


# --- a whole game, looked back at -------------------------------------------------------------------------------------


def moves_of(game: Game) -> list[tuple[Position, Move]]:
    """The moves of a game, each with the position in which it was made: give; place and give."""
    turns = game.turns
    placed = {turn.square for turn in turns}
    board = Board.of({square: piece for square, piece in game.board.pieces.items() if square not in placed})
    given = [turn.piece for turn in turns] + ([] if game.hand is None else [game.hand])
    moves = [(Position(board), Move(None, given[0]))] if given else []
    for index, turn in enumerate(turns, start=1):
        give = given[index] if index < len(given) else None
        called = any(
            call.valid and call.player is turn.player and call.placed == board.count + 1 for call in game.calls
        )
        moves.append((Position(board, turn.piece), Move(turn.square, None if called else give, call=called)))
        board = board.place(turn.square, turn.piece)
    return moves


@dataclass(frozen=True, slots=True)
class Mistake:
    """What a game turned on: the number of the move in `moves_of`, and what was wrong with it.

    `square` is where the piece in hand would have completed an alignment, or where the one given did; for a win or a
    draw that was lost in another way `better` is a move that would have kept it.
    """

    move: int
    verdict: Verdict
    square: Square | None = None
    better: Move | None = None


def plain_mistake(game: Game, players: Collection[Player]) -> Mistake | None:
    """The last mistake of these players, but for the winner, that can be seen without looking ahead.

    That is a win which was overlooked, or a gift where the player could have given or placed otherwise: just what
    `judge` calls so. It takes some milliseconds. None where no move decided: by the clock or a false call.
    """
    for index, position, move in _slips(game, players):
        mistake = _plainly(game, index, position, move)
        if mistake is not None:
            return mistake
    return None


def turning_mistake(
    game: Game, players: Collection[Player], solver: Solver, nodes: int, stop: Callable[[], bool] = lambda: False
) -> Mistake | None:
    """The last mistake of these players, but for the winner, that takes looking ahead; of a draw only a win let go.

    None where there is none, or where it lies before a move that could not be judged within so many nodes, or until
    somebody says stop.
    """
    wanted = {Verdict.WIN_LOST} if game.result is None or game.result.winner is None else set(_LOST)
    for index, position, move in _slips(game, players):
        try:
            judgement = judge(solver, position, move, Budget(nodes, stop))
        except NotationError:
            # A game that ends before anything is given after a placement has a last move that is only half of one.
            continue
        except OutOfBudget:
            return None
        if judgement.verdict in wanted:
            return Mistake(index, judgement.verdict, better=judgement.better)
    return None


_LOST: Final = (Verdict.WIN_LOST, Verdict.DRAW_LOST)
_DECIDED: Final = (Reason.CALL, Reason.AUTO, Reason.DRAW)


def _slips(game: Game, players: Collection[Player]) -> Iterator[tuple[int, Position, Move]]:
    """The moves that may have been mistakes, the last one first."""
    result = game.result
    if result is None or result.reason not in _DECIDED:
        return
    moves = moves_of(game)
    for index in reversed(range(len(moves))):
        player = game.turns[index - 1].player if index else game.starter
        if player is not result.winner and player in players:
            yield index, *moves[index]


def _plainly(game: Game, index: int, position: Position, move: Move) -> Mistake | None:
    rules = game.options
    completing = _completing(rules, position)
    if completing:
        called = move.square in completing and (move.call or _is_won_by(game, index))
        square = move.square if move.square in completing else completing[0]
        return None if called else Mistake(index, Verdict.OVERLOOKED_WIN, square)
    refutations = _refutations(rules, position, move)
    if not refutations or not _may_keep(rules, position, move.square):
        return None
    # Where the other one did complete something, that is what people have seen.
    taken = game.turns[index].square if index < len(game.turns) else None
    return Mistake(index, Verdict.GIFT, taken if taken in refutations else refutations[0])


def _is_won_by(game: Game, index: int) -> bool:
    """Whether the game was won with this placement, where nobody has to call."""
    result = game.result
    return result is not None and result.reason is Reason.AUTO and index == len(game.turns)


def _may_keep(rules: Options, position: Position, made: Square | None) -> bool:
    """Whether any answer gives no piece that wins at once; the placement that was made is looked at first."""
    squares: list[Square | None] = [None]
    if position.hand is not None:
        squares = sorted(position.board.empty_squares, key=lambda square: square != made)
    for square in squares:
        board = _board_after(position, square)
        threats = threats_on(board, rules)
        if any(not winning_squares(threats, piece) for piece in board.pieces_left):
            return True
    return False


# --- a process of its own: looking ahead must not slow a board down ---------------------------------------------------

LOOKING_NODES: Final = 5_000_000
LOOKING_SECONDS: Final = 20.0
"""What each question about a move may cost, and how much of a processor's time a game may take."""
LOOKING_TABLE_MB: Final = 16


def question_about(game: Game, players: Collection[Player]) -> str:
    """A game and whose mistakes are looked for, as the process reads it."""
    return json.dumps({"record": str(Record(game)), "players": sorted(player.value for player in players)})


def answer_to(question: str) -> str:
    """The answer to a question: the mistake, or null."""
    told = json.loads(question)
    game, players = parse_record(told["record"]).game, [Player(number) for number in told["players"]]
    until = time.process_time() + LOOKING_SECONDS
    solver = Solver(game.options, table_mb=LOOKING_TABLE_MB)
    mistake = turning_mistake(game, players, solver, LOOKING_NODES, lambda: time.process_time() > until)
    if mistake is None:
        return "null"
    return json.dumps({"move": mistake.move, "verdict": mistake.verdict.value, "better": str(mistake.better)})


def answer_questions() -> None:
    """Answer all questions on standard input."""
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        sys.stdout.write(f"{answer_to(line)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    answer_questions()
