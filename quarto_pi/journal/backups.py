"""Backups: whole copies of a journal that has been checked, each checked itself, and only so many of them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import astuple, fields
from pathlib import Path
from typing import Final

from quarto_pi.files import replace_text
from quarto_pi.journal import settled
from quarto_pi.journal.journal import JournalDamaged, JournalError, check_tables, next_number, rename, upgrade
from quarto_pi.journal.records import GameRow
from quarto_pi.referee.tally import Against, Tally
from quarto_pi.rules import Clear, QuartoError, Record, apply, parse_record

# --- What is not sound is set aside with a note, and never deleted ----------------------------------------------------

DAMAGED_STEM: Final = "damaged"
LOGS: Final = ("-wal", "-journal")
_INDEX: Final = "-shm"
_GAME: Final = ", ".join(field.name for field in fields(GameRow))


def set_aside(file: Path, why: str) -> str:
    """Rename a journal with all that belongs to it, and write a note beside it; the sentence for the log."""
    number = next_number(file.parent, DAMAGED_STEM)
    aside = file.with_name(f"{DAMAGED_STEM}-{number:06}{file.suffix}")
    replace_text(aside.with_suffix(".txt"), f"{why}\nIt was set aside when the board was started; nothing reads it.\n")
    rename_all(file, aside)
    return f"{why} It was set aside as {aside.name}"


def rename_all(file: Path, to: Path) -> None:
    """Rename a journal with its logs."""
    # The index of a log is made again whenever it is missing.
    file.with_name(f"{file.name}{_INDEX}").unlink(missing_ok=True)
    # A log goes first: left behind, it would be taken for the next journal's.
    for end in (*LOGS, ""):
        old = file.with_name(f"{file.name}{end}")
        if os.path.lexists(old):
            rename(old, to.with_name(f"{to.name}{end}"))


def finish_setting_aside(file: Path) -> None:
    """Set a log aside that has lost its journal: power may have failed between the one and the other."""
    if file.exists():
        return
    for end in LOGS:
        log = file.with_name(f"{file.name}{end}")
        if os.path.lexists(log):
            number = next_number(file.parent, DAMAGED_STEM)
            rename(log, file.with_name(f"{DAMAGED_STEM}-{number:06}{file.suffix}{end}"))


def has_history(file: Path) -> bool:
    """Whether anything beside a journal says that there was one before: a log, a backup, or one that was set aside."""
    logs = [file.with_name(f"{file.name}{end}") for end in LOGS]
    return any(_is_filled(log) for log in logs) or any(
        any(file.parent.glob(f"{stem}-[0-9]*")) for stem in (STEM, DAMAGED_STEM)
    )


def _is_filled(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0


def rescue(connection: sqlite3.Connection, folder: Path) -> int | None:
    """Take over what the journal that was set aside last has besides, as far as it can be played through by the rules.

    That are games with higher numbers than any that has ended here; those of one that was set aside long ago have none.
    The number of the game that was under way is returned.
    """
    (ended,) = connection.execute("SELECT coalesce(max(number), 0) FROM games WHERE reason IS NOT NULL").fetchone()
    aside = max(folder.glob(f"{DAMAGED_STEM}-[0-9]*.sqlite"), default=None)
    # A pipe would be waited for, and of an empty file SQLite deletes the log.
    found = {} if aside is None or not _is_filled(aside) else _games_of(aside, ended)
    if aside is not None and _is_filled(aside):
        settled.hand_on_queue(aside, connection)
    marks = ", ".join("?" for _ in fields(GameRow))
    connection.executemany(
        f"INSERT OR REPLACE INTO games ({_GAME}) VALUES ({marks})",  # noqa: S608 - our names
        [astuple(found[number]) for number in sorted(found)],
    )
    return next((number for number in found if number == max(found) and found[number].reason is None), None)


def _games_of(file: Path, after: int) -> dict[int, GameRow]:
    """The games of a damaged journal after this one, read from both ends, as far as that goes."""
    found: dict[int, GameRow] = {}
    for order in ("DESC", "ASC"):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_to_read(file)) as connection:
            for row in connection.execute(
                f"SELECT {_GAME} FROM games WHERE number > ? ORDER BY number {order}",  # noqa: S608 - our names
                (after,),
            ):
                game = GameRow(*row)
                if _makes_sense(game):
                    found[game.number] = game
    return found


def _makes_sense(game: GameRow) -> bool:
    """Whether what was read of a damaged page is a game."""
    numbers = (game.winner, game.level_a, game.level_b)
    try:
        parse_record(game.record)
        json.loads(game.settings)
        json.loads(game.waits)
    except (QuartoError, ValueError, TypeError):
        return False
    return (
        all(isinstance(each, int) for each in (game.number, game.played_ms, game.missed))
        and all(each is None or isinstance(each, int) for each in numbers)
        and isinstance(game.begun, float)
        and (game.ended is None or isinstance(game.ended, float))
        and (game.reason is None or game.reason in _REASONS)
    )


_REASONS: Final = ("call", "auto", "draw", "forfeit", "unfinished")


def _to_read(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def close_last_game(connection: sqlite3.Connection, rescued: int | None = None) -> None:
    """End what a backup has as the running game: by now it is over, or has gone on without being kept."""
    running = "SELECT number, record FROM games WHERE reason IS NULL AND number IS NOT ?"
    rows = connection.execute(running, (rescued,)).fetchall()
    for number, text in rows:
        connection.execute(
            "UPDATE games SET reason = ?, record = ? WHERE number = ?", ("unfinished", _ended(text), number)
        )


def _ended(text: str) -> str:
    """A record with its end; one that nobody can read stays as it is."""
    try:
        record = parse_record(text)
    except QuartoError:
        return text
    return text if record.game.over else str(Record(apply(record.game, Clear()), record.headers))


# --- What is counted over all games that were kept, by the database: there may be a hundred thousand of them ----------

# Read from the index alone: the records are not touched.
_GROUPS: Final = """SELECT winner, level_a, level_b, count(*), sum(played_ms), sum(missed)
    FROM games WHERE reason IN ('call', 'auto', 'draw', 'forfeit') GROUP BY winner, level_a, level_b"""

_Group = tuple[int | None, int | None, int | None, int, int, int]


def tally(connection: sqlite3.Connection) -> Tally:
    """The tally of all games that were played to their end."""
    groups: list[_Group] = connection.execute(_GROUPS).fetchall()
    return Tally(
        games=sum(count for *_, count, _, _ in groups),
        wins=(_won_by(groups, 0), _won_by(groups, 1)),
        draws=_won_by(groups, None),
        missed=sum(missed for *_, missed in groups),
        against=_against(groups),
        played_ms=sum(played for *_, played, _ in groups),
    )


def _won_by(groups: Iterable[_Group], player: int | None) -> int:
    return sum(count for winner, _, _, count, _, _ in groups if winner == player)


def _against(groups: Iterable[_Group]) -> tuple[Against, ...]:
    """How people have fared against each level; a game of two people, or of two computers, is against none."""
    counts: dict[int, list[int]] = {}
    for winner, first, second, count, _, _ in groups:
        levels = [level for level in (first, second) if level is not None]
        if len(levels) != 1:
            continue
        of_level = counts.setdefault(levels[0], [0, 0, 0])
        computer = 0 if second is None else 1
        of_level[2 if winner is None else 1 if winner == computer else 0] += count
    return tuple(Against(level, *counted) for level, counted in sorted(counts.items()))


# --- Backups: whole copies of a journal that has been checked, each checked itself, and only so many of them ----------

STEM: Final = "backup"
KEPT_BACKUPS: Final = 5
SPARE: Final = 4
"""A backup is made only where this many times its size is free."""
STEP_PAGES: Final = 64
"""A journal of years takes a slow card seconds to copy: after so many pages others go first."""
STEP_INSTRUCTIONS: Final = 10_000
"""The same while the copy is checked, in instructions of the database."""


class _GivenUp(Exception):
    """The copy is not wanted any more."""


def all_in(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first."""
    return sorted(folder.glob(f"{STEM}-[0-9]*.sqlite"), reverse=True)


