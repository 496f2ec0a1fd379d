"""`quarto-pi engine`: the line protocol on standard input and output, so that other programs can play the engine."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Final

from quarto_pi.commands.command import Command
from quarto_pi.commands.options import add_search, new_solver
from quarto_pi.engine.conversation import Conversation

NICENESS = 10


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `engine` can be asked for."""
    add_search(parser)


def _run(arguments: argparse.Namespace) -> int:
    """Talk until `quit`, or until nobody is there any more."""
    # Whoever needs the machine more comes first: a sweep of the readers, a screen.
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    conversation = Conversation(
        send=lambda line: print(line, flush=True), new_solver=lambda rules: new_solver(rules, arguments)
    )
    try:
        for line in sys.stdin or ():
            if not conversation.hear(line):
                break
        else:
            conversation.finish()
    finally:
        # A search that goes on would answer while the program ends: after Ctrl-C it is stopped first.
        conversation.close()
    return 0


ENGINE_COMMAND: Final = Command("engine", "speak the engine protocol on standard input and output", _options, _run)
