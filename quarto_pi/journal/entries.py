"""What is written down: the rows of one settled action, which become one transaction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it stands. `waits` is what its record cannot tell: what has been used of times that are running."""

    number: int
    begun: float
    ended: float | None
    settings: str
    record: str
    waits: str
    winner: int | None
    reason: str | None
    played_ms: int
    missed: int
    level_a: int | None
    level_b: int | None


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that was told, at a second of the calendar."""

    game: int
    at: float
    told: str


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """A reader that was lost, or works again."""

    cell: str
    at: float
    lost: bool


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A setting that people chose, and what the file said."""

    key: str
    chosen: str
    file: str


@dataclass(frozen=True, slots=True)
class Entry:
    """All that one step of the referee wants to be kept: one game may end in it and the next one begin."""

    games: tuple[GameRow, ...] = ()
    events: tuple[EventRow, ...] = ()
    readers: tuple[ReaderRow, ...] = ()
    choices: tuple[ChoiceRow, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether something is settled by it; what is merely told may be written with the next one."""
        return bool(self.games or self.choices)
