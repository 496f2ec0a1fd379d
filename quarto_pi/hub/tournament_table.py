"""Tournaments in the hub's database: what was decided in each, one after the other, and never changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quarto_pi.hub.alarm_table import RunsSql
from quarto_pi.tournament import (
    Announced,
    TournamentClosed,
    TournamentEntry,
    decision_as_json,
    decision_of,
)

TOURNAMENT_MIGRATION: Final = (
    """CREATE TABLE tournaments (
        number BIGINT PRIMARY KEY,
        house TEXT NOT NULL,
        begun DOUBLE PRECISION NOT NULL,
        closed INTEGER NOT NULL
    )""",
    """CREATE TABLE tournament_decisions (
        tournament BIGINT NOT NULL,
        number BIGINT NOT NULL,
        at DOUBLE PRECISION NOT NULL,
        decided_by TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (tournament, number)
    )""",
    "CREATE TABLE spectators (board TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, since DOUBLE PRECISION NOT NULL)",
)
"""What the tables of a hub have from version 3 on."""
SPECTATORS_MIGRATION: Final = ("ALTER TABLE spectators ADD COLUMN page TEXT NOT NULL DEFAULT ''",)
"""Where the hub's page is, as whoever has made a link has seen it."""


@dataclass(frozen=True, slots=True)
class KeptTournament:
    """A tournament of a house: which one it is, and whether it is over."""

    number: int
    house: str
    begun: float
    closed: bool


@dataclass(frozen=True, slots=True)
class SpectatorLink:
    """A board that may be watched by whoever has this token; `page` is where the hub's page is, empty if unknown."""

    board: str
    token: str
    page: str


class TournamentTable:
    """The tables of tournaments; whatever fails raises `StoreAway`."""

    def __init__(self, database: RunsSql) -> None:
        self._database = database

    def begin(self, house: str, entry: TournamentEntry) -> int:
        """A new tournament with its first decision; its number."""
        if not isinstance(entry.decision, Announced):
            raise TypeError("a tournament begins with its announcement.")
        run = self._database.run
        with self._database.transaction():
            rows: Sequence[object] = ()
            while not rows:
                # Another hub of this database may take the same number at the same moment.
                ((newest,),) = run("SELECT coalesce(max(number), 0) FROM tournaments")
                number = int(str(newest)) + 1
                rows = run(
                    "INSERT INTO tournaments (number, house, begun, closed) VALUES (?, ?, ?, 0) "
                    "ON CONFLICT (number) DO NOTHING RETURNING number",
                    (number, house, float(entry.at)),
                )
            self._put(number, 1, entry)
        return number

    def all(self, *, closed: bool = True, most: int = 100) -> list[KeptTournament]:
        """The newest tournaments, the newest first; on request without those that are over."""
        which = "" if closed else "WHERE closed = 0 "
        rows = self._database.run(
            f"SELECT number, house, begun, closed FROM tournaments {which}ORDER BY number DESC LIMIT ?",  # noqa: S608 - ours
            (most,),
        )
        return [_kept(row) for row in rows]

    def find(self, number: int) -> KeptTournament | None:
        """One by number."""
        rows = self._database.run("SELECT number, house, begun, closed FROM tournaments WHERE number = ?", (number,))
        return _kept(rows[0]) if rows else None

    def entries(self, number: int, after: int = 0) -> list[TournamentEntry]:
        """What was decided, in its order; of what is known already nothing."""
        rows = self._database.run(
            "SELECT at, decided_by, body FROM tournament_decisions WHERE tournament = ? AND number > ? ORDER BY number",
            (number, after),
        )
        return [TournamentEntry(float(str(at)), str(by), decision_of(json.loads(str(body)))) for at, by, body in rows]

    def append(self, number: int, after: int, entries: Sequence[TournamentEntry]) -> bool:
        """Keep decisions that follow so many; False, and none is kept, where somebody else has decided meanwhile."""
        with self._database.transaction():
            rows = self._database.run(
                "SELECT coalesce(max(number), 0) FROM tournament_decisions WHERE tournament = ?", (number,)
            )
            if int(str(rows[0][0])) != after:
                return False
            # Who comes second waits here for the first one, and finds its number taken: none of its own is kept.
            for place, entry in enumerate(entries, start=after + 1):
                if not self._put(number, place, entry):
                    return False
                if isinstance(entry.decision, TournamentClosed):
                    self._database.run("UPDATE tournaments SET closed = 1 WHERE number = ?", (number,))
        return True

    def _put(self, tournament: int, number: int, entry: TournamentEntry) -> bool:
        body = json.dumps(decision_as_json(entry.decision), ensure_ascii=False, separators=(",", ":"))
        return bool(
            self._database.run(
                "INSERT INTO tournament_decisions (tournament, number, at, decided_by, body) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (tournament, number) DO NOTHING RETURNING number",
                (tournament, number, float(entry.at), entry.by, body),
            )
        )

    # --- Who may watch a board without being logged in ----------------------------------------------------------------

    def open_to_spectators(self, board: str, token: str, at: float, page: str = "") -> None:
        """Let whoever has this token the board's game from now on, and nobody with an earlier one."""
        self._database.run(
            "INSERT INTO spectators (board, token, since, page) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (board) DO UPDATE SET token = excluded.token, since = excluded.since, page = excluded.page",
            (board, token, float(at), page),
        )

    def close_to_spectators(self, board: str) -> None:
        """Let nobody watch the board with a token any more."""
        self._database.run("DELETE FROM spectators WHERE board = ?", (board,))

    def spectator_links(self) -> list[SpectatorLink]:
        """The boards that may be watched."""
        rows = self._database.run("SELECT board, token, page FROM spectators ORDER BY board")
        return [SpectatorLink(str(board), str(token), str(page)) for board, token, page in rows]

    def spectators(self) -> dict[str, str]:
        """The boards that may be watched, with their tokens."""
        return {link.board: link.token for link in self.spectator_links()}


def _kept(row: Sequence[object]) -> KeptTournament:
    number, house, begun, closed = row
    return KeptTournament(int(str(number)), str(house), float(str(begun)), bool(closed))
