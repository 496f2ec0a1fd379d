"""Time: the move's clock, the life of a latched call, the final call, and the pause (R11, D1, D3, D4).

Time is only ever told to the game. Whatever falls due on the way is done in the order in which it falls due.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from quarto_pi.rules.calling import fail_latched
from quarto_pi.rules.ending import draw, forfeit
from quarto_pi.rules.errors import WrongMoment
from quarto_pi.rules.events import Paused, Resumed, TimedOut
from quarto_pi.rules.game import Game
from quarto_pi.rules.options import TimeOut


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
    return replace(game, paused_since=game.now, news=(*game.news, Paused()))


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
        news=(*game.news, Resumed()),
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
        appointments.append((game.final_call_until, draw))
    return appointments


def _run_out(game: Game) -> Game:
    """The move has taken too long (D4)."""
    player = game.to_act
    if player is None or game.clock is None:
        return game
    game = replace(game, clock=replace(game.clock, told=True), news=(*game.news, TimedOut(player)))
    return forfeit(game, player) if game.options.time_out is TimeOut.FORFEIT else game
