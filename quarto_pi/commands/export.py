"""`quarto-pi export`: the games that were kept, as text that people and `replay --game` read."""

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
from quarto_pi.rules import QuartoError, Record

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
