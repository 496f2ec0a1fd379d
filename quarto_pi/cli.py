"""The command `quarto-pi`: finds the subcommand and says in one line what is wrong.

Exit codes: 0 success, 1 a failure at work, 2 wrong usage or input.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from quarto_pi import __version__
from quarto_pi.commands import (
    book,
    calibrate,
    check,
    config,
    engine,
    enrol,
    export,
    firmware,
    match,
    play,
    replay,
    run,
    simulate,
    solve,
)
from quarto_pi.commands.options import refusal_of
from quarto_pi.engine.client import EngineFailure
from quarto_pi.rules import QuartoError

COMMANDS = {
    "play": play,
    "solve": solve,
    "engine": engine,
    "match": match,
    "run": run,
    "simulate": simulate,
    "replay": replay,
    "export": export,
    "book": book,
    "check": check,
    "enrol": enrol,
    "calibrate": calibrate,
    "config": config,
    "firmware": firmware,
}


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line that also says what to do."""

    def error(self, message: str) -> NoReturn:
        sentence = message if message.endswith((".", "?")) else f"{message}."
        self.exit(2, f"{self.prog}: {sentence} Try '{self.prog} --help'.\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(prog="quarto-pi", description="The controller of a physical Quarto board.")
    parser.add_argument("--version", action="version", version=f"quarto-pi {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=command.SUMMARY, description=f"{command.SUMMARY[0].upper()}{command.SUMMARY[1:]}."
        )
        command.options(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that was asked for and return its exit code."""
    _take_any_text()
    parsed = build_parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except BrokenPipeError:
        # The reader of our output has gone, as with `| head`: nothing is left to be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(f"quarto-pi {parsed.command}: interrupted.", file=sys.stderr)
        return 1
    except QuartoError as error:
        # What is missing, broken or in use is a failure at work; all else is what was asked for.
        return _complain(parsed.command, error, code=1 if isinstance(error, RuntimeError) else 2)
    except EngineFailure as error:
        return _complain(parsed.command, error, code=1)
    except OSError as error:
        return _complain(parsed.command, refusal_of(error), code=1)


def _take_any_text() -> None:
    """Escape what cannot be decoded, or not be shown in this locale, instead of ending with an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _complain(command: str, error: Exception | str, code: int) -> int:
    print(f"quarto-pi {command}: {error}", file=sys.stderr)
    return code
