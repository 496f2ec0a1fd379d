"""The desk of a rollout: what boards are offered as they are seen, again after every start, and what stops it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from quarto_pi.chain.hub_messages import VersionOffer, bundle_path, read_offer
from quarto_pi.chain.messages import Ailment, BoardStatus, VersionStep, VersionTold
from quarto_pi.chain.topics import version_for
from quarto_pi.hub.alarms import HOLD_SECONDS, AlarmKind
from quarto_pi.hub.fleet import GRACE_SECONDS, ListedBoard
from quarto_pi.hub.rollout import ILL_SECONDS, WELL_SECONDS, BoardStep, RolloutRefused, RolloutStage, RolloutState
from quarto_pi.hub.rollout_desk import RolloutDesk, RolloutWish, versions_address
from quarto_pi.hub.settings import HubSettings
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.tables import SqlStore
from quarto_pi.hub.version_shelf import ShelvedVersion, VersionShelf
from quarto_pi.hub.watch import Watch
from tests.hub.boards import IDLE
from tests.hub.bundle_making import good_bundle, publisher_in

BOARDS = ("north-1", "north-2", "south-1")
OLD = replace(IDLE, card="1.0")
NEW = replace(IDLE, card="2.0-abc")
BY_HAND = "by-hand"


@dataclass
class RunningDesk:
    """A hub that can be started again, with boards that tell what they are told to tell."""

    folder: Path
    version: ShelvedVersion
    now: float = 1_000.0
    sent: list[tuple[str, VersionOffer | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stack = ExitStack()
        self.start()

    def close(self) -> None:
        """The hub ends."""
        self._stack.close()

    def start(self) -> None:
        """The hub starts, and hears its boards."""
        self.open()
        listed = [ListedBoard(name, "house", ever_heard=True) for name in (*BOARDS, BY_HAND)]
        self.watch = Watch(listed, lambda: self.now)
        self.watch.recall([], 0)
        shelf = VersionShelf(self.folder)
        self.desk = RolloutDesk(self.watch, shelf, "https://hub.local:8050", lambda: self.now)
        self.desk.send_by(self.send)
        self.link()

    def open(self) -> None:
        """Its database is opened, and is none that was open before."""
        self.close()
        self.store: SqlStore = self._stack.enter_context(closing(open_sqlite(self.folder / "hub.sqlite")))

    def send(self, topic: str, payload: bytes, *, is_retained: bool = False) -> None:
        assert is_retained
        self.sent.append((topic, read_offer(payload)))

    def link(self) -> None:
        """The hub comes to its broker, and its boards have had their time."""
        self.watch.link(linked=True)
        for name in BOARDS:
            self.tell(name, OLD)
        self.tell(BY_HAND, IDLE)
        self.now += GRACE_SECONDS

    def tell(self, name: str, status: BoardStatus) -> None:
        self.watch.presence(name, here=True)
        self.watch.status(name, status)

    def look(self, later: float = 1.0) -> None:
        self.now += later
        self.desk.look(self.store)
        self.watch.tick()

    def begin(self, *boards: str, first: str = "") -> None:
        self.desk.begin(self.store, RolloutWish(self.version.sha256, boards, first), "anna")

    def step(self, name: str) -> BoardStep:
        kept = self.desk.kept
        assert kept is not None
        return kept.rollout.boards[name].step

    @property
    def state(self) -> tuple[RolloutState, RolloutStage]:
        kept = self.desk.kept
        assert kept is not None
        return kept.rollout.state, kept.rollout.stage

    def told(self, name: str) -> list[VersionOffer | None]:
        return [offer for topic, offer in self.sent if topic == version_for(name)]

    def get_well(self, name: str) -> None:
        """A board takes the version, and is well with it."""
        self.tell(name, NEW)
        self.look()
        self.look(WELL_SECONDS)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return good_bundle(publisher_in(tmp_path_factory.mktemp("publisher")))


@pytest.fixture
def hub(tmp_path: Path, bundle: bytes) -> Iterator[RunningDesk]:
    version = VersionShelf(tmp_path).put(io.BytesIO(bundle), "anna", 1.0)
    running = RunningDesk(tmp_path, version)
    yield running
    running.close()


def test_one_board_is_offered_it_then_another_then_all_that_run_from_a_card(hub: RunningDesk) -> None:
    hub.look()
    assert hub.sent == []
    hub.begin(first="south-1")
    url = f"https://hub.local:8050{bundle_path(hub.version.sha256)}"
    assert hub.told("south-1") == [VersionOffer("2.0-abc", hub.version.sha256, hub.version.size, url)]
    assert hub.told("north-1") == hub.told("north-2") == [None], "what a broker may have of an earlier one"
    assert hub.told(BY_HAND) == []
    hub.get_well("south-1")
    assert hub.state == (RolloutState.RUNNING, RolloutStage.ALL)
    assert hub.step("south-1") is BoardStep.WELL
    assert hub.told("south-1")[-1] is None
    assert hub.told("north-1")[-1] == hub.told("north-2")[-1] == hub.told("south-1")[0]
    for name in ("north-1", "north-2"):
        hub.get_well(name)
    assert hub.state[1] is RolloutStage.DONE
    assert hub.desk.serves(hub.version.sha256) is None
    assert not any(hub.watch.alarms())


def test_how_far_a_board_is_with_this_bundle_is_seen_and_with_another_one_is_not(hub: RunningDesk) -> None:
    hub.begin()
    told = VersionTold(hub.version.sha256, VersionStep.FETCHING, 40)
    hub.tell("north-1", replace(OLD, offered=replace(told, sha256="cd" * 32, step=VersionStep.REFUSED)))
    hub.look()
    assert hub.step("north-1") is BoardStep.OFFERED
    for step, seen in (
        (VersionStep.FETCHING, BoardStep.FETCHING),
        (VersionStep.WAITING, BoardStep.READY),
        (VersionStep.INSTALLING, BoardStep.TAKING),
    ):
        hub.tell("north-1", replace(OLD, offered=replace(told, step=step)))
        hub.look()
        assert hub.step("north-1") is seen
        assert hub.desk.counts()[seen] == 1


def test_a_board_that_refuses_stops_it_and_raises_one_alarm_that_says_why(hub: RunningDesk) -> None:
    hub.begin()
    refused = VersionTold(hub.version.sha256, VersionStep.REFUSED, 100, "the signature is somebody else's.")
    hub.tell("north-1", replace(OLD, offered=refused))
    for _ in range(5):
        hub.look(HOLD_SECONDS)
    (alarm,) = hub.watch.alarms()
    assert alarm.cause.kind is AlarmKind.ROLLOUT
    assert alarm.detail == ("version 2.0-abc is offered to no more boards: north-1: the signature is somebody else's.")
    assert hub.state[0] is RolloutState.STOPPED
    assert hub.told("north-1")[-1] is None
    assert hub.desk.serves(hub.version.sha256) is None


def test_a_board_that_gets_ill_with_it_stops_it_and_a_board_that_was_ill_before_does_not(hub: RunningDesk) -> None:
    hot = Ailment("temperature", "82 degrees", "give it air")
    hub.tell("north-1", replace(OLD, ailments=(hot,)))
    hub.begin()
    hub.tell("north-1", replace(NEW, ailments=(hot,)))
    hub.look()
    hub.look(ILL_SECONDS)
    assert hub.state[0] is RolloutState.RUNNING
    hub.tell("north-1", replace(NEW, ailments=(hot, replace(hot, device="journal"))))
    hub.look()
    hub.look(ILL_SECONDS)
    kept = hub.desk.kept
    assert kept is not None
    assert (kept.rollout.state, kept.rollout.why) == (RolloutState.STOPPED, "north-1: it got ill: journal.")


def test_a_board_that_goes_back_by_itself_stops_it(hub: RunningDesk) -> None:
    hub.begin()
    hub.tell("north-1", NEW)
    hub.look()
    hub.tell("north-1", OLD)
    hub.look()
    assert (hub.step("north-1"), hub.state[0]) == (BoardStep.ILL, RolloutState.STOPPED)
    hub.desk.resume(hub.store)
    assert hub.told("north-2")[-1] is not None, "another one tries it first"
    assert hub.told("north-1")[-1] is None


def test_a_hub_that_is_killed_goes_on_where_it_was_and_says_it_all_again(hub: RunningDesk) -> None:
    hub.begin()
    hub.tell("north-1", NEW)
    hub.look()
    hub.sent.clear()
    hub.now += 10_000
    hub.start()
    hub.tell("north-1", NEW)
    hub.look()
    assert hub.step("north-1") is BoardStep.WELL
    assert hub.told("north-2")[-1] is not None
    assert hub.told("north-1") == [None]


def test_boards_are_not_lost_because_the_hub_was_away_and_has_not_heard_them_yet(hub: RunningDesk) -> None:
    hub.begin()
    hub.tell("north-1", replace(OLD, offered=VersionTold(hub.version.sha256, VersionStep.INSTALLING, 100)))
    hub.look()
    hub.watch.presence("north-1", here=False)
    hub.look()
    hub.now += 100_000
    hub.open()
    hub.watch = Watch([ListedBoard(name, "house", ever_heard=True) for name in BOARDS], lambda: hub.now)
    hub.desk = RolloutDesk(hub.watch, VersionShelf(hub.folder), "https://hub.local", lambda: hub.now)
    hub.desk.send_by(hub.send)
    hub.look()
    assert hub.step("north-1") is BoardStep.TAKING
    hub.link()
    hub.tell("north-1", NEW)
    hub.look()
    assert hub.step("north-1") is BoardStep.TRIED


def test_a_broker_that_was_started_again_is_told_again(hub: RunningDesk) -> None:
    hub.begin()
    hub.look()
    before = len(hub.sent)
    hub.watch.link(linked=False)
    hub.look()
    hub.now += 1
    hub.watch.link(linked=True)
    hub.look()
    assert hub.sent[before:] == hub.sent[:before]


def test_an_owner_stops_goes_on_and_abandons_and_no_alarm_is_raised(hub: RunningDesk) -> None:
    hub.begin()
    hub.desk.stop(hub.store, "anna")
    assert hub.told("north-1")[-1] is None
    hub.look(2 * HOLD_SECONDS)
    hub.look(2 * HOLD_SECONDS)
    assert hub.watch.alarms() == []
    hub.desk.resume(hub.store)
    assert hub.told("north-1")[-1] is not None
    hub.desk.abandon(hub.store, "anna")
    assert hub.told("north-1")[-1] is None
    with pytest.raises(RolloutRefused, match="over"):
        hub.desk.abandon(hub.store, "anna")
    hub.begin("north-2")
    assert hub.told("north-2")[-1] is not None


def test_a_board_whose_account_is_taken_away_is_waited_for_no_longer(hub: RunningDesk) -> None:
    hub.begin("north-1", "north-2")
    hub.get_well("north-1")
    hub.watch.list_boards([ListedBoard("north-1", "house", ever_heard=True)])
    hub.look()
    assert hub.state[1] is RolloutStage.DONE


def test_what_cannot_be_rolled_out_is_refused_in_a_sentence(hub: RunningDesk) -> None:
    for wish, said in (
        (RolloutWish("cd" * 32), "no such version"),
        (RolloutWish(hub.version.sha256, ("nobody",)), "no board 'nobody'"),
        (RolloutWish(hub.version.sha256, (BY_HAND,)), "by hand"),
        (RolloutWish(hub.version.sha256, ("north-1",), "north-2"), "none of the boards"),
    ):
        with pytest.raises(RolloutRefused, match=said):
            hub.desk.begin(hub.store, wish, "anna")
    with pytest.raises(RolloutRefused, match="no version is being rolled out"):
        hub.desk.stop(hub.store, "anna")
    with pytest.raises(RolloutRefused, match="no version is being rolled out"):
        hub.desk.resume(hub.store)
    hub.begin()
    with pytest.raises(RolloutRefused, match="abandon that first"):
        hub.begin()
    with pytest.raises(RolloutRefused, match="abandon that first"):
        hub.desk.remove(hub.store, hub.version.sha256)
    hub.desk.abandon(hub.store, "anna")
    assert hub.desk.remove(hub.store, hub.version.sha256)


def test_boards_have_to_be_able_to_reach_the_page(hub: RunningDesk) -> None:
    alone = RolloutDesk(hub.watch, VersionShelf(hub.folder))
    with pytest.raises(RolloutRefused, match="versions_at"):
        alone.begin(hub.store, RolloutWish(hub.version.sha256), "anna")


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (HubSettings(), ""),
        (HubSettings(page_host="0.0.0.0", page_port=0), ""),  # noqa: S104 - a setting
        (HubSettings(page_host="0.0.0.0", address="hub.lan"), "https://hub.lan:8050"),  # noqa: S104 - a setting
        (HubSettings(versions_at="https://boards.example.org"), "https://boards.example.org"),
    ],
)
def test_where_boards_fetch_versions_follows_from_the_settings(settings: HubSettings, address: str) -> None:
    assert versions_address(settings) == address
