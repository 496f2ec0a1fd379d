"""The reader bank above gpiozero's own lgpio factory, as it is on a Pi, on a host whose times all vary."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator

import pytest
from gpiozero import Factory

from quarto_pi.devices.panel import PushButtons
from quarto_pi.devices.readers.bank import ReaderBank
from quarto_pi.devices.readers.fields import NOT_TOUCHING, FieldMode, plan_fields
from quarto_pi.devices.readers.spi import SelectLines, SelectPins
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import HeaderPins
from quarto_pi.simulation.clock import VARIED, SimulatedClock
from quarto_pi.simulation.modules import lgpio_over

PI_4 = 0xC03114
FACTORY = "gpiozero.pins.lgpio"


@pytest.fixture
def pins() -> HeaderPins:
    return HeaderPins()


@pytest.fixture
def factory(pins: HeaderPins, monkeypatch: pytest.MonkeyPatch) -> Iterator[Factory]:
    """Gpiozero's factory for lgpio; what stands in is the package below it, and the revision of a Pi."""
    monkeypatch.setitem(sys.modules, "lgpio", lgpio_over(pins))
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_4)
    monkeypatch.delitem(sys.modules, FACTORY, raising=False)
    factory = importlib.import_module(FACTORY).LGPIOFactory(chip=0)
    yield factory
    factory.close()
    monkeypatch.delitem(sys.modules, FACTORY, raising=False)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("mode", FieldMode)
def test_every_look_succeeds_above_the_factory_that_a_pi_has(
    pins: HeaderPins, factory: Factory, mode: FieldMode, seed: int, uids7: list[str]
) -> None:
    board = SimulatedBoard(pins, seed=seed, spans=VARIED)
    lines = SelectLines(SelectPins(), factory)
    spi = board.spidev.SpiDev(0, 0)
    spi.max_speed_hz = 4_000_000
    for uid, cell in zip(uids7, SQUARE_NAMES[:10], strict=False):
        board.table.rest(uid, cell)
    expected = {cell: Outcome.TAG if cell in SQUARE_NAMES[:10] else Outcome.EMPTY for cell in CELLS}
    with ReaderBank(spi, lines, board.clock, plan=plan_fields(mode, apart=NOT_TOUCHING)) as bank:
        bank.start()
        for _ in range(5):
            assert {reading.cell: reading.outcome for reading in bank.sweep()} == expected
        health = bank.health()
        assert sum(figures.misses + figures.errors for figures in health.values()) == 0
        assert not any(figures.wants_command_again or figures.fields_left_on for figures in health.values())
    assert board.field.on == set()
    assert pins.level(SelectPins().enable)


def test_a_button_that_is_down_reads_as_pressed_above_the_factory_that_a_pi_has(
    pins: HeaderPins, factory: Factory
) -> None:
    with PushButtons({"call": 12}, SimulatedClock(), factory) as buttons:
        assert list(buttons.held) == []
        pins.drive(12, False)
        assert list(buttons.held) == ["call"]
