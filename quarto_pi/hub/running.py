"""The running hub: its broker and its intake, begun in this order, and ended in the other."""

from __future__ import annotations

import fcntl
import os
import pwd
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.chain.topics import HUB
from quarto_pi.hub.accounts import certificates_for, hub_secret
from quarto_pi.hub.broker import EmbeddedBroker
from quarto_pi.hub.certificates import Certificates
from quarto_pi.hub.connection import LineSettings
from quarto_pi.hub.directory import Directory
from quarto_pi.hub.intake import ChainListener, Intake
from quarto_pi.hub.settings import HubFailure, HubSettings, SayInLog
from quarto_pi.hub.store import HubStore, StoreAway, open_store

RUN_LOCK: Final = "running.lock"


@dataclass(frozen=True, slots=True)
class RunningHub:
    """A hub that runs: its broker, if that is its own, and what takes in what boards send."""

    folder: Path
    settings: HubSettings
    intake: Intake
    broker: EmbeddedBroker | None
    certificates: Certificates | None
    failed: threading.Event
    """Set when the intake has ended: by an error, where nobody has asked for its end."""

    def store(self) -> HubStore:
        """A connection to its database, for the thread that asks for it."""
        return open_store(self.folder, self.settings)


@contextmanager
def running_hub(
    folder: Path, settings: HubSettings, say: SayInLog, listener: ChainListener | None = None
) -> Iterator[RunningHub]:
    """The hub of this folder, as long as the block lasts; `HubFailure` says why it cannot run."""
    with ExitStack() as stack:
        stack.enter_context(_alone(folder))
        try:
            # Tables that nobody can use end it here; a database that is only away is waited for.
            open_store(folder, settings).close()
        except StoreAway as error:
            say(f"The hub starts without its database, and boards wait: {error}")
        certificates = certificates_for(folder, settings)
        secret = hub_secret(folder)
        broker = None
        if settings.external is None:
            broker = EmbeddedBroker(folder, settings, certificates, say)
            broker.start(pwd.getpwuid(os.geteuid()).pw_name)
            stack.callback(broker.stop)
        line = _line(settings, certificates, secret)
        directory = Directory(listener)
        intake = Intake(line, lambda: open_store(folder, settings), say, directory)
        directory.begin(lambda topic, payload: intake.send(topic, payload, is_retained=True))
        stack.callback(directory.end)
        failed = threading.Event()

        def take_in() -> None:
            try:
                intake.run()
            finally:
                failed.set()

        thread = threading.Thread(target=take_in, name="intake")
        thread.start()
        stack.callback(thread.join)
        stack.callback(intake.end)
        yield RunningHub(folder, settings, intake, broker, certificates, failed)


def _line(settings: HubSettings, certificates: Certificates | None, secret: str) -> LineSettings:
    host, port = settings.external or ("127.0.0.1", settings.port)
    ca = certificates.ca if certificates is not None else Path(settings.ca) if settings.ca else None
    return LineSettings(host, port, HUB, secret, settings.tls, ca)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """The only hub of its folder."""
    with (folder / RUN_LOCK).open("a", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HubFailure(f"a hub runs already in {folder}: end that one, or name another with --folder.") from error
        yield


@contextmanager
def until_signalled() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; both do again what they did before, afterwards."""
    ended = threading.Event()

    def end(_signal: int, _frame: object) -> None:
        ended.set()

    before = {each: signal.signal(each, end) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
