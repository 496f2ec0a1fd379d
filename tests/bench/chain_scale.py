"""How far a chain goes: 10, 100 and 1,000 boards that play, at a real Mosquitto and one hub; then two hubs.

Broker, hub and PostgreSQL are started here, the hub as everybody starts it, with TLS. Boards are the real client above
journals in memory, because a thousand boards have a thousand cards, and this machine one disk. A board settles
something every three seconds, which is what two fast players do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from quarto_pi.hub.accounts import add_board_account, certificates_for
from quarto_pi.hub.settings import settings_in
from quarto_pi.hub.store import open_store
from tests.bench.chain_boards import MOST_BOARDS
from tests.bench.measure import table
from tests.bench.processes import Taken, Watched
from tests.chain_faults.wording import Listened
from tests.hub.postgres import PostgresServer, postgres_server
from tests.ports import free_port

PACE_SECONDS = 3.0
MEASURED_SECONDS = 20.0
WARM_UP_PACES = 3.0
"""All tables begin within so many beats, and are measured after that."""
PACES_SECONDS = (2.0, 1.5, 1.0)
PATIENCE_SECONDS = 120.0
OUTAGE_SECONDS = 30.0
OUTAGE_ACTIONS = 40
"""So many are settled at each board while there is no hub: two minutes of a game."""
SERVERS, TABLES = 10, 5
"""Priorities: the boards stand for a thousand other computers, which would not take the hub's time."""
JOURNALS = Path("/dev/shm")  # noqa: S108 - memory, in folders of our own


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run came to: seconds are milliseconds here, CPU shares of one core."""

    boards: int
    rate: float
    took: list[float]
    letters: list[float]
    left: int
    broker: Taken
    hub: Taken
    base: Taken | None
    clients: float

    @property
    def row(self) -> list[str]:
        """A line of the table."""
        cpu = [f"{100 * each.cpu:.1f} %" for each in (self.broker, self.hub)]
        memory = [f"{each.megabytes:.0f}" for each in (self.broker, self.hub)]
        base = ("-", "-") if self.base is None else (f"{100 * self.base.cpu:.1f} %", f"{self.base.megabytes:.0f}")
        times = [f"{at_share(values, share):.0f}" for values in (self.took, self.letters) for share in (0.5, 0.99)]
        return [
            f"{self.boards:,}",
            f"{self.rate:.0f}",
            *times,
            cpu[0],
            memory[0],
            cpu[1],
            memory[1],
            *base,
            f"{100 * self.clients:.0f} %",
        ]


HEADER = (
    *("boards", "actions/s", "hub p50 ms", "p99", "board p50 ms", "p99"),
    *("broker CPU", "MB", "hub CPU", "MB", "base CPU", "MB", "all boards CPU"),
)


def at_share(values: Sequence[float], share: float) -> float:
    """What that share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def run() -> None:
    """Measure it."""
    print(f"Load before it begins: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {_priority_said()}.")
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server())
        _put_first(server.pid, SERVERS)
        rows = [_one_hub(boards, server).row for boards in (10, 100, 1_000)]
        table("One hub with PostgreSQL", HEADER, rows)
        table("One hub with SQLite", HEADER, [_one_hub(1_000, None).row])
        table("Faster tables: how often each board settles something", ("every", *HEADER), _faster(server))
        table("Two hubs, each with a broker and half of the boards, and one PostgreSQL", HEADER, _two_hubs(server))
        table("The hub comes back, and what has waited is sent", *_after_outage(server))


# --- One run ----------------------------------------------------------------------------------------------------------


def _one_hub(boards: int, server: PostgresServer | None, pace: float = PACE_SECONDS) -> Figures:
    with _house(boards, server) as house:
        return house.played(pace)


def _faster(server: PostgresServer) -> list[list[str]]:
    with _house(1_000, server) as house:
        return [[f"{pace:.2f} s", *house.played(pace).row] for pace in PACES_SECONDS]


def _two_hubs(server: PostgresServer) -> list[list[str]]:
    """The same boards at two hubs, by a hash of their names, as two houses would be."""
    with _house(1_000, server, hubs=2) as house:
        return [house.played(PACE_SECONDS).row]


def _after_outage(server: PostgresServer) -> tuple[Sequence[str], list[list[str]]]:
    header = ("hubs", "boards", "actions that waited", "seconds", "actions/s", "hubs' and brokers' CPU", "left")
    rows = []
    for hubs in (1, 2):
        with _house(1_000, server, hubs, begins=False) as house:
            rows.append([f"{hubs}", *house.caught_up()])
    return header, rows


