"""The result of a calibration as a file: the pairs of cells whose fields may be on together."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from quarto_pi.devices.readers.fields import NOT_TOUCHING, FieldMode, Pair, pair
from quarto_pi.rules import QuartoError


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