def make(connection: sqlite3.Connection, folder: Path, goes_on: Callable[[], bool] = lambda: True) -> Path | None:
    """Copy a journal, unless nothing has changed since the last time, or there is hardly any room.

    `goes_on` is asked all along: it may write into the journal meanwhile, and have the copy given up. A journal whose
    copy is not sound is damaged.
    """
    if not _has_changed(connection, folder) or not _has_room(connection, folder):
        return None
    for interrupted in folder.glob(f"{STEM}-[0-9]*.unchecked*"):
        # The power was cut in the middle of one.
        interrupted.unlink()
    made = folder / f"{STEM}-{next_number(folder, STEM):06}.sqlite"
    unchecked = made.with_suffix(".unchecked")
    try:
        _copy(connection, unchecked, goes_on)
        is_sound_copy = is_sound(unchecked, goes_on)
        if not goes_on():
            return None
        if not is_sound_copy:
            raise JournalDamaged(f"the journal in {folder} is damaged, for its copy is not sound.")
        _sync(unchecked)
        rename(unchecked, made)
    except _GivenUp:
        return None
    finally:
        unchecked.unlink(missing_ok=True)
    rotate(folder)
    return made


def rotate(folder: Path) -> None:
    """Let go of old backups: the newest stay, and the one with the most games, if all of those have fewer."""
    copies = all_in(folder)
    fullest = max(copies, key=games_in, default=None)
    for old in copies[KEPT_BACKUPS:]:
        if old != fullest:
            old.unlink(missing_ok=True)


