"""What waits to be written: everything while the storage works, and what matters while it does not."""

from __future__ import annotations

from typing import Final

from quarto_pi.journal.entries import ChoiceRow, Entry, EventRow, GameRow, ReaderRow

MOST_ENTRIES: Final = 200
MOST_GAMES: Final = 5_000
"""A café's months without a storage, in a few megabytes: after that the oldest are given up."""
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
    newest = tuple(games.values())[-MOST_GAMES:]
    told, health = tuple(events[-MOST_EVENTS:]), tuple(readers[-MOST_READERS:])
    return [Entry(newest, told, health, tuple(choices.values()))]
