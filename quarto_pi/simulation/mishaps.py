"""Faults and hands at random: the same seed does the same things at the same moments."""

from __future__ import annotations

import random
from typing import Final

from quarto_pi.sensing.readings import CELLS, SQUARES
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.faults import NOTHING_ANSWERS_HIGH, NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.field import Noise

NOISE_SHARE: Final = 0.3
LOADING_SHARE: Final = 0.05
LOSING_SHARE: Final = 0.05


class RandomFaults:
    """Strikes a board with one fault at a time, and now and then repairs all."""

    def __init__(self, board: SimulatedBoard, rng: random.Random, *, repair_share: float = 0.3) -> None:
        self._board = board
        self._rng = rng
        self._repair_share = repair_share

    def strike(self) -> None:
        """Let something break: the supply, a chip, a line, the air."""
        cell = self._rng.choice(CELLS)
        match self._rng.randrange(6):
            case 0:
                self._board.brown_out(cell)
            case 1:
                self._board.brown_out()
            case 2:
                level = self._rng.choice((NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH))
                self._board.faults.set(cell, LineFault(stuck_at=level))
            case 3:
                self._board.faults.set(cell, LineFault(drops_ones=LOADING_SHARE))
            case 4:
                self._board.faults.set(cell, LineFault(loses=LOSING_SHARE))
            case _:
                self._board.field.add_noise(cell, NOISE_SHARE, tuple(Noise))
        if self._rng.random() < self._repair_share:
            self.repair()

    def repair(self) -> None:
        """End all faults that last."""
        self._board.faults.clear()
        for cell in CELLS:
            self._board.field.add_noise(cell, 0.0)


class RandomHands:
    """Puts down, takes up, holds and pushes pieces without any sense."""

    def __init__(self, board: SimulatedBoard, rng: random.Random, uids: list[str]) -> None:
        self._table = board.table
        self._rng = rng
        self._uids = uids

    def act(self) -> tuple[str, tuple[str, ...]]:
        """Do something with a piece, and return its UID and the cells that may hear it now."""
        uid = self._rng.choice(self._uids)
        taken = self._table.resting.values()
        cell = self._rng.choice([cell for cell in CELLS if cell not in taken])
        match self._rng.randrange(4):
            case 0:
                self._table.rest(uid, cell)
                return uid, (cell,)
            case 1:
                self._table.lift(uid)
                return uid, ()
            case 2:
                self._table.hover(uid, cell, self._rng.random())
                return uid, (cell,)
            case _:
                other = self._rng.choice(SQUARES)
                self._table.between(uid, {cell: self._rng.random(), other: self._rng.random()})
                return uid, (cell, other)

    def take_up_what_does_not_rest(self) -> None:
        """End all hovering and sliding."""
        for uid in self._uids:
            if uid not in self._table.resting:
                self._table.lift(uid)
