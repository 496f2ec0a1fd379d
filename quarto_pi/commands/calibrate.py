"""`quarto-pi calibrate`: measure which readers disturb each other, so that others may be read together."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from quarto_pi.commands.command import Command
from quarto_pi.commands.options import add_board, below_of, config_of, whole_number
from quarto_pi.devices.readers.calibration_file import write_calibration
from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.devices.readers.interface import CannotCalibrate
from quarto_pi.rules import QuartoError
from quarto_pi.wiring.board import open_readers


class CalibrationIncomplete(QuartoError):
    """Not every reader had a piece to read."""


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `calibrate` can be asked for."""
    parser.add_argument("file", type=Path, help="where the result is written, to be named in [fields] calibration")
    parser.add_argument("--looks", type=whole_number(1, 1000), default=5, metavar="N", help="looks at each pair (5)")
    add_board(parser)


def _run(arguments: argparse.Namespace) -> int:
    """Measure, write the pairs that may be read together, and tell what was found."""
    config = config_of(arguments)
    # Whatever the fields are to do afterwards: while it is measured, only the measurement switches them.
    alone = replace(config, fields=replace(config.fields, mode=FieldMode.ONE_AT_A_TIME, calibration=""))
    with ExitStack() as stack:
        readers = open_readers(alone, below_of(arguments, config), stack).readers
        if readers.not_calibrated_because is not None:
            raise CannotCalibrate(readers.not_calibrated_because)
        print("Measuring; leave a piece on every square until this is done.")
        readers.start()
        result = readers.calibrate(arguments.looks)
    heard = {figure.cell for figure in result.figures}
    if not heard:
        raise CalibrationIncomplete("no two pieces were read: put one on every square and try again.")
    apart = result.apart()
    write_calibration(arguments.file, apart)
    measured = len(result.figures) // 2
    print(f"{arguments.file}: {len(apart)} of {measured} pairs may be read together; {len(heard)} readers had a piece.")
    for figure in result.figures:
        if figure.heard or figure.disturbed:
            print(f"  {figure.cell} beside {figure.other}: heard {figure.heard}, disturbed {figure.disturbed}")
    return 0


CALIBRATE_COMMAND: Final = Command(
    "calibrate", "measure cross-talk between the readers, with a piece on every square", _options, _run
)
