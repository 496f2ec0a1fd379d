"""What boards send: into the database, and then the word to each board that it is there.

One thread owns all of it. What a board has told is acknowledged when it is kept and not before; while the database is
away nothing is, the hub's presence is taken away so that boards wait, and no more is held than the broker hands over
unacknowledged. An error that nobody foresaw ends neither the thread nor what other boards send: an action that cannot
be kept by one is set aside, and its board sends it again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from quarto_pi.chain.messages import (
    BoardStatus,
    HubHere,
    MessageRefused,
    SettledAction,
    TakenThrough,
    pack_hub,
    pack_taken,
    read_settled,
    read_state,
)
from quarto_pi.chain.topics import (
    HUB_PRESENCE,
    outcomes_of,
    presence_of,
    sender_of,
    settled_of,
    state_of,
    taken_by_hub,
)
from quarto_pi.chain.unforeseen import UNFORESEEN, UnforeseenErrors, place_of_error
from quarto_pi.hub.alarms import FLOOD, REFUSED
from quarto_pi.hub.connection import Arrived, BrokerLine, Happened, LineDown, LineSettings, LineUp, ToSend
from quarto_pi.hub.flow import MESSAGES_A_SECOND, MOST_WAITING_OF_BOARD, SetAside, WaitingMessages
from quarto_pi.hub.metrics import IntakeCounts
from quarto_pi.hub.settings import SayInLog
from quarto_pi.hub.store import MOST_IN_BATCH, HubStore, KeptActions, ReceivedAction, StoreAway
from quarto_pi.hub.tables import body_of_action

TOPICS: Final = (presence_of("+"), state_of("+"), settled_of("+"), outcomes_of("+"))
ONLINE: Final = b"online"
ASKS_AGAIN_AFTER: Final = 5.0
"""Seconds before a board is asked again for the same thing that is missing."""
LONGEST_RETRY: Final = 30.0
LOOKS_AFTER: Final = 5.0
"""Seconds between two looks at which boards have an account."""
TELLS_AFTER: Final = 60.0
"""Seconds between two lines about messages that were refused."""
MOST_ASKED: Final = 10_000
MOST_OUTCOME: Final = 16_384


class ChainListener(Protocol):
    """Who in the hub wants to know what boards do; called in the intake's thread, and to return at once."""

    def link(self, linked: bool) -> None:
        """The hub has come to its broker, or has lost it."""

    def presence(self, board: str, here: bool) -> None:
        """A board is there, or is not."""

    def status(self, board: str, status: BoardStatus) -> None:
        """A board has told its state."""

    def settled(self, board: str, action: SettledAction) -> None:
        """An action is kept that was not kept before."""

    def conflict(self, board: str, detail: str) -> None:
        """Something is the matter with what a board tells; an alarm about it is kept."""

    def outcome(self, board: str, payload: bytes) -> None:
        """A board says what became of an order."""

    def unforeseen(self, board: str, detail: str) -> None:
        """An error that nobody foresaw, at what a board has sent, or in the hub itself where no board is named."""


class NobodyListens:
    """A `ChainListener` who wants to know nothing."""

    def link(self, linked: bool) -> None:
        """Nothing."""

    def presence(self, board: str, here: bool) -> None:
        """Nothing."""

    def status(self, board: str, status: BoardStatus) -> None:
        """Nothing."""

    def settled(self, board: str, action: SettledAction) -> None:
        """Nothing."""

    def conflict(self, board: str, detail: str) -> None:
        """Nothing."""

    def outcome(self, board: str, payload: bytes) -> None:
        """Nothing."""

    def unforeseen(self, board: str, detail: str) -> None:
        """Nothing."""


class _Kind(Enum):
    """What a topic says about its message."""

    PRESENCE = "presence"
    STATE = "state"
    SETTLED = "settled"
    OUTCOME = "outcome"


