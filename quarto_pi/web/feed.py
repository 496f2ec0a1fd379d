"""From the thread of the game to that of the page: the newest moment, and the last lines that were told.

Whoever writes here never waits: a reference is replaced, a line is put down, and the other thread is woken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from quarto_pi.rules import Game
from quarto_pi.web.moment import Moment

KEPT_LINES: Final = 500
"""A client that is further behind than this has missed something; a new `state` tells it how things stand."""
KEPT_GAMES: Final = 100


class Feed:
    """What the game's thread gives and the page's thread takes; one of each."""

    def __init__(self) -> None:
        self.moment: Moment | None = None
        self.games: deque[tuple[int, Game]] = deque(maxlen=KEPT_GAMES)
        """The games that have ended, each with its number."""
        self.lines: deque[tuple[int, str]] = deque(maxlen=KEPT_LINES)
        """What was told, each line with its number."""
        self._told = 0
        self._wake: Callable[[], None] | None = None

    def show(self, moment: Moment) -> None:
        """From now on this is to be seen."""
        self.moment = moment
        self.stir()

    def tell(self, line: str) -> None:
        """One more line was told."""
        self._told += 1
        self.lines.append((self._told, line))
        self.stir()

    def keep(self, number: int, game: Game) -> None:
        """A game has ended; the board counts its games, also those of the evenings before where it keeps them."""
        self.games.append((number, game))

    def stir(self) -> None:
        """Something may have changed: have the other thread look."""
        wake = self._wake
        if wake is not None:
            wake()

    def wake_by(self, wake: Callable[[], None] | None) -> None:
        """Who is to be woken; it must not wait, and may be called from any thread."""
        self._wake = wake

    @property
    def told(self) -> int:
        """The number of the newest line."""
        return self._told

    def lines_after(self, number: int) -> list[tuple[int, str]]:
        """The lines after this one that are still kept."""
        # A copy in one step, which the other thread cannot come between.
        return [(each, line) for each, line in list(self.lines) if each > number]
