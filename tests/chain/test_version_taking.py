"""A board takes a version that it is offered: from a real server, into a folder, to a card that is a folder as well."""

from __future__ import annotations

import hashlib
import json
import os
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from quarto_pi.chain.fetching import PART_BYTES, BundleFetch
from quarto_pi.chain.hub_messages import VersionOffer, pack_offer
from quarto_pi.chain.messages import BoardStatus, Doing, VersionStep, VersionTold
from quarto_pi.updates import OUTCOME_FILE, RECEIVED_UPDATE, UPDATE_FOLDER, CardUpdates
from quarto_pi.wiring import versions
from quarto_pi.wiring.versions import (
    DAY_SECONDS,
    FORGET_SECONDS,
    MOST_HANDED,
    PARTIAL_FILE,
    SETTLE_SECONDS,
    STILL_SECONDS,
    TAKING_FILE,
    VersionTaking,
)
from tests.chain.bundle_server import BundleServer, serving_bundle

CONTENT = b"hsqs" + random.Random(5).randbytes(5 * PART_BYTES + 1_230)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
WAITS = BoardStatus("1.0", "h", Doing.WAITING, language="en")
PLAYS = replace(WAITS, doing=Doing.PLAYING, game=3)
SLEEPS = replace(WAITS, doing=Doing.ASLEEP)


def hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@dataclass
class TestedBoard:
    """A board that runs from a card, of which nothing but folders is there; and its clock."""

    __test__ = False

    folder: Path
    server: BundleServer
    now: float = 1_000.0
    told: list[VersionTold | None] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    is_back: bool = False

    def __post_init__(self) -> None:
        for name in ("games", "run", "service"):
            (self.folder / name).mkdir()
        self.version("1.0")
        self.fetch = BundleFetch()
        self.start()

    @property
    def updates(self) -> CardUpdates:
        return CardUpdates(self.folder / "games", self.folder / "run", self.folder / "version")

    @property
    def hold(self) -> Path:
        return self.folder / "service" / "hold-restart"

    @property
    def received(self) -> Path:
        return self.folder / "games" / UPDATE_FOLDER / RECEIVED_UPDATE

    @property
    def partial(self) -> Path:
        return self.folder / "games" / UPDATE_FOLDER / PARTIAL_FILE

    def version(self, name: str) -> None:
        (self.folder / "version").write_text(f"{name}\n", encoding="ascii")

    def start(self) -> None:
        """The board's program starts."""
        self.fetch.close()
        self.told.clear()
        self.taking = VersionTaking(
            self.updates,
            self.told.append,
            self.fetch,
            lambda: self.is_back,
            self.hold,
            self.said.append,
            lambda: self.now,
            lambda: 0.5,
        )

    def restart(self) -> None:
        """The machine starts anew: what is in memory is gone."""
        (self.folder / "run" / OUTCOME_FILE).unlink(missing_ok=True)
        self.hold.unlink(missing_ok=True)
        self.now += 60
        self.start()

    def offer(self, offer: VersionOffer | None = None) -> None:
        self.taking.heard("", pack_offer(offer or self.server.offer))

    def withdraw(self) -> None:
        self.taking.heard("", b"")

    def look(self, looks: int = 1) -> float:
        """Look as often as the board would, with time going by as it would."""
        wait = 0.0
        for _ in range(looks):
            wait = self.taking.look()
            self.now += wait
        return wait

    def until(self, step: VersionStep | None, looks: int = 60) -> VersionTold | None:
        """Look until the board says that it has come so far."""
        for _ in range(looks):
            if self.told and (None if self.told[-1] is None else self.told[-1].step) is step:
                return self.told[-1]
            self.look()
        raise AssertionError(f"it never came so far: {self.told}")

    def card(self, stage: str, sentence: str = "") -> None:
        """What the card's service does with what it was handed: takes it, and tells what has become of it."""
        self.received.unlink(missing_ok=True)
        (self.folder / "run" / OUTCOME_FILE).write_text(f"{stage}\n{sentence}\n", encoding="utf-8")

    def hand_over(self) -> None:
        """Go on until the card has the version."""
        self.offer()
        self.taking.see(SLEEPS)
        self.until(VersionStep.WAITING)
        self.look()
        assert hash_of(self.received) == SHA256


@pytest.fixture
def server() -> Iterator[BundleServer]:
    with serving_bundle(CONTENT, SHA256) as server:
        yield server


