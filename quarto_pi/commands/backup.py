"""`quarto-pi backup` and `quarto-pi restore`: the games taken off the board as one file, and put back from one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from quarto_pi.commands.options import Command, add_config, config_of, journal_folder
from quarto_pi.config import JournalConfig
from quarto_pi.journal.journal import JournalError
from quarto_pi.journal.restore import GamesFile, copies_on, copy_games, files_in, put_back, sticks


def _place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where `run` or `simulate` was told to keep them")
    add_config(parser)


def _folder(arguments: argparse.Namespace) -> Path:
    return arguments.keep or journal_folder(config_of(arguments).journal or JournalConfig())


def _backup_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `backup` can be asked for."""
    parser.add_argument(
        "to", type=Path, nargs="?", metavar="TO", help="a file, a folder, or `stick` (default: list what there is)"
    )
    _place(parser)


def _backup(arguments: argparse.Namespace) -> int:
    """Copy the games, or list what copies there are."""
    folder, to = _folder(arguments), arguments.to
    places = sticks((config_of(arguments).journal or JournalConfig()).stick)
    if to is None:
        there = [_line(folder, copy) for copy in files_in(folder)]
        there += [_line(stick, copy) for stick in places for copy in copies_on(stick)]
        for line in there:
            print(line)
        if not there:
            said = f"there is no copy in {folder}, nor on a USB stick: 'quarto-pi backup TO' makes one"
            print(f"quarto-pi backup: {said}.", file=sys.stderr)
        return 0
    if f"{to}" == "stick":
        if not places:
            raise JournalError("no USB stick is there that may be written to: plug one in, or name a folder.")
        to = places[0]
    print(copy_games(folder, to))
    return 0


def _line(folder: Path, copy: GamesFile) -> str:
    return f"{folder / copy.name}  {copy.games} game{'' if copy.games == 1 else 's'}, {copy.size / 1e6:.1f} MB"


def _restore_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `restore` can be asked for."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a copy that `backup` has made, or one of the backups")
    _place(parser)


def _restore(arguments: argparse.Namespace) -> int:
    """Have a file's games take the place of the board's at its next start."""
    games = put_back(_folder(arguments), arguments.file)
    said = f"{games} game{' takes' if games == 1 else 's take'} the place of the board's when it is started next"
    print(f"quarto-pi restore: {said}; those that it has now are kept beside them.", file=sys.stderr)
    return 0


BACKUP_COMMAND = Command(
    "backup", "copy the games to a file or a USB stick, or list the copies", _backup_options, _backup
)
RESTORE_COMMAND = Command(
    "restore", "put games back from a copy, at the board's next start", _restore_options, _restore
)
