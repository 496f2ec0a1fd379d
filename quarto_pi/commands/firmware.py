"""`quarto-pi firmware`: puts the firmware onto a Pico, tests the node there, and starts the Pico's bootloader."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from quarto_pi.checks.node import self_test
from quarto_pi.commands.options import Command, add_config, config_of
from quarto_pi.config import state_folder
from quarto_pi.devices.node.firmware import build, files
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.rules import QuartoError
from quarto_pi.terminal.table import QUIT_ORDERS, order_in
from quarto_pi.wiring.platform import not_installed, real_hardware

IN_THE_BOOTLOADER = """\
The Pico is in its bootloader: a drive appears, RPI-RP2 or, of a Pico 2, RP2350.
Copy MicroPython's .uf2 file for your Pico onto it, then run 'quarto-pi firmware'.
If nothing is to be copied after all, unplug the Pico and plug it in."""
BACKUPS = "pico-backups"
QUESTION = """\
It does not answer as a node of quarto-pi: it may be an empty Pico, or somebody's own program may be on it, or it is
something else altogether. The program is stopped, and its files are kept on this computer before they are replaced.
Put the firmware on it? [y/N] """


class NotWritten(QuartoError, RuntimeError):
    """Somebody was asked and does not want it."""


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `firmware` can be asked for."""
    parser.add_argument(
        "port",
        nargs="?",
        metavar="SERIAL_OR_PORT",
        help="the Pico's serial number or its serial port (default: the one that is found)",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before something is replaced that is no node")
    parser.add_argument(
        "--backup",
        type=Path,
        metavar="FOLDER",
        help="where to keep the files that are replaced (default: beside the games)",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="only list what would be copied, with lengths and hashes")
    instead.add_argument(
        "--self-test",
        action="store_true",
        help="copy nothing: have the running node reset its readers and show each light of the panel, and tell of it",
    )
    instead.add_argument(
        "--bootloader",
        action="store_true",
        help="copy nothing: restart the running node into its bootloader, for a new MicroPython",
    )
    parser.add_argument("--json", action="store_true", help="with --self-test: print one JSON object for each part")
    add_config(parser, "with --self-test: how the board is wired")


def _run(arguments: argparse.Namespace) -> int:
    """Copy the firmware, read it back and start it; or do what is asked for instead."""
    if arguments.json and not arguments.self_test:
        raise QuartoError("--json goes with --self-test: add that, or leave --json out.")
    if arguments.self_test:
        return _self_test(arguments)
    try:
        from quarto_pi.devices.node import update
    except ImportError as error:
        raise not_installed(error) from error
    if arguments.list:
        digests = update.hashes()
        for place, content in files().items():
            print(f"{digests[place]} {len(content):6} {place}")
        return 0
    return _bootloader(arguments) if arguments.bootloader else _update(arguments)


class _Progress:
    """What people see meanwhile: a line for each step, and a dot for each second that it takes."""

    def __init__(self) -> None:
        self._has_dots = False

    def say(self, line: str) -> None:
        """Tell of a step."""
        print(f"{self.end()}{line}", file=sys.stderr, flush=True)

    def dot(self) -> None:
        """Show that it goes on."""
        self._has_dots = True
        print(".", end="", file=sys.stderr, flush=True)

    def end(self) -> str:
        """What ends a line of dots."""
        has_dots, self._has_dots = self._has_dots, False
        return "\n" if has_dots else ""


def _bootloader(arguments: argparse.Namespace) -> int:
    """Restart a running node into the bootloader of its Pico."""
    from quarto_pi.devices.node import update
    from quarto_pi.devices.node.firmware import ShownWait
    from quarto_pi.devices.node.ports import named

    progress = _Progress()
    pico = update.choose_pico(arguments.port)
    progress.say(f"Looking for a node at {named(pico)}.")
    try:
        update.RunningNode(pico, ShownWait(real_hardware().clock, progress.dot)).start_bootloader()
    finally:
        print(progress.end(), end="", file=sys.stderr)
    print(IN_THE_BOOTLOADER)
    return 0


def _update(arguments: argparse.Namespace) -> int:
    """Put the firmware onto the Pico."""
    from quarto_pi.devices.node import update
    from quarto_pi.devices.node.firmware import ShownWait
    from quarto_pi.devices.node.ports import named

    platform, progress = real_hardware(), _Progress()
    wait = ShownWait(platform.clock, progress.dot)
    backups = arguments.backup or state_folder(os.environ) / BACKUPS
    pico = update.choose_pico(arguments.port)
    progress.say(f"The firmware is for {named(pico)}.")
    try:
        node = update.RunningNode(pico, wait)
        if node.is_there():
            pico = node.stop()
            progress.say(f"The node at {pico.device} has made room for the new firmware.")
        elif not arguments.yes:
            _ask(named(pico), progress)
        places = update.FirmwareUpdate(pico, wait, progress.say).copy(backups.expanduser().absolute(), platform.wall())
    except KeyboardInterrupt as error:
        todo = "a node that has stopped already starts again when it is unplugged and plugged in"
        raise NotWritten(f"interrupted, nothing was written to the Pico: {todo}.") from error
    finally:
        print(progress.end(), end="", file=sys.stderr)
    for place in places:
        print(place)
    progress.say(f"Build {build()} is on the Pico and reads back as it was written; it starts now.")
    return 0


def _ask(name: str, progress: _Progress) -> None:
    """Ask before something is replaced that is no node."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise QuartoError(f"{name} is no node of quarto-pi, and nobody can be asked here: add --yes to write to it.")
    print(progress.end(), end="", file=sys.stderr)
    answer = ""
    while answer not in ANSWERS:
        print(QUESTION, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        answer = order_in(line)
        if not line or not answer:
            break
        if answer not in ANSWERS:
            print("y puts the firmware on it; n, quit or just Enter leaves it as it is.", file=sys.stderr)
    if answer not in ("y", "yes"):
        raise NotWritten("nothing was written: name another Pico by its serial number or port, or answer y.")


ANSWERS: Final = ("y", "yes", "n", "no", *QUIT_ORDERS)
"""What ends the question; anything else, help too, gets an explanation."""


def _self_test(arguments: argparse.Namespace) -> int:
    """Tell what the node's test found; 1 if something is not as it should be."""
    config = config_of(arguments)
    settings = config.node or NodeSettings()
    settings = replace(settings, port=arguments.port or settings.port)
    well = True
    for finding in self_test(replace(config, node=settings), settings, real_hardware()):
        print(json.dumps(asdict(finding)) if arguments.json else finding, flush=True)
        well = well and finding.ok
    return 0 if well else 1


FIRMWARE_COMMAND: Final = Command(
    "firmware", "put the firmware onto a Pico that reads the board, or test the node that it has become", _options, _run
)