@pytest.fixture
def board(tmp_path: Path, server: BundleServer) -> Iterator[TestedBoard]:
    board = TestedBoard(tmp_path, server)
    yield board
    board.taking.close()
    board.fetch.close()


def test_it_is_fetched_kept_until_nobody_plays_and_handed_to_the_card(board: TestedBoard) -> None:
    board.taking.see(PLAYS)
    board.look()
    assert board.told == []
    board.offer()
    board.until(VersionStep.WAITING)
    fetching = [each.percent for each in board.told if each is not None and each.step is VersionStep.FETCHING]
    assert fetching == sorted(set(fetching)), "each tenth is told once"
    assert not board.received.exists()
    board.look(1_000)
    assert not board.received.exists(), "somebody plays"
    board.taking.see(WAITS)
    board.look()
    assert not board.received.exists(), "somebody may come back to the table"
    board.now += STILL_SECONDS
    board.look()
    assert hash_of(board.received) == SHA256
    assert board.until(VersionStep.INSTALLING) == VersionTold(SHA256, VersionStep.INSTALLING, 100)
    board.card("installed", "2.0-abc")
    board.restart()
    board.version("2.0-abc")
    board.offer()
    board.look(2)
    assert board.told == []
    assert list(board.partial.parent.iterdir()) == [board.partial.with_name(TAKING_FILE)]


def test_a_board_that_is_asleep_takes_it_at_once(board: TestedBoard) -> None:
    board.hand_over()


@pytest.mark.parametrize(
    "state",
    [
        PLAYS,
        replace(WAITS, doing=Doing.LEARNING),
        replace(WAITS, doing=Doing.GUIDE),
        replace(WAITS, invites=True),
    ],
)
def test_while_somebody_is_there_nothing_is_handed_over(state: BoardStatus, board: TestedBoard) -> None:
    board.offer()
    board.taking.see(state)
    board.until(VersionStep.WAITING)
    board.now += 9 * STILL_SECONDS
    board.look()
    assert not board.received.exists()


def test_hands_at_the_board_begin_the_quiet_anew(board: TestedBoard) -> None:
    board.offer()
    board.taking.see(WAITS)
    board.until(VersionStep.WAITING)
    for position in ("a", "b", "c"):
        board.now += STILL_SECONDS - 30
        board.taking.see(replace(WAITS, position=position))
        board.look()
    assert not board.received.exists()


def test_the_card_starts_again_only_when_the_board_lets_it(board: TestedBoard) -> None:
    board.hand_over()
    assert board.hold.exists()
    board.taking.see(PLAYS)
    board.card("installed", "2.0-abc")
    board.look(50)
    assert board.hold.exists(), "a game was begun while it was being installed"
    board.taking.see(WAITS)
    board.now += STILL_SECONDS
    board.look()
    assert not board.hold.exists()


def test_a_board_whose_program_starts_again_meanwhile_still_lets_the_card_go(board: TestedBoard) -> None:
    board.hand_over()
    board.card("installed", "2.0-abc")
    board.start()
    assert board.hold.exists()
    board.taking.see(SLEEPS)
    board.look()
    assert not board.hold.exists()


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["refused", "failed"])
def test_what_the_card_refuses_is_said_in_its_own_words_and_never_tried_again(stage: str, board: TestedBoard) -> None:
    board.hand_over()
    board.card(stage, "update.raucb is not taken: signature verification failed.")
    refused = VersionTold(SHA256, VersionStep.REFUSED, 0, "update.raucb is not taken: signature verification failed.")
    assert board.until(VersionStep.REFUSED) == refused
    asked = len(board.server.asked)
    board.look(50)
    board.restart()
    board.offer()
    board.taking.see(SLEEPS)
    board.look(50)
    assert board.told == [refused]
    assert len(board.server.asked) == asked
    assert not board.partial.exists()
    assert not board.hold.exists()


def test_an_update_that_went_back_is_refused_after_the_restart(board: TestedBoard) -> None:
    board.hand_over()
    board.card("installed", "2.0-abc")
    board.restart()
    board.is_back = True
    told = board.until(VersionStep.REFUSED)
    assert told is not None
    assert told.why == "the update did not work: the version before it is back."
    board.offer()
    board.look(20)
    assert board.told == [told]


