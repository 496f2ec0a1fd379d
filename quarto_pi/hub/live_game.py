"""The game that a board plays at present: what its status says, and what it has settled since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from quarto_pi.chain.messages import BoardStatus, Doing, SettledAction
from quarto_pi.rules import Piece, Position, QuartoError, Square, parse_piece, parse_position, parse_square


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game under way, or the one that stands on the board since it ended."""

    number: int
    position: Position
    seats: tuple[str, ...] = ()
    to_act: int | None = None
    over: bool = False
    winner: int | None = None


def game_of_status(status: BoardStatus, before: LiveGame | None) -> LiveGame | None:
    """The game that a status tells of; None where the board has none, or tells a position that cannot be."""
    if status.doing not in (Doing.PLAYING, Doing.OVER) or not status.position:
        return None
    try:
        position = parse_position(status.position)
    except QuartoError:
        return None
    over = status.doing is Doing.OVER
    winner = before.winner if before is not None and over and before.number == status.game else None
    return LiveGame(status.game, position, status.seats, status.to_act, over, winner)


def after_settled(game: LiveGame | None, action: SettledAction) -> LiveGame | None:
    """The game after one more settled action; what does not fit waits for the next status."""
    event = action.event
    kind = event.get("event")
    if kind == "begun":
        seats = () if game is None or game.number != action.game else game.seats
        return LiveGame(action.game, Position(), seats)
    if game is None or game.number != action.game:
        return game
    if kind == "result":
        winner = event.get("winner")
        return replace(game, over=True, to_act=None, winner=winner if winner in (0, 1) else None)
    try:
        position = _moved(game.position, kind, event)
    except QuartoError:
        return game
    return replace(game, position=position)


def _moved(position: Position, kind: object, event: Mapping[str, object]) -> Position:
    board, piece = position.board, _piece(event)
    if kind == "given" and piece is not None and piece not in board.pieces.values():
        return Position(board, piece)
    square = _square(event)
    if kind == "placed" and piece is not None and square is not None:
        if board[square] == piece:
            # The status that came before has it already, and may know the next given piece as well.
            return position
        for old, standing in board.pieces.items():
            if standing == piece:
                # A change of mind (D5) settles as a placement on another square.
                board = board.lift(old)
        return position if board[square] is not None else Position(board.place(square, piece))
    if kind == "undone" and piece is not None and square is not None and board[square] == piece:
        return Position(board.lift(square), piece)
    return position


def _piece(event: Mapping[str, object]) -> Piece | None:
    code = event.get("piece")
    return parse_piece(code) if isinstance(code, str) else None


def _square(event: Mapping[str, object]) -> Square | None:
    name = event.get("square")
    return parse_square(name) if isinstance(name, str) else None
