"""`quarto-pi run`: the controller of the board."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from quarto_pi.app import open_loop, read_tags, real_hardware, simulated_hardware, simulated_tags
from quarto_pi.commands.board_options import add_board, config_of
from quarto_pi.referee import Effect, ShutDown, Tell
from quarto_pi.trace.story import as_json, as_text

SUMMARY = "run the board: games by its readers, buttons and displays"


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `run` can be asked for."""
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what the sensors see as a table trace")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each event")
    add_board(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the board until it is told to stop."""
    config = config_of(arguments)
    # The table of the simulated board is empty: a game begins on an empty board.
    below = simulated_hardware()[0] if arguments.simulated else real_hardware()
    tags = simulated_tags() if arguments.simulated else read_tags(config)
    log = EventLog(as_lines_of_json=arguments.json)
    with ExitStack() as stack:
        loop = open_loop(config, below, stack, tags, (log,), arguments.record)
        signal.signal(signal.SIGTERM, log.stop)
        signal.signal(signal.SIGINT, log.stop)
        print("The board is running; Ctrl-C ends it.", file=sys.stderr)
        loop.run(lambda: not log.stopped)
    return 0


class EventLog:
    """Prints what happens, and knows when it is to end."""

    def __init__(self, *, as_lines_of_json: bool) -> None:
        self._as_json = as_lines_of_json
        self.stopped = False

    def perform(self, effect: Effect) -> None:
        """Print an event; the switch in the menu ends the controller."""
        if isinstance(effect, ShutDown):
            self.stopped = True
        elif isinstance(effect, Tell):
            told = as_json(effect.at, effect.report)
            line = json.dumps(told, separators=(",", ":")) if self._as_json else as_text(effect.report)
            print(line, flush=True)

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """End the controller after the present look."""
        self.stopped = True
