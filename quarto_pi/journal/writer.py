"""The writer: has the journal written in a thread of its own; and where an evening begins, with the journal opened.

What cannot be written is kept in memory and tried again: the games as they stand, and what was told last.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, Self

from quarto_pi.journal import backups, journal, settled
from quarto_pi.journal.journal import JournalError, KeptGame, storage_of
from quarto_pi.journal.records import (
    ActionNumbers,
    AmendedRow,
    ChoiceRow,
    Entry,
    EventRow,
    GameRecorder,
    GameRow,
    MatchRow,
    NewestAction,
    ReaderRow,
    SettledRow,
    TakenRow,
    amended_row,
)
from quarto_pi.journal.repair import open_checked
from quarto_pi.referee import Effect, Settings
from quarto_pi.referee.messages import Storage
from quarto_pi.referee.resuming import Before
from quarto_pi.rules import Game

# --- What waits to be written: everything while the storage works, and what matters while it does not -----------------

MOST_ENTRIES: Final = 200
MOST_WAITING_GAMES: Final = 5_000
"""A café's months without a storage, in a few megabytes: after that the oldest are given up."""
MOST_WAITING_EVENTS: Final = 2_000
MOST_READERS: Final = 200


def condensed(entries: list[Entry]) -> list[Entry]:
    """The same in one entry, if there are many: each game as it stands last, and what was told last.

    Of what is settled for a chain nothing is left out: a number that is missing would be missed for ever.
    """
    if len(entries) <= MOST_ENTRIES:
        return entries
    games: dict[int, GameRow] = {}
    events: list[EventRow] = []
    readers: list[ReaderRow] = []
    choices: dict[str, ChoiceRow] = {}
    rows: list[SettledRow] = []
    taken: dict[tuple[str, int], TakenRow] = {}
    matches: dict[str, MatchRow] = {}
    amended: dict[int, AmendedRow] = {}
    for entry in entries:
        games |= {game.number: game for game in entry.games}
        events += entry.events
        readers += entry.readers
        choices |= {choice.key: choice for choice in entry.choices}
        rows += entry.settled
        taken |= {(each.history, each.game): each for each in entry.taken}
        matches |= {each.name: each for each in entry.matches}
        amended |= {each.number: each for each in entry.amended}
    newest = tuple(games.values())[-MOST_WAITING_GAMES:]
    told, health = tuple(events[-MOST_WAITING_EVENTS:]), tuple(readers[-MOST_READERS:])
    return [
        Entry(
            newest,
            told,
            health,
            tuple(choices.values()),
            tuple(rows),
            tuple(taken.values()),
            tuple(matches.values()),
            tuple(amended.values()),
        )
    ]


# --- The writer: in a thread of its own, so that a slow card never holds up a look at the board ----------------------

UNHURRIED_SECONDS: Final = 20.0
"""What settles nothing is written with what does, or after so long."""
RETRY_SECONDS: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
JOURNAL_CLOSE_SECONDS: Final = 5.0
BACKUP_EVERY_SECONDS: Final = 86_400.0
IDLE_SECONDS: Final = 600.0
"""Later backups are made while nobody has played for so long."""
STUCK_SECONDS: Final = 30.0
"""A journal that takes longer than this for an entry hangs."""


