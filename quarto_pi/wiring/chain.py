"""The wiring of a board's chain: what it shows and settles goes to the broker, and nobody waits for that."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import quarto_pi
from quarto_pi.chain.board_client import BoardClient, ChainCondition
from quarto_pi.chain.credentials import read_credentials
from quarto_pi.chain.link import BrokerAddress, BrokerLink, Will
from quarto_pi.chain.messages import Ailment, BoardStatus, Doing, SettledAction, TournamentTold, read_tournament
from quarto_pi.chain.topics import (
    letters,
    orders_for,
    others_for,
    outcomes_of,
    presence_of,
    sender_of,
    spectators_for,
    tournament_for,
    version_for,
)
from quarto_pi.chain.unforeseen import UNFORESEEN
from quarto_pi.config import ChainConfig
from quarto_pi.controller.other_boards import OtherBoardsSeat
from quarto_pi.files import put_whole
from quarto_pi.journal.journal import JournalError
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.records import TakenRow
from quarto_pi.notices import NOTICES_FOLDER, notices_in
from quarto_pi.outputs.chain import ChainGuideOutput, ChainOutput
from quarto_pi.referee.messages import Impairment, Storage
from quarto_pi.wiring.orders import BoardOrders

if TYPE_CHECKING:
    from quarto_pi.devices.readers.health import ReaderHealth
    from quarto_pi.devices.upkeep import DeviceCondition
    from quarto_pi.journal.writer import JournalWriter, OpenJournal
    from quarto_pi.rules import Options
    from quarto_pi.updates import CardUpdates
    from quarto_pi.wiring.versions import VersionTaking

OFFLINE_WILL: Final = b"offline"
CONDITION_FILE: Final = "chain.json"
"""In memory, below the service's runtime folder: how the chain is doing, for `quarto-pi check`."""

STORAGE_AILMENTS: Final[Mapping[Storage, tuple[str, str]]] = {
    Storage.FULL: ("games are not being kept: the storage is full", "make room on the card"),
    Storage.READ_ONLY: ("games are not being kept: nothing can be written", "restart the board; or put in a new card"),
    Storage.NEWER: ("games are not being kept: those there are a newer version's", "install the newer quarto-pi again"),
    Storage.BROKEN: ("games are not being kept: the storage does not work", "restart the board; or put in a new card"),
}
IMPAIRED_AILMENTS: Final[Mapping[Impairment, tuple[str, str, str]]] = {
    Impairment.LAST_GOOD: ("configuration", "wrong: the last one that was right is used", "quarto-pi config validate"),
    Impairment.USUAL: ("configuration", "wrong: the usual settings are used", "quarto-pi config validate"),
    Impairment.NO_READERS: ("readers", "they, or the buttons, cannot be opened", "quarto-pi check"),
    Impairment.WENT_BACK: ("notices", "an update did not work: the version before it is back", "quarto-pi check"),
    Impairment.CARD_FAILS: ("notices", "what its owner said anew could not be kept", "put in a new card"),
    Impairment.SETTINGS_FILE: ("notices", "something in the settings file on its card is wrong", "quarto-pi check"),
    Impairment.CHAIN_FOLDER: ("notices", "something in the folder 'chain' on its card is wrong", "quarto-pi check"),
    Impairment.NO_NETWORK: ("network", "the Wi-Fi that its owner named is not reached", "look at the Wi-Fi"),
    Impairment.SAFE: (
        "configuration",
        "somebody held the button at the start: safe mode",
        "switch it off and on again",
    ),
}
"""What each impairment is of, in few words; `quarto-pi check` at the board says more."""


UNFORESEEN_FIX: Final = "report it, with what 'journalctl -u quarto-pi' says of it; the board goes on by itself"

MOST_AILMENTS: Final = 30
LONGEST_TEXT: Final = 400
"""What fits into a message."""
MOST_OF_VERSION: Final = 60


def _in_one_line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_TEXT]


