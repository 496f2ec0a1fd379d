"""A Pi as a tree of files, to be changed by a test, and with programs of its own."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from quarto_pi.checks.machine import Machine, User

TREES = Path(__file__).parent / "machines"
NOON = 1_772_366_400.0
"""1 March 2026."""


@dataclass(frozen=True)
class Workbench:
    """A machine made of files, and the hands that change them."""

    machine: Machine

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        file = self.machine.path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(mode)
        return file

    def remove(self, name: str) -> None:
        self.machine.path(name).unlink()

    def program(self, name: str, script: str) -> None:
        self.write(f"usr/bin/{name}", f"#!/bin/sh\n{script}\n", 0o755)

    def as_user(self, *groups: int) -> Machine:
        return replace(self.machine, user=User("keeper", 1000, frozenset(groups)))

    def at(self, now: float) -> Machine:
        return replace(self.machine, now=lambda: now)


def workbench(folder: Path) -> Workbench:
    """A copy of the Pi 4 that is well, and whoever runs the tests as its user."""
    root = folder / "pi-4"
    shutil.copytree(TREES / "pi-4", root)
    environ = {"PATH": f"{root}/usr/bin", "HOME": f"{root}/home/keeper", "USER": "keeper"}
    user = User("keeper", os.geteuid(), frozenset({os.getegid()}))
    return Workbench(Machine(root, user, environ, lambda: NOON))
