"""How long the readers take: the unmodified package, the reader bank in each mode, and the lower bound, side by side.

All times but the processor's are simulated: 30 us a transfer, 4 MHz, ISO 14443-A on the air."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gpiozero.pins.mock import MockFactory

from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import ForgetfulPin, GpiozeroPins, HeaderPins, Wiring
from quarto_pi.simulation.modules import gpio_over, put_in_place, spidev_over, unmodified_package

_PINS = HeaderPins()
put_in_place(spidev_over(SimulatedBoard(_PINS).bus), gpio_over(_PINS))

from quarto_pi.devices.readers.bank import BankSettings, ReaderBank  # noqa: E402
from quarto_pi.devices.readers.fields import NOT_TOUCHING, FieldMode, plan_fields  # noqa: E402 - imports the stand-ins
from quarto_pi.devices.readers.spi import (  # noqa: E402
    SelectLines,
    SelectPins,
    Spi,
)

SPEED_HZ = 4_000_000
SWEEPS = 48
UIDS = {4: [f"1{n:X}A0B1{n:02X}" for n in range(16)], 7: [f"04{n:02X}A1B2C3D480" for n in range(16)]}
# hardware facts: sixteen squares, field guard included, SPI cost excluded
BOUNDS_MS = {
    FieldMode.ONE_AT_A_TIME: {0: 90.0, 4: 100.0, 7: 132.0},
    FieldMode.IN_TURN: {0: 28.0, 4: 39.0, 7: 71.0},
    FieldMode.INTERLEAVED: {0: 22.0, 4: 25.0, 7: 33.0},
}


@dataclass(frozen=True)
class Filling:
    """What stands on the board."""

    name: str
    uid_bytes: int
    cells: tuple[str, ...]

    def bound_ms(self, mode: FieldMode) -> float:
        """Return the lower bound of a sweep in a mode, by the share of squares (interleaved: of groups) with tags."""
        empty, full = BOUNDS_MS[mode][0], BOUNDS_MS[mode][self.uid_bytes]
        groups = plan_fields(mode, apart=NOT_TOUCHING).in_groups(SQUARE_NAMES)
        if mode is FieldMode.INTERLEAVED:
            share = sum(any(cell in self.cells for cell in group) for group in groups) / len(groups)
        else:
            share = len(self.cells) / len(SQUARE_NAMES)
        return empty + (full - empty) * share

    def put_on(self, board: SimulatedBoard) -> None:
        """Put the pieces down."""
        for uid, cell in zip(UIDS.get(self.uid_bytes, ()), self.cells, strict=False):
            board.table.rest(uid, cell)


FILLINGS = (
    Filling("empty", 0, ()),
    Filling("half full, 4 bytes", 4, SQUARE_NAMES[:8]),
    Filling("full, 4 bytes", 4, SQUARE_NAMES),
    Filling("half full, 7 bytes", 7, SQUARE_NAMES[:8]),
    Filling("full, 7 bytes", 7, SQUARE_NAMES),
)


class TimedSpi:
    """Passes transfers on and adds up the processor time below, which is the simulation's and not the bank's."""

    def __init__(self, spi: Spi) -> None:
        self._spi = spi
        self.seconds = 0.0

    def xfer2(self, values: list[int], /) -> list[int]:
        """Exchange bytes."""
        before = time.process_time()
        answer = self._spi.xfer2(values)
        self.seconds += time.process_time() - before
        return answer

    def close(self) -> None:
        """Close the device."""
        self._spi.close()


@dataclass(frozen=True)
class Cost:
    """What a piece of work took; the processor's time is that above the SPI device."""

    transfers: int
    bytes: int
    simulated_ms: float
    processor_ms: float


def measure(board: SimulatedBoard, work: Callable[[], object], spi: TimedSpi | None = None) -> Cost:
    """Return what a piece of work takes on a board."""
    platform = spi.seconds if spi else 0.0
    transfers, sent, began_at = board.bus.transfers.total(), board.bus.bytes.total(), board.clock.ns
    processor = time.process_time()
    work()
    return Cost(
        board.bus.transfers.total() - transfers,
        board.bus.bytes.total() - sent,
        (board.clock.ns - began_at) / 1e6,
        (time.process_time() - processor - (spi.seconds - platform if spi else 0.0)) * 1000,
    )


def build_bank(mode: FieldMode, cells: tuple[str, ...] = SQUARE_NAMES) -> tuple[SimulatedBoard, ReaderBank, TimedSpi]:
    """Return a started bank over a fresh board, calibrated as if no two squares that do not touch heard each other."""
    factory = MockFactory(pin_class=ForgetfulPin)
    board = SimulatedBoard(GpiozeroPins(factory), seed=1)
    device = board.spidev.SpiDev(0, 0)
    device.max_speed_hz = SPEED_HZ
    spi = TimedSpi(device)
    plan = plan_fields(mode, apart=NOT_TOUCHING)
    bank = ReaderBank(
        spi, SelectLines(SelectPins(), factory), board.clock, plan=plan, settings=BankSettings(cells=cells)
    )
    bank.start()
    return board, bank, spi


