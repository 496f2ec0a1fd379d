"""Hands are seen long before what they do counts, whatever it is; and nothing else depends on that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from unittest.mock import patch

import pytest

from quarto_pi.controller.computer import Computer
from quarto_pi.referee import Button, Light, Seen, Settings, Show, View, fold, start
from quarto_pi.referee.touches import MARKED_MS
from quarto_pi.referee.view import Mark
from quarto_pi.sensing.board import Sweep
from quarto_pi.trace.format import Trace, read_trace
from quarto_pi.trace.replay import effects_of
from tests.games.performance import Lines, Timed
from tests.games.table import STRANGERS, UIDS, Table
from tests.referee.people import People, Rascals, as_trace, header


def trace_of(lines: Iterable[str], *, gives_on_place: bool = True) -> Trace:
    return read_trace(as_trace(header(gives_on_place=gives_on_place), list(lines)), Settings(), 3, foreign=True)


def effects(trace: Trace) -> list[Timed]:
    lines = Lines(trace.lines)
    return [(lines.reached, effect) for effect in effects_of(replace(trace, lines=lines), Computer())]


def marked(trace: Trace) -> list[tuple[int, tuple[str, ...]]]:
    """When which cells were marked as seen: only the changes."""
    found: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for at, effect in effects(trace):
        if isinstance(effect, Show):
            cells = tuple(cell for cell, mark in effect.view.marks if mark is Mark.SEEN)
            if cells != found[-1][1]:
                found.append((at, cells))
    return found[1:]


def heard_first(trace: Trace, cell: str) -> int:
    return next(
        line.at
        for line in trace.lines
        if isinstance(line, Sweep) and any(reading.cell == cell and reading.uids for reading in line.readings)
    )


def game() -> Trace:
    """A piece is given, taken up, and put on a square."""
    table = Table(seed=7)
    table.comes("LTRF", "offer", 1_000)
    table.goes("LTRF", "offer", 4_000)
    table.comes("LTRF", "b2", 6_000)
    table.close(12_000)
    return trace_of(table.says)


def with_another(thing: str) -> Trace:
    """The same hands, with another thing in them on their way to the square."""
    uid = {**UIDS, **STRANGERS}[thing]

    def changed(line: Sweep | Button) -> Sweep | Button:
        if isinstance(line, Button) or line.at < 5_000:
            return line
        readings = (replace(reading, uids=(uid,)) if reading.uids else reading for reading in line.readings)
        return replace(line, readings=tuple(readings))

    trace = game()
    return replace(trace, lines=tuple(map(changed, trace.lines)))


def test_piece_is_marked_from_the_first_look_that_hears_it_until_it_counts() -> None:
    trace = game()
    told = [(at, type(effect.report).__name__) for at, effect in effects(trace) if hasattr(effect, "report")]
    given, placed = (next(at for at, what in told if what == name) for name in ("Given", "Placed"))
    marks = [mark for mark in marked(trace) if mark[1] in ((), ("b2",)) and mark[0] > 5_000]
    assert marks == [(heard_first(trace, "b2"), ("b2",)), (placed, ())]
    assert marked(trace)[:2] == [(heard_first(trace, "offer"), ("offer",)), (given, ())]


@pytest.mark.parametrize("thing", ["DSQH", "card"])
def test_mark_says_nothing_of_what_was_put_down(thing: str) -> None:
    """A wrong piece and a card are marked just as the right piece is, which loses its mark as soon as it counts."""
    first, second = ([mark for mark in marked(trace) if mark[0] > 5_000] for trace in (game(), with_another(thing)))
    assert first[0] == second[0] == (heard_first(game(), "b2"), ("b2",))
    assert first[1][1] == second[1][1] == ()
    assert second[1][0] >= first[1][0]


def test_piece_that_is_taken_up_is_marked_until_it_is_believed_to_be_gone() -> None:
    marks = [mark for mark in marked(game()) if 4_000 <= mark[0] < 6_000]
    assert [cells for _, cells in marks] == [("offer",), ()]


def test_cell_of_which_nothing_is_believed_is_marked_for_a_while_only() -> None:
    state, _ = start(Settings())
    shown: list[tuple[int, tuple[str, ...]]] = []
    for at in range(100, 3 * MARKED_MS, 100):
        state, done = fold(state, Seen(at, touched=("b2",)))
        shown += [(at, tuple(cell for cell, _ in effect.view.marks)) for effect in done if isinstance(effect, Show)]
    assert shown == [(100, ("b2",)), (100 + MARKED_MS, ())]


@pytest.mark.slow
@pytest.mark.parametrize(
    "share", [0.3, *(pytest.param(share, marks=pytest.mark.campaign) for share in (0.9, 0.7, 0.5))]
)
def test_weak_tag_that_stands_still_is_no_touch(share: float) -> None:
    assert times_marked(share, seed=1, until=300_000) <= 4


@pytest.mark.campaign
@pytest.mark.parametrize("share", [0.9, 0.7, 0.5, 0.3])
def test_weak_tag_that_stands_still_for_long_is_hardly_ever_touched(share: float) -> None:
    counts = [times_marked(share, seed, until=600_000) for seed in (1, 2, 3)]
    assert sum(counts) <= 20, counts


def times_marked(share: float, seed: int, until: int) -> int:
    """How often a tag that stands still is taken for one in the air: once in a thousand looks, for a few of them."""
    table = Table(seed)
    table.comes("LTRF", "offer", 1_000)
    table.plan(4_000, partial(table.answers.update, {"LTRF": share}))
    table.close(until)
    return sum(1 for at, cells in marked(trace_of(table.says)) if cells and at > 30_000)


@pytest.mark.parametrize("share", [0.03, 0.1, 0.2])
def test_tag_that_is_hardly_ever_heard_does_not_blink_for_ever(share: float) -> None:
    table = Table(seed=5)
    table.answers["LTRF"] = share
    table.comes("LTRF", "offer", 1_000)
    table.close(300_000)
    trace = trace_of(table.says)
    heard = sum(
        1
        for line in trace.lines
        if isinstance(line, Sweep)
        for reading in line.readings
        if reading.cell == "offer" and reading.uids
    )
    assert heard > 30
    assert sum(1 for _, cells in marked(trace) if cells) < heard / 2


def without_touches(trace: Trace) -> list[Timed]:
    with patch("quarto_pi.trace.replay.touched_on", lambda _: ()):
        return effects(trace)


def unmarked(view: View) -> View:
    return replace(view, marks=tuple(mark for mark in view.marks if mark[1] is not Mark.SEEN))


def said(timed: Iterable[Timed]) -> list[tuple[int, object]]:
    """All that goes out but the marks: what is shown without them, the lights of the panel, and everything else."""
    out: list[tuple[int, object]] = []
    last: dict[type, object] = {}
    for at, effect in timed:
        what: object = effect
        if isinstance(effect, Show):
            what = _without_marks(effect.view)
        elif isinstance(effect, Light):
            what = effect.lights.players, effect.lights.attention, effect.lights.thinking
        if isinstance(effect, Show | Light):
            if last.get(type(effect)) == what:
                continue
            last[type(effect)] = what
        out.append((at, what))
    return out


def _without_marks(view: View) -> View:
    """A cell that is touched may hide why it is pointed at; nothing else may differ."""
    return replace(view, marks=())


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(2, 6))])
@pytest.mark.parametrize("gives_on_place", [True, False])
def test_nothing_but_the_marks_depends_on_touches(seed: int, *, gives_on_place: bool) -> None:
    people = (Rascals if seed % 2 else People)(seed, gives_on_place=gives_on_place)
    trace = trace_of(people.play(10), gives_on_place=gives_on_place)
    with_them = effects(trace)
    assert any(isinstance(effect, Show) and effect.view != unmarked(effect.view) for _, effect in with_them)
    assert said(with_them) == said(without_touches(trace))
