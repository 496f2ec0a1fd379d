"""A turn: give, place, change one's mind, undo (R3, R8, D5, D6, D7, D9); and the call.

Who may call when, what it is worth, and the call that waits for its placement: R7 to R9, D1, D2, D14.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from quarto_pi.rules.board import Alignment, Board, Square
from quarto_pi.rules.errors import NothingToUndo, PieceNotAvailable, PieceNotGiven, SquareTaken, WrongMoment
from quarto_pi.rules.game import (
    Called,
    Doubted,
    Ended,
    Game,
    GamePaused,
    GameResumed,
    Given,
    Latch,
    Latched,
    Missed,
    MoveClock,
    Phase,
    Placed,
    Reason,
    Result,
    Shifted,
    TimedOut,
    Turn,
    Undone,
)
from quarto_pi.rules.options import Calling, FalseCallRule, TimeOut
from quarto_pi.rules.piece import Piece, Player

# --- How a game ends (R7, R10, D2 to D4, D7) --------------------------------------------------------------------------


def win(game: Game, winner: Player, reason: Reason) -> Game:
    """The game won with the alignments that are open."""
    return _end(game, Result(winner, reason, game.open))


def forfeit(game: Game, loser: Player) -> Game:
    """The game lost by a false call (D2) or by time (D4)."""
    return _end(game, Result(loser.other, Reason.FORFEIT))


def draw_game(game: Game) -> Game:
    """The game drawn after the sixteenth piece (R10, D3); what was open has been missed."""
    return _end(lapse(game), Result(None, Reason.DRAW))


def clear(game: Game) -> Game:
    """The game whose board the players have cleared."""
    if game.phase is Phase.FINAL_CALL:
        return draw_game(game)
    return _end(game, Result(None, Reason.UNFINISHED))


def lapse(game: Game) -> Game:
    """The game in which whatever is open is worth nothing any more (R8)."""
    if not game.open:
        return game
    return replace(game, open=(), missed=game.missed + game.open, news=(*game.news, Missed(game.open)))


def _end(game: Game, result: Result) -> Game:
    return replace(
        game,
        phase=Phase.OVER,
        result=result,
        latch=None,
        clock=None,
        final_call_until=None,
        paused_since=None,
        news=(*game.news, Ended(result)),
    )


# --- The call: who may call when, what it is worth, the call that waits for its placement (R7 to R9, D1, D2, D14) -----


def call(game: Game, player: Player, *, sure: bool = True) -> Game:
    """The game after a player's call: won, latched until the placement, or a false call."""
    if game.options.calling is Calling.AUTO:
        raise WrongMoment("in automatic mode the board declares the win itself: nobody calls.")
    if game.open_for(player):
        return stand(game, player)
    if game.may_latch(player):
        until = game.now + game.options.latch_ms
        return replace(game, latch=Latch(player, until, sure), news=(*game.news, Latched(player, until)))
    return false_call(game, player) if sure else doubt(game, player)


def decide_latched(game: Game, maker: Player) -> Game:
    """The game after a placement for which a call may have been waiting (D1)."""
    if game.latch is None:
        return game
    return stand(replace(game, latch=None), maker) if game.open else fail_latched(game)


def fail_latched(game: Game) -> Game:
    """The game whose waiting call was false: its placement has opened nothing, or has not come in time (D1)."""
    latch = game.latch
    if latch is None:
        return game
    game = replace(game, latch=None)
    return false_call(game, latch.player) if latch.sure else doubt(game, latch.player)


def doubt(game: Game, player: Player) -> Game:
    """The game after a false call that this player may have made: it changes nothing (D14)."""
    return replace(game, news=(*game.news, Doubted(player)))


def stand(game: Game, player: Player) -> Game:
    """The game won by a call that points out what is open."""
    called = _called(game, player, valid=True)
    return win(replace(game, calls=(*game.calls, called), news=(*game.news, called)), player, Reason.CALL)


