"""The command `quarto-pi`: finds the subcommand and says in one line what is wrong.

Exit codes: 0 success, 1 a failure at work, 2 wrong usage or input.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from quarto_pi import __version__
from quarto_pi.commands.backup import BACKUP_COMMAND, RESTORE_COMMAND
from quarto_pi.commands.check import CALIBRATE_COMMAND, CHECK_COMMAND
from quarto_pi.commands.config import CONFIG_COMMAND
from quarto_pi.commands.engine import BOOK_COMMAND, CONFORMANCE_COMMAND, ENGINE_COMMAND, MATCH_COMMAND, SOLVE_COMMAND
from quarto_pi.commands.enrol import ENROL_COMMAND
from quarto_pi.commands.export import EXPORT_COMMAND
from quarto_pi.commands.firmware import FIRMWARE_COMMAND
from quarto_pi.commands.first_start import FIRST_START_COMMAND
from quarto_pi.commands.hub import HUB_COMMAND
from quarto_pi.commands.options import refusal_of
from quarto_pi.commands.play import PLAY_COMMAND
from quarto_pi.commands.replay import REPLAY_COMMAND
from quarto_pi.commands.run import RUN_COMMAND
from quarto_pi.commands.simulate import SIMULATE_COMMAND
from quarto_pi.engine.client import EngineFailure
from quarto_pi.rules import QuartoError

COMMANDS: Final = (
    PLAY_COMMAND,
    SOLVE_COMMAND,
    ENGINE_COMMAND,
    CONFORMANCE_COMMAND,
    MATCH_COMMAND,
    RUN_COMMAND,
    SIMULATE_COMMAND,
    REPLAY_COMMAND,
    EXPORT_COMMAND,
    BACKUP_COMMAND,
    RESTORE_COMMAND,
    BOOK_COMMAND,
    CHECK_COMMAND,
    ENROL_COMMAND,
    CALIBRATE_COMMAND,
    CONFIG_COMMAND,
    FIRST_START_COMMAND,
    FIRMWARE_COMMAND,
    HUB_COMMAND,
)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line that also says what to do."""

    def error(self, message: str) -> NoReturn:
        sentence = message if message.endswith((".", "?")) else f"{message}."
        self.exit(2, f"{self.prog}: {sentence} Try '{self.prog} --help'.\n")


class _CommandParser(_Parser):
    """A parser of one command, which knows what that can be asked for once it is asked."""

    options: Callable[[argparse.ArgumentParser], None] | None = None

    def parse_known_args(  # type: ignore[override] # typeshed has one for each kind of namespace
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as always: who gives one command does not wait for the options of all others."""
        if self.options is not None:
            options, self.options = self.options, None
            options(self)
        return super().parse_known_args(args, namespace)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(prog="quarto-pi", description="The controller of a physical Quarto board.")
    parser.add_argument("--version", action="version", version=f"quarto-pi {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_CommandParser)
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.name, help=command.summary, description=f"{command.summary[0].upper()}{command.summary[1:]}."
        )
        subparser.options = command.options
        subparser.set_defaults(run=command.run, parser=subparser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that was asked for and return its exit code."""
    name = "quarto-pi"
    try:
        _take_any_text()
        parsed, unknown = build_parser().parse_known_args(arguments)
        if unknown:
            # argparse would point to the help of all commands, which has none of this one's options.
            parsed.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        name = f"quarto-pi {parsed.command}"
        return _obey(parsed, name)
    except KeyboardInterrupt:
        # The terminal has shown ^C, or what was asked, and stands behind it.
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        print(f"{chr(10) if is_terminal else ''}{name}: interrupted.", file=sys.stderr)
        return 1


def _obey(parsed: argparse.Namespace, name: str) -> int:
    try:
        code = int(parsed.run(parsed))
        if sys.stdout is not None:
            # What cannot be written any more is met here, where something can be said about it.
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of our output has gone, as with `| head`: nothing is left to be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except QuartoError as error:
        # What is missing, broken or in use is a failure at work; all else is what was asked for.
        return _complain(name, error, code=1 if isinstance(error, RuntimeError) else 2)
    except EngineFailure as error:
        return _complain(name, error, code=1)
    except OSError as error:
        return _complain(name, refusal_of(error), code=1)


def _take_any_text() -> None:
    """Escape what cannot be decoded, or not be shown in this locale, instead of ending with an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _complain(name: str, error: Exception | str, code: int) -> int:
    print(f"{name}: {error}", file=sys.stderr)
    return code
