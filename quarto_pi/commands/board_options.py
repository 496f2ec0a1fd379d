"""What every command that touches the board can be asked for: its configuration, and a simulated one."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from quarto_pi.below import Below, real_hardware, simulated_hardware
from quarto_pi.config import Config, ConfigError, find_config
from quarto_pi.config.places import SYSTEM_FILE, VARIABLE, Place, find_place


def add_config(parser: argparse.ArgumentParser, use: str = "the configuration") -> None:
    """Let a command be asked for `--config`, and say what it uses it for."""
    otherwise = f"${VARIABLE}, else {SYSTEM_FILE} if it is there, else the usual values"
    parser.add_argument("--config", type=Path, metavar="FILE", help=f"{use} (default: {otherwise})")


def add_board(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--config` and `--simulated`."""
    add_config(parser)
    parser.add_argument("--simulated", action="store_true", help="use the simulated board instead of the real one")


def add_power_off(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--power-off`."""
    parser.add_argument(
        "--power-off", action="store_true", help="whoever switches the board off in its menu switches the machine off"
    )


def place_of(arguments: argparse.Namespace) -> Place:
    """The files that the command line names, or else the environment, or else the system's."""
    return find_place(arguments.config, os.environ)


def config_of(arguments: argparse.Namespace) -> Config:
    """The configuration in those files."""
    return find_config(arguments.config, os.environ)


def without_node(config: Config) -> None:
    """Make sure that a simulated board is not asked for a Pico, which it does not have."""
    if config.node is not None:
        raise ConfigError("the simulated board has no Pico: leave the section [node] out, or write present = false.")


def below_of(arguments: argparse.Namespace, config: Config) -> Below:
    """What the command line wants below the drivers; a simulated board has a piece on every square."""
    if not arguments.simulated:
        return real_hardware()
    without_node(config)
    below, board = simulated_hardware(config=config)
    board.set_up()
    return below
