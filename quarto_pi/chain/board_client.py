"""What a board says on its chain: that it is there, what it does, and every settled action until the hub has it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.chain.delivery import ActionKey, ActionQueue, Delivery
from quarto_pi.chain.discovery import (
    HOME_STATUS,
    device_config,
    discovery_of,
    home_event_of,
    home_state,
    home_state_of,
    quarto_event,
)
from quarto_pi.chain.link import UNWOKEN_SECONDS, BrokerLink, HeardMessage
from quarto_pi.chain.messages import (
    BoardStatus,
    MessageRefused,
    SettledAction,
    VersionTold,
    pack_settled,
    pack_state,
    read_hub,
    read_taken,
)
from quarto_pi.chain.topics import HUB_PRESENCE, presence_of, settled_of, state_of, taken_by_hub
from quarto_pi.chain.unforeseen import Pauses

PRESENT: Final = b"online"
AWAY: Final = b"offline"
STATE_SECONDS: Final = 1.0
"""Between two messages with the board's state."""
QUEUE_SECONDS: Final = 60.0
"""After so long it is said again how much waits, if nothing else has changed."""
LOST_EVENT: Final = {"event": "lost"}
"""Stands for an action that the board has lost with its journal, and that the hub misses."""
MOST_LOST: Final = 1_000
SPARE_IN_FLIGHT: Final = 8
"""What is retained needs room at the broker beside the actions."""

TopicListener = Callable[[str, bytes], None]


@dataclass(frozen=True, slots=True)
class ChainCondition:
    """How a board is doing on its chain: the connection, the hub behind it, and why there is none."""

    connected: bool = False
    hub: bool = False
    why: str = ""
    trouble: str = ""
    """An error that nobody foresaw, and where, as long as it is not over."""


class EmptyQueue:
    """The queue of a board that keeps no journal: nothing ever waits."""

    def histories(self) -> tuple[str, ...]:
        """None."""
        return ()

    def after(self, history: str, game: int, number: int, most: int) -> tuple[SettledAction, ...]:
        """Nothing."""
        del history, game, number, most
        return ()

    def forget(self, history: str, through: object) -> None:
        """Nothing is kept."""

    def waiting(self) -> int:
        """None."""
        return 0

    def history(self) -> str:
        """None."""
        return ""

    def close(self) -> None:
        """Nothing is open."""


