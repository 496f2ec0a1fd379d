"""Who has won is celebrated by lights, display and page for three seconds, and by none of them on a quiet board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from quarto_pi.devices.light_patterns import SquareLight
from quarto_pi.outputs.lights import WAVE_MS, SquaresOutput
from quarto_pi.referee import Light, Patience, Settings, Show, State, fold, start
from quarto_pi.referee.inputs import Button, ButtonName, Seen
from quarto_pi.referee.view import View, lights_of
from quarto_pi.rules import parse_piece
from quarto_pi.screens.boards import is_on
from quarto_pi.screens.drawing import draw
from quarto_pi.screens.layout import BAR
from quarto_pi.sensing.events import PiecePlaced
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.words import Words
from tests.screens.sheet import LARGE


def won(settings: Settings) -> tuple[State, list[tuple[int, View]]]:
    """A game that is won by a call, and all that is shown after that while nobody does anything."""
    state, _ = start(settings)
    at = 1_000
    for piece, square in (("LTRF", "a1"), ("LSQH", "b1"), ("LTRH", "c1"), ("LSQF", "d1")):
        for cell in ("offer", square):
            at += 1_000
            state, _ = fold(state, Seen(at, (PiecePlaced(cell, parse_piece(piece), at, at - 700),)))
            at += 500
            state, _ = fold(state, Seen(at))
    shown = []
    for input_at, down in ((at + 100, True), (at + 200, False)):
        state, effects = fold(state, Button(input_at, ButtonName.CALL, down))
        shown += [(input_at, effect.view) for effect in effects if isinstance(effect, Show)]
    for input_at in range(at + 300, at + 8_000, 100):
        state, effects = fold(state, Seen(input_at))
        shown += [(input_at, effect.view) for effect in effects if isinstance(effect, Show)]
    return state, shown


def test_a_win_is_celebrated_for_three_seconds() -> None:
    _, shown = won(Settings())
    begun = next(at for at, view in shown if view.celebrates)
    over = next(at for at, view in shown if at > begun and not view.celebrates)
    assert abs(over - begun - Patience().celebrates) <= 100
    _, quiet = won(Settings(quiet=True))
    assert not any(view.celebrates for _, view in quiet)


def test_display_blinks_while_it_celebrates_and_says_the_same() -> None:
    _, shown = won(Settings())
    view = next(view for _, view in shown if view.celebrates)
    lit, dark = (next(at for at in range(0, 5_000, 50) if is_on(at) is on) for on in (True, False))
    calm = replace(view, celebrates=False)
    head, rest = (0, 0, LARGE[0], BAR), (0, BAR, *LARGE)
    assert draw(view, LARGE, Words(), lit).crop(head) != draw(view, LARGE, Words(), dark).crop(head)
    for at in (lit, dark):
        assert draw(view, LARGE, Words(), at).crop(rest) == draw(calm, LARGE, Words(), at).crop(rest)


class Panel:
    """Remembers what is shown."""

    def __init__(self) -> None:
        self.lit: dict[int, set[str]] = {}

    def show(self, lights: Mapping[str, SquareLight], now: int) -> None:
        """Take these lights."""
        self.lit[now] = set(lights)


def test_light_runs_over_every_square_and_leaves_the_alignment_lit() -> None:
    _, shown = won(Settings())
    view = next(view for _, view in shown if view.celebrates)
    panel = Panel()
    output = SquaresOutput(panel)
    output.perform(Light(lights_of(view)))
    for now in range(0, 3_000, WAVE_MS):
        output.tick(now)
    four = {"a1", "b1", "c1", "d1"}
    assert set().union(*panel.lit.values()) == set(SQUARE_NAMES)
    assert all(four <= lit for lit in panel.lit.values())
    for square in set(SQUARE_NAMES) - four:
        times = [now for now, lit in panel.lit.items() if square in lit]
        # No square flashes faster than three times a second.
        assert all(later - now >= 1_000 for now, later in pairwise(times))
    output.perform(Light(lights_of(replace(view, celebrates=False))))
    output.tick(5_000)
    assert panel.lit[5_000] == four
