"""A reader bank over a simulated board, as most tests of the devices use it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from gpiozero.pins.mock import MockFactory

from quarto_pi.devices.readers.bank import BankSettings, ReaderBank
from quarto_pi.devices.readers.fields import NOT_TOUCHING, CurrentBudget, FieldMode, plan_fields
from quarto_pi.devices.readers.spi import SelectLines, SelectPins
from quarto_pi.sensing.readings import SQUARE_NAMES, Outcome, Reading
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import Wiring
from quarto_pi.simulation.clock import Spans
from tests.pins import PlainPin, PlainPins

SPEED_HZ = 4_000_000
RESET_PIN = 26


@dataclass
class Rig:
    """A started reader bank over a simulated board."""

    board: SimulatedBoard
    bank: ReaderBank
    factory: MockFactory

    def fill(self, uids: list[str], cells: tuple[str, ...] = SQUARE_NAMES) -> None:
        for uid, cell in zip(uids, cells, strict=False):
            self.board.table.rest(uid, cell)

    def look(self, cell: str) -> Reading:
        return self.bank.sweep([cell])[0]

    def outcomes(self) -> dict[str, Outcome]:
        return {reading.cell: reading.outcome for reading in self.bank.sweep()}

    def transfers_of(self, cell: str) -> int:
        before = self.board.bus.transfers[cell]
        self.look(cell)
        return self.board.bus.transfers[cell] - before

    def sweep_ms(self) -> float:
        before = self.board.clock.ns
        self.bank.sweep()
        return (self.board.clock.ns - before) / 1_000_000


MakeRig = Callable[..., Rig]


def build_rig(
    mode: FieldMode = FieldMode.ONE_AT_A_TIME,
    *,
    seed: int = 1,
    settings: BankSettings | None = None,
    budget: CurrentBudget | None = None,
    versions: dict[str, int] | None = None,
    start: bool = True,
    spans: Spans | None = None,
    forgetful: Collection[str] = (),
    with_reset: bool = False,
) -> Rig:
    factory = MockFactory(pin_class=PlainPin)
    wiring = Wiring(reset=RESET_PIN if with_reset else None)
    pins = PlainPins(factory)
    board = SimulatedBoard(pins, seed=seed, wiring=wiring, versions=versions, spans=spans, forgetful=forgetful)
    spi = board.spidev.SpiDev(0, 0)
    spi.max_speed_hz = SPEED_HZ
    plan = plan_fields(mode, budget, NOT_TOUCHING)
    lines = SelectLines(SelectPins(reset=RESET_PIN if with_reset else 0), factory)
    bank = ReaderBank(spi, lines, board.clock, plan=plan, settings=settings)
    if start:
        bank.start()
    return Rig(board, bank, factory)