class BoardClient:
    """A board on its chain. `begin` and `close` are those of its link; the rest may be called from any thread."""

    def __init__(  # noqa: PLR0913 - who it is, and what others want to know
        self,
        board: str,
        link: BrokerLink,
        state: BoardStatus,
        *,
        home_assistant: bool = False,
        changed: Callable[[ChainCondition], None] = lambda _: None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.board = board
        self.condition = ChainCondition()
        self._link = link
        link.changed = lambda _: self._tell_condition()
        self._home_assistant = home_assistant
        self._changed = changed
        self._delivery = Delivery(chance=chance)
        self._queue: ActionQueue = EmptyQueue()
        self._state, self._shown, self._shown_at = state, b"", -STATE_SECONDS
        self._offered: VersionTold | None = None
        self._said = b""
        self._may_be_more = True
        self._mids: dict[int, ActionKey] = {}
        self._listeners: dict[str, TopicListener] = {}
        self._sending, self._showing = Pauses(), Pauses()

    # --- from any thread ----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Connect, and go on doing so."""
        self._link.begin(self)

    def close(self) -> None:
        """Say that the board is away, and end."""
        self._link.post(self._end)
        self._link.close()

    def serve(self, queue: ActionQueue) -> None:
        """Send what waits in this queue from now on, and nothing of the one before."""

        def take() -> None:
            before, self._queue = self._queue, queue
            self._begin_queue()
            before.close()

        self._link.post(take)

    def settled(self) -> None:
        """Something more waits in the queue."""
        self._link.post(self._look_for_more)

    def show(self, state: BoardStatus) -> None:
        """Have this be the board's state; how much waits is added when it is said."""
        self._state = state
        self._link.wake()

    def tell_version(self, told: VersionTold | None) -> None:
        """Have this be how far the board is with a version that it was offered."""
        self._offered = told
        self._link.wake()

    def call_quarto(self) -> None:
        """Tell Home Assistant, if it is there now, that somebody has won by a call, or by an alignment itself."""
        if self._home_assistant:
            self._link.post(self._say_quarto)

    def listen(self, topic: str, listener: TopicListener) -> None:
        """Have what comes in on a topic, in which `+` stands for one part, handed on with its topic."""

        def take() -> None:
            self._listeners[topic] = listener
            self._link.subscribe([topic])

        self._link.post(take)

    def send(self, topic: str, payload: bytes) -> None:
        """Publish something if there is a connection; who needs to know whether it has arrived is told by its peer."""

        def say() -> None:
            self._link.publish(topic, payload)

        self._link.post(say)

    # --- the conversation ---------------------------------------------------------------------------------------------

    def connected(self, now: float) -> None:
        """Say that the board is there, what it does, and which device it is; the hub says whether it is there."""
        self._mids.clear()
        self._delivery.connected()
        self._delivery.most = min(self._delivery.most, max(1, self._link.receive_maximum - SPARE_IN_FLIGHT))
        self._may_be_more = True
        self._said = b""
        own = [HOME_STATUS] if self._home_assistant else []
        self._link.subscribe([HUB_PRESENCE, taken_by_hub(self.board), *own, *self._listeners])
        self._link.publish(presence_of(self.board), PRESENT, retain=True)
        self._shown = b""
        self._show(now)
        if self._home_assistant:
            self._say_device()
        self._tell_condition()

    def disconnected(self, now: float) -> None:
        """Nothing that was under way counts any more."""
        del now
        self._mids.clear()
        self._delivery.disconnected()
        self._tell_condition()

    def heard(self, message: HeardMessage, now: float) -> None:
        """Hear the hub, Home Assistant or whoever is listened to; what is none of ours is passed over."""
        try:
            if message.topic == HUB_PRESENCE:
                hub = read_hub(message.payload)
                self._delivery.hub_is(None if hub is None else hub.epoch)
                self._may_be_more = True
                self._tell_condition()
            elif message.topic == taken_by_hub(self.board):
                word = read_taken(message.payload)
                through = self._delivery.taken(word, now)
                if through:
                    self._queue.forget(word.history, through)
                # Room for more is looked for anyway where there was none; to look costs more than to send.
                self._may_be_more = self._may_be_more or bool(word.resend)
            elif message.topic == HOME_STATUS:
                if message.payload == PRESENT:
                    self._say_device()
            else:
                self._hand_on(message)
        except MessageRefused:
            return
        except Exception as error:  # noqa: BLE001 - one message, which may come again at each connection, stops nothing
            self._note(f"in what came at {message.topic}", error, now)

    def published(self, mid: int, code: int, now: float) -> None:
        """Know that nobody gets an action that the broker has answered with anything but plain success."""
        key = self._mids.pop(mid, None)
        if key is not None and code:
            self._delivery.refused(key, now)
            self._may_be_more = True

    def subscribed(self, now: float) -> None:
        """Nothing follows from it: what was not answered is asked for again."""

    def leaving(self, now: float) -> None:
        """Say that the board is away."""
        del now
        self._link.publish(presence_of(self.board), AWAY, retain=True)

    def woken(self, now: float) -> float:
        """Send what there is room for, and the state if it has changed."""
        if self._delivery.look(now):
            self._may_be_more = True
        self._attempt(self._send, self._sending, "sending actions", now)
        shown = self._shown_at + STATE_SECONDS
        if now >= shown:
            self._attempt(self._show, self._showing, "saying its state", now)
        self._tell_condition()
        due = self._delivery.due(now)
        dues = (
            max(shown, self._showing.until) if self._is_state_new() else None,
            None if due is None else max(due, self._sending.until),
            self._sending.until if self._sending.until > now and self._may_be_more else None,
        )
        return min((now + UNWOKEN_SECONDS, *(due for due in dues if due is not None)))

    def _attempt(self, work: Callable[[float], None], pauses: Pauses, doing: str, now: float) -> None:
        """Do one part of the work, unless it has failed lately; what fails in it does not stop the other one."""
        if now < pauses.until:
            return
        try:
            work(now)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            pauses.failed(now)
            # What was under way is not known any more.
            self._delivery.begin_again()
            self._may_be_more = True
            self._note(doing, error, now)
        else:
            pauses.worked()

    def _note(self, doing: str, error: Exception, now: float) -> None:
        self._link.errors.note(doing, error, now)
        self._tell_condition()

    # --- within -------------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        before, self._queue = self._queue, EmptyQueue()
        before.close()

    def _begin_queue(self) -> None:
        self._mids.clear()
        self._delivery.begin_queue()
        self._look_for_more()
        # Its history is part of the state.
        self._shown = b""

    def _look_for_more(self) -> None:
        self._may_be_more = True

    def _send(self, now: float) -> None:
        """Send as many actions as there is room for, in order."""
        room = self._delivery.room(now)
        if not room or not self._may_be_more:
            return
        for history in self._queue.histories():
            while room:
                actions = self._queue.after(history, *self._delivery.cursor(history), room)
                for action in actions:
                    if not self._send_action(action, now):
                        return  # the connection has just gone: that is heard next
                is_all = len(actions) < room
                room = self._delivery.room(now)
                if is_all:
                    break
        # With no room left there may be more; the hub's word makes room, and has it looked for.
        self._may_be_more = not room

    def _send_action(self, action: SettledAction, now: float) -> bool:
        """Send an action, or pass over one that the hub has; False if there is no connection."""
        if self._delivery.is_taken(action.key):
            self._delivery.pass_over(action.key)
            return True
        before = self._delivery.cursor(action.history)
        missed = (action.history, action.game, before[1] + 1)
        if before[0] == action.game and before[1] + 1 < action.number and self._delivery.is_missed(missed):
            self._fill(action, before[1] + 1, now)
        return self._put(action, now)

    def _fill(self, action: SettledAction, first: int, now: float) -> None:
        """Say of what the hub misses, and the board has no more, that it is lost: or the rest would wait for it."""
        for number in range(first, min(action.number, first + MOST_LOST)):
            self._put(replace(action, number=number, at=0.0, event=LOST_EVENT), now)

    def _put(self, action: SettledAction, now: float) -> bool:
        mid = self._link.publish(settled_of(self.board), pack_settled(action))
        if mid is not None:
            self._mids[mid] = action.key
            self._delivery.sent(action.key, now)
        return mid is not None

    def _is_state_new(self) -> bool:
        return self._link.is_open and self._shown != _without_queue(self._whole_state())

    def _whole_state(self) -> BoardStatus:
        return replace(self._state, offered=self._offered)

    def _show(self, now: float) -> None:
        """Say what the board does if that is new, or how much waits if that has not been said for a while."""
        if not self._link.is_open or not (self._is_state_new() or now >= self._shown_at + QUEUE_SECONDS):
            return
        whole = self._whole_state()
        state = replace(whole, history=self._queue.history(), queued=self._queue.waiting())
        said = pack_state(state)
        if said != self._said:
            if self._link.publish(state_of(self.board), said, retain=True) is None:
                return
            if self._home_assistant:
                self._link.publish(home_state_of(self.board), home_state(state), retain=True)
            self._said = said
        self._shown, self._shown_at = _without_queue(whole), now

    def _say_device(self) -> None:
        self._link.publish(discovery_of(self.board), device_config(self.board, self._state.version), retain=True)

    def _say_quarto(self) -> None:
        self._link.publish(home_event_of(self.board), quarto_event(), qos=0)

    def _hand_on(self, message: HeardMessage) -> None:
        for topic, listener in self._listeners.items():
            if _fits(topic, message.topic):
                listener(message.topic, message.payload)

    def _tell_condition(self) -> None:
        link = self._link.condition
        trouble = self._link.errors.newest(self._link.now())
        condition = ChainCondition(self._link.is_open, self._delivery.hub_is_there, link.why, trouble)
        if condition != self.condition:
            self.condition = condition
            self._changed(condition)


def _without_queue(state: BoardStatus) -> bytes:
    return pack_state(replace(state, queued=0))


def _fits(pattern: str, topic: str) -> bool:
    """Whether a topic is one of a pattern's, in which `+` stands for one part."""
    wanted, parts = pattern.split("/"), topic.split("/")
    return len(wanted) == len(parts) and all(want in ("+", part) for want, part in zip(wanted, parts, strict=True))
