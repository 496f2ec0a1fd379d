"""A version rolled out over a real Mosquitto and the hub's real page to boards whose card is a folder.

The hub is the whole command, which is killed on the way. Each board is the real client with the real thread that takes
versions; what takes over from there is the card's own program, with a script in RAUC's place.
"""

from __future__ import annotations

import os
import stat
import time
import tomllib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from card import update
from card.update import HandedIn, UpdateError

from quarto_pi.chain.credentials import CA_FILE
from quarto_pi.chain.messages import Ailment, Doing
from quarto_pi.config import ChainConfig
from quarto_pi.updates import OUTCOME_FILE, RECEIVED_UPDATE, UPDATE_FOLDER, CardUpdates
from quarto_pi.web.updates import UPDATE_TYPE
from quarto_pi.wiring import chain as wiring_of_chain
from quarto_pi.wiring import versions
from quarto_pi.wiring.chain import OpenChain
from quarto_pi.wiring.versions import HOLD_FILE, PARTIAL_FILE, VersionTaking
from tests.chain.haste import shorten_all
from tests.hub.bundle_making import Publisher, good_bundle, publisher_in
from tests.hub.hub_process import GUARD_SECONDS, HubProcess
from tests.hub.hubs import HubFolder, hub_for_versions_at

pytestmark = pytest.mark.slow

OLD, NEW = "1.0", "2.0-abc"
SICK = Ailment("reader b2", "no chip answers", "check its power")
RAUC = """\
#!/bin/sh
[ -e {0}/refuses ] && {{ echo "signature verification failed" >&2; exit 1; }}
echo "RAUC_MF_VERSION='2.0-abc'"
"""


PATIENCE_OF_CARD = (
    (versions, "FIRST_RETRY", 0.2),
    (versions, "TAKING_LOOK_SECONDS", 0.1),
    (versions, "CARD_LOOK_SECONDS", 0.1),
)
"""So long boards wait here."""


class CardBoard:
    """A board whose card is a folder; `fate` is what the version makes of it: good, ill, back, or refused."""

    def __init__(self, place: HubFolder, name: str, folder: Path, fate: str = "good") -> None:
        self.name, self.fate, self._folder = name, fate, folder
        for each in ("games", "run", "service", "updates"):
            (folder / each).mkdir(parents=True)
        self._rauc = folder / "rauc"
        self._rauc.write_text(RAUC.format(folder), encoding="ascii")
        self._rauc.chmod(self._rauc.stat().st_mode | stat.S_IXUSR)
        if fate == "refused":
            (folder / "refuses").touch()
        files = place.folder / "boards" / name
        section = tomllib.loads((files / "chain.toml").read_text(encoding="utf-8"))["chain"]
        for key, file in (("ca", CA_FILE), ("credentials", "credentials")):
            section[key] = str(files / file)
        self._config = ChainConfig(**{**section, "broker": "localhost"})
        self.restarts = 0
        self._chain: OpenChain | None = None
        self._installed = False
        self.start(OLD)

    @property
    def version(self) -> str:
        """What runs from the card."""
        return self._updates.version()

    @property
    def partial(self) -> Path:
        """What was fetched."""
        return self._folder / "games" / UPDATE_FOLDER / PARTIAL_FILE

    @property
    def _updates(self) -> CardUpdates:
        return CardUpdates(self._folder / "games", self._folder / "run", self._folder / "version")

    def start(self, version: str) -> None:
        """The machine starts into a version; what is in memory is gone."""
        for path in (self._folder / "run" / OUTCOME_FILE, self._folder / "service" / HOLD_FILE):
            path.unlink(missing_ok=True)
        (self._folder / "version").write_text(f"{version}\n", encoding="ascii")
        opened = OpenChain(self._config, lambda _: None, time.time, self._folder / "service", self._updates)
        ailments = (SICK,) if version == NEW and self.fate == "ill" else ()
        opened._show(replace(opened._plain, doing=Doing.ASLEEP, ailments=ailments))
        self._chain = opened

    def cut(self) -> None:
        """The plug is pulled: what was not synced of what was fetched may be anything."""
        self.close()
        # It may have been handed over just before, or hold nothing yet.
        with suppress(FileNotFoundError), self.partial.open("r+b") as file:
            spoilt = min(1_000, file.seek(0, os.SEEK_END))
            file.seek(-spoilt, os.SEEK_END)
            file.write(bytes(spoilt))
        self.start(self.version)

    def close(self) -> None:
        """The board's program ends."""
        chain, self._chain = self._chain, None
        if chain is not None:
            chain.close()

    def card_works(self) -> None:
        """What the card's services do when something is there for them, and when the board lets them."""
        received = self._folder / "games" / UPDATE_FOLDER / RECEIVED_UPDATE
        if received.exists() and not self._installed:
            told = self._folder / "run" / OUTCOME_FILE
            card = HandedIn(received, self._folder / "updates" / "update.raucb", told)
            try:
                self._installed = bool(card.install(lambda _: None, f"{self._rauc}"))
            except UpdateError:
                return
        if self._installed and not (self._folder / "service" / HOLD_FILE).exists():
            self._installed = False
            self.restarts += 1
            self.close()
            self.start(NEW)
        elif self.fate == "back" and self.version == NEW and self.is_heard_with_it():
            self.close()
            self.start(OLD)

    def is_heard_with_it(self) -> bool:
        """Whether the hub has seen it run the new version."""
        return self.hub is not None and self.hub.steps().get(self.name) == "tried"

    hub: HubProcess | None = None