def test_a_version_that_ran_and_was_left_later_is_not_taken_again(board: TestedBoard) -> None:
    board.hand_over()
    board.card("installed", "2.0-abc")
    board.restart()
    board.version("2.0-abc")
    board.look()
    board.restart()
    board.version("1.0")
    board.offer()
    told = board.until(VersionStep.REFUSED)
    assert told is not None
    assert "went back" in told.why


def test_bytes_that_are_not_what_was_offered_are_not_handed_over(board: TestedBoard) -> None:
    board.server.misbehave = ["", "other bytes"]
    board.offer()
    board.taking.see(SLEEPS)
    told = board.until(VersionStep.REFUSED)
    assert told is not None
    assert told.why == "what came is not what was offered."
    board.look(50)
    assert len(board.server.asked) == 6
    assert not board.partial.exists()
    assert not board.received.exists()


def test_a_version_for_which_there_is_no_room_is_refused_before_it_is_fetched(
    board: TestedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearly_full = os.statvfs_result((4096, 4096, 1000, 999, 16_400, 1, 1, 1, 0, 255))
    with monkeypatch.context() as patch:
        patch.setattr(os, "statvfs", lambda _: nearly_full)
        board.offer()
        told = board.until(VersionStep.REFUSED)
        assert told is not None
        assert told.why.startswith("there is room for ")
    assert board.server.asked == []
    board.until(VersionStep.WAITING)


def test_what_is_no_offer_is_passed_over(board: TestedBoard) -> None:
    for payload in (b"nonsense", b"{}", pack_offer(replace(board.server.offer, url="http://127.0.0.1/reboot"))):
        board.taking.heard("", payload)
    board.look(3)
    assert board.told == []
    assert board.server.asked == []


# --- What goes wrong on the way ---------------------------------------------------------------------------------------


def test_a_hub_that_is_away_is_asked_again_less_and_less_often(board: TestedBoard) -> None:
    board.offer()
    board.server.misbehave = ["cut", "gone", "cut before", "busy", "gone", "endless"]
    waits = [board.look() for _ in range(6)]
    board.server.released.set()
    assert waits == [30, 60, 120, 240, 480, 960]
    assert len(board.said) == len(set(board.said))
    board.server.misbehave = ["gone"]
    board.offer()
    assert board.look() == 30, "a hub that says it again was away"
    board.until(VersionStep.WAITING)
    assert hash_of(board.partial) == SHA256


@pytest.mark.parametrize("looks", [1, 2, 4, 6])
def test_a_power_cut_in_the_middle_loses_what_was_not_synced_and_nothing_else(
    looks: int, board: TestedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "SYNC_BYTES", 2 * PART_BYTES)
    board.offer()
    board.look(looks)
    memory = json.loads(board.partial.with_name(TAKING_FILE).read_text(encoding="utf-8"))
    assert memory["have"] == (len(CONTENT) if looks == 6 else looks // 2 * 2 * PART_BYTES)
    # Of what was not synced the file system may have kept the length and not the content.
    torn = bytearray(board.partial.read_bytes())
    torn[memory["have"] :] = bytes(len(torn) - memory["have"])
    board.partial.write_bytes(torn)
    board.restart()
    board.offer()
    board.taking.see(SLEEPS)
    board.look(20)
    assert hash_of(board.received) == SHA256
    assert len(board.server.asked) == 6 + looks - memory["have"] // PART_BYTES - (looks == 6)


def test_a_power_cut_that_takes_the_file_begins_anew(board: TestedBoard) -> None:
    board.offer()
    board.look(6)
    board.partial.unlink()
    board.restart()
    board.hand_over()


def test_a_power_cut_while_the_card_installs_is_no_refusal(board: TestedBoard) -> None:
    board.hand_over()
    for time in range(1, MOST_HANDED):
        board.card("checking")
        board.restart()
        board.offer()
        board.taking.see(SLEEPS)
        assert board.look() > 0
        assert board.told[-1] == VersionTold(SHA256, VersionStep.INSTALLING, 100), "the card may still say why"
        board.now += SETTLE_SECONDS
        board.look(20)
        assert hash_of(board.received) == SHA256, time
    board.card("checking")
    board.restart()
    board.now += SETTLE_SECONDS
    told = board.until(VersionStep.REFUSED)
    assert told is not None
    assert "3 times" in told.why


def test_a_power_cut_before_the_card_has_it_hands_it_over_without_fetching_it_again(board: TestedBoard) -> None:
    board.hand_over()
    # The renaming did not come to the disk.
    board.received.rename(board.partial)
    asked = len(board.server.asked)
    board.restart()
    board.offer()
    board.taking.see(SLEEPS)
    board.now += SETTLE_SECONDS
    board.look(5)
    assert hash_of(board.received) == SHA256
    assert len(board.server.asked) == asked


def test_an_offer_that_is_taken_back_is_left_and_goes_on_where_it_was(board: TestedBoard) -> None:
    board.offer()
    board.look(3)
    board.withdraw()
    board.look(2)
    assert board.told[-1] is None
    assert len(board.server.asked) == 3
    board.offer()
    board.until(VersionStep.WAITING)
    assert len(board.server.asked) == 6
    board.withdraw()
    board.taking.see(SLEEPS)
    board.look(2)
    assert not board.received.exists()
    board.now += FORGET_SECONDS
    board.look()
    assert not board.partial.exists()


def test_another_version_takes_the_place_of_the_one_before(board: TestedBoard) -> None:
    other = CONTENT[::-1]
    board.offer()
    board.look(3)
    with serving_bundle(other, hashlib.sha256(other).hexdigest()) as server:
        board.offer(server.offer)
        board.taking.see(SLEEPS)
        board.look(9)
        assert hash_of(board.received) == server.sha256


def test_a_hub_that_offers_ever_new_versions_fills_nobodys_line(
    board: TestedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MOST_A_DAY", 4 * PART_BYTES)
    board.offer()
    began = board.now
    while len(board.server.asked) < 4:
        board.look()
    while len(board.server.asked) < 5:
        board.look()
    assert board.now - began >= DAY_SECONDS - 1_000
    assert sum(path.stat().st_size for path in board.partial.parent.iterdir()) < len(CONTENT) + 1_000


def test_an_update_by_hand_comes_first(board: TestedBoard) -> None:
    board.offer()
    board.taking.see(SLEEPS)
    board.look(2)
    by_hand: tuple[tuple[Callable[[], object], Callable[[], object]], ...] = (
        (lambda: board.updates.unfinished().touch(), lambda: board.updates.unfinished().unlink()),
        (lambda: board.card("checking"), lambda: board.card("none")),
        (lambda: board.card("installed", "1.5"), lambda: board.card("none")),
        (board.received.touch, lambda: board.card("refused", "not signed.")),
    )
    for begin, end in by_hand:
        begin()
        asked = len(board.server.asked)
        board.look(3)
        assert len(board.server.asked) == asked
        end()
    board.look(9)
    assert hash_of(board.received) == SHA256


def test_a_version_that_was_put_in_by_hand_is_not_fetched(board: TestedBoard) -> None:
    board.offer()
    board.look(3)
    board.version("2.0-abc")
    board.look(3)
    assert board.told[-1] is None
    assert not board.partial.exists()
    assert len(board.server.asked) == 3


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"sha256": 3}', '{"ended": []}', "{" * 90_000])
def test_a_memory_that_is_damaged_is_none(text: str, board: TestedBoard) -> None:
    board.offer()
    board.look(3)
    board.partial.with_name(TAKING_FILE).write_text(text, encoding="utf-8")
    board.restart()
    board.hand_over()


def test_the_thread_takes_a_version_by_itself(tmp_path: Path, server: BundleServer) -> None:
    for name in ("games", "run"):
        (tmp_path / name).mkdir()
    (tmp_path / "version").write_text("1.0\n", encoding="ascii")
    updates = CardUpdates(tmp_path / "games", tmp_path / "run", tmp_path / "version")
    told: list[VersionTold | None] = []
    installing = threading.Event()

    def tell(new: VersionTold | None) -> None:
        told.append(new)
        if new is not None and new.step is VersionStep.INSTALLING:
            installing.set()

    taking = VersionTaking(updates, tell, BundleFetch(), pace=0.0)
    taking.see(SLEEPS)
    taking.start()
    taking.heard("", pack_offer(server.offer))
    assert installing.wait(30)
    taking.close()
    assert hash_of(tmp_path / "games" / UPDATE_FOLDER / RECEIVED_UPDATE) == SHA256


def test_an_error_that_nobody_foresaw_is_told_once_and_the_version_is_taken_after_all(
    board: TestedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.offer()
    board.taking.see(SLEEPS)
    with monkeypatch.context() as broken:
        broken.setattr(versions, "_sha256_of", lambda _: 1 // 0)
        for _ in range(10):
            board.now += board.taking._looked()
    assert sum("ZeroDivisionError" in line for line in board.said) == 1
    board.hand_over()
