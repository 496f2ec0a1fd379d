"""What a hub keeps, what every database of it can do (two pass the same tests), and how the page asks one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final, Protocol, TypeVar

from quarto_pi.chain.messages import SettledAction
from quarto_pi.hub.alarm_table import AlarmTable
from quarto_pi.hub.rollout_table import RolloutTable
from quarto_pi.hub.settings import HubFailure, HubSettings
from quarto_pi.hub.tournament_table import TournamentTable
from quarto_pi.web.wishes import RefusalReason, Refused

STORE_FILE: Final = "hub.sqlite"
MOST_IN_BATCH: Final = 200
"""So many actions are kept in one transaction at most."""
MOST_IN_PAGE: Final = 500
"""So many games are read at once at most."""


class StoreAway(HubFailure):
    """The database does not answer, or refuses; nothing of what was asked for has been done."""


class StoreRefused(HubFailure):
    """A database that this hub cannot use at all; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class ReceivedAction:
    """A settled action of a board, and when it came to the hub, in seconds since 1970."""

    board: str
    action: SettledAction
    at: float


@dataclass(frozen=True, slots=True)
class KeptActions:
    """What is kept of one history of a board after a batch.

    `through` has, for each of the batch's games, the number up to which all actions are there; `missing` games with a
    gap, and the first number that is missing. `new` are the actions that were not there, in their order, and `troubles`
    what is the matter with any of the batch's, as sentences.
    """

    board: str
    history: str
    through: tuple[tuple[int, int], ...]
    missing: tuple[tuple[int, int], ...]
    new: tuple[SettledAction, ...]
    troubles: tuple[str, ...] = ()

    @property
    def fresh(self) -> int:
        """How many actions were new."""
        return len(self.new)


@dataclass(frozen=True, slots=True)
class ChainBoard:
    """A board that has, or had, an account: its house, and when it was added and taken away."""

    name: str
    house: str
    added: float
    revoked: float | None = None


GameKey = tuple[str, str, int]
"""What a game is known by: its board, the history that it stands in, its number there."""


@dataclass(frozen=True, slots=True)
class ChainGame:
    """A game of a chain as its actions tell it, by the rules.

    `begun` and `ended` are seconds since 1970 by the board's clock, None where it did not know; `received` is when its
    first action came. `through` is the number up to which its actions are there without a gap, `highest` that of the
    last one that came. `fault` is the first thing about it that cannot be. `other` is the board that it was played
    with, once that has told of it as well: both records are one game.
    """

    board: str
    house: str
    history: str
    game: int
    received: float
    begun: float | None
    ended: float | None
    is_over: bool
    seats: tuple[str, ...]
    winner: int | None
    reason: str | None
    moves: int
    missed: int
    undone: int
    false_calls: int
    position: str
    through: int
    highest: int
    fault: str | None
    other: str | None = None

    @property
    def key(self) -> GameKey:
        """What it is known by."""
        return self.board, self.history, self.game

    @property
    def seconds(self) -> float | None:
        """How long it took, where the board knew."""
        known = self.begun is not None and self.ended is not None
        return max(0.0, self.ended - self.begun) if known and self.ended and self.begun else None


GamePlace = tuple[float, str, str, int]
"""Where a game stands in the order of all: when its first action came, and its key."""


def place_of_game(game: ChainGame) -> GamePlace:
    """Where a game stands, to ask for those that came before it."""
    return game.received, game.board, game.history, game.game


@dataclass(frozen=True, slots=True)
class GameSearch:
    """Which games are asked for; what is None does not matter. The newest come first.

    A game between two boards is one, unless `board` asks for those of one of them: then that one's record of it.

    `since` and `until` are the moments when their first action came; `live` is whether they go on now, `before` the
    place of the last one of the page before.
    """

    house: str | None = None
    board: str | None = None
    since: float | None = None
    until: float | None = None
    live: bool | None = None
    faulty: bool | None = None
    before: GamePlace | None = None
    most: int = 50


@dataclass(frozen=True, slots=True)
class BoardFigures:
    """What was played at one board: counts over its games, and times where they are known.

    Over all boards of a house `board` is empty, and so is `house` over all houses: there a game between two boards
    counts once.
    """

    house: str
    board: str
    games: int
    won_by_call: int
    won_by_auto: int
    won_by_forfeit: int
    draws: int
    unfinished: int
    first_won: int
    second_won: int
    against_computer: int
    moves: int
    missed: int
    undone: int
    false_calls: int
    seconds: float
    timed_games: int
    last_played: float


