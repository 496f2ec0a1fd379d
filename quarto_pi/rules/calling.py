"""The call: who may call when, what it is worth, the call that waits for its placement (R7 to R9, D1, D2, D14)."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.rules.ending import forfeit, win
from quarto_pi.rules.errors import WrongMoment
from quarto_pi.rules.events import Called, Doubted, Latched, Reason
from quarto_pi.rules.game import Game, Latch, Phase
from quarto_pi.rules.options import Calling, FalseCall
from quarto_pi.rules.player import Player


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
    return forfeit(game, player) if game.options.false_call is FalseCall.FORFEIT else game


def _called(game: Game, player: Player, valid: bool) -> Called:
    alignments = game.open if valid else ()
    return Called(player, valid, alignments, placed=game.board.count, given=game.phase is Phase.PLACE)
