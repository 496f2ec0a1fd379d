"""Who plays at the table of a tournament, on the display: numbers, for names never leave the hub."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from quarto_pi.screens.boards import Size
from quarto_pi.screens.layout import BAR, Box, Filled, Page, alone
from quarto_pi.screens.text import BOLD, HEADLINES, HUGE, LARGE, NARROW, PLAIN, ROOMY, TINY
from quarto_pi.words import Words

_LOW: Final = 48
"""A display of fewer lines shows the table and the players in turn."""
_LINE: Final = 13
_SCORE: Final = 34


@dataclass(frozen=True, slots=True)
class PlayersAtTable:
    """A table of a tournament, which round is played there, who against whom, and the score in halves of a point."""

    table: int
    round: int
    rounds: int
    first: int
    second: int
    score: tuple[int, int]
    best_of: int


def pages_at_table(players: PlayersAtTable, words: Words, size: Size) -> tuple[Page, ...]:
    """The pages that say it."""
    return _pages(players, words.language, size)


@lru_cache(maxsize=8)
def _pages(players: PlayersAtTable, language: str, size: Size) -> tuple[Page, ...]:
    words = Words(language)
    headline, round_of, pairing = words.at_table(
        players.table, (players.round, players.rounds), (players.first, players.second)
    )
    score = " : ".join(_points(half_points) for half_points in players.score) if players.best_of > 1 else ""
    width, height = size
    if height < _LOW:
        return (
            Page((alone(headline, (0, 0, width, height), HEADLINES), Filled((0, 0, width, height)))),
            _page_below(round_of, pairing, score, (0, 0, width, height)),
        )
    head = alone(headline, (1, 0, width - 1, BAR), HEADLINES, centred=False), Filled((0, 0, width, BAR))
    return (Page((*head, *_page_below(round_of, pairing, score, (0, BAR, width, height)).items)),)


def _page_below(round_of: str, pairing: str, score: str, box: Box) -> Page:
    """The round in a line, and below it who plays whom in large type; at the end of the round's line the score."""
    left, top, right, bottom = box
    middle = top + _LINE
    room = _SCORE if score else 0
    written = alone(round_of, (left + 1, top, right - room, middle), (PLAIN, TINY), centred=False)
    players = alone(pairing, (left + 1, middle, right - 1, bottom), (HUGE, LARGE, BOLD, NARROW, ROOMY, PLAIN, TINY))
    beside = (alone(score, (right - room, top, right, middle), (BOLD, PLAIN, TINY)),) if score else ()
    return Page((written, players, *beside))


def _points(halves: int) -> str:
    """Points in halves, as they stand in every table.

    >>> _points(1), _points(4), _points(5)
    ('½', '2', '2½')
    """
    whole = "" if halves == 1 else f"{halves // 2}"
    return whole + "½" * (halves % 2)
