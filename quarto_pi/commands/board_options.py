"""What every command that touches the board can be asked for: its configuration, and a simulated one."""

from __future__ import annotations

import argparse
from pathlib import Path

from quarto_pi.app import Below, real_hardware, simulated_hardware
from quarto_pi.config import Config, read_config


def add_board(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--config` and `--simulated`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (default: the usual wiring)")
    parser.add_argument("--simulated", action="store_true", help="use the simulated board instead of the real one")


def config_of(arguments: argparse.Namespace) -> Config:
    """The configuration that the command line names."""
    return read_config(arguments.config) if arguments.config else Config()


def below_of(arguments: argparse.Namespace, config: Config) -> Below:
    """What the command line wants below the drivers; a simulated board has a piece on every square."""
    if not arguments.simulated:
        return real_hardware()
    below, board = simulated_hardware(config=config)
    board.set_up()
    return below
