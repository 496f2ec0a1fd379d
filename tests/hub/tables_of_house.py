"""A tournament at the boards of a house, with the database that the games come to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from quarto_pi.chain.messages import BoardStatus, Doing
from quarto_pi.hub.board_post import TournamentPost
from quarto_pi.hub.fleet import ListedBoard
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.store import HubStore, ReceivedAction
from quarto_pi.hub.tournament_desk import TournamentDesk
from quarto_pi.hub.watch import Watch
from quarto_pi.tournament import Announced, Decision, PairingSystem, PlayerEntered, TablesSet, Tournament
from tests.hub.page_of_hub import ALIGNED, Clock, finished_game

HISTORY = "a1b2c3"
READY = BoardStatus("1.0", HISTORY, Doing.WAITING, seats=("person", "person"))
BOARDS = {"north-1": "north", "north-2": "north", "south-1": "south"}


@dataclass
class HouseTables:
    """A house with two boards, and what is decided and played there."""

    store: HubStore
    watch: Watch
    clock: Clock
    desk: TournamentDesk
    post: TournamentPost
    sent: list[tuple[str, bytes, bool]] = field(default_factory=list)
    number: int = 0

    def board_is_here(self, board: str, game: int = 0, history: str = HISTORY) -> None:
        self.watch.presence(board, here=True)
        self.watch.status(board, replace(READY, game=game, history=history))

    def begin(self, players: int, system: PairingSystem = PairingSystem.ROUND_ROBIN, best_of: int = 1) -> None:
        self.number = self.desk.begin(self.store, "north", Announced("Friday", system, best_of, 3), "nora")
        self.decide(*(PlayerEntered(f"P{number}") for number in range(1, players + 1)))

    def decide(self, *decisions: Decision) -> Tournament:
        return self.desk.decide(self.store, self.number, "nora", lambda _: list(decisions))

    def start(self, *tables: str) -> Tournament:
        self.decide(TablesSet(tables))
        return self.desk.draw(self.store, self.number, "nora")

    @property
    def now(self) -> Tournament:
        found = self.desk.find(self.store, self.number)
        assert found is not None
        return found.tournament

    def play(
        self, board: str, game: int, *, history: str = HISTORY, seats: tuple[str, str] = ("human", "human")
    ) -> None:
        """A game that player 1 wins is settled at a board, and looked at."""
        self.clock.now += 100
        actions = [
            ReceivedAction(
                each.board,
                replace(
                    each.action,
                    history=history,
                    event={**each.action.event, "players": list(seats)}
                    if each.action.number == 1
                    else each.action.event,
                ),
                each.at,
            )
            for each in finished_game(board, game, self.clock.now, ALIGNED)
        ]
        self.store.keep(actions)
        self.desk.look(self.store)

    def look(self) -> None:
        self.post.look(self.store)

    def _send(self, topic: str, payload: bytes, *, is_retained: bool = False) -> None:
        self.sent.append((topic, payload, is_retained))


@contextmanager
def house_tables(folder: Path) -> Iterator[HouseTables]:
    """The house of north-1 and north-2, at the broker."""
    clock = Clock()
    watch = Watch([ListedBoard(*each, ever_heard=True) for each in BOARDS.items()], clock)
    watch.recall([], 0)
    watch.link(linked=True)
    store = open_sqlite(folder / "hub.sqlite")
    desk = TournamentDesk(watch, clock)
    house = HouseTables(store, watch, clock, desk, TournamentPost(desk, watch))
    house.post.send_by(house._send)
    for board, its in BOARDS.items():
        store.put_board(board, its, 0)
    yield house
    store.close()
