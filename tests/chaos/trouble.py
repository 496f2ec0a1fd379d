"""What goes wrong with the board itself while people play: noise, loose wires, a dipping supply, overheard tags."""

from __future__ import annotations

import random

from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES
from quarto_pi.simulation.board import Reach
from quarto_pi.simulation.bus import NOTHING_ANSWERS_HIGH, NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.field import Noise
from tests.chaos.evening import Evening, Script


def let_neighbours_hear(evening: Evening, draw: random.Random, pairs: int) -> None:
    """Give some squares an antenna that hears a neighbour's piece at times, some of them with wrong bits."""
    for cell in draw.sample([cell for cell in range(15) if cell % 4 < 3], pairs):
        reach = Reach(draw.uniform(0.02, 0.2), shifted=draw.random() < 0.5)
        evening.table.let_reach(SQUARE_NAMES[cell], SQUARE_NAMES[cell + 1], reach)


def troubles(evening: Evening, draw: random.Random, share: float) -> Script:
    """One fault after the other; `share` is about the share of the time in which there is one."""
    while True:
        lasts = draw.choice((draw.uniform(100, 1_000), draw.uniform(1_000, 8_000), draw.uniform(3_000, 15_000)))
        yield lasts * draw.uniform(0.5, 1.5) / share
        cell = draw.choice(CELLS)
        kind = draw.randrange(5)
        evening.say("board", f"{('dip', 'dip of all', 'dead wire', 'loaded wire', 'noise')[kind]} at {cell}")
        match kind:
            case 0:
                evening.board.brown_out(cell)
            case 1:
                evening.board.brown_out()
            case 2:
                level = draw.choice((NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH))
                evening.board.faults.set(cell, LineFault(stuck_at=level))
            case 3:
                evening.board.faults.set(cell, LineFault(drops_ones=0.05))
            case _:
                evening.board.field.add_noise(cell, draw.choice((0.1, 0.3)), tuple(Noise))
        evening.faulty_until = float("inf")
        yield lasts if kind > 1 else 1.0
        evening.board.faults.clear()
        evening.board.field.add_noise(cell, 0.0)
        evening.faulty_until = evening.now
        evening.say("board", "repaired")
