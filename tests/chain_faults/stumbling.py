"""Errors of every kind, raised by a seed at any call of what board and hub work with: queue, database, paho-mqtt.

Half of them are raised before the call, and half after it: then it has done its work, and nobody knows.
"""

from __future__ import annotations

import errno
import json
import random
import sqlite3
import ssl
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from threading import Lock
from typing import Any, Final

import paho.mqtt.client as mqtt

from quarto_pi.chain import board_client, delivery, link, unforeseen
from quarto_pi.hub import flow, intake, running
from quarto_pi.hub.directory import Directory
from quarto_pi.hub.store import StoreAway

KINDS: Final[Sequence[Callable[[], Exception]]] = (
    lambda: sqlite3.ProgrammingError("Cannot operate on a closed database."),
    lambda: sqlite3.OperationalError("disk I/O error"),
    lambda: sqlite3.DatabaseError("database disk image is malformed"),
    lambda: sqlite3.InterfaceError("bad parameter or other API misuse"),
    lambda: OSError(errno.EIO, "Input/output error"),
    lambda: OSError(errno.ENOSPC, "No space left on device"),
    lambda: OSError(errno.EBADF, "Bad file descriptor"),
    lambda: BrokenPipeError(errno.EPIPE, "Broken pipe"),
    lambda: TimeoutError("timed out"),
    lambda: ssl.SSLError("bad record mac"),
    lambda: json.JSONDecodeError("Expecting value", "", 0),
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    lambda: struct.error("unpack requires a buffer of 2 bytes"),
    lambda: ValueError("of no use"),
    lambda: TypeError("'NoneType' object is not subscriptable"),
    lambda: AttributeError("'NoneType' object has no attribute 'join'"),
    lambda: KeyError("number"),
    lambda: IndexError("tuple index out of range"),
    lambda: OverflowError("Python int too large to convert to SQLite INTEGER"),
    lambda: ZeroDivisionError("division by zero"),
    AssertionError,
    lambda: RuntimeError("dictionary changed size during iteration"),
    lambda: RecursionError("maximum recursion depth exceeded"),
    NotImplementedError,
    MemoryError,
    EOFError,
    lambda: StoreAway("the database does not answer."),
)

PAHO_CALLS: Final = (
    *("username_pw_set", "max_inflight_messages_set", "will_set", "connect", "disconnect", "loop_start", "loop_stop"),
    *("publish", "subscribe", "ack", "is_connected", "want_write", "socket"),
    # In a thread of its own:
    *("loop_read", "loop_write", "loop_misc", "loop_forever"),
)
QUEUE_CALLS: Final = ("histories", "after", "forget", "waiting", "history", "close")
STORE_CALLS: Final = ("keep", "put_board", "boards", "raise_alarm", "close")
LISTENER_CALLS: Final = ("link", "presence", "status", "settled", "conflict", "outcome")


HASTE: Final = (
    (link, "FIRST_WAIT_SECONDS", 0.05),
    (link, "LONGEST_PAUSE_SECONDS", 0.5),
    (board_client, "STATE_SECONDS", 0.1),
    (unforeseen, "FIRST_PAUSE_SECONDS", 0.02),
    (unforeseen, "LONGEST_BACK_OFF_SECONDS", 0.2),
    # Not so hasty that what is sent again looks like a flood to a hub that is slow.
    (delivery, "HUB_PATIENCE_SECONDS", 5.0),
    (delivery, "MOST_PATIENCE_SECONDS", 40.0),
    (flow, "FIRST_ASIDE_SECONDS", 0.2),
    (flow, "LONGEST_ASIDE_SECONDS", 0.5),
    (intake, "LONGEST_RETRY", 0.5),
)
"""What waits longer and longer after errors waits so long here, or a few of them would fill an evening."""
TELLS_OTHERS_SECONDS: Final = 0.1


def make_haste() -> None:
    """Wait less after errors, for as long as the process lives."""
    for module, name, seconds in HASTE:
        assert hasattr(module, name)
        setattr(module, name, seconds)
    hasty = partial(Directory, tells_after=TELLS_OTHERS_SECONDS)
    running.Directory = hasty  # type: ignore[assignment,attr-defined] # what it has imported


class Stumbles:
    """Raises errors in a share of the calls that it stands around, and counts where."""

    def __init__(self, seed: str, share: float, tell: Callable[[str], None] = lambda _: None) -> None:
        self.share = share
        self.done: Counter[str] = Counter()
        self._draw = random.Random(f"stumbles {seed}")
        self._tell = tell
        self._lock = Lock()

    def around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, which may fail before or after it has done its work."""

        @wraps(call)
        def stumbling(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever the call has
            error, is_before = self._drawn(name)
            if error is not None and is_before:
                raise error
            answer = call(*arguments, **named)
            if error is not None:
                raise error
            return answer

        return stumbling

    def raise_perhaps(self, name: str) -> None:
        """Raise an error here, or not."""
        error, _ = self._drawn(name)
        if error is not None:
            raise error

    def _drawn(self, name: str) -> tuple[Exception | None, bool]:
        with self._lock:
            if not self.share or self._draw.random() >= self.share:
                return None, True
            self.done[name] += 1
            kind, is_before = self._draw.choice(KINDS), self._draw.random() < 0.5
        self._tell(name)
        return kind(), is_before

    def upon(self, kind: type[Any], calls: Sequence[str], name: str) -> None:
        """Stand around these methods of a class, for as long as the process lives."""
        for call in calls:
            setattr(kind, call, self.around(f"{name}.{call}", getattr(kind, call)))

    def upon_paho(self) -> None:
        """Stand around what paho-mqtt is asked for."""
        self.upon(mqtt.Client, PAHO_CALLS, "paho")


class StumblingDatabase:
    """A connection to a database, around which errors are raised, also within a transaction."""

    def __init__(self, database: Any, stumbles: Stumbles) -> None:  # noqa: ANN401 - either one's
        self._database, self._stumbles = database, stumbles

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the real one has
        return getattr(self._database, name)

    def run(self, sql: str, values: Sequence[object] = ()) -> Any:  # noqa: ANN401 - rows
        return self._stumbles.around("database.run", self._database.run)(sql, values)

    def transaction(self) -> AbstractContextManager[None]:
        @contextmanager
        def stumbling() -> Iterator[None]:
            self._stumbles.raise_perhaps("database.begin")
            with self._database.transaction():
                yield
                self._stumbles.raise_perhaps("database.commit")
            self._stumbles.raise_perhaps("database.committed")

        return stumbling()


def stumbling_store(store: Any, stumbles: Stumbles) -> Any:  # noqa: ANN401 - a HubStore with errors in it
    """A hub's store, around which and in which errors are raised."""
    store._database = StumblingDatabase(store._database, stumbles)
    return _Stumbling(store, "store", STORE_CALLS, stumbles)


def stumbling_listener(listener: Any, stumbles: Stumbles) -> Any:  # noqa: ANN401 - a ChainListener with errors in it
    """Whoever shows what boards do, with errors."""
    return _Stumbling(listener, "listener", LISTENER_CALLS, stumbles)


class _Stumbling:
    def __init__(self, thing: Any, name: str, calls: Sequence[str], stumbles: Stumbles) -> None:  # noqa: ANN401
        self._thing = thing
        for call in calls:
            setattr(self, call, stumbles.around(f"{name}.{call}", getattr(thing, call)))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the real one has
        return getattr(self._thing, name)
