"""`quarto-pi check`: does everything work, and what is to be done where it does not."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict
from pathlib import Path

from quarto_pi.checks.machine import this_machine
from quarto_pi.checks.plan import (
    Check,
    Choice,
    checks_of_board,
    checks_of_installation,
    checks_of_machine,
    checks_of_program,
    choose,
    go_through,
    names_of,
)
from quarto_pi.commands.board_options import add_board, below_of, config_of, place_of
from quarto_pi.commands.check_bundle import write_bundle
from quarto_pi.commands.check_watch import watch
from quarto_pi.commands.engine_options import whole_number

SUMMARY = "check every part and say what to do about those that do not work"


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `check` can be asked for."""
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print one JSON object for each part")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="check these parts alone: reader-a1 oled")
    shown.add_argument("--list", action="store_true", help="print the names of all parts")
    parser.add_argument(
        "--watch", action="store_true", help="check again and again, until Ctrl-C; with --json, changes"
    )
    parser.add_argument("--every", type=whole_number(1, 3600), default=2, metavar="S", help="seconds between looks (2)")
    shown.add_argument(
        "--bundle", type=Path, metavar="FILE", help="write all that helps others to help, without secrets"
    )
    add_board(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check everything; 1 if something is not as it should be."""
    if arguments.bundle:
        return write_bundle(arguments.bundle, place_of(arguments), lambda: go_through(_checks(arguments), Choice()))
    checks = _checks(arguments)
    choice = choose(checks, arguments.only)
    if arguments.list:
        print("\n".join(names_of(checks)))
        return 0
    if arguments.watch:
        return watch(lambda: go_through(checks, choice), arguments.every, as_json=arguments.json)
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
