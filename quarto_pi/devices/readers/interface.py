"""What the readers and buttons of a board are to everybody above, whatever they hang on; and the kinds there are.

A kind of readers instead of those on the Pi's SPI has a section of its own. It is a module that ends with `KIND`, its
usual settings: their fields are the keys of the section, and `hang` opens what they describe. Its name stands in
`MODULES`, and nothing else has to know it.

One program at a time has the board: who opens the readers' bus locks its device node. The lock is the kernel's (flock):
it needs no file of its own, holds between users, and ends with the program, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import Field, dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.light_patterns import PanelLamps, PanelLightsSettings
from quarto_pi.devices.readers.fields import FieldPlan
from quarto_pi.devices.readers.health import ReaderHealth, Version
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.rules import QuartoError
from quarto_pi.sensing.readings import Glimpse, Outcome, Reading, leave_alone

if TYPE_CHECKING:
    from quarto_pi.devices.readers.calibration import Calibration


@dataclass(frozen=True, slots=True)
class Movement:
    """A button went down or up, at a millisecond of the clock."""

    name: str
    down: bool
    at: int


class Buttons(Protocol):
    """The push buttons of a board, wherever they are wired."""

    def movements(self) -> list[Movement]:
        """All that has moved since this was asked last, in order."""


STOP: Final = "sudo systemctl stop quarto-pi"
"""What ends the service."""


class BoardInUse(QuartoError, RuntimeError):
    """Another program has the board: `user`; the text says what to do."""

    def __init__(self, user: str) -> None:
        super().__init__(f"the board is in use by {user}: end that first, the service with '{STOP}'.")
        self.user = user


def claim(descriptor: int, root: Path = Path("/")) -> None:
    """Lock an open device node until it is closed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BoardInUse(_user(os.fstat(descriptor), root)) from error


def _user(node: os.stat_result, root: Path) -> str:
    """The program that holds the lock, as far as the kernel tells (proc(5), /proc/locks)."""
    place = f"{os.major(node.st_dev):02x}:{os.minor(node.st_dev):02x}:{node.st_ino}"
    try:
        for line in (root / "proc" / "locks").read_text(encoding="ascii").splitlines():
            # 1: FLOCK  ADVISORY  WRITE 15543 fe:00:1652459 0 EOF
            fields = line.split()
            if fields[1] == "FLOCK" and fields[5] == place:
                return f"{_program(root / 'proc' / fields[4])} (pid {fields[4]})"
    except (OSError, IndexError):
        pass
    return "another program"


def _program(process: Path) -> str:
    words = (process / "cmdline").read_text(encoding="utf-8", errors="replace").split("\0")
    ours = [number for number, word in enumerate(words) if Path(word).name in ("quarto-pi", "quarto_pi")]
    return f"quarto-pi {words[ours[0] + 1]}" if ours and ours[0] + 1 < len(words) else Path(words[0]).name


class CannotCalibrate(QuartoError, RuntimeError):
    """Readers whose cross-talk cannot be measured from here; the text says what to do instead."""


class Readers(Protocol):
    """All readers of a board as one device, used by one thread; times are milliseconds of the clock they were given.

    No reader that fails, chip that is missing or bus that breaks raises anything: it is a reading, ERROR or DEAD, and
    `health` tells of it. What fails is tried again, without holding up the others. `start` comes first, and nothing
    after `close`.
    """

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells that have a reader, in the order of `CELLS`."""

    @property
    def sweeps(self) -> int:
        """How often has been looked: it grows with every `round` and `sweep`, and who watches sees that it does."""

    @property
    def answering(self) -> int:
        """How many of the readers answer, 0 to all of `cells`."""

    @property
    def pause_ms(self) -> int:
        """How long may be waited before the next round without missing anything; 0 or less: not at all."""

    def start(self) -> dict[str, Version]:
        """Bring up whatever is there and return what chip each cell has; what is not there may come later."""

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Look at the cells whose turn it is, and return the readings: each cell once at most, as its look ended.

        It takes a second at most. `glimpse` hears of readings before the round is over, where they are known sooner.
        """

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        """Look once at each of these cells (at all, if none are named) and return a reading of each that was reached.

        `KeyError` is raised for a cell that has no reader.
        """

    def health(self) -> dict[str, ReaderHealth]:
        """The figures of every cell's reader since it came up, those of readers that do not answer as well."""

    @property
    def not_calibrated_because(self) -> str | None:
        """Why their cross-talk cannot be measured from here, and what to do instead; None where it can."""

    def calibrate(self, looks: int = 5) -> Calibration:
        """Measure cross-talk, with a piece on every square; `CannotCalibrate` is raised where that cannot be."""

    def close(self) -> None:
        """Switch off what is on and give everything back; a second call does nothing."""

    def __enter__(self) -> Self:
        """The readers themselves."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close them."""


