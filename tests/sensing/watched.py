"""A board that is shown pictures: for so many milliseconds these cells say this, and all others are empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quarto_pi.rules import Piece, parse_piece
from quarto_pi.sensing.board import Sensing, Sweep
from quarto_pi.sensing.events import BoardEvent, Found, PieceLifted, PieceMoved, PiecePlaced, Settled
from quarto_pi.sensing.readings import CELLS, DEFAULT_TIMES, Outcome, Reading, SensingTimes
from tests.sensing.hands import TAGS, UIDS

LTRF, DSQH, LSRF, DTQH = (parse_piece(code) for code in ("LTRF", "DSQH", "LSRF", "DTQH"))
FOREIGN = "DEADBEEF"

Shown = Piece | str | Sequence[Piece | str] | Outcome


class Watched:
    """A sensing layer and its clock; it begins with an empty board unless told otherwise."""

    def __init__(self, interval: int = 50, times: SensingTimes = DEFAULT_TIMES, *, empty: bool = True) -> None:
        self.sensing = Sensing(TAGS, times)
        self.state = self.sensing.start_empty() if empty else self.sensing.start()
        self.interval = interval
        self.now = 0
        self.photographs: list[Settled] = []

    def show(self, picture: Mapping[str, Shown], duration: int) -> list[BoardEvent]:
        """Sweep over this picture for so long and return what happened, photographs apart."""
        happened: list[BoardEvent] = []
        for _ in range(max(1, duration // self.interval)):
            happened += self.sweep([reading_of(cell, picture.get(cell), self.now) for cell in CELLS])
        return happened

    def sweep(self, readings: Sequence[Reading]) -> list[BoardEvent]:
        """One sweep of just these readings."""
        self.state, events = self.sensing.fold(self.state, Sweep(self.now, tuple(readings)))
        self.now += self.interval
        self.photographs += [event for event in events if isinstance(event, Settled)]
        return [event for event in events if not isinstance(event, Settled)]

    @property
    def pieces(self) -> dict[str, Piece]:
        """What stands where at this moment."""
        return dict(self.state.photograph.pieces)


def reading_of(cell: str, shown: Shown | None, at: int) -> Reading:
    """The reading in which a cell shows this."""
    if shown is None:
        return Reading(cell, Outcome.EMPTY, (), at)
    if isinstance(shown, Outcome):
        return Reading(cell, shown, (), at)
    if isinstance(shown, (Piece, str)):
        return Reading(cell, Outcome.TAG, (_uid(shown),), at)
    return Reading(cell, Outcome.SEVERAL, tuple(sorted(_uid(one) for one in shown)), at)


def _uid(one: Piece | str) -> str:
    return UIDS[one] if isinstance(one, Piece) else one


def told(events: Sequence[BoardEvent]) -> list[tuple[type[BoardEvent], str]]:
    """What happened where, in order."""
    return [(type(event), "" if isinstance(event, Settled) else event.cell) for event in events]


def told_of_pieces(events: Sequence[BoardEvent]) -> list[tuple[type[BoardEvent], str, Piece]]:
    """What happened where to which piece; every event has to be about one."""
    happened: list[tuple[type[BoardEvent], str, Piece]] = []
    for event in events:
        assert isinstance(event, Found | PiecePlaced | PieceLifted | PieceMoved)
        happened.append((type(event), event.cell, event.piece))
    return happened
