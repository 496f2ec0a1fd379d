"""`make test-kernel`, or `python -m tests.kernel`: two evenings above a real kernel, in a virtual machine."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from quarto_pi.config import parse_config
from quarto_pi.sensing.tags import format_tags
from quarto_pi.wiring.platform import simulated_tags
from tests.appliance.box import Failed
from tests.games.evening import HERE, read_evening
from tests.kernel.channel import Silent
from tests.kernel.evening import OnPaper
from tests.kernel.machine import BoardMachine
from tests.kernel.pico import PicoBeside
from tests.kernel.scenarios import HeaderTrial, PicoTrial
from tests.kernel.system import System

FOLDER: Final = Path("build/kernel")
ON_THE_HEADER: Final = "d03-maker-calls-the-sixteenth"
ON_A_PICO: Final = "r08-receiver-calls"
NEEDED: Final = ("debootstrap", "systemd-nspawn", "qemu-system-x86_64", "mke2fs")


def main() -> int:
    """Play them; 1 if anything was not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel", description=__doc__)
    parser.add_argument(
        "--header", default=ON_THE_HEADER, metavar="NAME", help=f"an evening of tests/games (default: {ON_THE_HEADER})"
    )
    parser.add_argument("--pico", default=ON_A_PICO, metavar="NAME", help=f"that on a Pico (default: {ON_A_PICO})")
    chosen = parser.parse_args()
    if os.geteuid() != 0 or not all(map(shutil.which, NEEDED)):
        print(f"make test-kernel makes systems and boots them: it needs root, {', '.join(NEEDED)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    papers = [OnPaper(read_evening(HERE / f"{name}.game")) for name in (chosen.header, chosen.pico)]
    folder = FOLDER.resolve()
    system = System(folder).make()
    system.fresh_image()
    with ExitStack() as stack:
        machine = BoardMachine(system, folder, format_tags(simulated_tags()))
        stack.callback(machine.close)
        header = HeaderTrial(machine, parse_config('profile = "pi"'), papers[0])
        if not _all_succeed(header.steps()):
            return 1
        pico = PicoBeside(machine.pico_port, folder / "pico")
        stack.callback(pico.close)
        trial = PicoTrial(machine, parse_config('profile = "pico"'), papers[1], pico)
        return 0 if _all_succeed(trial.steps()) else 1


def _all_succeed(steps: Iterable[Callable[[], str]]) -> bool:
    return all(map(_succeeds, steps))


def _succeeds(step: Callable[[], str]) -> bool:
    name, began = step.__name__.replace("_", " "), time.monotonic()
    try:
        outcome = step()
    except (Failed, Silent) as failed:
        print(f"FAILED  {name}\n{failed}", flush=True)
        return False
    print(f"ok {time.monotonic() - began:5.0f} s  {name}: {outcome}", flush=True)
    return True


sys.exit(main())
