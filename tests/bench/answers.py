"""How many looks lose an answer: chips that are late by so much, below a host that needs so long for a transfer.

Tags answer a little late, the guard time, the clock and every transfer differ each time; equal seeds are equal runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gpiozero.pins.mock import MockFactory

from quarto_pi.sensing.readings import Outcome
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import ForgetfulPin, GpiozeroPins
from quarto_pi.simulation.clock import Span, Spans
from quarto_pi.simulation.field import Reception
from quarto_pi.simulation.tag import WUPA, Frame
from quarto_pi.wiring.platform import simulated_hardware
from tests.bench.measure import table

# The stand-ins below the real packages have to be in place before the devices are imported.
simulated_hardware()

from quarto_pi.devices.readers.chip import Chip  # noqa: E402
from quarto_pi.devices.readers.exchange import revive  # noqa: E402
from quarto_pi.devices.readers.fields import plan_fields  # noqa: E402
from quarto_pi.devices.readers.health import CellFinding  # noqa: E402
from quarto_pi.devices.readers.polling import Poll  # noqa: E402
from quarto_pi.devices.readers.scheduler import PollResult, Scheduler  # noqa: E402
from quarto_pi.devices.readers.spi import ReaderPort, SelectLines, SelectPins  # noqa: E402

LATENCIES_US: tuple[Span, ...] = ((0, 0), (3, 3), (6, 6), (9, 9), (12, 12), (16, 16), (20, 20), (25, 25), (0, 25))
DELAYS_US: tuple[Span, ...] = ((5, 5), (5, 10), (10, 20), (15, 30), (20, 40), (30, 50), (40, 80), (80, 200), (5, 200))
SPEEDS_HZ = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
UIDS = {
    4: ("1A90C3F1", "1A90C7F1"),
    7: ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7"),
    10: ("08112233445566778899", "08112233445566778898"),
}
CELL = "b2"


class Task(Enum):
    """What a look has to do."""

    RECOGNISE = "recognise"
    FIND_OUT = "find out"
    TELL_APART = "tell two apart"


@dataclass(frozen=True)
class Circumstances:
    """What a look meets; delays and latencies are in microseconds."""

    latency: Span
    delay: Span
    speed_hz: int
    uid_bytes: int

    def uids(self, task: Task) -> tuple[str, ...]:
        """Return what lies on the cell."""
        return UIDS[self.uid_bytes] if task is Task.TELL_APART else UIDS[self.uid_bytes][:1]


class Looker:
    """One reader, whose looks need an answer to each of their frames."""

    def __init__(self, circumstances: Circumstances, task: Task, seed: int) -> None:
        spans = Spans.of_host(circumstances.delay, circumstances.latency)
        factory = MockFactory(pin_class=ForgetfulPin)
        self.board = SimulatedBoard(GpiozeroPins(factory), seed=seed, spans=spans)
        spi = self.board.spidev.SpiDev(0, 0)
        spi.max_speed_hz = circumstances.speed_hz
        self._chip = Chip(ReaderPort(spi, SelectLines(SelectPins(), factory), 5))
        self._scheduler = Scheduler(self.board.clock, plan_fields())
        self._scheduler.add_background(CELL, revive(self._chip, self.board.clock, lambda _: None))
        self._scheduler.run_background()
        self._uids = circumstances.uids(task)
        self._known = bytes.fromhex(self._uids[0]) if task is Task.RECOGNISE else None
        for uid in self._uids:
            self.board.table.rest(uid, CELL)
        self._calls = 0
        self._transmit = self.board.field.transmit
        self.board.field.transmit = self._count_calls  # type: ignore[method-assign]

    def _count_calls(self, cell: str, frame: Frame, starts_at: int, sensitivity: float = 1.0) -> Reception | None:
        self._calls += frame.data == bytes((WUPA,))
        return self._transmit(cell, frame, starts_at, sensitivity)

    def look(self) -> bool:
        """Look once, and return whether every answer was read at the first go."""
        self._calls = 0
        found: list[PollResult] = []
        poll = Poll(self._chip, self.board.clock, self._known)
        self._scheduler.run([(CELL, poll)], found.append)
        outcome = Outcome.SEVERAL if len(self._uids) > 1 else Outcome.TAG
        expected = CellFinding(outcome, tuple(sorted(bytes.fromhex(uid) for uid in self._uids)))
        return self._calls == 1 and [result.finding for result in found] == [expected]


def failures(circumstances: Circumstances, task: Task, looks: int, seed: int = 0) -> int:
    """Return how many of so many looks have lost an answer."""
    looker = Looker(circumstances, task, seed)
    return sum(not looker.look() for _ in range(looks))


def share(latency: Span, delay: Span, uid_bytes: int, looks: int, speeds: tuple[int, ...] = SPEEDS_HZ) -> float:
    """Return the share of looks that have lost an answer, over all speeds and tasks."""
    cases = [(Circumstances(latency, delay, speed, uid_bytes), task) for speed in speeds for task in Task]
    lost = sum(failures(circumstances, task, looks, seed) for seed, (circumstances, task) in enumerate(cases))
    return lost / (looks * len(cases))


def run(looks: int = 4) -> None:
    """Measure and print."""
    header = ["latency in the chip", *(f"{_between(delay)} us" for delay in DELAYS_US)]
    rows = []
    for uid_bytes in UIDS:
        for latency in LATENCIES_US:
            cells = [f"{share(latency, delay, uid_bytes, looks):.1%}" for delay in DELAYS_US]
            rows.append([f"{_between(latency)} us, {uid_bytes} bytes", *cells])
    each = looks * len(SPEEDS_HZ) * len(Task)
    table(
        f"Looks that lose an answer, by what the host needs before a transfer ({each} looks a cell: "
        "recognise, find out, tell two apart, at 1, 2, 4 and 8 MHz)",
        header,
        rows,
    )


def _between(span: Span) -> str:
    least, most = span
    return f"{least}" if least == most else f"{least}-{most}"
