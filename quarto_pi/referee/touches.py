"""What hands are touching: cells are marked as seen long before what happens there counts, whatever it is.

Marks follow from nothing but touches, and nothing follows from them: the game goes on as if there were none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from quarto_pi.referee.effects import Effect, Light, Show
from quarto_pi.referee.inputs import Closed, Glimpsed, Input, Seen
from quarto_pi.referee.table import SQUARE_OF
from quarto_pi.referee.view import Mark, View, lights_of
from quarto_pi.sensing import events as sensed

if TYPE_CHECKING:
    from quarto_pi.referee.state import State

MARKED_MS: Final = 2_000
"""The longest time for which a cell is marked of which nothing is believed."""
MOST_TIMES: Final = 3
FORGOTTEN_MS: Final = 10_000
"""A cell on which nothing comes of so many touches is not marked again before it has been left alone for so long.

A tag that is hardly ever heard would blink for as long as it stood there.
"""
_STRONGER: Final = (Mark.WON, Mark.MISSED, Mark.UNSEEN)


@dataclass(frozen=True, slots=True)
class Touch:
    """Since when a cell has been touched at every look, when last, and how often it was before nothing came of it."""

    since: int
    last: int
    times: int = 1
    over: bool = False


@dataclass(frozen=True, slots=True)
class Touches:
    """The touches of late, and the cells that are shown as seen; `at` is the last sweep's moment."""

    at: int = -1
    cells: Mapping[str, Touch] = field(default_factory=dict)
    shown: tuple[str, ...] = ()

    def after_sweep(self, seen: Seen) -> Touches:
        """These touches after a sweep; where something has happened, whatever is touched next is touched anew."""
        is_news = seen.touched or seen.events or any(touch.last >= self.at for touch in self.cells.values())
        if not is_news:
            return self
        kept = {cell: touch for cell, touch in self.cells.items() if seen.at - touch.last < FORGOTTEN_MS}
        touches = replace(self, cells=kept)
        for cell in seen.touched:
            touches = touches.touched(cell, seen.at)
        cells = dict(touches.cells)
        for cell in _cells_of(seen.events):
            if cell in cells:
                cells[cell] = replace(cells[cell], over=True)
        return replace(touches, at=seen.at, cells=cells)

    def after_glimpse(self, glimpsed: Glimpsed) -> Touches:
        """These touches after a first look, in the middle of a sweep."""
        return self.touched(glimpsed.cell, glimpsed.at)

    def touched(self, cell: str, at: int) -> Touches:
        """These touches with one more, which goes on with the last one if that was at the sweep before."""
        before = self.cells.get(cell)
        if before is None or before.over:
            touch = Touch(at, at)
        elif before.last >= self.at:
            touch = replace(before, last=at)
        else:
            touch = Touch(at, at, before.times + 1)
        return replace(self, cells={**self.cells, cell: touch})


def marked(
    before: State, after: State, effects: tuple[Effect, ...], received: Input
) -> tuple[State, tuple[Effect, ...]]:
    """The state after an input and its effects, with the marks of what is being touched on all that is shown."""
    touches = _touches_after(before.touches, received)
    is_dark = not touches.shown and (touches is before.touches or not touches.cells)
    shown = after.view
    if shown is None or is_dark or isinstance(received, Closed):
        return after, effects
    cells = tuple(sorted(_seen_cells(after, touches, received.at)))
    after = replace(after, touches=replace(touches, shown=cells))
    if not cells and not touches.shown:
        return after, effects
    view = with_seen(shown, cells)
    out: list[Effect] = [
        Show(view) if isinstance(effect, Show) else effect for effect in effects if not isinstance(effect, Light)
    ]
    if cells != touches.shown and Show(view) not in out:
        out.append(Show(view))
    lights = lights_of(view)
    if before.view is None or lights != lights_of(with_seen(before.view, before.touches.shown)):
        out.append(Light(lights))
    return after, tuple(out)


def _touches_after(touches: Touches, received: Input) -> Touches:
    match received:
        case Seen():
            return touches.after_sweep(received)
        case Glimpsed():
            return touches.after_glimpse(received)
        case _:
            return touches


def with_seen(view: View, cells: Iterable[str]) -> View:
    """A view with these cells marked as seen, where nothing says more."""
    marks = dict(view.marks)
    marks.update((cell, Mark.SEEN) for cell in cells if marks.get(cell) not in _STRONGER)
    return replace(view, marks=tuple(sorted(marks.items(), key=lambda item: item[0])))


def shows_touch(view: View) -> bool:
    """Whether a view marks a cell as seen."""
    return any(mark is Mark.SEEN for _, mark in view.marks)


def _seen_cells(state: State, touches: Touches, now: int) -> Iterator[str]:
    """The cells that are being touched, or on which something rests that does not count yet."""
    for cell, touch in touches.cells.items():
        standing = state.table.standing.get(cell)
        odd = state.table.foreign.get(cell) or state.table.crowds.get(cell)
        if touch.last >= touches.at and not touch.over:
            if now - touch.since < MARKED_MS and touch.times <= MOST_TIMES:
                yield cell
        elif odd is not None and now - odd[1] < state.patience.wrong:
            yield cell
        elif standing is not None and now - standing.since < state.patience.wrong:
            square = SQUARE_OF.get(cell)
            if standing.piece != (state.game.hand if square is None else state.game.board[square]):
                yield cell


def _cells_of(events: Iterable[sensed.BoardEvent]) -> Iterator[str]:
    for event in events:
        match event:
            case sensed.PiecePlaced(cell=cell) | sensed.PieceLifted(cell=cell) | sensed.ForeignTag(cell=cell):
                yield cell
            case sensed.PieceMoved(origin=origin, cell=cell):
                yield origin
                yield cell
            case _:
                pass
