"""A version on its way to boards: what is seen of them, what each is offered, and what an owner decides about it.

One at a time. What is decided is kept before anybody is told of it, so that a hub that is killed goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.chain.hub_messages import VersionOffer, bundle_path, pack_offer
from quarto_pi.chain.messages import VersionStep, VersionTold
from quarto_pi.chain.topics import version_for
from quarto_pi.hub.board_post import SendsToBoards
from quarto_pi.hub.certificates import machine_name
from quarto_pi.hub.fleet import FleetRow
from quarto_pi.hub.rollout import (
    BoardStep,
    Rollout,
    RolloutRefused,
    RolloutState,
    SeenOfBoard,
    abandon_rollout,
    advance_rollout,
    begin_rollout,
    resume_rollout,
    stop_rollout,
)
from quarto_pi.hub.rollout_table import KeptRollout
from quarto_pi.hub.settings import LOOPBACK, HubSettings
from quarto_pi.hub.store import HubStore
from quarto_pi.hub.version_shelf import ShelvedVersion, VersionShelf
from quarto_pi.hub.watch import Watch

NOTHING_OFFERED: Final = b""
"""Takes away what a topic had retained."""
NO_ADDRESS: Final = (
    'boards cannot reach this hub\'s page, from which they fetch a version: write page_host = "0.0.0.0" into hub.toml, '
    'or versions_at = "https://HOST" where a proxy serves it, and start the hub again.'
)


def versions_address(settings: HubSettings) -> str:
    """Where boards fetch versions, without a path; empty where they cannot."""
    if settings.versions_at or not settings.page_port or settings.page_host in LOOPBACK:
        return settings.versions_at
    return f"https://{settings.address or f'{machine_name()}.local'}:{settings.page_port}"


@dataclass(frozen=True, slots=True)
class RolloutWish:
    """What is to be rolled out to which boards, the first of which tries it first; no board named means all."""

    sha256: str
    boards: Sequence[str] = ()
    first: str = ""


class RolloutDesk:
    """Looks after the rollout, from any thread; `look` is called again and again by one that has a database."""

    def __init__(
        self, watch: Watch, shelf: VersionShelf, address: str = "", wall: Callable[[], float] = time.time
    ) -> None:
        self.shelf = shelf
        self._watch = watch
        self._address = address
        self._wall = wall
        self._lock = threading.RLock()
        self._kept: KeptRollout | None = None
        self._is_known = False
        self._send: SendsToBoards | None = None
        self._said: dict[str, bytes] = {}
        self._linked_since: float | None = None

    def send_by(self, send: SendsToBoards) -> None:
        """Who sends offers."""
        self._send = send

    @property
    def kept(self) -> KeptRollout | None:
        """The last rollout, which may be over; None where there was none, or nobody has looked yet."""
        return self._kept

    def serves(self, sha256: str) -> ShelvedVersion | None:
        """The version whose bundle boards may fetch now: the one that is offered."""
        kept = self.kept
        if kept is None or kept.sha256 != sha256 or not kept.rollout.offered:
            return None
        return self.shelf.find(sha256)

    def counts(self) -> Mapping[BoardStep, int]:
        """How many boards stand at each step of the rollout that goes on."""
        kept = self.kept
        if kept is None or kept.rollout.is_over:
            return dict.fromkeys(BoardStep, 0)
        return {step: kept.rollout.count(step) for step in BoardStep}

    # --- Again and again ----------------------------------------------------------------------------------------------

    def look(self, store: HubStore) -> None:
        """Take in what is seen of the boards, and tell them what follows."""
        with self._lock:
            kept = self._known(store)
            if kept is not None and not kept.rollout.is_over and self._watch.is_judged:
                rows = {row.name: row for row in self._watch.rows()}
                rollout = _without(kept.rollout, rows)
                self._keep(store, kept, advance_rollout(rollout, seen_of(rows, kept.sha256), self._wall()))
            self._tell()

    def _known(self, store: HubStore) -> KeptRollout | None:
        # A folder that cannot be written to keeps nobody from looking after boards.
        with suppress(OSError):
            if not self._is_known:
                self._kept = store.rollouts.newest(self.shelf.keeper)
                self._is_known = True
        return self._kept

    def _keep(self, store: HubStore, kept: KeptRollout, after: Rollout) -> None:
        if after != kept.rollout:
            store.rollouts.keep(kept.number, kept.rollout, after)
            self._kept = replace(kept, rollout=after)

    def _tell(self) -> None:
        """Say what is offered where that is new, and all of it to a broker that may know none."""
        kept = self._kept
        rollout = None if kept is None else kept.rollout
        stopped = rollout is not None and rollout.state is RolloutState.STOPPED
        self._watch.note_rollout(
            f"version {rollout.version} is offered to no more boards: {rollout.why}"
            if rollout is not None and stopped and not rollout.by
            else ""
        )
        since = self._watch.linked_since
        if kept is None or since is None or self._send is None:
            return
        if since != self._linked_since:
            self._linked_since, self._said = since, {}
        offer = VersionOffer(kept.rollout.version, kept.sha256, kept.size, f"{self._address}{bundle_path(kept.sha256)}")
        told, offered = pack_offer(offer), set(kept.rollout.offered)
        for name in kept.rollout.boards:
            payload = told if name in offered else NOTHING_OFFERED
            if self._said.get(name) != payload:
                self._send(version_for(name), payload, is_retained=True)
                self._said[name] = payload

    # --- What an owner decides ----------------------------------------------------------------------------------------

    def begin(self, store: HubStore, wish: RolloutWish, by: str) -> KeptRollout:
        """Roll a version out; `RolloutRefused` says why that cannot be."""
        with self._lock:
            before = self._known(store)
            if before is not None and not before.rollout.is_over:
                raise RolloutRefused(f"version {before.rollout.version} is being rolled out: abandon that first.")
            version = self.shelf.find(wish.sha256)
            if version is None:
                raise RolloutRefused("there is no such version here: put it here first.")
            if not self._address:
                raise RolloutRefused(NO_ADDRESS)
            rows = {row.name: row for row in self._watch.rows()}
            now = self._wall()
            rollout = begin_rollout(version.version, _order(wish, rows), seen_of(rows, wish.sha256), now)
            kept = KeptRollout(0, version.sha256, version.size, now, by, rollout)
            self._kept = store.rollouts.begin(self.shelf.keeper, kept)
            self._said = {}
            self._tell()
            return self._kept

    def stop(self, store: HubStore, by: str) -> None:
        """Offer it to nobody for the time being."""
        self._decide(store, lambda rollout: stop_rollout(rollout, by))

    def resume(self, store: HubStore) -> None:
        """Go on without the boards that went wrong."""
        rows = {row.name: row for row in self._watch.rows()}
        self._decide(
            store,
            lambda rollout: resume_rollout(
                rollout, seen_of(rows, "" if self._kept is None else self._kept.sha256), self._wall()
            ),
        )

    def abandon(self, store: HubStore, by: str) -> None:
        """Offer it to nobody any more."""
        self._decide(store, lambda rollout: abandon_rollout(rollout, by))

    def remove(self, store: HubStore, sha256: str) -> bool:
        """Take a version off the shelf that nobody is offered; whether it was there."""
        with self._lock:
            kept = self._known(store)
            if kept is not None and kept.sha256 == sha256 and not kept.rollout.is_over:
                raise RolloutRefused("this version is being rolled out: abandon that first.")
            return self.shelf.remove(sha256)

    def _decide(self, store: HubStore, decide: Callable[[Rollout], Rollout]) -> None:
        with self._lock:
            kept = self._known(store)
            if kept is None:
                raise RolloutRefused("no version is being rolled out.")
            self._keep(store, kept, decide(kept.rollout))
            self._tell()


def seen_of(rows: Mapping[str, FleetRow], sha256: str) -> dict[str, SeenOfBoard]:
    """What is seen of boards, as the rollout of this bundle asks."""
    return {name: _seen(row, sha256) for name, row in rows.items()}


def runs_from_card(row: FleetRow) -> bool:
    """Whether a board runs from a card, as far as it is known."""
    return row.status is not None and bool(row.status.card)


def _seen(row: FleetRow, sha256: str) -> SeenOfBoard:
    status = row.status
    if status is None:
        return SeenOfBoard(here=False)
    told: VersionTold | None = status.offered
    if told is not None and told.sha256 != sha256:
        told = None
    return SeenOfBoard(
        row.here,
        status.card,
        frozenset(ailment.device for ailment in status.ailments),
        None if told is None else told.step,
        (told.why or "it gives no reason") if told is not None and told.step is VersionStep.REFUSED else "",
    )


def _order(wish: RolloutWish, rows: Mapping[str, FleetRow]) -> list[str]:
    """The boards of a wish, in the order in which they are to be offered the version."""
    for name in (*wish.boards, *([wish.first] if wish.first else [])):
        if name not in rows:
            raise RolloutRefused(f"there is no board '{name[:40]}'.")
        if not runs_from_card(rows[name]):
            raise RolloutRefused(f"{name} is not known to run from a card: its owner installs versions by hand.")
    named = sorted(set(wish.boards)) or [name for name, row in sorted(rows.items()) if runs_from_card(row)]
    if wish.first and wish.first not in named:
        raise RolloutRefused(f"{wish.first} is none of the boards that are to get it.")
    return sorted(named, key=lambda name: name != wish.first)


def _without(rollout: Rollout, rows: Mapping[str, FleetRow]) -> Rollout:
    """A rollout without boards that have no account any more: they are waited for no longer."""
    there = {name: each for name, each in rollout.boards.items() if name in rows}
    return rollout if len(there) == len(rollout.boards) else replace(rollout, boards=there)
