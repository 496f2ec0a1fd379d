"""Actions that the hub could not keep by an error that nobody foresaw: each is left to its board for a while.

Nothing of them is lost: a board that is not told that an action is kept has it in its journal, and sends it again.
"""

from __future__ import annotations

from typing import Final

AsideKey = tuple[str, str, int, int]
"""Board, history, game and number of an action."""

FIRST_ASIDE_SECONDS: Final = 10.0
LONGEST_ASIDE_SECONDS: Final = 600.0
MOST_ASIDE: Final = 10_000


class SetAside:
    """Which actions are not tried for how long; `now` is a clock that does not jump, in seconds."""

    def __init__(self) -> None:
        self._kept: dict[AsideKey, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def put(self, key: AsideKey, now: float) -> None:
        """Leave an action alone, twice as long as the last time."""
        _, pause = self._kept.pop(key, (0.0, FIRST_ASIDE_SECONDS / 2))
        pause = min(2 * pause, LONGEST_ASIDE_SECONDS)
        while len(self._kept) >= MOST_ASIDE:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = now + pause, pause

    def is_left(self, key: AsideKey, now: float) -> bool:
        """Whether an action is not tried at this moment."""
        until, _ = self._kept.get(key, (now, 0.0))
        return now < until

    def take_back(self, key: AsideKey) -> None:
        """An action could be kept after all."""
        self._kept.pop(key, None)
