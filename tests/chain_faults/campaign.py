"""One evening of a chain in which everything that can fail does, by a seed; and what the checker says to it."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any, Final

from tests.chain_faults.checker import Event, Evidence, FoundHub, HandMove, Table, faults_in
from tests.chain_faults.evidence import journal_in
from tests.chain_faults.house import STUMBLES, House, SharedBase
from tests.chain_faults.mosquitto import HOST
from tests.chain_faults.proxy import GOOD, Trouble
from tests.chain_faults.waiting import GUARD_SECONDS, Hangs, wait_a_little, wait_until
from tests.chain_faults.wording import Listened
from tests.hub.postgres import postgres_server
from tests.power.storage import Storage
from tests.power.tap import read_log

PATIENCE_SECONDS: Final = 700.0
"""Once nothing is wrong any more, all that was settled has to be at the hub within this: a board that was refused again
and again waits up to 450 seconds."""
EVERY_SECONDS: Final = (0.05, 0.6)
"""Between two things that go wrong."""
MOST_BETWEEN: Final = 15
"""So many actions are settled between two of them at most, or so many seconds pass."""
IDLE_SECONDS: Final = 4.0
PACE_SECONDS: Final = 0.01
MOST_DAYS: Final = 40.0
TABLE: Final = "tests.chain_faults.table"


class TableInHouse:
    """A board and its table: the process plays until it is killed, and what it has said is the table's."""

    def __init__(
        self,
        name: str,
        folder: Path,
        broker: str,
        seed: str,
        wrong: str = "",
        within: Sequence[str] = (),
        *,
        program: Sequence[str] = (TABLE, "--pace", f"{PACE_SECONDS}"),
    ) -> None:
        self.name = name
        self._program = program
        self._broker = broker
        self.seen = Table(name)
        self.ended = 0
        self.stuck: str | None = None
        self.folder = folder
        self._seed = seed
        self._tap: Path | None = None
        self._within = within
        self._wrong = ("--wrong", wrong) if wrong else ()
        self._lives = 0
        self._stumbles: Sequence[float] = (0.0,)
        self._haste: tuple[str, ...] = ()
        self.done: Counter[str] = Counter()
        self._standing: dict[str, str] = {}
        self._history = ""
        self._storage: Storage | None = None
        self._process: Listened | None = None

    def use(self, tap: Path | None = None, stumbles: Sequence[float] = (0.0,), *, is_hasty: bool = False) -> None:
        """From the next start on have this tap below it, and one of these shares of calls that fail by some error."""
        self._tap, self._stumbles, self._haste = tap, stumbles, ("--haste",) * is_hasty

    def start(self, draw: random.Random, *, plays: bool = True) -> None:
        """Plug it in; the calendar of a board that has just started may be days apart from any other's."""
        self._lives += 1
        standing = ",".join(f"{piece}:{cell}" for piece, cell in self._standing.items())
        days = draw.choice((0.0, 0.0, draw.uniform(-MOST_DAYS, MOST_DAYS)))
        environment: dict[str, str] = {}
        (self.folder / "journal").mkdir(exist_ok=True)
        if self._tap is not None and draw.random() < 0.5:
            # With the tap below it the next cut may take away what was not synced.
            self._storage, log = Storage(self.folder / "journal"), self.folder / "tap.log"
            log.write_bytes(b"")
            environment = {"LD_PRELOAD": f"{self._tap}", "TAP_FOLDER": f"{self.folder}/journal", "TAP_LOG": f"{log}"}
        self._process = Listened(
            self._program[0],
            *(f"{self.folder}", self.name, self._broker),
            *self._program[1:],
            *("--seed", f"{self._seed}-{self._lives}", "--standing", standing),
            *("--days", f"{days}", *([] if plays else ["--rests"])),
            *("--stumbles", f"{draw.choice(self._stumbles)}"),
            *(*self._haste, *self._wrong),
            hear=self._hear,
            log=self.folder / "log",
            environment=environment,
            within=self._within,
        )

    @property
    def plays(self) -> bool:
        """Whether it has come so far as to play since it was plugged in."""
        return self._process is not None and self._process.has_said("plays")

    @property
    def lives(self) -> bool:
        """Whether it is plugged in."""
        return self._process is not None

    def cut_power(self, draw: random.Random) -> str:
        """Pull its plug; what comes back is how much that took away."""
        assert self._process is not None
        self._process.kill()
        self._process = None
        if self._storage is None:
            return "power cut"
        storage, self._storage = self._storage, None
        for act in read_log(self.folder / "tap.log"):
            storage.do(act)
        journal = self.folder / "journal"
        shutil.rmtree(journal)
        journal.mkdir()
        for name, content in storage.after_cut(draw).items():
            (journal / name).write_bytes(content)
        return "power cut that takes what was not synced"

    @property
    def told(self) -> list[tuple[int, Event]]:
        """What people at it were told, of all its histories."""
        return [each for told in tuple(self.seen.told.values()) for each in told]

    def end(self) -> None:
        """Unplug it for good."""
        if self.lives:
            self.cut_power(random.Random(0))

    def rest(self, seconds: float = GUARD_SECONDS) -> None:
        """Have nobody play any more, while the board goes on telling; it is waited for, but not for 0 seconds."""
        assert self._process is not None
        self._process.ask(plays=False)
        if seconds:
            self._process.wait_for("rests", seconds)

    @property
    def rests(self) -> bool:
        """Whether it has come to rest."""
        return self._process is not None and self._process.last_said("rests") is True

    def _hear(self, said: dict[str, Any]) -> None:
        match said:
            case {"history": str(history)}:
                self._history = history
            case {"hand": [digit, letters, cell]}:
                self.seen.hands.append(HandMove(letters, cell))
                self._standing.pop(digit, None)
                if cell is not None:
                    self._standing[digit] = cell
            case {"told": [game, event]}:
                self.seen.told[self._history].append((game, event))
                self.ended += event["event"] == "result"
            case {"stuck": str(view)}:
                self.stuck = f"the game does not go on: {view}"
            case {"stumbled": str(name)}:
                self.done[f"error at {name} of a board"] += 1

    def look(self) -> None:
        """See whether it has ended by itself."""
        process = self._process
        if process is not None and process.process.poll() is not None:
            self.stuck = f"it has ended by itself: {process.words()}"


