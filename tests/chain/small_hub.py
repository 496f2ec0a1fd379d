"""A small hub for tests of the board: it commits into a dictionary, says what is contiguous, and can be difficult."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from threading import Condition

from quarto_pi.chain.credentials import Credentials
from quarto_pi.chain.link import BrokerAddress, BrokerLink, HeardMessage, Will
from quarto_pi.chain.messages import (
    BoardStatus,
    HubHere,
    SettledAction,
    TakenThrough,
    pack_hub,
    pack_settled,
    pack_taken,
    read_settled,
    read_state,
)
from quarto_pi.chain.topics import (
    HUB,
    HUB_PRESENCE,
    presence_of,
    sender_of,
    settled_of,
    spectators_for,
    state_of,
    taken_by_hub,
    tournament_for,
)
from tests.chain.broker import PASSWORD

GUARD_SECONDS = 180.0
Key = tuple[str, str, int, int]


class SmallHub:
    """What it has is right when every body is there once; `twice` counts deliveries, `wrong` bodies that differ."""

    def __init__(self, port: int, *, epoch: str = "one", mute: bool = False, ca: str = "") -> None:
        self.kept: dict[Key, bytes] = {}
        self.deliveries: Counter[Key] = Counter()
        self.wrong: list[Key] = []
        self.present: dict[str, list[bytes]] = {}
        self.states: dict[str, list[BoardStatus]] = {}
        self.mute = mute
        self.listens = True
        self._epoch = epoch
        self._changed = Condition()
        self._link = BrokerLink(
            BrokerAddress("127.0.0.1", port, tls=bool(ca), ca=ca),
            Credentials(HUB, PASSWORD),
            Will(HUB_PRESENCE, b""),
            manual_ack=True,
            chance=lambda: 0.0,
        )

    def begin(self) -> SmallHub:
        self._link.begin(self)
        return self

    def close(self) -> None:
        self._link.close()

    def forget(self, epoch: str, which: Callable[[Key], bool] = lambda _: True) -> None:
        """Have another memory."""

        def work() -> None:
            self.kept = {key: body for key, body in self.kept.items() if not which(key)}
            self._epoch = epoch
            self._say_here()

        self._link.post(work)

    def say(self, board: str, word: TakenThrough) -> None:
        """Say something to a board."""
        self._link.post(lambda: self._say(board, word))

    def announce(self, board: str, payload: bytes) -> None:
        """Tell a board which tournament its house has, retained."""
        self._link.post(lambda: self._announce(board, payload))

    def let_watch(self, board: str, payload: bytes) -> None:
        """Tell a board where it may be watched, retained."""
        self._link.post(lambda: self._let_watch(board, payload))

    def wait_for(self, happened: Callable[[], bool], *, watched: bool = True) -> None:
        """Wait until something is so; it is looked at whenever the hub hears something, or again and again."""
        until = time.monotonic() + GUARD_SECONDS
        with self._changed:
            while not happened():
                assert time.monotonic() < until, (self.kept.keys(), self.present)
                self._changed.wait(1.0 if watched else 0.02)

    def of(self, board: str) -> list[SettledAction]:
        """What it has of a board, in order."""
        return [read_settled(self.kept[key]) for key in sorted(self.kept) if key[0] == board]

    # --- the conversation ---------------------------------------------------------------------------------------------

    def connected(self, now: float) -> None:
        del now
        if self.listens:
            self._subscribe()
        self._say_here()

    def disconnected(self, now: float) -> None:
        del now

    def published(self, mid: int, code: int, now: float) -> None:
        del mid, code, now

    def subscribed(self, now: float) -> None:
        del now

    def leaving(self, now: float) -> None:
        del now
        self._link.publish(HUB_PRESENCE, b"", retain=True)

    def woken(self, now: float) -> float:
        return now + 60.0

    def heard(self, message: HeardMessage, now: float) -> None:
        del now
        board = sender_of(message.topic)
        if board is None:
            return  # its own presence
        with self._changed:
            if message.topic == settled_of(board):
                self._take(board, message.payload)
            elif message.topic == presence_of(board):
                self.present.setdefault(board, []).append(message.payload)
            elif message.payload:
                self.states.setdefault(board, []).append(read_state(message.payload))
            self._changed.notify_all()
        self._link.ack(message)

    def subscribe(self) -> None:
        """Listen, where it has not done so from the beginning."""
        self.listens = True
        self._link.post(self._subscribe)

    def _subscribe(self) -> None:
        self._link.subscribe([settled_of("+"), presence_of("+"), state_of("+")])

    def _take(self, board: str, payload: bytes) -> None:
        settled = read_settled(payload)
        assert pack_settled(settled) == payload
        key = (board, *settled.key)
        self.deliveries[key] += 1
        if self.kept.setdefault(key, payload) != payload:
            self.wrong.append(key)
        if not self.mute:
            self._say(board, self._word(board, settled.history, settled.game))

    def _word(self, board: str, history: str, game: int) -> TakenThrough:
        numbers = {key[3] for key in self.kept if key[:3] == (board, history, game)}
        through = next(number for number in range(len(numbers) + 1) if number + 1 not in numbers)
        resend = ((game, through + 1),) if through < max(numbers) else ()
        return TakenThrough(history, ((game, through),), resend)

    def _say(self, board: str, word: TakenThrough) -> None:
        self._link.publish(taken_by_hub(board), pack_taken(word))

    def _announce(self, board: str, payload: bytes) -> None:
        self._link.publish(tournament_for(board), payload, retain=True)

    def _let_watch(self, board: str, payload: bytes) -> None:
        self._link.publish(spectators_for(board), payload, retain=True)

    def _say_here(self) -> None:
        self._link.publish(HUB_PRESENCE, pack_hub(HubHere(self._epoch)), retain=True)
