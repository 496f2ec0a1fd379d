"""The board of a game of chaos: with its chips, or with readings that come from the table itself."""

from __future__ import annotations

import random
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory

from quarto_pi.devices.readers.bank import ReaderBank
from quarto_pi.devices.readers.fields import NOT_TOUCHING, CurrentBudget, FieldMode, plan_fields
from quarto_pi.devices.readers.spi import SelectLines, SelectPins
from quarto_pi.sensing.readings import Reading
from quarto_pi.simulation.board import SimulatedBoard
from tests.chaos.readings import DippingBoard, DirectReaders
from tests.pins import PlainPin, PlainPins
from tests.rig import SPEED_HZ

Round = Callable[[], list[Reading]]
"""A look at all cells, which takes its time on the board's clock."""


def without_chips(seed: int) -> tuple[SimulatedBoard, Round]:
    """A board whose readings come from the table itself."""
    board = DippingBoard(seed=seed)
    return board, DirectReaders(board, random.Random(f"{seed} readers")).round


def through_chips(mode: FieldMode, seed: int) -> tuple[SimulatedBoard, Round]:
    """A board with a started reader bank over its simulated chips."""
    factory = MockFactory(pin_class=PlainPin)
    board = SimulatedBoard(PlainPins(factory), seed=seed)
    spi = board.spidev.SpiDev(0, 0)
    spi.max_speed_hz = SPEED_HZ
    plan = plan_fields(mode, CurrentBudget(supply_ma=900), NOT_TOUCHING)
    bank = ReaderBank(spi, SelectLines(SelectPins(), factory), board.clock, plan=plan)
    bank.start()
    return board, bank.round
