"""What boards are told of tournaments and spectators: retained, said when it changes, and after each connection."""

from __future__ import annotations

import base64
import hashlib
from typing import Final, Protocol

from quarto_pi.chain.hub_messages import pack_spectators
from quarto_pi.chain.messages import pack_tournament
from quarto_pi.chain.topics import spectators_for, tournament_for
from quarto_pi.hub.store import HubStore
from quarto_pi.hub.tournament_desk import TournamentDesk
from quarto_pi.hub.watch import Watch

# --- What boards are told of their house's tournament -----------------------------------------------------------------

NOTHING: Final = b""
"""Takes away what a topic had retained."""
MOST_LOOKED_BACK: Final = 1_000
"""A broker of longer memory may still have what a board was told of one of so many tournaments."""


class SendsToBoards(Protocol):
    """Sends a message to the broker, from any thread; lets it fall where there is no connection."""

    def __call__(self, topic: str, payload: bytes, *, is_retained: bool = False) -> None:
        """Send it."""


class TournamentPost:
    """Looks after the tournaments, and tells boards; `look` is called again and again by one thread."""

    def __init__(self, desk: TournamentDesk, watch: Watch) -> None:
        self._desk = desk
        self._watch = watch
        self._send: SendsToBoards | None = None
        self._said: dict[str, bytes] = {}
        self._linked_since: float | None = None
        self._houses: set[str] = set()

    def send_by(self, send: SendsToBoards) -> None:
        """Who sends it."""
        self._send = send

    def look(self, store: HubStore) -> None:
        """Enter what was played, and tell boards what is new."""
        self._desk.look(store)
        since = self._watch.linked_since
        if since is None or self._send is None:
            return
        if since != self._linked_since:
            self._linked_since = since
            self._said = {}
            self._houses = {kept.house for kept in store.tournaments.all(most=MOST_LOOKED_BACK)}
        told = self._desk.told(store)
        for row in self._watch.rows():
            payload = pack_tournament(told[row.name]) if row.name in told else NOTHING
            if not payload and row.name not in self._said and row.house not in self._houses:
                continue  # it was never told anything
            if self._said.get(row.name) != payload:
                self._send(tournament_for(row.name), payload, is_retained=True)
                self._said[row.name] = payload


# --- What boards are told of their spectators: the address for the code on their display, while there is a link -------

CODE_LETTERS: Final = 14
"""70 bits: what a code on a display of 64 lines has room for, behind the hub's name or number."""
CODE_PATH: Final = "W"


def display_code_of(token: str) -> str:
    """What a board's display shows instead of a link's token: capitals and figures, which make the smallest code."""
    return base64.b32encode(hashlib.sha256(token.encode()).digest()).decode()[:CODE_LETTERS]


def address_for_code(page: str, token: str) -> str:
    """The address that leads to a link, in capitals; `page` is where the hub's page is.

    >>> address_for_code("http://hub.local:8050/", "x")[:23]
    'HTTP://HUB.LOCAL:8050/W'
    """
    return f"{page.rstrip('/').upper()}/{CODE_PATH}{display_code_of(token)}" if page else ""


class SpectatorPost:
    """Tells boards; `look` is called again and again by one thread."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._send: SendsToBoards | None = None
        self._said: dict[str, str] = {}
        self._linked_since: float | None = None

    def send_by(self, send: SendsToBoards) -> None:
        """Who sends it."""
        self._send = send

    def look(self, store: HubStore) -> None:
        """Tell each board what is new; after a new connection all of them, for the broker may have kept anything."""
        since = self._watch.linked_since
        if since is None or self._send is None:
            return
        if since != self._linked_since:
            self._linked_since, self._said = since, {}
        links = {link.board: link for link in store.tournaments.spectator_links()}
        for row in self._watch.rows():
            link = links.get(row.name)
            address = "" if link is None else address_for_code(link.page, link.token)
            if self._said.get(row.name) != address:
                self._send(spectators_for(row.name), pack_spectators(address), is_retained=True)
                self._said[row.name] = address
