"""`quarto-pi firmware`: puts the firmware onto a Pico, and makes sure that it is there."""

from __future__ import annotations

import argparse
import sys

from quarto_pi.below import not_installed
from quarto_pi.devices.node_firmware import build, files

SUMMARY = "put the firmware onto a Pico that reads the board"


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `firmware` can be asked for."""
    parser.add_argument(
        "port", nargs="?", metavar="PORT", help="the Pico's serial port (default: the one that is found)"
    )
    parser.add_argument("--list", action="store_true", help="only list what would be copied, with lengths and hashes")


def run(arguments: argparse.Namespace) -> int:
    """Copy the firmware, read it back and start it."""
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
    if node_update.stop_node(port):
        print(f"The node at {port} has made room for the new firmware.", file=sys.stderr)
        port = node_update.wait_for(lambda: arguments.port or node_update.find_pico())
    for place in node_update.copy(port):
        print(place, flush=True)
    print(f"Build {build()} is on the Pico and reads back as it was written; it starts now.", file=sys.stderr)
    return 0
