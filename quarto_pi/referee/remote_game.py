"""What a board knows of the others, and of its game with one of them; and that game as entries of its log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from quarto_pi.remote_play.log import LogEntry, Saying
from quarto_pi.rules import Game, Phase, Piece, Player, Reason, Turn

_PLACED: Final = 16


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """A board that may be played with: its name on the chain, what people call it, and whether it invites anybody."""

    name: str
    label: str
    invites: bool = False


@dataclass(frozen=True, slots=True)
class Others:
    """The boards that are free, those whose guests invite this board's, and whether these wait for an answer.

    `watched_at` is the address at which spectators may watch this board; empty where none may.
    """

    free: tuple[OtherBoard, ...] = ()
    invitations: tuple[OtherBoard, ...] = ()
    is_waiting: bool = False
    watched_at: str = ""

    @property
    def choices(self) -> tuple[OtherBoard, ...]:
        """All that may be chosen, those that wait for an answer first, each once."""
        inviting = (*self.invitations, *(board for board in self.free if board.invites))
        found = {board.name: board for board in (*inviting, *self.free)}
        return tuple({name: found[name] for name in (board.name for board in (*inviting, *self.free))}.values())


@dataclass(frozen=True, slots=True)
class RemoteGame:
    """The game with another board, beside what the rules know of it.

    `match` is what both boards call it, "" after a start. `written` entries of its log are settled. `passes` counts who
    has said in the last chance to call that he does not, the last one at `passed_at`. `has_left` says that this board
    has said that it gives up; `is_heard` that the other one has all of it.
    """

    board: str
    match: str = ""
    written: int = 0
    passes: int = 0
    passed_at: int = 0
    away_since: int | None = None
    has_left: bool = False
    is_heard: bool = True


def author_of_entry(game: Game, number: int) -> Player:
    """Who writes the entry of this number, counted from 0."""
    if number == 0:
        return game.starter
    if number > _PLACED:
        maker = game.placer(_PLACED - 1)
        return maker if number == _PLACED + 1 else maker.other
    return game.placer(number - 1)


def settled_entries(game: Game, remote: RemoteGame, *, is_for_good: bool) -> tuple[LogEntry, ...]:
    """The log of a game as far as nobody can change it any more; `is_for_good` says so of the piece in hand."""
    pieces = [turn.piece for turn in game.turns] + ([] if game.hand is None else [game.hand])
    entries: list[LogEntry] = []
    for number, piece in enumerate(pieces):
        if number == len(game.turns) and not is_for_good:
            return tuple(entries)
        entries.append(LogEntry(game.turns[number - 1].square if number else None, piece))
    if game.hand is not None:
        return (*entries, LogEntry(says=Saying.CALL)) if _ended_by_word(game) else tuple(entries)
    return (*entries, *_last_words(game, game.turns[-1], remote)) if game.turns else ()


def _last_words(game: Game, last: Turn, remote: RemoteGame) -> tuple[LogEntry, ...]:
    """What follows the last piece given, once it is placed."""
    passes = (LogEntry(says=Saying.PASS),) * remote.passes
    was_told = len(game.turns) == _PLACED and remote.written > _PLACED
    if _ended_by_word(game):
        if was_told:
            return (LogEntry(last.square), *passes, LogEntry(says=Saying.CALL))
        return (LogEntry(last.square, says=Saying.CALL),)
    is_auto = game.result is not None and game.result.reason is Reason.AUTO
    if game.phase is Phase.FINAL_CALL or is_auto or (game.over and len(game.turns) == _PLACED):
        return (LogEntry(last.square), *passes)
    return ()


def _ended_by_word(game: Game) -> bool:
    return game.result is not None and game.result.reason in (Reason.CALL, Reason.FORFEIT)


def is_offered_beside(offered: Piece | None, game: Game) -> bool:
    """Whether another piece lies where pieces are given, which may still be given instead of the one in hand (D12)."""
    return offered is not None and offered != game.hand and offered not in game.board.cells
