"""A hub's page for tests: boards that tell what they are told to tell, people with known passwords, a real database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.testclient import TestClient

from quarto_pi.hub.fleet import ListedBoard
from quarto_pi.hub.page import ServedHub, hub_page
from quarto_pi.hub.people import PEOPLE_FILE, PeopleFile, Role
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.store import HubStore, ReceivedAction
from quarto_pi.hub.watch import Watch
from tests.hub.boards import ILL, PLAYS, settled

CHOSEN = "correct horse"
FEW_ROUNDS = 2
"""Passwords that take no time: they are nobody's."""
BOARDS = {"north-1": "north", "north-2": "north", "south-1": "south"}
ALIGNED = ("LTRF a1", "LTQF b1", "LSRF c1", "DTRF d1")
"""Four placements that complete a row whose pieces share their tops."""


@dataclass
class Clock:
    """A clock to be moved."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class TestedHub:
    """A hub's page, who may use it, and a clock to be moved."""

    __test__ = False

    client: TestClient
    watch: Watch
    people: PeopleFile
    folder: Path
    clock: Clock

    @property
    def now(self) -> float:
        return self.clock.now

    @now.setter
    def now(self, moment: float) -> None:
        self.clock.now = moment

    def log_in(self, name: str, password: str = CHOSEN) -> int:
        self.client.cookies.clear()
        return self.client.post("/api/v1/session", json={"name": name, "password": password}).status_code

    def read(self, path: str) -> Any:  # noqa: ANN401 - whatever is answered
        answer = self.client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def status(self, path: str) -> int:
        return self.client.get(f"/api/v1/{path}").status_code

    def post(self, path: str, body: dict[str, object] | None = None, **headers: str) -> int:
        return self.client.post(f"/api/v1/{path}", json=body or {}, headers=headers).status_code


def finished_game(board: str, number: int, at: float, moves: tuple[str, ...] = ALIGNED) -> list[ReceivedAction]:
    """All actions of a game that ended by a call of who placed last."""
    events: list[dict[str, object]] = [{"event": "begun", "rules": {}, "players": ["human", "ai 3"], "starter": 0}]
    player = 0
    stands: dict[str, str] = {}
    for move in moves:
        piece, square = move.split()
        events.append({"event": "given", "piece": piece, "by": player})
        player = 1 - player
        events.append({"event": "placed", "square": square, "piece": piece, "player": player})
        stands[square] = piece
    lines = [{"squares": ["a1", "b1", "c1", "d1"], "traits": ["top"]}]
    events.append({"event": "called", "player": player, "valid": True, "alignments": lines})
    numbers = "".join(f"{_number(stands[f'{column}1']):x}" for column in "abcd")
    position = f"..../..../..../{numbers} -"
    events.append({"event": "result", "winner": player, "reason": "call", "position": position, "alignments": lines})
    return [
        ReceivedAction(board, replace(settled(index, "", game=number), at=at + index, event=event), at + index)
        for index, event in enumerate(events, 1)
    ]


def _number(letters: str) -> int:
    return sum(bit for letter, bit in zip(letters, (8, 4, 2, 1), strict=True) if letter in "DSQH")


def people_in(folder: Path) -> PeopleFile:
    """An owner, somebody of a house and an onlooker, all with the same password."""
    (folder / PEOPLE_FILE).write_bytes(_people())
    return PeopleFile(folder, FEW_ROUNDS)


@cache
def _people() -> bytes:
    with TemporaryDirectory() as folder:
        people = PeopleFile(Path(folder), FEW_ROUNDS)
        for name, role, house in (("anna", Role.OWNER, ""), ("nora", Role.HOUSE, "north"), ("otto", Role.ONLOOKER, "")):
            people.add(name, role, house, CHOSEN)
        return (Path(folder) / PEOPLE_FILE).read_bytes()


@contextmanager
def served_hub(
    folder: Path,
    address: str = "192.168.1.7",
    open_store: Callable[[], HubStore] | None = None,
    **more: Any,  # noqa: ANN401 - whatever a hub may be
) -> Iterator[TestedHub]:
    """A hub's page as somebody at this address sees it."""
    clock = Clock()
    watch = Watch([ListedBoard(*each, ever_heard=True) for each in BOARDS.items()], clock)
    watch.recall([], 0)
    people = people_in(folder)
    page = hub_page(ServedHub(watch, people, open_store or (lambda: open_sqlite(folder / "hub.sqlite")), **more), clock)
    with TestClient(page, base_url="http://192.168.1.1:8050", client=(address, 4_000)) as client:
        hub = TestedHub(client, watch, people, folder, clock)
        yield hub


def tell_some(watch: Watch) -> None:
    """One board plays, one is ill, one is gone."""
    watch.link(linked=True)
    watch.presence("north-1", here=True)
    watch.status("north-1", PLAYS)
    watch.presence("south-1", here=True)
    watch.status("south-1", ILL)