@dataclass
class Outcome:
    """What an evening came to."""

    seed: int
    faults: list[str]
    games: int = 0
    settled: int = 0
    kept: int = 0
    seconds: float = 0.0
    """Until all of it was at the hub, once nothing was wrong any more."""
    done: Counter[str] = field(default_factory=Counter)


class Evening:
    """Houses, their tables, and everything that goes wrong there; by default each has a database of its own."""

    def __init__(
        self, seed: int, houses: Mapping[House, Sequence[TableInHouse]], *, is_base_shared: bool = False
    ) -> None:
        self._draw = random.Random(seed)
        self._houses = houses
        self._is_base_shared = is_base_shared
        self._done: Counter[str] = Counter()
        self._back: dict[tuple[str, str], Callable[[], object]] = {}

    @property
    def _tables(self) -> list[TableInHouse]:
        return [table for tables in self._houses.values() for table in tables]

    def go_wrong(self) -> None:
        """Have one thing go wrong, or be put right again."""
        if self._back and self._draw.random() < 0.4:
            self._back.pop(self._draw.choice(sorted(self._back)))()
            return
        lines = (self.worsen_weather, self._split, self._cut_line)
        plugs = (self._cut_board, self._cut_board, self._kill_broker, self._kill_hub, self._kill_hub)
        house = self._draw.choice(tuple(self._houses))
        what = self._draw.choice((*lines, *plugs, self._take_base_away, self._trouble_hub))(house)
        if what is not None:
            self._done[what] += 1

    def calm(self, seconds: float = GUARD_SECONDS) -> None:
        """Put everything right, and have nobody play any more; that is waited for, but not for 0 seconds."""
        self.put_right()
        for table in self._tables:
            if not table.lives:
                table.start(self._draw)
            table.rest(seconds)

    def put_right(self) -> None:
        """Put everything right."""
        while self._back:
            self._back.popitem()[1]()
        for house in self._houses:
            house.proxy.heal()

    # --- What goes wrong ----------------------------------------------------------------------------------------------

    def worsen_weather(self, house: House) -> str:
        """Have a bad network, of another kind each time."""
        draw = self._draw
        house.proxy.trouble = Trouble(
            delayed=draw.choice((0.0, 0.1, 0.5)),
            longest_seconds=draw.choice((0.01, 0.1, 1.0)),
            repeated=draw.choice((0.0, 0.1, 0.5)),
            reordered=draw.choice((0.0, 0.1, 0.5)),
            cut=draw.choice((0.0, 0.0, 0.02, 0.1)),
        )
        self._back[house.name, "weather"] = lambda: setattr(house.proxy, "trouble", GOOD)
        return "bad network"

    def _names(self, house: House) -> list[str]:
        return ["hub", *(table.name for table in self._houses[house])]

    def _split(self, house: House) -> str:
        away = set(self._draw.sample(self._names(house), self._draw.randint(1, 2)))
        house.proxy.silence(away.__contains__)
        self._back[house.name, "split"] = lambda: house.proxy.silence(lambda _: False)
        return "network split"

    def _cut_line(self, house: House) -> str:
        name = self._draw.choice(self._names(house))
        house.proxy.cut(lambda client: client == name)
        return "line cut"

    def _cut_board(self, house: House) -> str | None:
        living = [table for table in self._houses[house] if table.plays]
        if not living:
            return None
        table = self._draw.choice(living)
        what = table.cut_power(self._draw)
        self._back[house.name, table.name] = lambda: table.start(self._draw)
        return what

    def _kill_broker(self, house: House) -> str | None:
        if (house.name, "broker") in self._back:
            return None
        house.broker.kill()
        self._back[house.name, "broker"] = house.start_broker
        return f"broker killed, {house.cut_base_of_broker(self._draw)}"

    def _kill_hub(self, house: House) -> str | None:
        if (house.name, "hub") in self._back:
            return None
        how = house.kill_hub(self._draw)
        self._back[house.name, "hub"] = house.revive_hub
        return how

    def _trouble_hub(self, house: House) -> str | None:
        if (house.name, "hub") in self._back:
            return None
        self._back[house.name, "hub"] = house.revive_hub
        return house.trouble_hub(self._draw)

    def _take_base_away(self, house: House) -> str | None:
        whose = "all" if self._is_base_shared else house.name
        if (whose, "base") in self._back:
            return None
        how, self._back[whose, "base"] = house.take_base_away(self._draw)
        return how

    @property
    def done(self) -> Counter[str]:
        """What has gone wrong so far."""
        found = sum((table.done for table in self._tables), self._done)
        for house in self._houses:
            messages = Counter({f"message {what}": count for what, count in house.proxy.done.items()})
            found = found + house.done + messages
        return found

    def stopped(self) -> list[str]:
        """What has come to an end that nothing may end."""
        for table in self._tables:
            table.look()
        died = [words for house in self._houses for words in house.died]
        return [*died, *(f"{table.name}: {table.stuck}" for table in self._tables if table.stuck)]


