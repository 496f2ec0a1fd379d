"""Runs second on the Pico, and for ever: the node; unless a new firmware is to be copied, or this one has broken."""

import io
import os
import sys
from time import sleep_ms

import machine

CRASH_FILE = "crash.txt"
CHANCE_MS = 2_000
"""How long a firmware that broke last time leaves for a Ctrl-C, so that it can be replaced."""


def build() -> str:
    """The build of this firmware, as it was written down when it was copied."""
    try:
        with open("build.txt") as file:
            return file.read().strip()
    except OSError:
        return ""


def what_broke() -> str:
    """What ended the firmware last time, if anything did; told once."""
    try:
        with open(CRASH_FILE) as file:
            text = file.read().strip()
    except OSError:
        return ""
    sleep_ms(CHANCE_MS)
    os.remove(CRASH_FILE)
    return text.rsplit("\n", 1)[-1]


def write_down(error: Exception) -> None:
    """Keep what ended the firmware for the next time."""
    text = io.StringIO()
    sys.print_exception(error, text)
    with open(CRASH_FILE, "w") as file:
        file.write(text.getvalue())


def main() -> None:
    """Be a node."""
    # What is missing or half copied breaks here, before the watchdog: the cable stays open for a new firmware.
    from quarto_pi.firmware.node import Node

    node = Node(build(), what_broke())
    try:
        node.run()
    except Exception as error:
        write_down(error)
        machine.reset()


if "update" in os.listdir():
    os.remove("update")
else:
    main()
