"""What can be done in a game: the actions, and `apply`, which carries one out on a game, or refuses it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from quarto_pi.rules import turns
from quarto_pi.rules.board import Square
from quarto_pi.rules.errors import ClockPaused, GameOver, TimeRunsBackwards
from quarto_pi.rules.game import Game
from quarto_pi.rules.piece import Piece, Player
from quarto_pi.rules.turns import clear


@dataclass(frozen=True, slots=True)
class Give:
    """The player whose turn it is gives a piece (R3); until it is placed it may be exchanged for another."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Place:
    """The receiver's piece has come to rest on a square (R3); name the piece to have it checked (D6)."""

    square: Square
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """The player moves the piece just placed to another empty square (D5)."""

    square: Square


@dataclass(frozen=True, slots=True)
class Call:
    """A player says QUARTO! (R7); where it is not `sure` who did, it may win, but nobody answers for it (D14)."""

    player: Player
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Undo:
    """The players agree to take back the last placement and the give before it (D9)."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Time stands still until the game is resumed."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Time runs on after a pause."""


@dataclass(frozen=True, slots=True)
class Clear:
    """The players clear the board: a draw after the sixteenth piece (D3), before it an unfinished game."""


Action = Give | Place | Shift | Call | Undo | Pause | Resume | Clear


# --- From one game to the next: `apply` carries out an action, `pass_time` lets time pass -----------------------------
#
# Both are pure. What an action brings about is in the new game's `news`; an action that is not allowed raises an
# `IllegalAction` and changes nothing.


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
            return turns.call(game, action.player, sure=action.sure)
        case Pause():
            return turns.pause(game)
        case Resume():
            return turns.resume(game)
        case Clear():
            return clear(game)
        case _:
            assert_never(action)


def pass_time(game: Game, at: int | None = None) -> Game:
    """The game at a later moment, with all that has fallen due: clock, latched call, end of the final call."""
    at = game.now if at is None else at
    if at < game.now:
        raise TimeRunsBackwards(f"{at} ms lies before {game.now} ms, which the game has reached: times must not fall.")
    return turns.advance(replace(game, news=()), at)


def _going_on(game: Game, action: Action) -> Game:
    if game.over:
        raise GameOver("the game is over: only a new game can follow.")
    if game.paused_since is not None and not isinstance(action, Resume | Clear):
        raise ClockPaused("the game is paused: resume it first.")
    return game