def false_call(game: Game, player: Player) -> Game:
    """The game after a false call (D2); a maker who has called has decided where the piece stands (D5)."""
    called = _called(game, player, valid=False)
    fixed = game.fixed or player is game.maker
    game = replace(game, fixed=fixed, calls=(*game.calls, called), news=(*game.news, called))
    return forfeit(game, player) if game.options.false_call is FalseCallRule.FORFEIT else game


def _called(game: Game, player: Player, valid: bool) -> Called:
    alignments = game.open if valid else ()
    return Called(player, valid, alignments, placed=game.board.count, given=game.phase is Phase.PLACE)


# --- Time: the move's clock, the life of a latched call, the final call, and the pause (R11, D1, D3, D4) --------------
#
# Time is only ever told to the game. Whatever falls due on the way is done in the order in which it falls due.


def advance(game: Game, at: int) -> Game:
    """The game at a later moment, with all that has fallen due by then."""
    while game.paused_since is None and not game.over:
        due = [(moment, happen) for moment, happen in _appointments(game) if moment <= at]
        if not due:
            break
        # The moment is the key: the actions themselves have no order.
        moment, happen = min(due, key=lambda appointment: appointment[0])
        game = happen(replace(game, now=max(game.now, moment)))
    return replace(game, now=at)


def pause(game: Game) -> Game:
    """The game standing still."""
    return replace(game, paused_since=game.now, news=(*game.news, GamePaused()))


def resume(game: Game) -> Game:
    """The game going on: everything that was to fall due does so later by the length of the pause."""
    if game.paused_since is None:
        raise WrongMoment("the game is not paused.")
    length = game.now - game.paused_since
    until = game.final_call_until
    return replace(
        game,
        paused_since=None,
        clock=game.clock and replace(game.clock, started=game.clock.started + length),
        latch=game.latch and replace(game.latch, until=game.latch.until + length),
        final_call_until=None if until is None else until + length,
        news=(*game.news, GameResumed()),
    )


def falls_due(game: Game) -> tuple[int, ...]:
    """The moments at which something happens in a game by itself, as far as they are known; none while it is paused."""
    if game.over or game.paused_since is not None:
        return ()
    return tuple(moment for moment, _ in _appointments(game))


def _appointments(game: Game) -> list[tuple[int, Callable[[Game], Game]]]:
    """What is going to happen by itself, and when."""
    appointments: list[tuple[int, Callable[[Game], Game]]] = []
    if game.latch is not None:
        appointments.append((game.latch.until, fail_latched))
    if game.clock is not None and not game.clock.told and game.options.clock_ms is not None:
        appointments.append((game.clock.started + game.options.clock_ms, _run_out))
    if game.final_call_until is not None:
        appointments.append((game.final_call_until, draw_game))
    return appointments


def _run_out(game: Game) -> Game:
    """The move has taken too long (D4)."""
    player = game.to_act
    if player is None or game.clock is None:
        return game
    game = replace(game, clock=replace(game.clock, told=True), news=(*game.news, TimedOut(player)))
    return forfeit(game, player) if game.options.time_out is TimeOut.FORFEIT else game


# --- A turn: give, place, change one's mind, undo (R3, R8, D5, D6, D7, D9) --------------------------------------------


def give(game: Game, piece: Piece) -> Game:
    """The game with a piece in the receiver's hand; the receiver's time begins (R11)."""
    if game.phase is Phase.FINAL_CALL:
        raise WrongMoment("all sixteen pieces are placed: there is none left to give.")
    if piece in game.board.cells:
        left = ", ".join(other.letters for other in game.available)
        raise PieceNotAvailable(f"{piece} stands on the board: the pieces left to give are {left or 'none'}.")
    if piece == game.hand:
        raise PieceNotAvailable(f"{piece} has been given already: place it, or give another one instead.")
    return replace(
        game,
        hand=piece,
        phase=Phase.PLACE,
        clock=_fresh_clock(game),
        news=(*game.news, Given(piece, game.giver)),
    )


