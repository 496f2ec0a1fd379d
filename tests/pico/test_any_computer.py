"""A board with a Pico needs nothing of what only a Pi's header needs, and a board without one no serial line."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
for name in ("gpiozero", "mfrc522", "RPi", "spidev", "luma", "smbus2", "PIL", "lgpio"):
    sys.modules[name] = None
from contextlib import ExitStack
from dataclasses import replace
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.platform import real_hardware, simulated_tags
from quarto_pi.commands import check, firmware, run
from quarto_pi.config import parse_config
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.clock import SimulatedClock
config = parse_config('[node]\\nport = "/dev/no-such-port"\\n[panel_lights]\\n')
with ExitStack() as stack:
    loop = open_loop(config, replace(real_hardware(), clock=SimulatedClock()), stack, TagTable({}))
    loop.turn()
    print(len(loop.state.table.lost) if loop.state else None)
"""


WITHOUT_SERIAL = """
import sys
sys.modules["serial"] = None
from quarto_pi.cli import main
assert main(["check", "--simulated", "--only", "words", "button-call"]) == 0
sys.exit(main(["firmware", "--list"]))
"""


def test_program_without_pyserial_says_what_is_missing_only_where_it_is_needed() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_SERIAL], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 1
    assert done.stderr == (
        "quarto-pi firmware: the package pyserial is not installed: install quarto-pi with its set 'node'.\n"
    )


def test_controller_runs_without_the_packages_of_the_header() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    assert "there is no /dev/no-such-port: plug the Pico in" in done.stderr