def evening_of(
    seed: int,
    games: int,
    folder: Path,
    *,
    boards: int = 3,
    base: str = "",
    tap: Path | None = None,
    hubs: int = 0,
    is_hasty: bool = False,
) -> Outcome:
    """Live through an evening until so many games have ended, put everything right, and compare.

    `base` is "sqlite" or "postgres", and there are one or two `hubs`; by default the seed decides. At a hasty one
    boards and hubs wait tenths of seconds before they try something again.
    """
    draw = random.Random(f"evening {seed}")
    names = [f"board-{number}" for number in range(1, boards + 1)]
    base = base or draw.choice(("sqlite", "postgres"))
    hubs = hubs or draw.choice((1, 1, 2))
    with ExitStack() as stack:
        houses = _houses(stack, folder, seed, names, base, hubs, is_hasty=is_hasty)
        for tables in houses.values():
            for table in tables:
                table.use(tap, (0.0, *STUMBLES), is_hasty=is_hasty)
                stack.callback(table.end)
        every = [table for tables in houses.values() for table in tables]
        for table in every:
            table.start(draw)
        evening = Evening(seed, houses, is_base_shared=hubs > 1 and base == "postgres")
        while sum(table.ended for table in every) < games:
            stuck = evening.stopped()
            if stuck:
                return Outcome(seed, stuck, done=evening.done)
            play_on(every, draw)
            evening.go_wrong()
        evening.calm()
        begin = time.monotonic()
        faults = compared(tuple(houses), every) + evening.stopped()
        seconds = time.monotonic() - begin
        told = sum(len(table.told) for table in every)
        kept = sum(len(hub.actions) for hub in _found(tuple(houses)))
        done = evening.done + Counter({f"evening with {hubs} hub{'s' * (hubs > 1)} and {base}": 1})
        return Outcome(seed, faults, sum(table.ended for table in every), told, kept, seconds, done)