MODULES: Final[tuple[str, ...]] = (
    "quarto_pi.devices.node.settings",
)  # fmt: skip
"""The first whose section is present has the board's readers; without any, they are on the Pi's own SPI."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a board has, whoever reads it: its cells, the select line of each square, and what else hangs on it.

    `plan` says which fields may be on together, and `trouble` why that is no more, if there is a reason.
    """

    cells: tuple[str, ...]
    lines: Mapping[str, int]
    plan: FieldPlan
    trouble: str | None
    buttons: tuple[str, ...]
    panel_lights: PanelLightsSettings | None


@dataclass(frozen=True, slots=True)
class Hung:
    """Readers that were opened, and the buttons and the panel's lights if they hang there, too."""

    readers: Readers
    buttons: Buttons | None = None
    panel: PanelLamps | None = None


class ReaderKind(Protocol):
    """The settings of a kind of readers; a frozen dataclass that raises `SettingsError` for what cannot be."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def section(self) -> str:
        """The section of the configuration that is about it."""

    @property
    def only_readers(self) -> bool:
        """Whether buttons and the panel's lights stay on the Pi's own header."""

    def hang(self, around: Surroundings, clock: Clock, stack: ExitStack, tell: Callable[[str], None]) -> Hung:
        """Open what these settings describe; the stack closes it.

        What is not there raises nothing: it shows when it is spoken to. `ImportError` is raised for packages that are
        missing; `tell` is told in sentences what people should know.
        """


def kinds() -> tuple[ReaderKind, ...]:
    """All kinds with their usual settings, in the order in which they are looked for."""
    return tuple(_kind_in(name) for name in MODULES)


def _kind_in(name: str) -> ReaderKind:
    kind: ReaderKind = import_module(name).KIND
    return kind


# --- Readers and buttons of a board that cannot open what they hang on: none answers, and none is ever pressed --------

ABSENT_PAUSE_MS: Final = 1_000


class AbsentReaders(ClosedWith):
    """The readers of these cells, all of them dead."""

    def __init__(self, cells: tuple[str, ...], clock: Clock, why: str) -> None:
        self.cells = cells
        self.sweeps = 0
        self.answering = 0
        self.pause_ms = ABSENT_PAUSE_MS
        self.not_calibrated_because = why
        self._clock = clock

    def start(self) -> dict[str, Version]:
        """Find no chip anywhere."""
        return dict.fromkeys(self.cells, Version.NO_CHIP)

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Read nothing."""
        del glimpse
        return self.sweep()

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        """Read nothing on these cells."""
        self.sweeps += 1
        now = self._clock.now() // US_PER_MS
        return [Reading(cell, Outcome.DEAD, (), now) for cell in (self.cells if cells is None else cells)]

    def health(self) -> dict[str, ReaderHealth]:
        """The figures of readers that were never there."""
        return {
            cell: ReaderHealth(cell, Version.NO_CHIP, self.sweeps, 0, 0, 0, 0, None, None, answers=False)
            for cell in self.cells
        }

    def calibrate(self, looks: int = 5) -> Calibration:
        """Refuse it."""
        del looks
        raise CannotCalibrate(self.not_calibrated_because)

    def close(self) -> None:
        """Nothing was opened."""


class AbsentButtons:
    """Buttons that nobody can press."""

    def movements(self) -> list[Movement]:
        """None."""
        return []
