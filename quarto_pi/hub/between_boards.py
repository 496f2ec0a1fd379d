"""Games between two boards: each board tells of them, and both records are one game.

They are known by what both boards call the game, and by the names of both: what a board tells is never joined with the
game of two others, whatever it says. The record that knows more counts, which follows from the records alone, so that
it does not matter which came first, or half a day later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from quarto_pi.chain.topics import BoardNameError, check_board_name

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