@dataclass(slots=True)
class Surveyed:
    """Where to ask what is the matter with a board, while its evening goes on."""

    health: Callable[[], Mapping[str, ReaderHealth]] = dict
    storage: Callable[[], Storage | None] = lambda: None
    impaired: Callable[[], Impairment | None] = lambda: None
    devices: Mapping[str, Callable[[], DeviceCondition]] = field(default_factory=dict)
    chain: Callable[[], str] = str
    """What nobody foresaw in the chain itself, in few words; empty where nothing has happened."""

    def ailments(self) -> tuple[Ailment, ...]:
        """What is the matter, if anything."""
        found = islice(self._found(), MOST_AILMENTS)
        return tuple(Ailment(each.device, _in_one_line(each.detail), _in_one_line(each.fix)) for each in found)

    def _found(self) -> Iterable[Ailment]:
        why = self.impaired()
        if why is not None:
            yield Ailment(*IMPAIRED_AILMENTS[why])
        storage = self.storage()
        if storage is not None:
            yield Ailment("journal", *STORAGE_AILMENTS[storage])
        unforeseen = self.chain()
        if unforeseen:
            yield Ailment("chain", f"{UNFORESEEN}: {unforeseen}", UNFORESEEN_FIX)
        for cell, health in self.health().items():
            trouble = health.trouble
            if trouble is not None:
                yield Ailment(f"reader {cell}", *trouble)
        for device, condition in self.devices.items():
            seen = condition()
            if not seen.ok:
                yield Ailment(device, seen.detail, seen.todo)


class ChainPost:
    """Carries letters to other boards over a board's chain."""

    def __init__(self, client: BoardClient) -> None:
        self._client = client

    @property
    def is_open(self) -> bool:
        """Whether letters are carried at this moment."""
        return self._client.condition.connected

    def post(self, to: str, letter: bytes) -> None:
        """Carry a letter to a board."""
        self._client.send(letters(self._client.board, to), letter)


