"""Numbers of what is settled, for the hub of a chain: in each game from 1 without a gap, each for one action only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.referee import Begin, Continue, Effect, Save, Tell
from quarto_pi.rules.notation import EMPTY_BOARD
from quarto_pi.trace.format import rules_and_players
from quarto_pi.trace.story import DURABLE_EVENTS, as_json


@dataclass(frozen=True, slots=True)
class SettledRow:
    """A settled action that waits for the hub: its game, its number there, its second of the calendar, the event."""

    game: int
    number: int
    at: float
    told: str

    @property
    def ends_game(self) -> bool:
        """Whether nothing of its game follows."""
        return bool(json.loads(self.told)["event"] == _RESULT)


@dataclass(frozen=True, slots=True)
class NewestAction:
    """The newest action that has a number; none, where no game is."""

    game: int = 0
    number: int = 0
    is_over: bool = True

    @classmethod
    def of(cls, row: SettledRow, shift: int = 0) -> NewestAction:
        """What is newest once this row is."""
        return cls(row.game + shift, row.number, row.ends_game)


_BEGUN: Final = "begun"
_RESULT: Final = "result"


def packed_event(fields: Mapping[str, object]) -> str:
    """An event as it is written down, always in the same letters."""
    return json.dumps(fields, separators=(",", ":"))


def unfinished_at(position: str) -> str:
    """The result of a game of which nothing more will be told."""
    return packed_event(
        {"event": _RESULT, "winner": None, "reason": "unfinished", "position": position, "alignments": []}
    )


class ActionNumbers:
    """Makes rows of what the referee tells.

    A game is told from its first action on, which is preceded by who plays by which rules. One that had begun before
    anybody wanted to be told is left out. One that gives way to the next without an end gets one then.
    """

    def __init__(self, newest: NewestAction) -> None:
        self._newest = newest
        self._position = EMPTY_BOARD
        self._beginning: tuple[int, str] | None = None
        self._is_told = False

    def rows_of(self, effect: Effect, at: float) -> Iterator[SettledRow]:
        """The rows that come of an effect at this second of the calendar."""
        match effect:
            case Begin(number=number, starter=starter, settings=settings, match=match):
                began = {"event": _BEGUN, **rules_and_players(settings, starter.value)}
                if match and settings.other_board is not None:
                    # Both boards tell of this game: by this the hub knows that it is one.
                    began |= {"match": match, "other": settings.other_board}
                self._beginning = number, packed_event(began)
                self._is_told = True
            case Continue(number=number, game=game):
                self._beginning = None
                self._is_told = number == self._newest.game and not self._newest.is_over
                self._position = str(game.position)
            case Save(game=game):
                self._position = str(game.position)
            case Tell(moment, report) if self._is_told:
                told = as_json(moment, report)
                if told.pop("t") is not None and told["event"] in DURABLE_EVENTS:
                    yield from self._begin(at)
                    yield self._row(at, packed_event(told))
            case _:
                pass

    def _begin(self, at: float) -> Iterator[SettledRow]:
        """What stands before the first action of a game: the end of the one before, if it has none."""
        if self._beginning is None:
            return
        if not self._newest.is_over:
            yield self._row(at, unfinished_at(self._position))
        (game, began), self._beginning = self._beginning, None
        self._newest = NewestAction(game, 0, is_over=False)
        yield self._row(at, began)

    def _row(self, at: float, told: str) -> SettledRow:
        row = SettledRow(self._newest.game, self._newest.number + 1, at, told)
        self._newest = NewestAction.of(row)
        return row
