"""The board of `tests.rig` with pins that remember no history, which makes a game a fifth faster."""

from __future__ import annotations

import random
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPin

from quarto_pi.devices.fields import NOT_TOUCHING, CurrentBudget, FieldMode, plan_fields
from quarto_pi.devices.reader_bank import ReaderBank
from quarto_pi.devices.select_lines import SelectLines, SelectPins
from quarto_pi.sensing.readings import Reading
from quarto_pi.simulation.board import SimulatedBoard
from tests.chaos.readings import DippingBoard, DirectReaders
from tests.rig import SPEED_HZ


class PlainPin(MockPin):  # type: ignore[misc] # gpiozero has no type information
    """A mock pin that knows its level and whether it has changed, and nothing else."""

    toggled = False

    @property
    def state(self) -> bool:
        """The level."""
        return bool(self._state)

    @state.setter
    def state(self, level: bool) -> None:
        self._state = level
        self.toggled = True


class PlainPins:
    """The levels of plain pins as the decoder sees them."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self._pins: dict[int, PlainPin] = {}

    def level(self, number: int) -> bool:
        """Return the level; the select lines drive all of theirs."""
        pin = self._pins.get(number)
        if pin is None:
            pin = self._pins[number] = self._factory.pin(f"GPIO{number}")
        return bool(pin._state)

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has been set since this was asked last."""
        pin = self._pins.get(number)
        if pin is None:
            return False
        toggled, pin.toggled = pin.toggled, False
        return toggled


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