def place(game: Game, square: Square, piece: Piece | None = None) -> Game:
    """The game with the given piece on a square: older alignments lapse, new ones open, a latched call is decided."""
    if game.phase is Phase.FINAL_CALL:
        raise WrongMoment("all sixteen pieces are placed: there is none left to place.")
    if game.phase is not Phase.PLACE or game.hand is None:
        raise WrongMoment("no piece has been given: give one before it can be placed.")
    if piece is not None and piece != game.hand:
        raise PieceNotGiven(piece, game.hand)
    maker = game.receiver
    board = game.board.place(square, game.hand)
    turn = Turn(game.hand, square, maker)
    game = lapse(replace(game, news=(*game.news, Placed(square, game.hand, maker))))
    game = replace(
        game,
        board=board,
        hand=None,
        phase=Phase.GIVE,
        turns=(*game.turns, turn),
        open=_opened(game, board, square),
        fixed=False,
    )
    game = _declared(decide_latched(game, maker))
    return game if game.over or board.count < 16 else _last_chance(game)


def shift(game: Game, square: Square) -> Game:
    """The game with the piece just placed on another square: only the final square counts (D5)."""
    turn = game.last_turn
    if game.phase is not Phase.GIVE or turn is None:
        raise WrongMoment("no piece has just been placed that could still be moved.")
    if game.fixed:
        raise WrongMoment(
            f"{turn.piece} stays on {turn.square}: its player has called, or has given the next piece already."
        )
    if square == turn.square:
        raise SquareTaken(f"{turn.piece} stands on {square} already.")
    board = game.board.lift(turn.square).place(square, turn.piece)
    shifted = Shifted(turn.square, square, turn.piece, turn.player)
    return _declared(
        replace(
            game,
            board=board,
            turns=(*game.turns[:-1], Turn(turn.piece, square, turn.player)),
            open=_opened(game, board, square),
            news=(*game.news, shifted),
        )
    )


def undo(game: Game) -> Game:
    """The game without its last placement and the give before it (D9)."""
    turn = game.last_turn
    if turn is None:
        raise NothingToUndo("no placement has been made: there is nothing to take back.")
    board = game.board.lift(turn.square)
    count = board.count
    game = replace(
        game,
        board=board,
        hand=None,
        phase=Phase.GIVE,
        turns=game.turns[:-1],
        calls=tuple(call for call in game.calls if (call.placed, call.given) <= (count, False)),
        open=(),
        missed=tuple(alignment for alignment in game.missed if _stands(alignment, board)),
        # The player who gives again had given already: that piece stays where it stands (D5).
        fixed=count > 0,
        latch=None,
        final_call_until=None,
        news=(*game.news, Undone(turn.square, turn.piece, turn.player)),
    )
    # Whoever gives again has a whole move's time for it; the starter's first give is not timed (R11).
    return replace(game, clock=_fresh_clock(game) if count else None)


def _opened(game: Game, board: Board, square: Square) -> tuple[Alignment, ...]:
    return board.alignments_through(square, game.options.squares, game.options.traits)


def _declared(game: Game) -> Game:
    """The game won by the board's own word, in automatic mode (D7)."""
    if game.options.calling is not Calling.AUTO or not game.open or game.maker is None:
        return game
    return win(game, game.maker, Reason.AUTO)


def _last_chance(game: Game) -> Game:
    """The game after the sixteenth piece: time for a last call (D3), except in automatic mode."""
    if game.options.calling is Calling.AUTO:
        return draw_game(game)
    return replace(game, phase=Phase.FINAL_CALL, clock=None, final_call_until=game.now + game.options.final_call_ms)


def _fresh_clock(game: Game) -> MoveClock | None:
    return None if game.options.clock_ms is None else MoveClock(game.now)


def _stands(alignment: Alignment, board: Board) -> bool:
    return all(board[square] is not None for square in alignment.squares)
