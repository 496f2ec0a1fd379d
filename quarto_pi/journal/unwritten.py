"""What waits to be written: everything while the storage works, and what matters while it does not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from quarto_pi.journal.entries import ChoiceRow, Entry, EventRow, GameRow, ReaderRow

MOST_ENTRIES: Final = 200
MOST_EVENTS: Final = 2_000
MOST_READERS: Final = 200


def condensed(entries: list[Entry]) -> list[Entry]:
    """The same in one entry, if there are many: each game as it stands last, and what was told last."""
    if len(entries) <= MOST_ENTRIES:
        return entries
    games: dict[int, GameRow] = {}
    events: list[EventRow] = []
    readers: list[ReaderRow] = []
    choices: dict[str, ChoiceRow] = {}
    for entry in entries:
        if entry.game is not None:
            games[entry.game.number] = entry.game
        events += entry.events
        readers += entry.readers
        choices |= {choice.key: choice for choice in entry.choices}
    *older, newest = games.values() if games else (None,)
    rest = Entry(newest, tuple(events[-MOST_EVENTS:]), tuple(readers[-MOST_READERS:]), tuple(choices.values()))
    return [*_of_games(older), rest]


def _of_games(games: Iterable[GameRow | None]) -> list[Entry]:
    return [Entry(game) for game in games]
