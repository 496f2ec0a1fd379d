"""Readers that nobody makes, each with a chip of its own on I2C: all that a further kind of readers has to bring.

A chip tells at its register 0 who it is, and from register 16 on what lies on it: how many tags, how many bytes the
first one's UID has, and these. It knows by itself how a tag is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from quarto_pi.clock import Clock
from quarto_pi.devices.readers.health import CellFinding, Fault, HealthRecord, ReaderHealth, Version
from quarto_pi.devices.readers.interface import CannotCalibrate, Hung, ReaderKind, Surroundings
from quarto_pi.devices.settings import SettingsError
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.sensing.readings import Glimpse, Outcome, Reading, leave_alone

if TYPE_CHECKING:
    from quarto_pi.devices.readers.calibration import Calibration

IDENTITY: Final = 0
TAGS: Final = 16
LONGEST: Final = 12
EVERY_MS: Final = 60
MOST_ADDRESS: Final = 0x77
OUTCOMES: Final = (Outcome.EMPTY, Outcome.TAG, Outcome.SEVERAL)


class Bus(Protocol):
    """What is used of `smbus2.SMBus`."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """So many bytes of a chip, from a register on."""

    def close(self) -> None:
        """Give the bus back."""


class I2cReaders(ClosedWith):
    """The chips, one at each address from the first on."""

    def __init__(self, bus: Bus, clock: Clock, addresses: dict[str, int]) -> None:
        self._bus = bus
        self._clock = clock
        self._addresses = addresses
        self._records = {cell: HealthRecord(cell) for cell in addresses}
        self._began = 0
        self.cells = tuple(addresses)
        self.sweeps = 0
        self.not_calibrated_because = "these chips keep their fields apart by themselves: there is nothing to measure."

    @property
    def answering(self) -> int:
        return sum(record.answers for record in self._records.values())

    @property
    def pause_ms(self) -> int:
        return self._began + EVERY_MS - self._now

    def start(self) -> dict[str, Version]:
        for cell in self.cells:
            self._greet(cell)
        return {cell: record.version for cell, record in self._records.items()}

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        self._began = self._now
        readings = []
        for reading in map(self._look, self.cells):
            glimpse(reading)
            readings.append(reading)
        self.sweeps += 1
        return readings

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        self.sweeps += 1
        return [self._look(cell) for cell in (self.cells if cells is None else cells)]

    def health(self) -> dict[str, ReaderHealth]:
        return {cell: record.snapshot() for cell, record in self._records.items()}

    def calibrate(self, looks: int = 5) -> Calibration:
        raise CannotCalibrate(f"{looks} looks are none too many, but {self.not_calibrated_because}")

    def close(self) -> None:
        self._bus.close()

    @property
    def _now(self) -> int:
        return self._clock.now() // 1_000

    def _greet(self, cell: str) -> None:
        try:
            self._bus.read_i2c_block_data(self._addresses[cell], IDENTITY, 1)
        except OSError:
            self._records[cell].note_reset(Version.NO_CHIP)
        else:
            self._records[cell].note_reset(Version.UNKNOWN)

    def _look(self, cell: str) -> Reading:
        record = self._records[cell]
        if not record.answers:
            self._greet(cell)
        try:
            count, length, *uid = self._bus.read_i2c_block_data(self._addresses[cell], TAGS, LONGEST)
        except OSError:
            record.answers = False
            finding = CellFinding(Outcome.DEAD, fault=Fault.NO_CHIP)
        else:
            uids = (bytes(uid[:length]),) if count else ()
            finding = CellFinding(OUTCOMES[min(count, 2)], uids)
        record.note_finding(finding, self._now)
        return Reading(cell, finding.outcome, tuple(uid.hex().upper() for uid in finding.uids), self._now)


@dataclass(frozen=True, slots=True)
class I2cReadersSettings:
    """The bus, and the address of the first chip."""

    port: int = 1
    first_address: int = 0x20

    def __post_init__(self) -> None:
        if not 0x08 <= self.first_address <= MOST_ADDRESS - 16:
            raise SettingsError("first_address", self.first_address, "write 0x08 to 0x67, for the others follow it")

    @property
    def section(self) -> str:
        return "i2c_readers"

    @property
    def only_readers(self) -> bool:
        return True

    def hang(self, around: Surroundings, clock: Clock, stack: ExitStack, tell: Callable[[str], None]) -> Hung:
        from smbus2 import SMBus  # noqa: PLC0415 - a board without these readers does not need it

        del tell
        addresses = {cell: self.first_address + number for number, cell in enumerate(around.cells)}
        return Hung(stack.enter_context(I2cReaders(SMBus(self.port), clock, addresses)))


KIND: Final[ReaderKind] = I2cReadersSettings()
