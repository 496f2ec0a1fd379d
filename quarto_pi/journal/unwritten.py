"""What waits to be written: everything while the storage works, and what matters while it does not."""

from __future__ import annotations

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
        games |= {game.number: game for game in entry.games}
        events += entry.events
        readers += entry.readers
        choices |= {choice.key: choice for choice in entry.choices}
    told, health = tuple(events[-MOST_EVENTS:]), tuple(readers[-MOST_READERS:])
    return [Entry(tuple(games.values()), told, health, tuple(choices.values()))]