class OpenChain:
    """A board's chain from its start to its end, over all evenings; `close` ends it.

    While the controller has neither game nor guide open, what it did last stays said.
    """

    def __init__(
        self,
        config: ChainConfig,
        say: Callable[[str], None],
        wall: Callable[[], float],
        runtime: Path | None = None,
        updates: CardUpdates | None = None,
    ) -> None:
        credentials = read_credentials(config.credentials_file, config.board)
        address = BrokerAddress(config.broker, config.port, config.tls, config.ca)
        link = BrokerLink(address, credentials, Will(presence_of(config.board), OFFLINE_WILL), say=say)
        self._versions: VersionTaking | None = None
        version = updates.version()[:MOST_OF_VERSION] if updates is not None and updates.is_card else ""
        self._plain = BoardStatus(quarto_pi.__version__, "", Doing.WAITING, card=version)
        self._wall, self._say = wall, say
        self._file = None if runtime is None else runtime / CONDITION_FILE
        self.client = BoardClient(
            config.board, link, self._plain, home_assistant=config.home_assistant, changed=self._note
        )
        self.orders = BoardOrders(lambda payload: self.client.send(outcomes_of(config.board), payload))
        self.client.listen(orders_for(config.board), self.orders.heard)
        self._boards: OtherBoardsSeat | None = None
        self.guide_output = ChainGuideOutput(self._show, self._plain, wall)
        if version and updates is not None:
            self._versions = self._taking(updates, config.ca, runtime, say)
        self.client.begin()

    def _taking(self, updates: CardUpdates, ca: str, runtime: Path | None, say: Callable[[str], None]) -> VersionTaking:
        """Take the versions that the hub offers from now on; a board without a card loads nothing for it."""
        from quarto_pi.chain.fetching import BundleFetch  # noqa: PLC0415 - only a card loads what fetches
        from quarto_pi.wiring.versions import HOLD_FILE, VersionTaking  # noqa: PLC0415 - and what takes it

        hold = None if runtime is None else runtime / HOLD_FILE

        def went_back() -> bool:
            return any(why is Impairment.WENT_BACK for why, _ in notices_in(NOTICES_FOLDER))

        taking = VersionTaking(updates, self.client.tell_version, BundleFetch(ca), went_back, hold, say)
        self.client.listen(version_for(self.client.board), taking.heard)
        taking.start()
        return taking

    def _show(self, state: BoardStatus) -> None:
        if self._versions is not None:
            self._versions.see(state)
        self.client.show(state)

    def serve(self, writer: JournalWriter | None) -> None:
        """Send from now on what this journal's writer settles."""
        if writer is not None:
            writer.settled = self.client.settled
            self.client.serve(JournalQueue(writer.folder, writer))

    def announce_by(self, *announce: Callable[[TournamentTold | None], None]) -> None:
        """Hand on which tournament the board's house has; what nobody understands leaves it as it is."""

        def hear(_: str, payload: bytes) -> None:
            told = read_tournament(payload)
            for each in announce:
                each(told)

        self.client.listen(tournament_for(self.client.board), hear)

    def output(self, surveyed: Surveyed) -> ChainOutput:
        """What shows an evening to the hub."""
        client = self.client
        surveyed.chain = lambda: client.condition.trouble
        return ChainOutput(
            self._show,
            client.call_quarto,
            self._plain,
            self._wall,
            surveyed.ailments,
            self._invites_anybody,
            self._newest_match,
        )

    def other_boards(self, journal: OpenJournal | None, like: Options) -> OtherBoardsSeat:
        """This board's side of its games with others, for an evening: on what its journal has of those before."""
        writer, kept = (None, ()) if journal is None else (journal.writer, journal.remembered.matches)
        board = self.client.board
        seat = OtherBoardsSeat(
            board, ChainPost(self.client), lambda: secrets.token_hex(16), writer, kept, like, self._say
        )
        self.client.listen(letters("+", board), lambda topic, letter: seat.hear_letter(sender_of(topic) or "", letter))
        self.client.listen(others_for(board), lambda _, message: seat.hear_others(message))
        self.client.listen(spectators_for(board), lambda _, message: seat.hear_spectators(message))
        self._boards = seat
        return seat

    def _invites_anybody(self) -> bool:
        return self._boards is not None and self._boards.invites_anybody

    def _newest_match(self) -> tuple[str, str] | None:
        match = None if self._boards is None else self._boards.match
        return None if match is None else (match.name, match.other)

    def told(self) -> dict[str, object]:
        """How the chain is doing, for the page."""
        condition = self.client.condition
        return {"connected": condition.connected, "hub": condition.hub}

    def close(self) -> None:
        """Say goodbye."""
        if self._versions is not None:
            self._versions.close()
        self.client.close()
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)

    def _note(self, condition: ChainCondition) -> None:
        """Leave a note for `quarto-pi check`, which is another process."""
        if self._file is None:
            return
        told = {
            "pid": os.getpid(),
            "connected": condition.connected,
            "hub": condition.hub,
            "why": condition.why,
            "trouble": condition.trouble,
            "since": self._wall(),
        }
        with suppress(OSError):
            put_whole(self._file, f"{json.dumps(told)}\n".encode())


class JournalQueue:
    """The queue of a board's journal, as it is sent; while the journal is out of reach nothing waits there."""

    def __init__(self, folder: Path, writer: JournalWriter) -> None:
        self._queue, self._writer = SettledQueue(folder, stays_open=True), writer

    def history(self) -> str:
        """The history that goes on; empty where nobody knows."""
        with suppress(JournalError, OSError):
            return self._queue.history()
        return ""

    def histories(self) -> Sequence[str]:
        """The histories of which something waits, the one that goes on last."""
        with suppress(JournalError, OSError):
            return self._queue.histories()
        return []

    def after(self, history: str, game: int, number: int, most: int) -> Sequence[SettledAction]:
        """The next actions of a history after this one, in order."""
        with suppress(JournalError, OSError):
            rows = self._queue.after(history, game, number, most)
            return [SettledAction(history, row.game, row.number, row.at, json.loads(row.told)) for row in rows]
        return []

    def forget(self, history: str, through: Sequence[tuple[int, int]]) -> None:
        """Have what the hub has deleted with what is written next."""
        self._writer.forget([TakenRow(history, game, number) for game, number in through])

    def close(self) -> None:
        """Let go of the file."""
        self._queue.close()

    def waiting(self) -> int:
        """How many actions wait."""
        with suppress(JournalError, OSError):
            return self._queue.length().actions
        return 0