@pytest.fixture(scope="module")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Publisher:
    return publisher_in(tmp_path_factory.mktemp("publisher"))


@pytest.fixture
def place(tmp_path: Path, publisher: Publisher) -> HubFolder:
    return hub_for_versions_at(tmp_path / "hub", "localhost", publisher.certificate)


@pytest.fixture
def fleet(
    tmp_path: Path, place: HubFolder, stack: ExitStack, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[HubProcess, dict[str, CardBoard]]]:
    """Makes a hub with boards, all of which run the old version from a card."""
    (tmp_path / "version").write_text(f"{OLD}\n", encoding="ascii")
    monkeypatch.setattr(update, "VERSION", tmp_path / "version")
    monkeypatch.setattr(update.write_keyring, "__defaults__", ((publisher.certificate,), tmp_path / "keyring.pem"))
    monkeypatch.setattr(wiring_of_chain, "NOTICES_FOLDER", tmp_path / "notices")
    shorten_all(monkeypatch, *PATIENCE_OF_CARD)
    monkeypatch.setattr(versions, "VersionTaking", partial(VersionTaking, pace=0.05))

    def make(*fates: str, well_seconds: float = 0.5) -> tuple[HubProcess, dict[str, CardBoard]]:
        names = [f"board-{number:02}" for number in range(len(fates))]
        for name in names:
            assert place.order("add", name, "--house", "North") == 0
        hub = HubProcess(place, well_seconds)
        stack.callback(hub.stop)
        hub.start()
        boards = {}
        for name, fate in zip(names, fates, strict=True):
            boards[name] = CardBoard(place, name, tmp_path / name, fate)
            boards[name].hub = hub
            stack.callback(boards[name].close)
        wait_until(boards, lambda: all(each["card"] for each in hub.ask("versions")["boards"]))
        return hub, boards

    return make


def wait_until(boards: dict[str, CardBoard], happened: Callable[[], bool]) -> None:
    """Let boards and their cards go on until something is so."""
    until = time.monotonic() + GUARD_SECONDS
    while not happened():
        assert time.monotonic() < until, {name: board.version for name, board in boards.items()}
        for board in boards.values():
            board.card_works()
        time.sleep(0.05)


def roll_out(hub: HubProcess, bundle: bytes) -> None:
    """An owner sends the version, and has it rolled out."""
    sent = hub.ask("versions/file", bundle, UPDATE_TYPE)
    assert (sent["version"], sent["checked"]) == (NEW, True)
    hub.ask("rollout", {"version": sent["sha256"]})


