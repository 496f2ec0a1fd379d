"""From one game to the next: `apply` carries out an action, `pass_time` lets time pass.

Both are pure. What an action brings about is in the new game's `news`; an action that is not allowed raises an
`IllegalAction` and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from quarto_pi.rules import calling, timing, turns
from quarto_pi.rules.actions import Action, Call, Clear, Give, Pause, Place, Resume, Shift, Undo
from quarto_pi.rules.ending import clear
from quarto_pi.rules.errors import ClockPaused, GameOver, TimeRunsBackwards
from quarto_pi.rules.game import Game


def apply(game: Game, action: Action, at: int | None = None) -> Game:
    """The game after an action at a moment (in ms, by default the moment that the game has reached).

    Where the game may end by itself on the way (a clock, the final call), let time pass first and look: an action that
    comes after the end is refused, and what is refused lets no time pass either.
    """
    game = _going_on(pass_time(game, at), action)
    match action:
        case Give():
            return turns.give(game, action.piece)
        case Place():
            return turns.place(game, action.square, action.piece)
        case Shift():
            return turns.shift(game, action.square)
        case Undo():
            return turns.undo(game)
        case Call():
            return calling.call(game, action.player, sure=action.sure)
        case Pause():
            return timing.pause(game)
        case Resume():
            return timing.resume(game)
        case Clear():
            return clear(game)
        case _:
            assert_never(action)


def pass_time(game: Game, at: int | None = None) -> Game:
    """The game at a later moment, with all that has fallen due: clock, latched call, end of the final call."""
    at = game.now if at is None else at
    if at < game.now:
        raise TimeRunsBackwards(f"{at} ms lies before {game.now} ms, which the game has reached: times must not fall.")
    return timing.advance(replace(game, news=()), at)


def _going_on(game: Game, action: Action) -> Game:
    if game.over:
        raise GameOver("the game is over: only a new game can follow.")
    if game.paused_since is not None and not isinstance(action, Resume | Clear):
        raise ClockPaused("the game is paused: resume it first.")
    return game
