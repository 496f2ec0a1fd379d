"""What is counted over the games of a board; and how well its people play, which the level "like me" follows.

A game tells twice how well somebody plays. Its result moves the estimate a step up or down, a smaller one with each
game; and what the person overlooked tells of his eyes: wins in hand that were not placed, pieces given that won though
others were safe. Who wins in a moment or loses after long thought has shown it more clearly. So both come to win about
as often.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.referee.settings import Seat
from quarto_pi.rules import Board, Game, Options, Piece, Player, Reason
from quarto_pi.rules.options import LEVEL

# --- What is counted over the games of a board: over one evening, or over many where somebody keeps it ----------------


@dataclass(frozen=True, slots=True)
class Against:
    """How people have fared against one level of the computer."""

    level: int
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """How many games people have played to their end against this level."""
        return self.won + self.lost + self.drawn


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games were played to their end, and how they ended; `wins` are those of player A and of player B.

    `missed` are the alignments that nobody called. `against` has the levels that people have played against, the
    lowest first. `played_ms` is the time of all these games together, from the first piece given to the result.

    >>> Tally(games=4, wins=(2, 1), draws=1, against=(Against(3, won=1, lost=1),), played_ms=1_200_000).average_ms
    300000
    """

    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    missed: int = 0
    against: tuple[Against, ...] = ()
    played_ms: int = 0

    @property
    def average_ms(self) -> int:
        """How long a game has taken, on average; 0 while there is none."""
        return self.played_ms // self.games if self.games else 0

    def after(self, game: Game, seats: tuple[Seat, Seat], duration_ms: int) -> Tally:
        """This tally with one more game; one that was abandoned does not count."""
        result = game.result
        if result is None or result.reason is Reason.UNFINISHED:
            return self
        first, second = (won + (player is result.winner) for won, player in zip(self.wins, Player, strict=True))
        return replace(
            self,
            games=self.games + 1,
            wins=(first, second),
            draws=self.draws + (result.winner is None),
            missed=self.missed + len(game.missed),
            against=self._against_after(result.winner, seats),
            played_ms=self.played_ms + duration_ms,
        )

    def _against_after(self, winner: Player | None, seats: tuple[Seat, Seat]) -> tuple[Against, ...]:
        """The levels with one more game, if a person has played against one."""
        levels = [seat.level for seat in seats if seat.level is not None]
        if len(levels) != 1:
            return self.against
        level = levels[0]
        before = next((each for each in self.against if each.level == level), Against(level))
        if winner is None:
            counted = replace(before, drawn=before.drawn + 1)
        elif seats[winner.value].is_computer:
            counted = replace(before, lost=before.lost + 1)
        else:
            counted = replace(before, won=before.won + 1)
        others = [each for each in self.against if each.level != level]
        return tuple(sorted((*others, counted), key=lambda each: each.level))


# --- How well the person at the table plays, as a sitting has shown: what the level "like me" follows -----------------

FIRST_LEVEL: Final = 3.0
"""Where nothing is known yet: somebody who sees most of the wins, and not all."""
LARGEST_STEP: Final = 1.6
SMALLEST_STEP: Final = 0.5
EYES_WEIGHT: Final = 0.6
"""How much the first game's eyes count beside what was taken for granted; a later game's, divided by its number."""
ALL_SEEN_LEVEL: Final = 7.0
"""The level of somebody who overlooks nothing, but does not look ahead."""
HALF_SEEN_LEVEL: Final = 1.0
QUICK_MS: Final = 8_000
LONG_MS: Final = 40_000
"""A turn of this length on average, from the first piece to the last, is quick, or takes long thought."""


@dataclass(frozen=True, slots=True)
class Skill:
    """An estimate on the scale of the levels, after so many games of a sitting."""

    level: float = FIRST_LEVEL
    games: int = 0

    @property
    def number(self) -> int:
        """The level that is nearest."""
        return min(max(round(self.level), LEVEL.lowest), LEVEL.highest)

    def after(self, game: Game, person: Player, played_ms: int) -> Skill:
        """The estimate after a game that has ended, played by this person against the computer."""
        won = None if game.result is None else game.result.winner
        points = 0.0 if won is None else 1.0 if won is person else -1.0
        step = max(LARGEST_STEP / (1 + self.games / 2), SMALLEST_STEP)
        level = self.level + points * step * _clearness(points, played_ms / max(1, len(game.turns)))
        seen, chances = _seen(game, person)
        if chances:
            weight = EYES_WEIGHT / (self.games + 1) * chances / (chances + 1)
            level += weight * (_level_of(seen / chances) - level)
        return Skill(min(max(level, LEVEL.lowest), LEVEL.highest), self.games + 1)


NEWCOMER: Final = Skill()


def _clearness(points: float, turn_ms: float) -> float:
    """How much more a result tells by the time that it took."""
    return 1.5 if (points > 0 and turn_ms < QUICK_MS) or (points < 0 and turn_ms > LONG_MS) else 1.0


def _level_of(share: float) -> float:
    """The level whose eyes see such a share."""
    return HALF_SEEN_LEVEL + (ALL_SEEN_LEVEL - HALF_SEEN_LEVEL) * max(0.0, 2 * share - 1)


def _seen(game: Game, person: Player) -> tuple[int, int]:
    """How often this person saw a win in hand or a piece that must not be given, and how often there was one."""
    seen, chances = 0, 0
    board = _before(game)
    given = [turn.piece for turn in game.turns]
    for number, turn in enumerate(game.turns):
        after = board.place(turn.square, turn.piece)
        if turn.player is person:
            if _wins(board, turn.piece, game.options):
                chances += 1
                seen += _completes(board, after, game.options)
            elif number + 1 < len(given):
                left = [piece for piece in after.pieces_left if _wins(after, piece, game.options)]
                if left and len(left) < len(after.pieces_left):
                    chances += 1
                    seen += given[number + 1] not in left
        board = after
    return seen, chances


def _before(game: Game) -> Board:
    """The board that a game began from: what stands there and was not placed in it."""
    placed = {turn.square for turn in game.turns}
    return Board.of({square: piece for square, piece in game.board.pieces.items() if square not in placed})


def _wins(board: Board, piece: Piece, options: Options) -> bool:
    return any(_completes(board, board.place(square, piece), options) for square in board.empty_squares)


def _completes(before: Board, after: Board, options: Options) -> bool:
    older = before.alignments(options.squares, options.traits)
    return len(after.alignments(options.squares, options.traits)) > len(older)
