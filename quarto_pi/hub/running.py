"""The running hub: its broker, its intake and its page, with first owner and token; begun and ended in order."""

from __future__ import annotations

import fcntl
import os
import pwd
import secrets
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from quarto_pi.chain.topics import HUB
from quarto_pi.files import put_whole
from quarto_pi.hub.accounts import certificates_for, changing_accounts, hub_secret
from quarto_pi.hub.broker import EmbeddedBroker
from quarto_pi.hub.certificates import Certificates, certificates_in, names_of_machine
from quarto_pi.hub.connection import LineSettings
from quarto_pi.hub.directory import Directory
from quarto_pi.hub.intake import ChainListener, Intake
from quarto_pi.hub.metrics import IntakeCounts
from quarto_pi.hub.page import ServedHub, hub_page
from quarto_pi.hub.people import FIRST_OWNER, ONLY_THE_HUB, PeopleFile
from quarto_pi.hub.rollout_desk import RolloutDesk
from quarto_pi.hub.settings import LOOPBACK, HubFailure, HubSettings, SayInLog
from quarto_pi.hub.store import HubStore, StoreAway, open_store
from quarto_pi.hub.tournament_desk import TournamentDesk
from quarto_pi.hub.watch import Watch
from quarto_pi.web.service import Certificate, PageServer
from quarto_pi.web.serving import address_of, listen, own_address

# --- The broker and the intake ----------------------------------------------------------------------------------------

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


class EndingSignal:
    """Whether it was signalled to end.

    A `threading.Event` would not do: its lock may be held by the very thread that the signal interrupts.
    """

    def __init__(self) -> None:
        self._heard, self._told = os.pipe()
        os.set_blocking(self._told, False)

    def set(self) -> None:
        """Tell it, also in the middle of `wait`."""
        # A pipe that is full of it has told it long ago.
        with suppress(BlockingIOError):
            os.write(self._told, b".")

    def wait(self, seconds: float) -> bool:
        """Wait for it for so long; return whether it has come by then."""
        return bool(select.select([self._heard], [], [], seconds)[0])

    def close(self) -> None:
        """Give the pipe back."""
        os.close(self._heard)
        os.close(self._told)


@contextmanager
def until_signalled() -> Iterator[EndingSignal]:
    """Tells that Ctrl-C or SIGTERM has come; both do again what they did before, afterwards."""
    ended = EndingSignal()
    before = {each: signal.signal(each, lambda *_: ended.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield ended
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        ended.close()


# --- The hub's page as a part of the running hub: its socket, its certificate, its first owner, its token -------------

FIRST_PASSWORD_FILE: Final = "first-password"  # noqa: S105 - the name of a file
METRICS_TOKEN_FILE: Final = "metrics-token"  # noqa: S105 - the name of a file


@dataclass(frozen=True, slots=True)
class PageOfHub:
    """What the page shows, and where it looks it up."""

    watch: Watch
    open_store: Callable[[], HubStore]
    counts: IntakeCounts
    desk: TournamentDesk
    rollouts: RolloutDesk | None = None


@contextmanager
def serving_page(folder: Path, settings: HubSettings, page: PageOfHub, say: SayInLog) -> Iterator[str]:
    """The page, as long as the block lasts, and its address; empty where the settings want none."""
    if not settings.page_port:
        yield ""
        return
    people = PeopleFile(folder)
    say_first_owner(people, folder, say)
    certificate = None if settings.page_host in LOOPBACK else _certificate(folder, settings)
    served = ServedHub(
        page.watch,
        people,
        page.open_store,
        page.counts,
        page.desk,
        page.rollouts,
        encrypted=certificate is not None,
        behind_proxy=settings.page_proxy,
        names=names_of_page(settings),
        metrics_token=metrics_token(folder),
    )
    bound = listen(settings.page_host, settings.page_port)
    with PageServer(hub_page(served), bound, certificate, behind_proxy=settings.page_proxy):
        everywhere = settings.page_host in ("0.0.0.0", "::")  # noqa: S104 - asked whether it is so, not bound
        address = address_of(bound, own_address() or "127.0.0.1" if everywhere else settings.page_host)
        yield address.replace("http://", "https://", 1) if certificate is not None else address


def names_of_page(settings: HubSettings) -> tuple[str, ...]:
    """By which names the page may be asked for: those that are set, and those by which boards ask for versions."""
    fetched_from = urlsplit(settings.versions_at).hostname or ""
    return tuple(each.lower() for each in (*settings.page_names.split(), settings.address, fetched_from) if each)


def say_first_owner(people: PeopleFile, folder: Path, say: SayInLog) -> None:
    """Make the first owner, and say the password once: on a terminal, else in a file, for a log is read by others."""
    password = people.add_first_owner()
    if password is None:
        return
    if sys.stderr.isatty():
        say(f"The page's first owner is '{FIRST_OWNER}', the password {password}: it is shown only now.")
        return
    file = folder / FIRST_PASSWORD_FILE
    put_whole(file, f"{password}\n".encode(), ONLY_THE_HUB)
    say(f"The page's first owner is '{FIRST_OWNER}', the password stands in {file}: read it, then delete that file.")


def metrics_token(folder: Path) -> str:
    """What lets other machines read the figures, made at the first start."""
    file = folder / METRICS_TOKEN_FILE
    if not file.exists():
        put_whole(file, f"{secrets.token_urlsafe(24)}\n".encode(), ONLY_THE_HUB)
    return file.read_text(encoding="utf-8").strip()


def _certificate(folder: Path, settings: HubSettings) -> Certificate:
    with changing_accounts(folder):
        found = certificates_in(folder, names_of_machine(settings.address))
    return Certificate(found.certificate, found.key)
