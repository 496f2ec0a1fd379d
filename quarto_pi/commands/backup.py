"""The games taken off the board: `quarto-pi export` as text; `backup` as one file, and `restore`, back from one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from quarto_pi.commands.options import Command, add_config, config_of, journal_folder, whole_number
from quarto_pi.config import JournalConfig
from quarto_pi.journal.journal import JournalError, KeptGame, games
from quarto_pi.journal.repair import reading
from quarto_pi.journal.restore import GamesFile, copies_on, copy_games, files_in, put_back, sticks
from quarto_pi.rules import QuartoError, Record

# --- `quarto-pi backup` and `quarto-pi restore`: the games taken off the board as one file, and put back from one -----


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


# --- `quarto-pi export`: the games that were kept, as text that people and `replay --game` read -----------------------


LAST_NUMBER: Final = 2**63 - 1
"""No game has a higher one."""


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `export` can be asked for."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--game", type=whole_number(1, LAST_NUMBER), metavar="N", help="only the game with this number, finished or not"
    )
    which.add_argument("--last", action="store_true", help="only the last game")
    parser.add_argument("--all", action="store_true", help="also games that were not finished")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where `run` or `simulate` was told to keep them")
    parser.add_argument(
        "to", type=Path, nargs="?", metavar="FILE", help="a file, or a folder for one file a game (default: printed)"
    )
    add_config(parser)


def _run(arguments: argparse.Namespace) -> int:
    """Write the games, each a record."""
    folder = arguments.keep or journal_folder(config_of(arguments).journal or JournalConfig())
    to: Path | None = arguments.to
    with reading(folder) as connection:
        kept = games(
            connection,
            unfinished=arguments.all or arguments.game is not None,
            number=arguments.game,
            newest=1 if arguments.last else -1,
            unreadable=_tell_unreadable,
        )
        if to is not None and to.is_dir():
            written = _to_folder(kept, to)
        elif to is not None:
            texts = [text_of(game) for game in kept]
            written = len(texts)
            if texts:
                to.write_text("\n".join(texts), encoding="utf-8")
        else:
            written = _printed(kept)
    if arguments.game is not None and not written:
        raise JournalError(f"there is no game {arguments.game} in {folder}: export --all shows those that there are.")
    if not written:
        asked = (
            "No game has been kept yet." if arguments.all else "No game has been finished yet: --all takes others too."
        )
        print(f"quarto-pi export: {asked}", file=sys.stderr)
    return 0


UNKNOWN_DATE: Final = "????-??-??"
"""Of a game that was played while nobody knew the time."""


def text_of(game: KeptGame) -> str:
    """A game as a record, with what else is known of it in its headers."""
    # The board knows the time of day only where it has a network, or a clock of its own, or was told it.
    known = game.begun or game.ended
    date = datetime.fromtimestamp(known, UTC).strftime("%Y-%m-%d") if known else UNKNOWN_DATE
    headers = {"Number": f"{game.number}", "Date": date}
    headers |= {f"Player{side}": _seat(level) for side, level in enumerate(game.levels, start=1)}
    headers["Seconds"] = f"{game.played_ms // 1000}"
    return str(Record(game.game, {**headers, **game.record.headers}))


def _tell_unreadable(number: int, why: QuartoError) -> None:
    print(f"quarto-pi export: game {number} cannot be read and is left out: {why}", file=sys.stderr)


def _seat(level: int | None) -> str:
    return "person" if level is None else f"level {level}"


def _to_folder(kept: Iterator[KeptGame], folder: Path) -> int:
    written = 0
    for game in kept:
        (folder / f"game-{game.number:06}.txt").write_text(text_of(game), encoding="utf-8")
        written += 1
    return written


def _printed(kept: Iterator[KeptGame]) -> int:
    written = 0
    for game in kept:
        print(f"{'' if not written else chr(10)}{text_of(game)}", end="")
        written += 1
    return written


EXPORT_COMMAND: Final = Command("export", "write the games that were kept as text", _options, _run)