class BenchHouse:
    """Hubs with brokers of their own, and processes full of boards."""

    def __init__(
        self, hubs: list[Path], boards: list[Listened], counts: list[int], server: PostgresServer | None
    ) -> None:
        self._hubs, self._boards, self._counts, self._server = hubs, boards, counts, server
        self.processes: list[subprocess.Popen[bytes]] = []

    def start_hubs(self) -> None:
        """Start them, as everybody does."""
        for folder in self._hubs:
            command = [*_priority(SERVERS), sys.executable, "-m", "quarto_pi", "hub", "start", "--folder", f"{folder}"]
            with (folder / "log").open("ab") as log:
                self.processes.append(subprocess.Popen(command, stderr=log))  # noqa: S603 - our own

    def played(self, pace: float) -> Figures:
        """Play for a while, and watch."""
        warm_up = WARM_UP_PACES * pace
        for boards in self._boards:
            boards.forget("settled")
            boards.ask(pace=pace, warm_up=warm_up, seconds=MEASURED_SECONDS)
        time.sleep(warm_up)
        brokers = [Watched(int((folder / "broker.pid").read_text(encoding="ascii"))) for folder in self._hubs]
        hubs = [Watched(process.pid) for process in self.processes]
        base = None if self._server is None else Watched(self._server.pid)
        clients = [Watched(boards.process.pid) for boards in self._boards]
        time.sleep(MEASURED_SECONDS)
        taken = [_sum(each) for each in (brokers, hubs, clients)]
        taken_by_base = None if base is None else base.taken()
        settled = [boards.wait_for("settled", 2 * MEASURED_SECONDS) for boards in self._boards]
        took = [value for boards in self._boards for value in boards.wait_for("took")]
        letters = [value for boards in self._boards for value in boards.wait_for("letters")]
        left = sum(boards.wait_for("left") for boards in self._boards)
        # The broker is a child of the hub.
        hub = Taken(taken[1].cpu - taken[0].cpu, taken[1].megabytes - taken[0].megabytes)
        rate = sum(settled) / MEASURED_SECONDS
        figures = Figures(sum(self._counts), rate, took, letters, left, taken[0], hub, taken_by_base, taken[2].cpu)
        if left:
            print(f"{left} actions were not confirmed within the guard.")
        return figures

    def caught_up(self) -> list[str]:
        """Fill the queues while there is no hub, start it, and see how long they take to empty."""
        for boards in self._boards:
            boards.ask(pace=OUTAGE_SECONDS / OUTAGE_ACTIONS, warm_up=0.0, seconds=OUTAGE_SECONDS, patience=0.0)
        settled = sum(boards.wait_for("settled", PATIENCE_SECONDS) for boards in self._boards)
        self.start_hubs()
        hubs, begin = [Watched(process.pid) for process in self.processes], time.monotonic()
        for boards in self._boards:
            boards.forget("settled")
            boards.ask(pace=1.0, warm_up=0.0, seconds=0.0, patience=10 * PATIENCE_SECONDS)
        for boards in self._boards:
            boards.wait_for("settled", 10 * PATIENCE_SECONDS)
        seconds, left = time.monotonic() - begin, sum(boards.wait_for("left") for boards in self._boards)
        rate, cpu = (settled - left) / seconds, sum(hub.taken().cpu for hub in hubs)
        return [
            f"{sum(self._counts):,}",
            f"{settled:,}",
            f"{seconds:.0f}",
            f"{rate:.0f}",
            f"{100 * cpu:.0f} %",
            f"{left}",
        ]


def _sum(watched: Sequence[Watched]) -> Taken:
    taken = [each.taken() for each in watched]
    return Taken(sum(each.cpu for each in taken), sum(each.megabytes for each in taken))


@contextmanager
def _house(count: int, server: PostgresServer | None, hubs: int = 1, *, begins: bool = True) -> Iterator[BenchHouse]:
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chain-")))
        journals = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chain-", dir=JOURNALS)))
        names = [f"board-{number:04}" for number in range(count)]
        address = "" if server is None else server.database()
        folders: list[Path] = []
        boards: list[Listened] = []
        counts: list[int] = []
        house = BenchHouse(folders, boards, counts, server)
        for hub in range(hubs):
            folder, port = place / f"hub-{hub}", free_port()
            mine = names[hub::hubs]
            _prepare(folder, port, mine, address)
            folders.append(folder)
            for first in range(0, len(mine), MOST_BOARDS):
                some = mine[first : first + MOST_BOARDS]
                counts.append(len(some))
        stack.callback(_end, house.processes)
        if begins:
            house.start_hubs()
        for folder in folders:
            port = settings_in(folder).port
            mine = sorted(each.name for each in (folder / "boards").iterdir())
            for first in range(0, len(mine), MOST_BOARDS):
                process = Listened(
                    "tests.bench.chain_boards",
                    *(f"{folder}", f"{port}", f"{journals}", *mine[first : first + MOST_BOARDS]),
                    log=place / "boards.log",
                    within=_priority(TABLES),
                )
                stack.callback(process.kill)
                boards.append(process)
        if begins:
            for process in boards:
                process.wait_for("there", PATIENCE_SECONDS)
        yield house


def _prepare(folder: Path, port: int, names: Sequence[str], address: str) -> None:
    """A hub's folder with all its boards, as `quarto-pi hub add` makes it, in one process."""
    folder.mkdir(mode=0o700)
    lines = ("[hub]", 'address = "localhost"', f"port = {port}", "page_port = 0", f'database = "{address}"')
    (folder / "hub.toml").write_text("\n".join(lines) + f"\nboards = {len(names)}\n", encoding="utf-8")
    settings = settings_in(folder)
    certificates_for(folder, settings)
    store = open_store(folder, settings)
    for name in names:
        add_board_account(folder, name, settings, renew=False)
        store.put_board(name, "", time.time())
    store.close()


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait(60)


# --- Beside whatever else runs here -----------------------------------------------------------------------------------


def _priority(level: int) -> list[str]:
    """What stands before a command so that other work on this machine does not hold it up, where that is allowed."""
    chrt = shutil.which("chrt")
    if chrt is None:
        return []
    asked = [chrt, "-r", f"{level}"]
    is_allowed = subprocess.run([*asked, "true"], check=False, capture_output=True).returncode == 0  # noqa: S603
    return asked if is_allowed else []


def _put_first(pid: int, level: int) -> None:
    """The same for a process that runs, and those that it starts from now on."""
    with suppress(PermissionError):
        os.sched_setscheduler(pid, os.SCHED_RR, os.sched_param(level))


def _priority_said() -> str:
    return "with priority over whatever else runs (chrt)" if _priority(SERVERS) else "beside whatever else runs"
