"""What is counted over the games of an evening."""

from __future__ import annotations

from dataclasses import dataclass, replace

from quarto_pi.rules import Game, Reason


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games were played to their end, and how they ended; `wins` are those of player A and of player B."""

    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    missed: int = 0

    def after(self, game: Game) -> Tally:
        """This tally with one more game; one that was abandoned does not count."""
        result = game.result
        if result is None or result.reason is Reason.UNFINISHED:
            return self
        counted = replace(self, games=self.games + 1, missed=self.missed + len(game.missed))
        if result.winner is None:
            return replace(counted, draws=self.draws + 1)
        first, second = (won + (index == result.winner.value) for index, won in enumerate(self.wins))
        return replace(counted, wins=(first, second))