def with_new(boards: dict[str, CardBoard]) -> list[str]:
    return [name for name, board in boards.items() if board.version == NEW]


def test_one_board_then_ten_per_cent_then_all_although_hub_and_board_are_cut_off_on_the_way(
    fleet: Callable[..., tuple[HubProcess, dict[str, CardBoard]]], publisher: Publisher
) -> None:
    hub, boards = fleet(*["good"] * 11)
    roll_out(hub, good_bundle(publisher, NEW, blocks=700))
    first = boards["board-00"]
    wait_until(boards, lambda: first.partial.exists() or first.version == NEW)
    first.cut()
    wait_until(boards, lambda: hub.steps()["board-00"] in ("tried", "well"))
    hub.kill()
    hub.start()
    assert hub.steps()["board-00"] in ("tried", "well"), "what was kept is known again"
    wait_until(boards, lambda: hub.rollout()["stage"] != "one")
    assert hub.steps()["board-00"] == "well"
    wait_until(boards, lambda: boards["board-01"].partial.exists() or boards["board-01"].version == NEW)
    hub.kill()
    hub.start()
    wait_until(boards, lambda: hub.rollout()["stage"] == "done")
    assert set(hub.steps().values()) == {"well"}
    assert with_new(boards) == list(boards)
    assert [board.restarts for board in boards.values()] == [1] * len(boards)
    assert not [alarm for alarm in hub.ask("alarms")["alarms"] if alarm["kind"] == "rollout"]


@pytest.mark.parametrize(
    ("fate", "step", "why"),
    [
        ("refused", "refused", "board-00: update.raucb is not taken: signature verification failed."),
        ("ill", "ill", "board-00: it got ill: reader b2."),
    ],
)
def test_a_version_that_is_bad_for_the_first_board_stops_there_with_one_alarm(
    fate: str,
    step: str,
    why: str,
    fleet: Callable[..., tuple[HubProcess, dict[str, CardBoard]]],
    publisher: Publisher,
) -> None:
    # One that gets ill has to say so before it is believed.
    hub, boards = fleet(fate, "good", "good", well_seconds=1.5 if fate == "ill" else 0.5)
    roll_out(hub, good_bundle(publisher, NEW))
    wait_until(boards, lambda: hub.rollout()["state"] == "stopped")
    assert hub.rollout()["why"] == why
    assert hub.steps() == {"board-00": step, "board-01": "waiting", "board-02": "waiting"}
    wait_until(boards, lambda: any(alarm["kind"] == "rollout" for alarm in hub.ask("alarms")["alarms"]))
    hub.kill()
    hub.start()
    wait_until(boards, lambda: len(hub.ask("boards")["boards"]) == 3)
    alarms = [alarm for alarm in hub.ask("alarms")["alarms"] if alarm["kind"] == "rollout"]
    assert [alarm["detail"] for alarm in alarms] == [f"version {NEW} is offered to no more boards: {why}"]
    assert [board.partial.exists() for board in boards.values()] == [False] * 3
    hub.ask("rollout/resume", {})
    wait_until(boards, lambda: hub.rollout()["stage"] == "done")
    assert hub.steps() == {"board-00": step, "board-01": "well", "board-02": "well"}
    assert [board.restarts for board in boards.values()] == [int(fate != "refused"), 1, 1]


def test_a_board_that_goes_back_to_the_version_before_stops_it(
    fleet: Callable[..., tuple[HubProcess, dict[str, CardBoard]]], publisher: Publisher
) -> None:
    hub, boards = fleet("back", "good", well_seconds=10 * GUARD_SECONDS)
    roll_out(hub, good_bundle(publisher, NEW))
    wait_until(boards, lambda: hub.rollout()["state"] == "stopped")
    assert hub.rollout()["why"] == "board-00: it went back to 1.0."
    assert hub.steps() == {"board-00": "ill", "board-01": "waiting"}
    assert boards["board-00"].restarts == 1, "it is not tried again"
