"""What a command of `quarto-pi` is."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, the line about it in `--help`, what it can be asked for, and its work.

    `options` adds to a parser what the command takes. `run` does it and gives the exit code; what goes wrong on the way
    is raised as it is, and `cli` makes one sentence of it.
    """

    name: str
    summary: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
