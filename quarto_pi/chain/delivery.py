"""Which settled actions are sent when: a window of what the hub has not confirmed, and when all begins anew.

Only the hub's word ends an action. The rest is sent again: at each connection, when the hub has another memory, when
the broker says that nobody listens, when the hub asks for it, and when no word has come for too long. Time and chance
come in as arguments; nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from quarto_pi.chain.messages import SettledAction, TakenThrough

ActionKey = tuple[str, int, int]
"""History, game and number of an action."""

MOST_UNCONFIRMED: Final = 100
"""So many actions may be under way without the hub's word."""
HUB_PATIENCE_SECONDS: Final = 10.0
"""How long the hub's word for the oldest of them is waited for at first; twice as long each time after."""
MOST_PATIENCE_SECONDS: Final = 300.0
RESEND_SECONDS: Final = 2.0
"""The same wish of the hub is heard once in so long: it asks anew for every action that comes meanwhile."""
GAMES_REMEMBERED: Final = 1_000
"""Of so many games is remembered what the hub has: what it has is deleted soon, and counts for nothing then."""


class ActionQueue(Protocol):
    """The journal's queue of settled actions."""

    def histories(self) -> Sequence[str]:
        """The histories of which something waits, the one that goes on last."""

    def after(self, history: str, game: int, number: int, most: int) -> Sequence[SettledAction]:
        """The next actions of a history after this one, in order."""

    def forget(self, history: str, through: Sequence[tuple[int, int]]) -> None:
        """Let the actions of these games go, up to these numbers, some time soon."""

    def waiting(self) -> int:
        """How many actions wait."""

    def history(self) -> str:
        """The history that goes on; empty where nobody knows."""

    def close(self) -> None:
        """Let go of what is open; looking again opens it again."""


