"""A hub's page at a real port, with boards that do what a test says. `python -m tests.hub.served` shows it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from quarto_pi.chain.messages import Ailment, Doing
from quarto_pi.hub.fleet import GRACE_SECONDS, ListedBoard
from quarto_pi.hub.page import ServedHub, hub_page
from quarto_pi.hub.rollout_desk import RolloutDesk
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.version_shelf import VersionShelf
from quarto_pi.hub.watch import Watch
from quarto_pi.web.service import PageServer
from quarto_pi.web.serving import address_of, listen
from tests.hub.boards import IDLE, PLAYS
from tests.hub.page_of_hub import CHOSEN, finished_game, people_in

HOUSES = ("Café Central", "Harbour", "Old Town")
POSITIONS = (
    "..../.5../..../...a 3",
    "0.../.7b./..3./...c 4",
    "..../..../..../.... 9",
    "1.e./.6../d..0/..a. -",
    "02../.46./..8a/.... c",
)
HOT = Ailment("temperature", "82 °C: the Pi slows itself down", "give it air, or a heat sink")


@dataclass(frozen=True)
class ServedFleet:
    """Where the page is, and the boards behind it."""

    address: str
    watch: Watch
    folder: Path
    rollouts: RolloutDesk
    password: str = CHOSEN


@contextmanager
def served_fleet(boards: int = 12, games: int = 14) -> Iterator[ServedFleet]:
    """The page of a hub with so many boards, which play, wait, sleep, are ill and are gone, and so many old games."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        listed = [
            ListedBoard(f"board-{number:02}", HOUSES[number % len(HOUSES)], ever_heard=True)
            for number in range(1, boards + 1)
        ]
        began = time.time()
        watch = Watch(listed, lambda: began)
        watch.recall([], 0)
        watch.link(linked=True)
        for number, board in enumerate(listed):
            _tell(watch, board.name, number)
        with open_store_with(folder, listed, games):
            pass
        _raise_alarms(watch, began)
        rollouts = RolloutDesk(watch, VersionShelf(folder), "https://hub.local:8050")
        hub = ServedHub(watch, people_in(folder), lambda: open_sqlite(folder / "hub.sqlite"), rollouts=rollouts)
        with listen("127.0.0.1", 0) as bound, PageServer(hub_page(hub), bound):
            yield ServedFleet(address_of(bound, "127.0.0.1"), watch, folder, rollouts)


@contextmanager
def open_store_with(folder: Path, listed: list[ListedBoard], games: int) -> Iterator[None]:
    """The database with finished games."""
    store = open_sqlite(folder / "hub.sqlite")
    for board in listed:
        store.put_board(board.name, board.house, 0)
    for number in range(1, games + 1):
        store.keep(finished_game(listed[number % len(listed)].name, number, 1.7e9 + number * 1_000))
    store.close()
    yield


def _tell(watch: Watch, name: str, number: int) -> None:
    kind = number % 6
    if kind == 5:
        return
    watch.presence(name, here=True)
    status = {
        0: replace(PLAYS, position=POSITIONS[number // 6 % 5], game=number + 1),
        1: replace(PLAYS, position=POSITIONS[(number // 6 + 1) % 5], game=number + 1, seats=("person", "person")),
        2: IDLE,
        3: replace(IDLE, doing=Doing.ASLEEP),
        4: replace(PLAYS, position=POSITIONS[3], ailments=(HOT,), game=number + 1, queued=3),
    }[kind]
    watch.status(name, replace(status, since=time.time() - 600))


def _raise_alarms(watch: Watch, began: float) -> None:
    """Have time pass until what is the matter has lasted long enough."""
    real = watch._clock
    for later in (GRACE_SECONDS, GRACE_SECONDS + 100):
        watch._clock = lambda moment=began + later: moment  # type: ignore[misc]
        watch.tick()
    watch._clock = real


def main() -> None:
    """Serve until Enter is pressed."""
    with served_fleet(60, 30) as fleet:
        input(f"{fleet.address} - anna, nora or otto, {fleet.password}; Enter ends it.\n")


if __name__ == "__main__":
    main()
