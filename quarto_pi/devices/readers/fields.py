"""Which fields may be on at the same time: geometry, a calibration and its file, and the supply's current."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from pathlib import Path
from typing import Final, TypeGuard

from quarto_pi.rules import QuartoError
from quarto_pi.sensing.readings import CELLS, OFFER, squares_touch

Pair = frozenset[str]


class FieldMode(Enum):
    """How many fields are on, and whether their exchanges overlap."""

    ONE_AT_A_TIME = "one at a time"
    IN_TURN = "in turn"
    INTERLEAVED = "interleaved"


class BudgetTooSmall(ValueError):
    """The supply cannot feed all readers and one field."""


@dataclass(frozen=True, slots=True)
class CurrentBudget:
    """What the 3.3 V supply gives and what readers take (datasheet 14: 60 mA typical for a field, at most 100)."""

    supply_ma: float = 2000.0
    field_ma: float = 100.0
    reader_ma: float = 16.5
    readers: int = len(CELLS)

    def __post_init__(self) -> None:
        if self.most_fields < 1:
            raise BudgetTooSmall(
                f"a supply of {self.supply_ma:g} mA cannot feed {self.readers} readers and one field, "
                f"which take {self.quiet_ma + self.field_ma:g} mA"
            )

    @property
    def quiet_ma(self) -> float:
        """Return what all readers take with no field on."""
        return self.reader_ma * self.readers

    @property
    def most_fields(self) -> int:
        """Return how many fields the supply can feed at once."""
        return int((self.supply_ma - self.quiet_ma) // self.field_ma)

    def taken_ma(self, fields: int) -> float:
        """Return the current with that many fields on."""
        return self.quiet_ma + fields * self.field_ma


def pair(cell: str, other: str) -> Pair:
    """Return two cells in no order."""
    return frozenset((cell, other))


def touches(cell: str, other: str) -> bool:
    """Return whether two cells touch, be it at a corner; the offer place stands apart."""
    if OFFER in (cell, other):
        return cell == other
    return squares_touch(cell, other)


NOT_TOUCHING: Final[frozenset[Pair]] = frozenset(
    pair(cell, other) for cell, other in combinations(CELLS, 2) if not touches(cell, other)
)


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """The pairs of cells that may be warm together, the most fields at once, and whether exchanges may overlap."""

    mode: FieldMode
    together: frozenset[Pair]
    most: int

    def admits(self, cell: str, warm: Collection[str], lost: int = 0) -> bool:
        """Return whether a cell's field may go on while these are on.

        A lost reader's field may be on with nobody to switch it off, so it takes its share of the supply; but lost
        readers never take the last field, or they would stop the others.
        """
        if self.is_full(warm, lost):
            return False
        return all(pair(cell, other) in self.together for other in warm)

    def is_full(self, warm: Collection[str], lost: int = 0) -> bool:
        """Return whether the supply feeds no further field beside these, whichever cell's it is."""
        return bool(warm) and len(warm) + lost >= self.most

    def in_groups(self, cells: Iterable[str]) -> list[list[str]]:
        """Return the cells in groups that may be warm together, each begun with the first cell that is left."""
        remaining = list(cells)
        groups: list[list[str]] = []
        while remaining:
            group: list[str] = []
            for cell in remaining:
                if self.admits(cell, group):
                    group.append(cell)
            remaining = [cell for cell in remaining if cell not in group]
            groups.append(group)
        return groups


def plan_fields(
    mode: FieldMode = FieldMode.ONE_AT_A_TIME,
    budget: CurrentBudget | None = None,
    apart: frozenset[Pair] = frozenset(),
) -> FieldPlan:
    """Return the plan of a mode; more than one field needs pairs that a calibration has found apart."""
    budget = budget or CurrentBudget()
    if mode is FieldMode.ONE_AT_A_TIME:
        return FieldPlan(mode, frozenset(), 1)
    return FieldPlan(mode, apart & NOT_TOUCHING, budget.most_fields)


class CalibrationError(QuartoError, ValueError):
    """A calibration file that cannot be used; the text names the file and says what to do."""


def write_calibration(file: Path, apart: frozenset[Pair]) -> None:
    """Write the pairs that may be on together."""
    lines = [f'  ["{first}", "{second}"],' for first, second in sorted(sorted(cells) for cells in apart)]
    file.write_text("\n".join(["# Made by `quarto-pi calibrate`.", "apart = [", *lines, "]", ""]), encoding="utf-8")


def read_calibration(file: Path) -> frozenset[Pair]:
    """The pairs that may be on together."""
    try:
        whole = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CalibrationError(
            f"{file}: the calibration cannot be read ({error}); make it with 'calibrate'."
        ) from error
    listed = whole.get("apart")
    pairs = listed if isinstance(listed, list) else [None]
    apart = frozenset(pair(*cells) for cells in pairs if _is_pair(cells))
    if len(apart) != len(pairs) or not apart <= NOT_TOUCHING:
        raise CalibrationError(
            f"{file}: 'apart' lists pairs of cells that do not touch; make it anew with 'calibrate'."
        )
    return apart


@dataclass(frozen=True, slots=True)
class UsableMode:
    """How many fields may be on as things are: what was asked for, or one at a time, and then why."""

    mode: FieldMode
    apart: frozenset[Pair] = frozenset()
    trouble: str = ""


def usable_mode(mode: FieldMode, calibration: str) -> UsableMode:
    """The mode that was asked for if there is a calibration for it; a board without one reads one field at a time."""
    if mode is FieldMode.ONE_AT_A_TIME:
        return UsableMode(mode)
    if not calibration:
        trouble = f"[fields] mode is '{mode.value}', but [fields] calibration names no file; make one with 'calibrate'."
        return UsableMode(FieldMode.ONE_AT_A_TIME, trouble=trouble)
    try:
        return UsableMode(mode, read_calibration(Path(calibration)))
    except CalibrationError as error:
        return UsableMode(FieldMode.ONE_AT_A_TIME, trouble=str(error))


def _is_pair(cells: object) -> TypeGuard[list[str]]:
    return isinstance(cells, list) and len(cells) == 2 and all(isinstance(cell, str) for cell in cells)
