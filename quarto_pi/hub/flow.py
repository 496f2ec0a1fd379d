"""What has come and is not dealt with yet: so much of each board and no more, each in its turn; and what is set aside.

A board that keeps to its window is never refused anything, only made to wait when it has very much to tell. One that
does not is heard no more often than that, and what it sends beyond is let fall: it is still in its journal, or it was
never meant to be kept.

Actions that could not be kept, by an error that nobody foresaw, are left to their board for a while. Nothing of them is
lost: a board that is not told that an action is kept has it in its journal, and sends it again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")

MOST_WAITING_OF_BOARD: Final = 256
"""Messages of one board that wait, more than twice the window of a board."""
MESSAGES_A_SECOND: Final = 200.0
"""So many of one board are dealt with a second, in the long run."""
BURST: Final = 2_000.0
"""And so many at once, of one that has been silent."""
TOO_LONG: Final = 600.0
"""Seconds for which a board that catches up may have more to tell than is dealt with; no journal takes longer."""
MOST_IN_TURN: Final = 50
"""So many of one board are dealt with before the next board has its turn."""


@dataclass(slots=True)
class _Lane(Generic[_T]):
    """What one board has sent, and how much of it may be dealt with now."""

    in_order: deque[_T] = field(default_factory=deque)
    newest: dict[Hashable, _T] = field(default_factory=dict)
    allowance: float = BURST
    seen_at: float = 0.0
    spent_since: float | None = None

    def waits(self) -> bool:
        return bool(self.in_order or self.newest)

    def refill(self, now: float) -> None:
        self.allowance = min(BURST, self.allowance + max(0.0, now - self.seen_at) * MESSAGES_A_SECOND)
        self.seen_at = now
        if self.allowance >= BURST / 2:
            self.spent_since = None

    def is_spent(self, now: float) -> bool:
        if self.allowance >= 1.0:
            return False
        self.spent_since = now if self.spent_since is None else self.spent_since
        return True

    def take(self) -> _T:
        self.allowance -= 1.0
        if self.newest:
            return self.newest.pop(next(iter(self.newest)))
        return self.in_order.popleft()


class WaitingMessages(Generic[_T]):
    """What boards have sent, until it is taken; `now` is a clock that does not jump, in seconds."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane[_T]] = {}
        self._turns: deque[str] = deque()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, board: str, message: _T, now: float) -> bool:
        """Have a message wait for its turn; False where this board has too many of them, and it was let fall."""
        lane = self._lane(board, now)
        if len(lane.in_order) >= MOST_WAITING_OF_BOARD:
            return False
        self._line_up(board, lane)
        lane.in_order.append(message)
        self._count += 1
        return True

    def replace(self, board: str, what: Hashable, message: _T, now: float) -> _T | None:
        """Have a message wait in the place of an older one that tells of the same; that one is returned."""
        lane = self._lane(board, now)
        self._line_up(board, lane)
        older = lane.newest.get(what)
        lane.newest[what] = message
        self._count += older is None
        return older

    def take(self, now: float, most: int) -> list[tuple[str, _T]]:
        """So many messages at most, with their boards: each board in its turn, and its own in their order."""
        taken: list[tuple[str, _T]] = []
        for _ in range(len(self._turns)):
            if len(taken) >= most:
                break
            board = self._turns.popleft()
            lane = self._lanes[board]
            lane.refill(now)
            for _ in range(min(MOST_IN_TURN, most - len(taken))):
                if not lane.waits() or lane.is_spent(now):
                    break
                taken.append((board, lane.take()))
            if lane.waits():
                self._turns.append(board)
        self._count -= len(taken)
        return taken

    def wait(self, now: float) -> float | None:
        """How many seconds from now something can be taken; None where nothing waits."""
        if not self._turns:
            return None
        return max(0.0, min(self._due(self._lanes[board], now) for board in self._turns))

    def too_long(self, now: float) -> list[str]:
        """The boards that have had more to tell than is dealt with for longer than any that catches up."""
        return [
            board
            for board, lane in self._lanes.items()
            if lane.spent_since is not None and now - lane.spent_since > TOO_LONG and lane.waits()
        ]

    @staticmethod
    def _due(lane: _Lane[_T], now: float) -> float:
        return (1.0 - lane.allowance) / MESSAGES_A_SECOND - max(0.0, now - lane.seen_at)

    def _lane(self, board: str, now: float) -> _Lane[_T]:
        lane = self._lanes.get(board)
        if lane is None:
            lane = self._lanes[board] = _Lane(seen_at=now)
        return lane

    def _line_up(self, board: str, lane: _Lane[_T]) -> None:
        if not lane.waits():
            self._turns.append(board)


# --- Actions that the hub could not keep by an error that nobody foresaw: each is left to its board for a while -------

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