class CountedBy(Enum):
    """Over what is counted: each board, each house, or all that was asked for."""

    BOARD = "board"
    HOUSE = "house"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class KeptAlarm:
    """Something that is the matter: told once, and counted while it goes on.

    `board` is empty for the hub itself; `kind` is one word, and `text` the sentence that came last. `ended_by` is who
    has put it aside, empty where it was over by itself.
    """

    board: str
    kind: str
    text: str
    first: float
    last: float
    times: int
    ended: float | None = None
    ended_by: str = ""


class HubStore(Protocol):
    """The database of a hub, for one thread; whatever fails on the way raises `StoreAway` and has changed nothing."""

    @property
    def epoch(self) -> str:
        """What this database is known by: a new one has another one."""

    @property
    def watched(self) -> AlarmTable:
        """What the watch over all boards keeps."""

    @property
    def tournaments(self) -> TournamentTable:
        """Tournaments, and who may watch without being logged in."""

    @property
    def rollouts(self) -> RolloutTable:
        """Versions on their way to boards."""

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        """Keep actions, and what follows from them, in one transaction: it is on disk when this returns."""

    def try_writing(self) -> None:
        """Write something that changes nothing."""

    def put_board(self, name: str, house: str | None, at: float) -> ChainBoard:
        """A board that has an account, with its house; None leaves the house as it is."""

    def revoke_board(self, name: str, at: float) -> bool:
        """Note that a board has no account any more; whether it is known at all."""

    def boards(self) -> list[ChainBoard]:
        """All boards that there ever were, by name."""

    def games(self, search: GameSearch) -> list[ChainGame]:
        """The games that are asked for, the newest first."""

    def game(self, key: GameKey) -> ChainGame | None:
        """One game."""

    def actions(self, key: GameKey) -> list[SettledAction]:
        """All actions of a game that are there, in their order."""

    def figures(self, search: GameSearch, by: CountedBy = CountedBy.BOARD) -> list[BoardFigures]:
        """What was played, board by board, or over more; `live`, `before` and `most` do not matter."""

    def raise_alarm(self, board: str, kind: str, text: str, at: float) -> bool:
        """Note that something is the matter; whether this was not so before."""

    def end_alarm(self, board: str, kind: str, at: float, by: str = "") -> bool:
        """Note that something is the matter no more, or who has put it aside; whether it was before."""

    def alarms(self, *, ended: bool = False, most: int = 200) -> list[KeptAlarm]:
        """What is the matter, the newest first; with what was the matter once."""

    def close(self) -> None:
        """Let go of the database."""


def all_games(store: HubStore, search: GameSearch) -> Iterator[ChainGame]:
    """All games that are asked for, the newest first, page by page: none holds the database up, or fills the memory."""
    page = replace(search, most=MOST_IN_PAGE)
    while True:
        games = store.games(page)
        yield from games
        if len(games) < MOST_IN_PAGE:
            return
        page = replace(page, before=place_of_game(games[-1]))


def open_store(folder: Path, settings: HubSettings) -> HubStore:
    """The database that the settings name, brought up to date; each thread opens its own."""
    if settings.database:
        from quarto_pi.hub.postgres import open_postgres

        return open_postgres(settings.database)
    from quarto_pi.hub.sqlite import make_private, open_sqlite

    make_private(folder / STORE_FILE)
    return open_sqlite(folder / STORE_FILE)


# --- The database as the page asks it: in a thread of its own, opened anew where it has gone away ---------------------

MOST_QUESTIONS: Final = 50
"""So many wait for the database at most; a page that asks again finds it answering."""

_T = TypeVar("_T")

OpenStore = Callable[[], HubStore]


class PageStore:
    """One connection and one thread for all pages: what they ask never holds up what boards send."""

    def __init__(self, open_store: OpenStore) -> None:
        self._open = open_store
        self._store: HubStore | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="page-store")
        self._waiting = 0

    async def ask(self, question: Callable[[HubStore], _T]) -> _T:
        """The answer to a question; `Refused` where the database is away, or asked too much."""
        if self._waiting >= MOST_QUESTIONS:
            raise Refused(503, "the hub is asked much just now: try again in a moment.", RefusalReason.BUSY)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._asked, question)
        except StoreAway as error:
            raise Refused(503, str(error), RefusalReason.BUSY) from error
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Let go of the database."""
        self._thread.submit(self._let_go)
        self._thread.shutdown()

    def _asked(self, question: Callable[[HubStore], _T]) -> _T:
        if self._store is None:
            self._store = self._open()
        try:
            return question(self._store)
        except StoreAway:
            self._let_go()
            raise

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()
