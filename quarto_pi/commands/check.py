"""`quarto-pi check`: does everything work, and what is to be done; `calibrate`: which readers disturb each other."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from quarto_pi.checks import Finding
from quarto_pi.checks.bundle import archive, bundle
from quarto_pi.checks.machine import this_machine
from quarto_pi.checks.plan import (
    Check,
    ChosenDevices,
    checks_of_board,
    checks_of_installation,
    checks_of_machine,
    checks_of_program,
    choose_devices,
    device_names,
    go_through,
)
from quarto_pi.commands.options import Command, add_board, below_of, config_of, place_of, whole_number
from quarto_pi.config import Config
from quarto_pi.config.layers import ConfigPlace
from quarto_pi.devices.readers.fields import FieldMode, write_calibration
from quarto_pi.devices.readers.interface import CannotCalibrate
from quarto_pi.rules import QuartoError
from quarto_pi.wiring.board import open_readers


class EveryWithoutWatch(QuartoError, ValueError):
    """It is said how often to look, and nobody wants it to look again."""


class CalibrationIncomplete(QuartoError):
    """Not every reader had a piece to read."""


def _calibrate_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `calibrate` can be asked for."""
    parser.add_argument("file", type=Path, help="where the result is written, to be named in [fields] calibration")
    parser.add_argument("--looks", type=whole_number(1, 1000), default=5, metavar="N", help="looks at each pair (5)")
    add_board(parser)


def _calibrate(arguments: argparse.Namespace) -> int:
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
    "calibrate", "measure cross-talk between the readers, with a piece on every square", _calibrate_options, _calibrate
)


# --- `quarto-pi check --bundle`: an archive for those who are asked for help ------------------------------------------


def write_bundle(file: Path, place: ConfigPlace, look: Callable[[], Iterable[Finding]]) -> int:
    """Write the archive, and tell what is in it."""
    machine = this_machine(os.environ)
    texts = bundle(machine, place, _findings(look))
    file.write_bytes(archive(texts, machine.now()))
    print(texts["README.txt"])
    print(f"{file} is written")
    return 0


def bundle_of_running_board(place: ConfigPlace, config: Config, readers: ReaderHealths, *, simulated: bool) -> bytes:
    """The same archive, made by the board that runs: of its readers it has what it knows, and leaves them alone."""
    machine = this_machine(os.environ)
    installed = [] if simulated else checks_of_installation(machine, config)
    checks = [*checks_of_program(place, config), *checks_of_machine(machine, config), *installed]

    def look() -> Iterator[Finding]:
        yield from go_through(checks, ChosenDevices())
        yield from (_reader_finding(cell, health) for cell, health in readers().items())

    return archive(bundle(machine, place, _findings(look)), machine.now())


ReaderHealths = Callable[[], Mapping[str, object]]
"""How each reader is doing, as the page tells it."""


def _reader_finding(cell: str, health: object) -> Finding:
    told = health if isinstance(health, dict) else {}
    detail = ", ".join(f"{name} {value}" for name, value in told.items() if name != "ok")
    return Finding(f"reader {cell}", ok=told.get("ok") is True, detail=f"while the board runs: {detail}")


def _findings(look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What is found, or why nothing can be: a board that cannot be looked at is what help is wanted for."""
    try:
        return list(look())
    except QuartoError as error:
        return [Finding("configuration", ok=False, detail=str(error), fix="quarto-pi config validate")]


# --- `quarto-pi check --watch`: again and again, so that whoever solders sees a reader come alive ---------------------

CLEAR = "\x1b[H\x1b[2J"
"""To the upper left corner, and nothing left below (ECMA-48, CUP and ED)."""
_FIGURES = re.compile(r"\d[\d.,:]*")


def watch(look: Callable[[], Iterable[Finding]], every: int, *, as_json: bool) -> int:
    """Look until Ctrl-C; 1 if something was not as it should be when it ended."""
    log = Changes()
    try:
        while True:
            changed = [finding for finding in look() if log.takes(finding)]
            if as_json or not sys.stdout.isatty():
                for finding in changed:
                    print(json.dumps(asdict(finding)) if as_json else finding, flush=True)
            else:
                print(CLEAR + "\n".join(map(str, log.latest())), flush=True)
            time.sleep(every)
    except KeyboardInterrupt:
        return 0 if all(finding.ok for finding in log.latest()) else 1


class Changes:
    """What was found last of each device, and whether a new finding says anything new."""

    def __init__(self) -> None:
        self._latest: dict[str, Finding] = {}

    def takes(self, finding: Finding) -> bool:
        """Take a finding down; whether it is more than other figures for the same."""
        before = self._latest.get(finding.device)
        self._latest[finding.device] = finding
        return before is None or _without_figures(before) != _without_figures(finding)

    def latest(self) -> list[Finding]:
        """The latest findings, in the order in which their devices were first looked at."""
        return list(self._latest.values())


def _without_figures(finding: Finding) -> tuple[str, bool]:
    return _FIGURES.sub("", finding.detail), finding.ok


# --- `quarto-pi check`: does everything work, and what is to be done where it does not --------------------------------


USUAL_PAUSE: Final = 2
"""Seconds between two looks of `--watch`."""


def _check_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `check` can be asked for."""
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object for each part")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="check these parts alone: reader-a1 oled")
    shown.add_argument("--list", action="store_true", help="print the names of all parts")
    parser.add_argument(
        "--watch", action="store_true", help="check again and again, until Ctrl-C; with --json, changes"
    )
    parser.add_argument(
        "--every", type=whole_number(1, 3600), metavar="S", help=f"with --watch: seconds between looks ({USUAL_PAUSE})"
    )
    shown.add_argument(
        "--bundle", type=Path, metavar="FILE", help="write all that helps others to help, without secrets"
    )
    add_board(parser)


def _check(arguments: argparse.Namespace) -> int:
    """Check everything; 1 if something is not as it should be."""
    if arguments.every is not None and not arguments.watch:
        raise EveryWithoutWatch("--every is how often it looks again: write --watch with it.")
    if arguments.bundle:
        return write_bundle(
            arguments.bundle, place_of(arguments), lambda: go_through(_checks(arguments), ChosenDevices())
        )
    checks = _checks(arguments)
    choice = choose_devices(checks, arguments.only)
    if arguments.list:
        print("\n".join(device_names(checks)))
        return 0
    if arguments.watch:
        return watch(lambda: go_through(checks, choice), arguments.every or USUAL_PAUSE, as_json=arguments.json)
    well = True
    for finding in go_through(checks, choice):
        print(json.dumps(asdict(finding)) if arguments.json else finding, flush=True)
        well = well and finding.ok
    return 0 if well else 1


def _checks(arguments: argparse.Namespace) -> list[Check]:
    place, config = place_of(arguments), config_of(arguments)
    machine = this_machine(os.environ)
    # A simulated board stands on no bus of this computer, knows its own tags, and is no service.
    installed = [] if arguments.simulated else checks_of_installation(machine, config)
    return [
        *checks_of_program(place, config),
        *checks_of_machine(machine, config),
        *installed,
        *checks_of_board(config, below_of(arguments, config)),
    ]


CHECK_COMMAND: Final = Command(
    "check", "check every part and say what to do about those that do not work", _check_options, _check
)
