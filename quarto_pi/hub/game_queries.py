"""Games in the database: the SQL that asks for them, what its rows say, and how what two boards tell is one game.

Games between two boards, of which each tells, are known by what both boards call the game, and by the names of both:
what a board tells is never joined with the game of two others, whatever it says. The record that knows more counts,
which follows from the records alone, so that it does not matter which came first, or half a day later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from quarto_pi.chain.topics import BoardNameError, check_board_name
from quarto_pi.hub.store import BoardFigures, ChainGame, CountedBy, GameSearch
from quarto_pi.rules import Reason

# --- Games between two boards: each board tells of them, and both records are one game --------------------------------

_MATCH: Final = re.compile(r"[0-9a-f]{8,40}")

BETWEEN_MIGRATION: Final = (
    "ALTER TABLE games ADD COLUMN pair TEXT",
    "CREATE INDEX games_of_pair ON games (pair) WHERE pair IS NOT NULL",
    # Boards that did not yet tell what the game is called: the same pieces stand on the same squares, at two boards of
    # which each says that the other side is somewhere else, and at no third one.
    """CREATE TABLE told_by_two AS
        SELECT board, history, game, seats, position FROM games
        WHERE over = 1 AND fault IS NULL AND moves >= 4 AND seats IN ('["person", "board"]', '["board", "person"]')""",
    "CREATE INDEX told_by_two_there ON told_by_two (position)",
    """UPDATE games SET pair = (
            SELECT 'before ' || min(one.board || ' ' || one.history || ' ' || one.game) FROM told_by_two one
            WHERE one.position = games.position
        )
        WHERE EXISTS (
            SELECT 1 FROM told_by_two mine WHERE mine.board = games.board AND mine.history = games.history
            AND mine.game = games.game AND (
                SELECT count(*) FROM told_by_two same WHERE same.position = mine.position
            ) = 2 AND EXISTS (
                SELECT 1 FROM told_by_two other WHERE other.position = mine.position AND other.board <> mine.board
                AND other.seats <> mine.seats
            )
        )""",
    "DROP TABLE told_by_two",
)
"""What the tables of a hub have so that a game between two boards is one."""


def match_of(begun: Mapping[str, object]) -> tuple[str, str]:
    """What a game with another board is called, and that board, as the first action says; empty where it says none."""
    match, other = begun.get("match"), begun.get("other")
    if not isinstance(match, str) or not isinstance(other, str) or not _MATCH.fullmatch(match):
        return "", ""
    try:
        return match, check_board_name(other)
    except BoardNameError:
        return "", ""


def pair_of(board: str, match: str, other: str) -> str | None:
    """What both records of a game between two boards are known by; None for any other game.

    >>> pair_of("south-1", "0a1b2c3d", "north-1") == pair_of("north-1", "0a1b2c3d", "south-1")
    True
    """
    return " ".join((match, *sorted((board, other)))) if match and other not in ("", board) else None


def _knows(record: str) -> str:
    """How much a record knows of its game: above all that it can be, then who has won, how, that it is over."""
    return (
        f"((CASE WHEN {record}.fault IS NULL THEN 8 ELSE 0 END + CASE WHEN {record}.winner IS NULL THEN 0 ELSE 4 END "
        f"+ CASE WHEN coalesce({record}.reason, 'unfinished') = 'unfinished' THEN 0 ELSE 2 END + {record}.over) * 64 "
        f"+ {record}.moves)"
    )


_KNOWS_MORE: Final = (
    f"({_knows('twin')} > {_knows('g')} OR ({_knows('twin')} = {_knows('g')} AND "
    "(twin.received, twin.board, twin.history, twin.game) < (g.received, g.board, g.history, g.game)))"
)
_TWIN_KNOWS_MORE: Final = f"SELECT 1 FROM games twin WHERE twin.pair = g.pair AND {_KNOWS_MORE}"  # noqa: S608 - ours

COUNTS: Final = f"(g.pair IS NULL OR NOT EXISTS ({_TWIN_KNOWS_MORE}))"
"""Of both records of a game the one that counts over all boards."""
COUNTS_IN_HOUSE: Final = (
    f"(g.pair IS NULL OR NOT EXISTS ({_TWIN_KNOWS_MORE} AND coalesce(b.house, '') = "  # noqa: S608 - ours
    "coalesce((SELECT house FROM boards WHERE name = twin.board), '')))"
)
"""The one that counts in its house, which may have only one of them."""
COUNTS_AT_BOARD: Final = f"(g.pair IS NULL OR NOT EXISTS ({_TWIN_KNOWS_MORE} AND twin.board = g.board))"
"""The one that counts at its board, whatever that tells twice."""
OTHER_BOARD: Final = "(SELECT min(twin.board) FROM games twin WHERE twin.pair = g.pair AND twin.board <> g.board)"
"""The other board, once it has told of the game as well."""
DISPUTED: Final = (
    "(g.pair IS NOT NULL AND g.fault IS NULL AND EXISTS (SELECT 1 FROM games twin WHERE twin.pair = g.pair "
    "AND twin.board <> g.board AND twin.fault IS NULL AND twin.winner <> g.winner))"
)
"""Whether both boards have told that somebody has won, and not the same one."""
DISPUTED_FAULT: Final = "the other board tells that the other player has won."


# --- Games and what is counted of them: the SQL that asks for them, and what the rows that come back say --------------

COLUMNS_OF_GAME: Final = (
    "board, history, game, received, begun, ended, over, seats, winner, reason, moves, missed, undone, false_calls, "
    "position, through, highest, fault, pair"
)
SELECT_GAMES: Final = (
    f"SELECT {', '.join(f'g.{name}' for name in COLUMNS_OF_GAME.split(', '))}, coalesce(b.house, ''), "  # noqa: S608 - ours
    f"CASE WHEN g.pair IS NULL THEN NULL ELSE {OTHER_BOARD} END, {DISPUTED} "
    "FROM games g LEFT JOIN boards b ON b.name = g.board"
)
# A history that ended in mid-game leaves a game without an end; its board plays another one now.
_UNDER_WAY: Final = (
    "g.over = 0 AND NOT EXISTS (SELECT 1 FROM games newer WHERE newer.board = g.board AND newer.received > g.received)"
)
_TIMED: Final = "g.begun IS NOT NULL AND g.ended IS NOT NULL AND g.ended >= g.begun"
_HOUSE: Final = "coalesce(b.house, '')"
_GROUPS: Final = {
    CountedBy.BOARD: (_HOUSE, "g.board"),
    CountedBy.HOUSE: (_HOUSE, "''"),
    CountedBy.ALL: ("''", "''"),
}
# Nobody has won a game of which two boards tell that each has.
_UNDISPUTED: Final = f"NOT {DISPUTED} AND "
_FIGURES: Final = (
    "count(*), "
    + ", ".join(
        f"sum(CASE WHEN {case} THEN 1 ELSE 0 END)"
        for case in (
            *(f"{_UNDISPUTED}g.reason = '{reason}'" for reason in ("call", "auto", "forfeit", "draw")),
            f"g.reason = 'unfinished' OR {DISPUTED}",
            f"{_UNDISPUTED}g.winner = 0",
            f"{_UNDISPUTED}g.winner = 1",
            "g.seats LIKE '%computer%'",
        )
    )
    + ", sum(g.moves), sum(g.missed), sum(g.undone), sum(g.false_calls), "
    f"coalesce(sum(CASE WHEN {_TIMED} THEN g.ended - g.begun END), 0), "
    f"sum(CASE WHEN {_TIMED} THEN 1 ELSE 0 END), max(g.received) "
    "FROM games g LEFT JOIN boards b ON b.name = g.board"
)


def figures_query(search: GameSearch, by: CountedBy) -> tuple[str, list[object]]:
    """What counts the games that are asked for, and its values."""
    where, values = search_condition(search, paged=False, by=by)
    columns = _GROUPS[by]
    return f"SELECT {', '.join(columns)}, {_FIGURES} WHERE {where} GROUP BY 1, 2 ORDER BY 1, 2", values


def search_condition(search: GameSearch, *, paged: bool, by: CountedBy = CountedBy.ALL) -> tuple[str, list[object]]:
    """The condition that picks the games that are asked for, and its values."""
    asked: list[tuple[str, tuple[object, ...]]] = [("1 = 1", ())]
    if search.house is not None:
        asked.append(("coalesce(b.house, '') = ?", (search.house,)))
    if search.board is not None:
        asked.append(("g.board = ?", (search.board,)))
    if search.since is not None:
        asked.append(("g.received >= ?", (float(search.since),)))
    if search.until is not None:
        asked.append(("g.received < ?", (float(search.until),)))
    if search.live is not None:
        asked.append((_UNDER_WAY if search.live else "g.over = 1", ()))
    if search.faulty is not None:
        asked.append((f"{'' if search.faulty else 'NOT '}(g.fault IS NOT NULL OR {DISPUTED})", ()))
    if by is CountedBy.BOARD or search.board is not None:
        asked.append((COUNTS_AT_BOARD, ()))
    else:
        asked.append((COUNTS_IN_HOUSE if by is CountedBy.HOUSE or search.house is not None else COUNTS, ()))
    if paged and search.before is not None:
        asked.append(("(g.received, g.board, g.history, g.game) < (?, ?, ?, ?)", search.before))
    return " AND ".join(text for text, _ in asked), [value for _, values in asked for value in values]


def game_of_row(row: Sequence[object]) -> ChainGame:
    """The game in a row of `SELECT_GAMES`."""
    is_disputed = bool(row[21])
    fault = DISPUTED_FAULT if is_disputed else row[17]
    return ChainGame(
        board=str(row[0]),
        house=str(row[19]),
        history=str(row[1]),
        game=whole_of(row[2]),
        received=number_of(row[3]),
        begun=number_or_none(row[4]),
        ended=number_or_none(row[5]),
        is_over=bool(row[6]),
        seats=tuple(json.loads(str(row[7]))),
        winner=None if row[8] is None or is_disputed else whole_of(row[8]),
        reason=None if row[9] is None else Reason.UNFINISHED.value if is_disputed else str(row[9]),
        moves=whole_of(row[10]),
        missed=whole_of(row[11]),
        undone=whole_of(row[12]),
        false_calls=whole_of(row[13]),
        position=str(row[14]),
        through=whole_of(row[15]),
        highest=whole_of(row[16]),
        fault=None if fault is None else str(fault),
        other=None if row[20] is None else str(row[20]),
    )


def figures_of_row(row: Sequence[object]) -> BoardFigures:
    """What is counted in a row of `figures_query`."""
    names = [field.name for field in fields(BoardFigures)]
    values: dict[str, Any] = dict(zip(names, row, strict=True))
    counts = {
        name: whole_of(values[name]) for name in names if name not in ("house", "board", "seconds", "last_played")
    }
    times = {name: number_of(values[name]) for name in ("seconds", "last_played")}
    return BoardFigures(**{**values, **counts, **times})


def whole_of(value: object) -> int:
    """A whole number, of whatever type the database gives it."""
    return int(str(value))


def number_of(value: object) -> float:
    """A number, of whatever type the database gives it."""
    return float(str(value))


def number_or_none(value: object) -> float | None:
    """A number that need not be there."""
    return None if value is None else number_of(value)