def _houses(
    stack: ExitStack, folder: Path, seed: int, names: Sequence[str], base: str, hubs: int, *, is_hasty: bool
) -> dict[House, list[TableInHouse]]:
    """One hub for all boards, or one for each house, with the boards that stand there."""
    shared = None
    if hubs > 1 and base == "postgres":
        server = stack.enter_context(postgres_server())
        shared = SharedBase(server, server.database())
    houses: dict[House, list[TableInHouse]] = {}
    for number in range(hubs):
        own = names[number::hubs]
        place = folder / f"house-{number}"
        house = stack.enter_context(House(place, seed * hubs + number, own, base, shared=shared, is_hasty=is_hasty))
        broker = f"{HOST}:{house.proxy.port}"
        houses[house] = [TableInHouse(name, house.folder_of(name), broker, f"{seed}-{name}") for name in own]
    return houses


def play_on(tables: Sequence[TableInHouse], draw: random.Random) -> None:
    """Let a little be played before the next thing goes wrong: on a slow machine it takes longer to be plugged in."""
    told, wanted = sum(len(table.told) for table in tables), draw.randint(0, MOST_BETWEEN)
    wait_a_little(draw.uniform(*EVERY_SECONDS))
    with suppress(Hangs):
        wait_until("more is told", lambda: sum(len(table.told) for table in tables) >= told + wanted, IDLE_SECONDS)


def compared(
    houses: Sequence[House],
    tables: Sequence[TableInHouse],
    patience: float = PATIENCE_SECONDS,
    *,
    compare: Callable[[Evidence], list[str]] = faults_in,
) -> list[str]:
    """What is still wrong once there has been time enough to put it right."""
    found = ["nothing was compared"]

    def is_right() -> bool:
        # A journal is read while its board lives, and may be busy.
        with suppress(OperationalError):
            journals = [journal_in(table.name, table.folder / "journal" / "journal.sqlite") for table in tables]
            found[:] = compare(Evidence([table.seen for table in tables], journals, _found(houses)))
        return not found

    with suppress(Hangs):
        wait_until("everything is at the hub", is_right, patience)
    alarms = sorted({alarm for house in houses for alarm in house.alarms()})
    return found + [f"{name} raised an alarm: {what}" for name, what in alarms]


def _found(houses: Sequence[House]) -> list[FoundHub]:
    """What the databases of these houses have; one that they share is looked at once."""
    bases = {house.base: house for house in houses}
    return [found for house in bases.values() for found in house.found()]
