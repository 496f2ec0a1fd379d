"""What is counted over the games of a board: over one evening, or over many where somebody keeps it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from quarto_pi.referee.settings import Seat
from quarto_pi.rules import Game, Player, Reason


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
