"""The hub's page as a part of the running hub: its socket, its certificate, its first owner, its token."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from quarto_pi.files import put_whole
from quarto_pi.hub.accounts import changing_accounts
from quarto_pi.hub.certificates import certificates_in, names_of_machine
from quarto_pi.hub.counts import IntakeCounts
from quarto_pi.hub.page import ServedHub, hub_page
from quarto_pi.hub.people import FIRST_OWNER, ONLY_THE_HUB, PeopleFile
from quarto_pi.hub.rollout_desk import RolloutDesk
from quarto_pi.hub.settings import LOOPBACK, HubSettings, SayInLog
from quarto_pi.hub.store import HubStore
from quarto_pi.hub.tournament_desk import TournamentDesk
from quarto_pi.hub.watch import Watch
from quarto_pi.web.address import address_of, listen, own_address
from quarto_pi.web.service import Certificate, PageServer

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
