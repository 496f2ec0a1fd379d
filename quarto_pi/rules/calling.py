"""The call: who may call when, what it is worth, the call that waits for its placement (R7 to R9, D1, D2, D14)."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.rules.errors import WrongMoment
from quarto_pi.rules.events import Called, Doubted, Ended, Latched, Missed, Reason, Result
from quarto_pi.rules.game import Game, Latch, Phase
from quarto_pi.rules.options import Calling, FalseCallRule
from quarto_pi.rules.piece import Player

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
