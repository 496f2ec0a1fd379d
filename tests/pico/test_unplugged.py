"""A cable that is pulled out in the middle of a game."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from quarto_pi.config import Config
from quarto_pi.referee.effects import GameFinished, ReaderFault
from quarto_pi.referee.messages import PlaceThis, Won
from quarto_pi.rules import Player, parse_piece
from quarto_pi.sensing.readings import CELLS
from tests.evening import Evening, Underneath
from tests.pico.underneath import OnAPico, on_a_pico

pytestmark = pytest.mark.slow

LINE = [("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1")]


def test_game_goes_on_after_the_cable_was_out() -> None:
    unders: list[OnAPico] = []

    def build(stack: ExitStack, config: Config) -> Underneath:
        unders.append(on_a_pico(stack, config))
        return unders[0]

    with ExitStack() as stack:
        evening = Evening(stack, build=build)
        pico = unders[0].pico
        evening.wait(1_500)
        for piece, square in LINE:
            evening.turn(piece, square)
        evening.put("DTRF", "offer")
        pico.unplug()
        evening.wait(4_000)
        assert set(evening.state.table.lost) == set(CELLS)
        assert sum(isinstance(report, ReaderFault) for report in evening.watcher.reports) == 17
        pico.plug_in()
        evening.wait(4_000)
        assert not evening.state.table.lost
        assert evening.watcher.prompt == PlaceThis(Player.A, parse_piece("DTRF"))
        evening.lift("DTRF")
        evening.put("DTRF", "d1")
        evening.press()
        assert isinstance(evening.watcher.prompt, Won)
        assert len([report for report in evening.watcher.reports if isinstance(report, GameFinished)]) == 1