class Delivery:
    """What has been sent of a queue, what the hub has of it, and what comes next."""

    def __init__(self, most: int = MOST_UNCONFIRMED, chance: Callable[[], float] = lambda: 0.5) -> None:
        self.most = most
        self._chance = chance
        self._connected = False
        self._epoch: str | None = None
        self._begins_at = 0.0
        self._refusals = 0
        self._in_flight: dict[ActionKey, float] = {}
        self._cursor: dict[str, tuple[int, int]] = {}
        self._sent: dict[tuple[str, int], int] = {}
        self._taken: dict[tuple[str, int], int] = {}
        self._resent: tuple[ActionKey, float] | None = None

    # --- what happens -------------------------------------------------------------------------------------------------

    def connected(self) -> None:
        """There is a connection; whether the hub is there is not known yet."""
        self._connected, self._epoch = True, None
        self.begin_again()

    def disconnected(self) -> None:
        """There is none, and whether the hub is there nobody knows."""
        self._connected, self._epoch = False, None
        self.begin_again()

    def begin_queue(self) -> None:
        """Another queue takes the place of the one before."""
        self._sent.clear()
        self._taken.clear()
        self.begin_again()

    def begin_again(self) -> None:
        """What has been sent and not confirmed is to be sent again, from its beginning."""
        self._in_flight.clear()
        self._cursor.clear()
        self._resent = None

    def hub_is(self, epoch: str | None) -> None:
        """The hub says that it is there, with a memory of this epoch, or is not there.

        One that comes back before its will was heard has lost what was under way as well.
        """
        if epoch is None and self._epoch is None:
            return
        if epoch is not None:
            # What another memory had is not what this one has.
            self._taken.clear()
            self._begins_at, self._refusals = 0.0, 0
        self._epoch = epoch
        self.begin_again()

    def sent(self, key: ActionKey, now: float) -> None:
        """An action has been sent."""
        history, game, number = key
        self._in_flight[key] = now
        self._remember(self._sent, (history, game), number)
        self.pass_over(key)

    def pass_over(self, key: ActionKey) -> None:
        """An action is not to be sent, or has been: the next one comes after it."""
        history, game, number = key
        self._cursor[history] = game, number

    def refused(self, key: ActionKey, now: float) -> None:
        """The broker had nobody to give an action to, or did not want it: all begins anew after a while."""
        if key in self._in_flight:
            self._wait(now)

    def taken(self, word: TakenThrough, now: float) -> list[tuple[int, int]]:
        """The hub has committed something, or misses something; what may be forgotten of it: games and numbers."""
        history = word.history
        through = []
        for game, number in word.through:
            # Never more than has been sent: nobody may end what he can't have.
            known = min(number, self._sent.get((history, game), 0))
            if known > 0:
                through.append((game, known))
            if known > self._taken.get((history, game), 0):
                self._remember(self._taken, (history, game), known)
                self._begins_at, self._refusals = 0.0, 0
        self._in_flight = {key: at for key, at in self._in_flight.items() if not self.is_taken(key)}
        for game, number in word.resend:
            self._send_again((history, game, number), now)
        return through

    def look(self, now: float) -> bool:
        """Begin anew where the hub's word has not come for too long; whether it does."""
        is_late = bool(self._in_flight) and now >= min(self._in_flight.values()) + self._patience
        if is_late:
            self._wait(now)
        return is_late

    # --- what follows -------------------------------------------------------------------------------------------------

    @property
    def may_send(self) -> bool:
        """Whether there is anybody to send to."""
        return self._connected and self._epoch is not None

    @property
    def hub_is_there(self) -> bool:
        """Whether the hub is known to be there."""
        return self._epoch is not None

    def room(self, now: float) -> int:
        """How many more actions may be sent at this moment."""
        return max(0, self.most - len(self._in_flight)) if self.may_send and now >= self._begins_at else 0

    def cursor(self, history: str) -> tuple[int, int]:
        """After which game and number of a history it goes on."""
        return self._cursor.get(history, (0, 0))

    def is_taken(self, key: ActionKey) -> bool:
        """Whether the hub has an action."""
        history, game, number = key
        return number <= self._taken.get((history, game), 0)

    def is_missed(self, key: ActionKey) -> bool:
        """Whether the hub misses an action, as it said last."""
        return self._resent is not None and self._resent[0] == key

    def due(self, now: float) -> float | None:
        """When something is due without anything happening before; None where nothing is."""
        if not self.may_send:
            return None
        if now < self._begins_at:
            return self._begins_at
        return min(self._in_flight.values()) + self._patience if self._in_flight else None

    # --- within -------------------------------------------------------------------------------------------------------

    @property
    def _patience(self) -> float:
        return float(min(MOST_PATIENCE_SECONDS, HUB_PATIENCE_SECONDS * 2.0 ** min(self._refusals, 10)))

    def _wait(self, now: float) -> None:
        pause = min(MOST_PATIENCE_SECONDS, 0.5 * 2.0 ** min(self._refusals, 12)) * (0.5 + self._chance())
        self._refusals += 1
        self.begin_again()
        self._begins_at = now + pause

    def _send_again(self, key: ActionKey, now: float) -> None:
        history, game, number = key
        if number > self._sent.get((history, game), 0):
            return  # it has not been sent yet, and comes anyway
        if self._resent is not None and self._resent[0] == key and now - self._resent[1] < RESEND_SECONDS:
            return
        self._resent = key, now
        if self._taken.get((history, game), 0) >= number:
            self._taken[history, game] = number - 1
        self._in_flight = {
            each: at for each, at in self._in_flight.items() if each[0] != history or each[1:] < (game, number)
        }
        self._cursor[history] = min(self.cursor(history), (game, number - 1))

    @staticmethod
    def _remember(where: dict[tuple[str, int], int], game: tuple[str, int], number: int) -> None:
        """Keep the highest number of a game, and of the newest games only."""
        where[game] = max(number, where.pop(game, 0))
        while len(where) > GAMES_REMEMBERED:
            del where[next(iter(where))]
