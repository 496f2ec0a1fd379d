"""`quarto-pi firmware`: puts the firmware onto a Pico, tests the node there, and starts the Pico's bootloader."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace

from quarto_pi.below import not_installed, real_hardware
from quarto_pi.checks.node_on_trial import self_test
from quarto_pi.commands.board_options import add_config, config_of
from quarto_pi.devices.node_firmware import build, files
from quarto_pi.devices.node_settings import NodeSettings
from quarto_pi.rules import QuartoError

SUMMARY = "put the firmware onto a Pico that reads the board, or test the node that it has become"
IN_THE_BOOTLOADER = """\
The Pico is in its bootloader: a drive appears, RPI-RP2 or, of a Pico 2, RP2350.
Copy MicroPython's .uf2 file for your Pico onto it, then run 'quarto-pi firmware'.
If nothing is to be copied after all, unplug the Pico and plug it in."""


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `firmware` can be asked for."""
    parser.add_argument(
        "port", nargs="?", metavar="PORT", help="the Pico's serial port (default: the one that is found)"
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


def run(arguments: argparse.Namespace) -> int:
    """Copy the firmware, read it back and start it; or do what is asked for instead."""
    if arguments.json and not arguments.self_test:
        raise QuartoError("--json goes with --self-test: add that, or leave --json out.")
    if arguments.self_test:
        return _self_test(arguments)
    try:
        from quarto_pi.devices import node_update
    except ImportError as error:
        raise not_installed(error) from error
    if arguments.list:
        digests = node_update.hashes()
        for place, content in files().items():
            print(f"{digests[place]} {len(content):6} {place}")
        return 0
    port = arguments.port or node_update.find_pico()
    if arguments.bootloader:
        node_update.start_bootloader(port)
        print(IN_THE_BOOTLOADER)
        return 0
    if node_update.stop_node(port):
        print(f"The node at {port} has made room for the new firmware.", file=sys.stderr)
        port = node_update.wait_for(lambda: arguments.port or node_update.find_pico())
    for place in node_update.copy(port):
        print(place, flush=True)
    print(f"Build {build()} is on the Pico and reads back as it was written; it starts now.", file=sys.stderr)
    return 0


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