def games_in(file: Path) -> int:
    """How many games have ended in a backup; none in one that cannot be read."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            (count,) = copy.execute("SELECT count(*) FROM games WHERE reason IS NOT NULL").fetchone()
    except sqlite3.Error:
        return 0
    return int(count)


def take_over(folder: Path, file: Path) -> Path | None:
    """Put a copy of a sound backup in the journal's place, with what can be read of the one that was set aside.

    It is the newest one, unless an older one has more games.
    """
    for backup in sorted(all_in(folder), key=games_in, reverse=True):
        if not is_sound(backup):
            continue
        beside = blank(file.with_name(f"{file.name}.new"))
        shutil.copyfile(backup, beside)
        make_ready(beside, lambda copy: rescue(copy, folder), is_own=True)
        rename(beside, file)
        return backup
    return None


def make_ready(
    copy: Path, rescued: Callable[[sqlite3.Connection], int | None] = lambda _: None, *, is_own: bool = False
) -> None:
    """Make a journal of a copy of a backup, durably: its last game is over, unless it is rescued.

    What waits for the hub of a chain goes on waiting in a copy that is the board's `own`.
    """
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        upgrade(connection, copy)
        settled.forget_history(connection, with_queue=not is_own)
        close_last_game(connection, rescued(connection))
        # Now, and not in its place: there a power cut must find either no journal or a whole one.
        connection.execute("PRAGMA journal_mode = WAL")
    _sync(copy)


def blank(file: Path) -> Path:
    """The same file, with nothing there: what an interrupted attempt has left would be taken for a part of the next."""
    for end in (*LOGS, _INDEX, ""):
        file.with_name(f"{file.name}{end}").unlink(missing_ok=True)
    return file


def is_sound(file: Path, goes_on: Callable[[], bool] = lambda: True) -> bool:
    """Whether a backup is a sound journal that this program can read, as far as it was looked at."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            copy.set_progress_handler(lambda: not goes_on(), STEP_INSTRUCTIONS)
            check_tables(copy, file)
            (version,) = copy.execute("PRAGMA user_version").fetchone()
            found = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
    except (sqlite3.Error, JournalError):
        return False
    return found == ["ok"] and version > 0


def _copy(connection: sqlite3.Connection, to: Path, goes_on: Callable[[], bool]) -> None:
    with contextlib.closing(sqlite3.connect(to, isolation_level=None)) as copy, to.open("rb") as stream:

        def look_up(*_: int) -> None:
            # Step by step as well, or what others write next waits until the card has all of it.
            os.fdatasync(stream.fileno())
            if not goes_on():
                raise _GivenUp

        connection.backup(copy, pages=STEP_PAGES, progress=look_up)
        # One file, which says all by itself.
        copy.execute("PRAGMA journal_mode = DELETE")


def _sync(file: Path) -> None:
    with file.open("rb") as stream:
        os.fsync(stream.fileno())


def _has_changed(connection: sqlite3.Connection, folder: Path) -> bool:
    """Whether there is anything in the journal that its newest backup does not have."""
    newest = next(iter(all_in(folder)), None)
    if newest is None:
        return True
    try:
        with contextlib.closing(sqlite3.connect(f"{newest.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            return _contents(copy) != _contents(connection)
    except sqlite3.Error:
        return True


def _contents(connection: sqlite3.Connection) -> tuple[object, ...]:
    # Counted in the index, and the last found from the end: the records are not touched.
    count = connection.execute("SELECT count(*) FROM games WHERE reason IS NOT NULL").fetchone()
    last = connection.execute("SELECT number, ended FROM games WHERE +reason IS NOT NULL ORDER BY number DESC LIMIT 1")
    return (count, last.fetchone(), *connection.execute("SELECT key, chosen FROM settings").fetchall())


def _has_room(connection: sqlite3.Connection, folder: Path) -> bool:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return shutil.disk_usage(folder).free >= SPARE * int(pages) * int(size)