def poll_costs() -> list[tuple[str, Cost]]:
    """Return the cost of each kind of poll, of the bank and of the package."""
    costs = []
    for name, uid in (("empty", None), ("4 bytes", UIDS[4][0]), ("7 bytes", UIDS[7][0])):
        board, bank, _ = build_bank(FieldMode.ONE_AT_A_TIME)
        if uid is not None:
            board.table.rest(uid, "a1")
            costs.append((f"bank, new tag, {name}", measure(board, partial(bank.sweep, ["a1"]))))
        label = "bank, empty" if uid is None else f"bank, known tag, {name}"
        costs.append((label, measure(board, partial(bank.sweep, ["a1"]))))
        costs.append((f"package, {name}", _package_poll(uid)))
    return costs


def _package_board() -> tuple[SimulatedBoard, HeaderPins, Wiring]:
    pins, wiring = HeaderPins(), Wiring(chip_enable_gates=True)
    for pin in (*wiring.address, wiring.enable):
        pins.drive(pin, False)
    return SimulatedBoard(pins, seed=1, wiring=wiring), pins, wiring


def _package_poll(uid: str | None) -> Cost:
    board, pins, _ = _package_board()
    with unmodified_package(board.bus, pins) as module:
        reader = module.MFRC522(spd=SPEED_HZ)
        if uid is not None:
            board.table.rest(uid, "a1")
        board.clock.advance_ms(10)

        def poll() -> None:
            status, _ = reader.MFRC522_Request(reader.PICC_REQIDL)
            if status == reader.MI_OK:
                reader.MFRC522_Anticoll()

        return measure(board, poll)


def package_sweep(filling: Filling) -> Cost:
    """Return the mean cost of a naive loop over seventeen readers with the package, all antennas left on."""
    board, pins, wiring = _package_board()
    filling.put_on(board)

    def choose(cell: str) -> None:
        number = 0 if cell == OFFER else SQUARE_NAMES.index(cell)
        for place, pin in enumerate(wiring.address):
            pins.drive(pin, bool(number >> place & 1))
        pins.drive(wiring.enable, cell == OFFER)
        pins.drive(wiring.offer, cell != OFFER)

    with unmodified_package(board.bus, pins) as module:
        readers = {}
        for cell in (*SQUARE_NAMES, OFFER):
            choose(cell)
            readers[cell] = module.MFRC522(spd=SPEED_HZ)
        board.clock.advance_ms(10)

        def sweep() -> None:
            for cell, reader in readers.items():
                choose(cell)
                status, _ = reader.MFRC522_Request(reader.PICC_REQIDL)
                if status == reader.MI_OK:
                    reader.MFRC522_Anticoll()

        # a stationary tag answers every other time: a pair of sweeps is one of each
        return _mean([measure(board, sweep) for _ in range(2)])


def bank_sweeps(mode: FieldMode, filling: Filling, cells: tuple[str, ...]) -> tuple[Cost, Cost, Cost]:
    """Return the cost of the first sweep, which meets the tags, the mean, and the slowest of those after it."""
    board, bank, spi = build_bank(mode, cells)
    filling.put_on(board)
    first = measure(board, bank.sweep)
    costs = [measure(board, bank.sweep, spi) for _ in range(SWEEPS)]
    return first, _mean(costs), max(costs, key=lambda cost: cost.simulated_ms)


def _mean(costs: list[Cost]) -> Cost:
    count = len(costs)
    return Cost(
        round(sum(cost.transfers for cost in costs) / count),
        round(sum(cost.bytes for cost in costs) / count),
        sum(cost.simulated_ms for cost in costs) / count,
        sum(cost.processor_ms for cost in costs) / count,
    )


def run() -> None:
    """Measure and print."""
    print("\nPolls and sweeps of the readers\n")
    print(f"{'one poll':30} {'transfers':>9} {'bytes':>6} {'ms':>7}   (field guard of 5.1 ms included for the bank)")
    for name, cost in poll_costs():
        print(f"{name:30} {cost.transfers:9} {cost.bytes:6} {cost.simulated_ms:7.2f}")
    print()
    heads = ("transfers", "bytes", "ms", "slowest", "bound", "ratio", "first", "17 cells", "CPU ms")
    print(f"{'one sweep':36} " + " ".join(f"{head:>9}" for head in heads))
    for filling in FILLINGS:
        cost = package_sweep(filling)
        columns = (f"{cost.transfers}", f"{cost.bytes}", f"{cost.simulated_ms:.1f}", *[""] * 6)
        _print_row(f"package, 17 readers, {filling.name}", columns)
        for mode in FieldMode:
            _print_row(f"{mode.value}, {filling.name}", _bank_columns(mode, filling))


def _bank_columns(mode: FieldMode, filling: Filling) -> tuple[str, ...]:
    first, mean, slowest = bank_sweeps(mode, filling, SQUARE_NAMES)
    _, with_offer, _ = bank_sweeps(mode, filling, (*SQUARE_NAMES, OFFER))
    bound = filling.bound_ms(mode)
    return (
        f"{mean.transfers}",
        f"{mean.bytes}",
        f"{mean.simulated_ms:.1f}",
        f"{slowest.simulated_ms:.1f}",
        f"{bound:.1f}",
        f"{slowest.simulated_ms / bound:.2f}",
        f"{first.simulated_ms:.1f}",
        f"{with_offer.simulated_ms:.1f}",
        f"{mean.processor_ms:.1f}",
    )


def _print_row(name: str, columns: tuple[str, ...]) -> None:
    print(f"{name:36} " + " ".join(f"{column:>9}" for column in columns))
