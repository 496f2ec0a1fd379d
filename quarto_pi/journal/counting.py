"""What is counted over all games that were kept, by the database: there may be a hundred thousand of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from quarto_pi.referee.tally import Against, Tally

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
