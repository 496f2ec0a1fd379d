"""How a game ends (R7, R10, D2 to D4, D7)."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.rules.events import Ended, Missed, Reason, Result
from quarto_pi.rules.game import Game, Phase
from quarto_pi.rules.player import Player


def win(game: Game, winner: Player, reason: Reason) -> Game:
    """The game won with the alignments that are open."""
    return _end(game, Result(winner, reason, game.open))


def forfeit(game: Game, loser: Player) -> Game:
    """The game lost by a false call (D2) or by time (D4)."""
    return _end(game, Result(loser.other, Reason.FORFEIT))


def draw(game: Game) -> Game:
    """The game drawn after the sixteenth piece (R10, D3); what was open has been missed."""
    return _end(lapse(game), Result(None, Reason.DRAW))


def clear(game: Game) -> Game:
    """The game whose board the players have cleared."""
    if game.phase is Phase.FINAL_CALL:
        return draw(game)
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
