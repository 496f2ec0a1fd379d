"""A hub in a folder of its own, above a real Mosquitto."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from quarto_pi.chain.messages import BoardStatus, SettledAction
from quarto_pi.cli import main
from quarto_pi.hub.running import RunningHub, running_hub
from quarto_pi.hub.settings import settings_in
from tests.hub.wire import GUARD, LOOKS_AFTER, WireBoard, on_the_wire
from tests.ports import free_port


@dataclass
class Heard:
    """A listener that keeps what it hears; who waits for it is woken."""

    calls: list[tuple[object, ...]] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def _note(self, *call: object) -> None:
        with self.news:
            self.calls.append(call)
            self.news.notify_all()

    def say(self, sentence: str) -> None:
        self._note("say", sentence)

    def link(self, linked: bool) -> None:
        self._note("link", linked)

    def presence(self, board: str, here: bool) -> None:
        self._note("presence", board, here)

    def status(self, board: str, status: BoardStatus) -> None:
        self._note("status", board, status)

    def settled(self, board: str, action: SettledAction) -> None:
        self._note("settled", board, action)

    def conflict(self, board: str, detail: str) -> None:
        self._note("conflict", board, detail)

    def outcome(self, board: str, payload: bytes) -> None:
        self._note("outcome", board, payload)

    def unforeseen(self, board: str, detail: str) -> None:
        self._note("unforeseen", board, detail)

    def said(self) -> list[str]:
        return [str(call[1]) for call in list(self.calls) if call[0] == "say"]

    def until(self, so: Callable[[], bool]) -> None:
        # What is waited for may be counted, and not told: it is looked at again in any case.
        deadline = time.monotonic() + GUARD
        with self.news:
            while not so():
                assert time.monotonic() < deadline, self.calls[-10:]
                self.news.wait(LOOKS_AFTER)


@dataclass
class HubFolder:
    """The folder of a hub, what is done with it, and what was heard of the hub that ran in it last."""

    folder: Path
    port: int
    heard: Heard = field(default_factory=Heard)

    def order(self, *words: str) -> int:
        """An order at the command line."""
        return main(["hub", words[0], "--folder", str(self.folder), *words[1:]])

    @contextmanager
    def running(self) -> Iterator[RunningHub]:
        """The hub, connected with its broker."""
        self.heard = Heard()
        with running_hub(self.folder, settings_in(self.folder), self.heard.say, self.heard) as hub:
            self.heard.until(lambda: ("link", True) in self.heard.calls)
            yield hub

    @contextmanager
    def board(self, name: str, *topics: str, client_id: str | None = None) -> Iterator[WireBoard]:
        """A board with the credentials that are here for it."""
        with on_the_wire(self.folder, name, self.port, *topics, client_id=client_id) as board:
            yield board


def hub_folder_at(folder: Path, *lines: str) -> HubFolder:
    """A folder for a hub on a free port, with these further settings."""
    port = free_port()
    folder.mkdir(mode=0o700, exist_ok=True)
    text = "\n".join(["[hub]", f"port = {port}", "page_port = 0", *lines, ""])
    (folder / "hub.toml").write_text(text, encoding="utf-8")
    return HubFolder(folder, port)


def hub_for_versions_at(folder: Path, address: str, publisher: Path) -> HubFolder:
    """A folder for a hub that boards find at this address, and that takes and serves what this publisher has signed."""
    page = ('page_host = "0.0.0.0"', f'address = "{address}"', f'publisher = "{publisher}"')
    place = hub_folder_at(folder, *page)
    file = place.folder / "hub.toml"
    text = file.read_text(encoding="utf-8").replace("page_port = 0", f"page_port = {free_port()}")
    file.write_text(text, encoding="utf-8")
    return place
