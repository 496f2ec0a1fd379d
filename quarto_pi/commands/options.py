"""What a command is; options that several have; and what the system refuses a command, in one sentence."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.config import TABLE_MB, Config, ConfigError, EngineConfig, JournalConfig, find_config, state_folder
from quarto_pi.config.layers import SYSTEM_FILE, VARIABLE, ConfigPlace, find_place
from quarto_pi.engine.solver import MOST_THREADS, Solver
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.known_time import KnownTime
from quarto_pi.languages import LANGUAGES, language_of_locale
from quarto_pi.rules import Options
from quarto_pi.rules.kinds import Medium, Truth, ValueRefused, WholeNumber
from quarto_pi.rules.options import VARIANTS, Row
from quarto_pi.terminal.picture import ASCII_LOCALES
from quarto_pi.wiring.platform import Platform, real_hardware, simulated_hardware
from quarto_pi.words.catalogue import LOCALE_FOLDER, SOURCE, missing_of


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


# --- What every command that touches the board can be asked for: its configuration, and a simulated one ---------------


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


FASTEST: Final = 20
"""Much faster and many a processor has nothing left for the page."""


def add_speed(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--speed`."""
    parser.add_argument(
        "--speed",
        type=whole_number(1, FASTEST),
        default=1,
        metavar="N",
        help="time at the simulated board passes N times as fast, for what one would wait for otherwise (default: 1)",
    )


def place_of(arguments: argparse.Namespace) -> ConfigPlace:
    """The files that the command line names, or else the environment, or else the system's."""
    return find_place(arguments.config, os.environ)


def config_of(arguments: argparse.Namespace) -> Config:
    """The configuration in those files."""
    return find_config(arguments.config, os.environ)


def tell_missing_words(folder: Path = LOCALE_FOLDER) -> None:
    """Say it where languages lack their words: the board plays on, in English."""
    missing = missing_of(LANGUAGES, folder)
    if missing is not None:
        print(f"quarto-pi: {missing}. To mend it: {missing.fix}.", file=sys.stderr)


def without_node(config: Config) -> None:
    """Make sure that a simulated board is not asked for a Pico, which it does not have."""
    if config.node is not None:
        raise ConfigError("the simulated board has no Pico: leave the section [node] out, or write present = false.")


def below_of(arguments: argparse.Namespace, config: Config) -> Platform:
    """What the command line wants below the drivers; a simulated board has a piece on every square."""
    if not arguments.simulated:
        return real_hardware()
    without_node(config)
    platform, board = simulated_hardware(config=config)
    board.set_up()
    return platform


# --- In which language a command speaks to people ---------------------------------------------------------------------


def add_language(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--language`."""
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        metavar="LANG",
        help=f"{', '.join(LANGUAGES)} (default: the board's where its configuration names one, else your locale's)",
    )


def language_of(arguments: argparse.Namespace, environment: Mapping[str, str]) -> str:
    """The language that the command line names, or else the board's configuration, or else the locale."""
    if arguments.language is not None:
        return str(arguments.language)
    locale = next((environment[name] for name in LOCALE_VARIABLES if environment.get(name)), "")
    if locale in ASCII_LOCALES:
        return SOURCE
    return _configured_language(environment) or language_of_locale(locale) or SOURCE


LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def _configured_language(environment: Mapping[str, str]) -> str | None:
    """The language that the configuration names; none if it names none, or cannot be read by whoever only plays."""
    try:
        place = find_place(None, environment)
        named = any(source.has(("game", "language")) for source in place.sources())
        return find_config(None, environment).game.language if named else None
    except (ConfigError, OSError):
        return None


# --- The words that choose the variants, the same for every command (R5, R6) ------------------------------------------


def add_variants(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--squares` and `--traits`."""
    for row in VARIANTS:
        name = f"--{row.name(Medium.COMMAND)}"
        if isinstance(row.kind, Truth):
            parser.add_argument(name, action="store_const", const="true", help=row.meaning)
        else:
            said = f"{row.meaning}: {row.allowed(Medium.COMMAND)}"
            parser.add_argument(name, type=_text_for(row), metavar="LIST", help=said)


def variants_of(arguments: argparse.Namespace) -> Options:
    """The variants that the command line asks for."""
    rules = Options()
    for row in VARIANTS:
        written = getattr(arguments, row.key)
        if written is not None:
            rules = row.read(rules, written, Medium.COMMAND)
    return rules


class _text_for:  # noqa: N801 - argparse names a type by what it is called
    """The type of an argument that is the text of a setting, and known to be a right one."""

    def __init__(self, row: Row[Options]) -> None:
        self._row = row

    def __call__(self, text: str) -> str:
        """The text as it is."""
        try:
            self._row.read(Options(), text, Medium.COMMAND)
        except ValueRefused as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return text


# --- What commands that run a board can be asked for: where to keep its games -----------------------------------------


def add_keep(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--keep`."""
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the games there, and where a simulated board's pieces stand: after a stop it goes on",
    )