class Intake:
    """The hub's side of the chain; `run` is its thread, and `end` ends it from any other one."""

    def __init__(
        self,
        line: LineSettings,
        open_store: Callable[[], HubStore],
        say: SayInLog,
        listener: ChainListener | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.counts = IntakeCounts()
        self._inbox: SimpleQueue[Happened | None] = SimpleQueue()
        self._line = BrokerLine(line, TOPICS, HUB_PRESENCE, self._inbox, say)
        self._open_store = open_store
        self._say = say
        self._listener = listener or NobodyListens()
        self._wall = wall
        self._steady = time.monotonic
        self._waiting: WaitingMessages[Arrived] = WaitingMessages()
        self._store: HubStore | None = None
        self._held: list[tuple[Arrived, ReceivedAction]] = []
        self._most_at_once = MOST_IN_BATCH
        self._aside = SetAside()
        self._errors = UnforeseenErrors(say)
        self._is_up = False
        self._is_ending = False
        self._retry_at = 0.0
        self._retry_after = 1.0
        self._is_told_away = False
        self._looked_at = float("-inf")
        self._boards: dict[str, bool] = {}
        self._asked: dict[tuple[str, str, int, int], float] = {}
        self._offences: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], str] = {}
        self._told_at = float("-inf")
        self._why = ""

    def send(self, topic: str, payload: bytes, *, is_retained: bool = False) -> None:
        """Have a message sent from any thread; it is let fall where there is no connection."""
        self._inbox.put(ToSend(topic, payload, is_retained))

    def end(self) -> None:
        """End the thread, from any other one: what has come is kept first, and the hub's presence taken away."""
        self._inbox.put(None)

    def run(self) -> None:
        """Take what boards send, until the end."""
        self._line.start()
        try:
            while not self._is_ending:
                self._turn_whatever_happens()
            self._turn_whatever_happens()
        finally:
            self._line.stop()
            self._close_store()

    def _turn_whatever_happens(self) -> None:
        try:
            self._turn()
        except Exception as error:  # noqa: BLE001 - whatever it is, boards wait a little and are heard again
            now = self._steady()
            self._note("", "in the intake", error, now)
            self._away(UNFORESEEN, now)
            # What was in hand may not have been acknowledged, and never would be.
            self._line.renew()

    # --- One turn -----------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        self._take_in(self._patience())
        now = self._steady()
        if self._store is None and now >= self._retry_at:
            self._begin_store(now)
        if self._store is not None:
            self._look_at_boards(now)
            self._work(now)
        self.counts.waiting = len(self._waiting) + len(self._held)
        self._tell_offences(now)

    def _patience(self) -> float:
        """How long to wait for the next thing to happen."""
        if self._is_ending:
            return 0.0
        now = self._steady()
        if self._store is None:
            # Nothing else is done without it.
            return max(0.0, min(self._retry_at - now, 1.0))
        if self._held:
            return 0.0
        due = self._waiting.wait(now)
        waits = [self._looked_at + LOOKS_AFTER - now, 1.0, *([] if due is None else [due])]
        return max(0.0, min(waits))

    def _take_in(self, patience: float) -> None:
        """Sort what has happened; at most so much that a turn has an end."""
        try:
            happened = self._inbox.get(timeout=patience) if patience > 0 else self._inbox.get_nowait()
            for _ in range(5 * MOST_IN_BATCH):
                self._sort(happened)
                happened = self._inbox.get_nowait()
            self._sort(happened)
        except Empty:
            pass

    def _sort(self, happened: Happened | None) -> None:
        match happened:
            case None:
                self._is_ending = True
            case LineUp():
                self._is_up, self._why = True, ""
                self._say("The hub is connected with its broker.")
                self._tell(self._listener.link, True)
                self._announce()
            case LineDown(why=why):
                self._down(why)
            case ToSend():
                self._line.send(happened.topic, happened.payload, is_retained=happened.is_retained)
            case Arrived():
                self._arrived(happened)

    def _down(self, why: str) -> None:
        if self._is_up:
            self._tell(self._listener.link, False)
        self._is_up = False
        if why != self._why and not self._is_ending:
            self._say(f"The hub is not connected with its broker ({why}); it goes on trying.")
        self._why = why

    def _arrived(self, message: Arrived) -> None:
        self.counts.messages += 1
        board = sender_of(message.topic)
        kind = _kind_of(message.topic)
        now = self._steady()
        if board is None or kind is None:
            self._line.acknowledge(message)
            return
        if kind in (_Kind.PRESENCE, _Kind.STATE):
            older = self._waiting.replace(board, kind, message, now)
            if older is not None:
                self._line.acknowledge(older)
        elif not self._waiting.put(board, message, now):
            self._line.acknowledge(message)
            self.counts.let_fall += 1
            self._offend(
                board, FLOOD, f"it sends more than {MOST_WAITING_OF_BOARD} messages before it hears what was taken"
            )

    # --- The database -------------------------------------------------------------------------------------------------

    def _begin_store(self, now: float) -> None:
        try:
            self._store = self._open_store()
            # What opens may still take nothing: on a full disk, or as the copy of another one.
            self._store.try_writing()
        except StoreAway as error:
            self._away(f"{error}", now)
            return
        if self._is_told_away:
            self._say("The hub's database is there again.")
        self._is_told_away = False
        self._looked_at = float("-inf")
        self._announce()

    def _away(self, why: str, now: float) -> None:
        """Nothing can be kept: boards are told to wait, and it is tried again, less and less often."""
        if not self._is_told_away:
            self._say(f"The hub keeps nothing at present, and boards wait: {why.rstrip('.')}.")
            self._is_told_away = True
        self.counts.away += 1
        self._close_store()
        if self._is_up:
            self._line.send(HUB_PRESENCE, b"", is_retained=True)
        self._retry_at = now + self._retry_after
        self._retry_after = min(2 * self._retry_after, LONGEST_RETRY)

    def _close_store(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            # It is of no more use, however it goes.
            with suppress(Exception):
                store.close()

    def _announce(self) -> None:
        """Say that the hub is there, once it is: subscribed, and with its database."""
        if self._is_up and self._store is not None:
            self._line.send(HUB_PRESENCE, pack_hub(HubHere(self._store.epoch)), is_retained=True)

    def _look_at_boards(self, now: float) -> None:
        """Which boards there are; what one that was taken away has left retained is taken away with it."""
        store = self._store
        if store is None or now < self._looked_at + LOOKS_AFTER:
            return
        try:
            there = {board.name: board.revoked is None for board in store.boards()}
        except StoreAway as error:
            self._away(f"{error}", now)
            return
        self._looked_at = now
        for board, is_in in there.items():
            if not is_in and self._boards.get(board, False):
                self._line.send(presence_of(board), b"", is_retained=True)
                self._line.send(state_of(board), b"", is_retained=True)
                self._tell(self._listener.presence, board, False)
        self._boards = there

    # --- Messages -----------------------------------------------------------------------------------------------------

    def _work(self, now: float) -> None:
        most = self._most_at_once
        actions, self._held = self._held[:most], self._held[most:]
        for board, message in self._waiting.take(now, most - len(actions)):
            action = self._understood(board, message, now)
            if action is not None:
                actions.append((message, action))
        if actions:
            self._keep(actions, now)

    def _understood(self, board: str, message: Arrived, now: float) -> ReceivedAction | None:
        """An action that is to be kept; everything else is dealt with here."""
        kind = _kind_of(message.topic)
        if self._boards.get(board, True):
            try:
                if kind is not _Kind.SETTLED:
                    self._hear(board, kind, message.payload)
                else:
                    action = _checked(message.payload)
                    if not self._aside.is_left((board, *action.key), now):
                        return ReceivedAction(board, action, self._wall())
            except MessageRefused as error:
                self.counts.refused += 1
                self._offend(board, REFUSED, str(error).rstrip("."))
            except Exception as error:  # noqa: BLE001 - one message is passed over, and no other one
                self._note(board, "at what a board has sent", error, now)
        self._line.acknowledge(message)
        return None

    def _hear(self, board: str, kind: _Kind | None, payload: bytes) -> None:
        match kind:
            case _Kind.PRESENCE:
                self._tell(self._listener.presence, board, payload == ONLINE)
            case _Kind.STATE if payload:
                self._tell(self._listener.status, board, read_state(payload))
            case _Kind.OUTCOME if len(payload) <= MOST_OUTCOME:
                self._tell(self._listener.outcome, board, payload)
            case _:
                pass

    def _keep(self, actions: list[tuple[Arrived, ReceivedAction]], now: float) -> None:
        store = self._store
        if store is None:
            return
        received = [action for _, action in actions]
        try:
            for board in {each.board for each in received} - self._boards.keys():
                store.put_board(board, None, self._wall())
                self._boards[board] = True
            began = self._steady()
            told = store.keep(received)
            self.counts.commits.took(self._steady() - began)
        except StoreAway as error:
            # They stay, unacknowledged, for when it is back.
            self._held = actions + self._held
            self._away(f"{error}", now)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, it is one board's matter, and not that of all
            self._part(actions, error, now)
            return
        self.counts.batches += 1
        self._retry_after = 1.0
        self._most_at_once = min(MOST_IN_BATCH, 2 * self._most_at_once)
        for message, action in actions:
            self._aside.take_back((action.board, *action.action.key))
            self._line.acknowledge(message)
        for each in told:
            self._answer(each, now)
        self._tell_listener(received, told)

    def _part(self, actions: list[tuple[Arrived, ReceivedAction]], error: Exception, now: float) -> None:
        """Find out which actions cannot be kept, by keeping fewer at once; one that cannot be alone is set aside."""
        # What an error has left of a connection nobody knows.
        self._close_store()
        self._retry_at = now
        if len(actions) > 1:
            self._most_at_once = len(actions) // 2
            self._held = actions + self._held
            return
        [(message, received)] = actions
        self._aside.put((received.board, *received.action.key), now)
        self._note(received.board, "keeping an action, which its board sends again", error, now)
        self._line.acknowledge(message)

    def _answer(self, kept: KeptActions, now: float) -> None:
        """Tell a board what is kept, and ask for what is missing."""
        self.counts.kept += kept.fresh
        missing = [(kept.board, kept.history, *pair) for pair in kept.missing]
        resend = tuple(key[2:] for key in missing if not self._aside.is_left(key, now) and self._may_ask(key, now))
        taken = TakenThrough(kept.history, kept.through, resend)
        self._line.send(taken_by_hub(kept.board), pack_taken(taken))

    def _may_ask(self, what: tuple[str, str, int, int], now: float) -> bool:
        if now < self._asked.get(what, float("-inf")) + ASKS_AGAIN_AFTER:
            return False
        if len(self._asked) >= MOST_ASKED:
            self._asked.clear()
        self._asked[what] = now
        return True

    def _tell_listener(self, received: Sequence[ReceivedAction], told: Sequence[KeptActions]) -> None:
        """Pass on what is new, in its order; and what is the matter with any of it."""
        for each in told:
            self.counts.again -= each.fresh
            for action in each.new:
                self._tell(self._listener.settled, each.board, action)
            for trouble in each.troubles:
                self._tell(self._listener.conflict, each.board, trouble)
        self.counts.again += len(received)

    def _tell(self, tell: Callable[..., None], *told: object) -> None:
        """Tell the listener, and be none the worse for what fails there."""
        try:
            tell(*told)
        except Exception as error:  # noqa: BLE001 - what boards send is kept, whoever shows it
            self._note("", "telling what boards do", error, self._steady())

    # --- What is the matter -------------------------------------------------------------------------------------------

    def _note(self, board: str, doing: str, error: Exception, now: float) -> None:
        """Say once that something has failed that nobody foresaw, and have an alarm raised."""
        self._errors.note(doing, error, now)
        with suppress(Exception):
            self._listener.unforeseen(board, f"{doing}: {place_of_error(error)}")

    def _offend(self, board: str, kind: str, what: str) -> None:
        self._offences[(board, kind)] += 1
        self._examples[(board, kind)] = what

    def _tell_offences(self, now: float) -> None:
        """Say once a minute who sent what nobody can use, and keep one alarm about each of them."""
        if now < self._told_at + TELLS_AFTER:
            return
        for board in self._waiting.too_long(now):
            self._offend(board, FLOOD, f"it has sent {MESSAGES_A_SECOND:g} messages a second and more, for minutes")
        if not self._offences:
            return
        self._told_at = now
        offences, self._offences = self._offences, Counter()
        worst, times = offences.most_common(1)[0]
        self._say(f"{offences.total()} messages were not taken; {times} of {worst[0]}: {self._examples[worst]}.")
        for board, kind in offences:
            text = f"{self._examples[(board, kind)]}."
            try:
                if self._store is not None and self._store.raise_alarm(board, kind, text, self._wall()):
                    self._tell(self._listener.conflict, board, text)
            except StoreAway as error:
                self._away(f"{error}", now)
        self._examples.clear()


def _kind_of(topic: str) -> _Kind | None:
    parts = topic.split("/")
    return next((kind for kind in _Kind if len(parts) == 3 and kind.value == parts[2]), None)


def _checked(payload: bytes) -> SettledAction:
    """A settled action that can be kept as it is."""
    action = read_settled(payload)
    try:
        body_of_action(action)
    except ValueError as error:
        raise MessageRefused("a message's event holds a number that is none.") from error
    return action