class JournalWriter:
    """Takes what the referee wants to be kept, and tells when it is safe.

    `trouble` says why nothing is being kept, `say` is told so in words. With `at_once` it writes in the caller's
    thread: for tests, where the order of things must not depend on the machine.
    """

    def __init__(  # noqa: PLR0913 - all that it works with
        self,
        folder: Path,
        game_recorder: GameRecorder,
        opened: sqlite3.Connection | Exception,
        *,
        say: Callable[[str], None] = lambda _: None,
        now: Callable[[], float] = time.monotonic,
        at_once: bool = False,
        is_on_chain: bool = False,
    ) -> None:
        self.trouble: Storage | None = None
        self.settled: Callable[[], None] = lambda: None
        """Called in the writer's thread whenever something more waits for the hub of a chain."""
        self.folder = self._folder = folder
        self._game_recorder = game_recorder
        self._say = say
        self._now = now
        self._connection = opened if isinstance(opened, sqlite3.Connection) else None
        self._is_ours = self._connection is not None
        self._is_on_chain = is_on_chain
        self._history: str | None = None
        self._history_of_file: str | None = None
        self._numbered = NewestAction()
        self._shift = 0
        self._asked = 0
        self._safe = 0
        self._waits_since = 0.0
        self._came: SimpleQueue[tuple[int, Entry | None]] = SimpleQueue()
        self._unwritten: list[Entry] = []
        self._newest = 0
        self._failures = 0
        self._retry_at = 0.0
        self._backup_at = 0.0
        self._wrote_at = now()
        self._goes_on = True
        if isinstance(opened, Exception):
            self._fail(opened)
        self._thread = None if at_once else Thread(target=self._work, name="journal", daemon=True)
        if self._thread is not None:
            self._thread.start()

    # --- in the loop's thread -----------------------------------------------------------------------------------------

    def keep(self, effects: Sequence[Effect]) -> int | None:
        """Have what is to be kept of these effects written; a ticket if something is settled by it."""
        entry = self._game_recorder.entry_of(effects)
        return None if entry is None else self._put(entry)

    def keep_match(self, name: str, kept: str) -> int:
        """Have a game with another board kept as it is now, after all that was to be kept before; its ticket."""
        return self._put(Entry(matches=(MatchRow(name, kept),))) or self._asked

    def amend_game(self, number: int, game: Game) -> None:
        """Have a game that this board had given up kept as it has ended for the other one."""
        self._put(Entry(amended=(amended_row(number, game),)))

    def _put(self, entry: Entry) -> int | None:
        if entry.is_settled:
            if self._asked == self._safe:
                self._waits_since = self._now()
            self._asked += 1
        self._came.put((self._asked, entry))
        if self._thread is None:
            self._step(0.0)
            self._back_up()
        return self._asked if entry.is_settled else None

    def forget(self, taken: Sequence[TakenRow]) -> None:
        """Let what the hub has taken be deleted with what is written next; may be called from any thread."""
        self._came.put((0, Entry(taken=tuple(taken))))

    def is_safe(self, ticket: int) -> bool:
        """Whether what the ticket stands for outlives a power cut, or people have been told that nothing does."""
        return ticket <= self._safe or self.trouble is not None

    def is_moving(self) -> bool:
        """Whether what is to be written is written in time, or is known not to be: a sign of life for a watchdog."""
        if self.trouble is not None or self._asked <= self._safe:
            return True
        return self._now() - max(self._waits_since, self._wrote_at) < STUCK_SECONDS

    def close(self) -> None:
        """Write what is still to be written, and end; a storage that hangs is not waited for long."""
        if self._thread is None:
            self._take_in(0.0)
            self._end()
            return
        self._came.put((self._asked, None))
        self._thread.join(JOURNAL_CLOSE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- in the writer's --------------------------------------------------------------------------------------------

    def _work(self) -> None:
        self._back_up()
        # That it is to end may have come while a backup was made: then there is nothing to wait for.
        while self._goes_on and self._step(self._patience()):
            self._back_up()
        self._end()

    def _patience(self) -> float:
        """How long it may wait for the next entry."""
        if not self._unwritten:
            return UNHURRIED_SECONDS
        until = self._retry_at if self.trouble is not None else self._wrote_at + UNHURRIED_SECONDS
        return min(UNHURRIED_SECONDS, max(0.0, until - self._now()))

    def _step(self, patience: float) -> bool:
        """Take in what has come and write it if it is time; False once it is to end."""
        self._take_in(patience)
        now = self._now()
        hurried = self._newest > self._safe
        if self._unwritten and (hurried or not self._goes_on or now - self._wrote_at >= UNHURRIED_SECONDS):
            if self.trouble is None or now >= self._retry_at or not self._goes_on:
                self._write()
        elif self.trouble is not None and now >= self._retry_at:
            self._write()
        return self._goes_on

    def _take_in(self, patience: float) -> None:
        try:
            came = self._came.get(timeout=patience) if patience else self._came.get_nowait()
            while True:
                ticket, entry = came
                self._newest = max(self._newest, ticket)
                if entry is None:
                    self._goes_on = False
                    return
                self._unwritten.append(entry)
                came = self._came.get_nowait()
        except Empty:
            pass

    def _write(self) -> None:
        try:
            connection = self._opened()
            journal.write(connection, self._unwritten, self._shift)
        except Exception as error:  # noqa: BLE001 - games go on being kept, or it is told that they are not
            if not any(entry.taken for entry in self._unwritten):
                self._fail(error)
                return
            # What the hub has taken may be deleted another time: it says so again. Games need not wait for that.
            self._unwritten = [replace(entry, taken=()) for entry in self._unwritten]
            self._write()
            if self.trouble is None:
                self._say(f"What the hub has taken could not be deleted ({type(error).__name__}: {error}).")
            return
        rows = [row for entry in self._unwritten for row in entry.settled]
        self._unwritten = []
        self._wrote_at = self._now()
        self._safe = self._newest
        if self.trouble is not None:
            self._say("Games are being saved again.")
            self.trouble, self._failures = None, 0
        if rows:
            self._numbered = NewestAction.of(rows[-1], self._shift)
            self.settled()

    def _opened(self) -> sqlite3.Connection:
        """The journal, opened again where it had to be closed."""
        if self._connection is None:
            self._connection, note = open_checked(self._folder)
            if note is not None:
                self._say(note)
            if not self._is_ours:
                # It was out of reach at the start: the games played meanwhile come after those that it holds.
                backups.close_last_game(self._connection)
                settled.end_cut_off(self._connection)
                self._shift = journal.last_number(self._connection)
                self._is_ours = True
            self._history_of_file = None
        if self._is_on_chain and self._history_of_file is None:
            self._number_on(self._connection)
        return self._connection

    def _number_on(self, connection: sqlite3.Connection) -> None:
        """Number on in the same history, also where a backup has taken the journal's place meanwhile."""
        if self._history is None:
            self._history, self._numbered = settled.ensure_history(connection), settled.newest_action(connection)
        elif settled.history_of(connection) != self._history:
            settled.keep_history(connection, self._history, self._numbered)
        self._history_of_file = self._history

    def _fail(self, error: Exception) -> None:
        trouble = storage_of(error, self._folder)
        if trouble is not self.trouble:
            self._say(f"Games are not being saved ({trouble.value}): {error}")
        self.trouble = trouble
        self._unwritten = condensed(self._unwritten)
        self._shut()
        self._retry_at = self._now() + RETRY_SECONDS[min(self._failures, len(RETRY_SECONDS) - 1)]
        self._failures += 1

    def _back_up(self) -> None:
        """Copy the journal at the start, and then once a day while nobody plays."""
        now, connection = self._now(), self._connection
        if connection is None or now < self._backup_at or not self._came.empty():
            return
        if self._backup_at and now - self._wrote_at < IDLE_SECONDS:
            return
        self._backup_at = now + BACKUP_EVERY_SECONDS

        def goes_on() -> bool:
            # Nobody waits for a backup: what comes meanwhile is written at once.
            return self._step(0.0) and self._connection is connection

        try:
            backups.make(connection, self._folder, goes_on)
        except (sqlite3.Error, OSError, JournalError) as error:
            self._say(f"No backup was made: {error}")

    def _end(self) -> None:
        if self._unwritten:
            self._write()
        self._shut()

    def _shut(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except sqlite3.Error as error:
                self._say(f"The journal could not be closed: {error}")


GAMES_AT_HAND: Final = 100
"""So many finished games are at hand for the page."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the journal knows at the start: how to play, what goes on and when it has begun, and the newest games."""

    wishes: Settings
    before: Before = field(default_factory=Before)
    games: tuple[KeptGame, ...] = ()
    begun: float | None = None
    matches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenJournal:
    """A journal that is written from now on, and what it knew before."""

    writer: JournalWriter
    remembered: Remembered


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def open_journal(  # noqa: PLR0913 - what a test puts in the place of calendar, log and thread
    folder: Path,
    file: Settings,
    stack: ExitStack,
    *,
    wall: Callable[[], float] = time.time,
    say: Callable[[str], None] = _say,
    now: Callable[[], float] = time.monotonic,
    at_once: bool = False,
    is_on_chain: bool = False,
) -> OpenJournal:
    """The journal in a folder, for a board with these settings in its file; the stack closes it.

    Where it cannot be opened the board begins as a new one, and the writer goes on trying. On a chain, what is settled
    is queued for the hub.
    """
    remembered, newest = Remembered(file), NewestAction()
    opened: sqlite3.Connection | Exception
    try:
        opened, note = open_checked(folder)
        if note is not None:
            say(note)
        remembered = remember(opened, file)
        last = remembered.before.number if remembered.before.last is not None else None
        newest = _take_up_history(opened, last, is_on_chain=is_on_chain)
    except (sqlite3.Error, OSError, JournalError) as error:
        opened = error
    numbers = ActionNumbers(newest) if is_on_chain else None
    game_recorder = GameRecorder(file, wall, remembered.begun, numbers)
    writer = stack.enter_context(
        JournalWriter(folder, game_recorder, opened, say=say, now=now, at_once=at_once, is_on_chain=is_on_chain)
    )
    return OpenJournal(writer, remembered)


def _take_up_history(connection: sqlite3.Connection, going_on: int | None, *, is_on_chain: bool) -> NewestAction:
    """What the hub was told of last; a storage without room for more is left to the writer."""
    with suppress(sqlite3.Error):
        settled.end_cut_off(connection, going_on if is_on_chain else None)
        if is_on_chain:
            settled.ensure_history(connection)
    return settled.newest_action(connection)


def remember(connection: sqlite3.Connection, file: Settings) -> Remembered:
    """What a journal knows, on a board with the settings of this file."""
    wishes = journal.wishes(connection, file)
    last = journal.last_game(connection, wishes)
    before = Before(
        journal.last_number(connection),
        backups.tally(connection),
        None if last is None else last[0],
    )
    games = tuple(journal.games(connection, newest=GAMES_AT_HAND))
    return Remembered(wishes, before, games, None if last is None else last[1], journal.matches(connection))