def journal_folder(journal: JournalConfig) -> Path:
    """Where a board with this configuration keeps its journal."""
    return Path(journal.folder).expanduser() if journal.folder else state_folder(os.environ)


def kept_in(config: Config, keep: Path | None, *, simulated: bool) -> Path | None:
    """Where a board keeps its games: as the command line or the configuration says; a simulated one nowhere unasked."""
    if keep is None and not simulated and config.journal is not None:
        return journal_folder(config.journal)
    return keep


def journal_for(
    config: Config, keep: Path | None, stack: ExitStack, known_time: KnownTime, *, simulated: bool
) -> OpenJournal | None:
    """The journal of a board, where it keeps its games."""
    folder = kept_in(config, keep, simulated=simulated)
    if folder is None:
        return None
    is_on_chain = config.chain is not None
    opened = open_journal(folder, config.settings, stack, wall=known_time.stamp, is_on_chain=is_on_chain)
    for game in opened.remembered.games:
        known_time.never_before(max(game.begun, game.ended or game.begun))
    return opened


# --- What every command that searches can be asked for ----------------------------------------------------------------


def add_search(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for the size of its table, for several threads, and to do without the book."""
    add_config(parser)
    parser.add_argument(
        "--table-mb",
        type=whole_number(TABLE_MB.lowest, TABLE_MB.highest),
        metavar="N",
        help=f"megabytes for what the search remembers (default: the configuration's, or {EngineConfig().table_mb})",
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, MOST_THREADS),
        default=1,
        metavar="N",
        help="how many search at the same time, with one table, where the search is compiled (1)",
    )
    parser.add_argument("--no-book", action="store_true", help="search also what stands in the opening book")


def new_solver(options: Options, arguments: argparse.Namespace) -> Solver:
    """A solver as the command line and the configuration ask for it."""
    table_mb = arguments.table_mb or config_of(arguments).engine.table_mb
    solver = Solver(options, table_mb=table_mb, use_book=not arguments.no_book, threads=arguments.threads)
    if solver.threads < arguments.threads:
        print("One thread searches: the search is not compiled here, or for words of 32 bits.", file=sys.stderr)
    return solver


class whole_number:  # noqa: N801 - argparse names a type by what it is called
    """The type of an argument that is a whole number within limits."""

    def __init__(self, lowest: int, highest: int) -> None:
        self._kind = WholeNumber(lowest, highest)

    def __call__(self, text: str) -> int:
        """The number in a text."""
        try:
            return self._kind.read(text, Medium.COMMAND)
        except ValueRefused as error:
            raise argparse.ArgumentTypeError(str(error).rstrip(".")) from error


# --- What the system refuses a command, in one sentence ---------------------------------------------------------------


def refusal_of(error: OSError) -> str:
    """What could not be used and why, with what to do.

    >>> refusal_of(PermissionError(13, "Permission denied", "/var/lib/quarto-pi/tags.toml"))
    '/var/lib/quarto-pi/tags.toml cannot be used (Permission denied); use sudo.'
    >>> refusal_of(IsADirectoryError(21, "Is a directory", "apart"))
    'apart cannot be used (Is a directory); name another place, or make that one usable.'
    >>> refusal_of(OSError(28, "No space left on device"))
    'nothing more can be written (No space left on device); make room.'
    >>> refusal_of(OSError("the machine stays on."))
    'the machine stays on.'
    """
    if error.filename is None:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return f"nothing more can be written ({error.strerror}); make room." if is_full else str(error)
    todo = "use sudo" if isinstance(error, PermissionError) else "name another place, or make that one usable"
    return f"{error.filename} cannot be used ({error.strerror}); {todo}."
