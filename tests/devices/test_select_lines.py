"""Seventeen select lines, at most one of them low, and the address set before."""

from __future__ import annotations

import pytest
from gpiozero.pins.mock import MockFactory

from quarto_pi.devices.readers.spi import ReaderPort, SelectLines, SelectPins
from quarto_pi.sensing.readings import OFFER_LINE

PINS = SelectPins()


class Listener:
    """An SPI device that writes down which pins were low during each transfer."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self.seen: list[tuple[bool, bool, int]] = []
        self.closed = False

    def _state(self, pin: int) -> bool:
        return bool(self._factory.pin(f"GPIO{pin}").state)

    def xfer2(self, values: list[int], /) -> list[int]:
        address = sum(self._state(pin) << place for place, pin in enumerate(PINS.address))
        self.seen.append((not self._state(PINS.enable), not self._state(PINS.offer), address))
        return values

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def factory() -> MockFactory:
    return MockFactory()


def test_each_line_is_low_for_its_transfer_and_no_other(factory: MockFactory) -> None:
    spi = Listener(factory)
    lines = SelectLines(PINS, factory)
    for line in (3, 12, OFFER_LINE, 0):
        ReaderPort(spi, lines, line).xfer2([1])
    assert [(seen[0], seen[1]) for seen in spi.seen] == [(True, False), (True, False), (False, True), (True, False)]
    assert [seen[2] for seen in spi.seen if seen[0]] == [3, 12, 0]
    assert factory.pin(f"GPIO{PINS.enable}").state
    assert factory.pin(f"GPIO{PINS.offer}").state


def test_a_line_is_released_when_the_transfer_fails(factory: MockFactory) -> None:
    class Broken(Listener):
        def xfer2(self, values: list[int], /) -> list[int]:
            raise OSError(f"the bus is gone, with {len(values)} bytes")

    with pytest.raises(OSError, match="the bus is gone"):
        ReaderPort(Broken(factory), SelectLines(PINS, factory), 0).xfer2([1])
    assert factory.pin(f"GPIO{PINS.enable}").state


def test_a_line_that_does_not_exist_is_refused(factory: MockFactory) -> None:
    with pytest.raises(ValueError, match="numbered 0 to 16"):
        ReaderPort(Listener(factory), SelectLines(PINS, factory), 17)


def test_closing_twice_does_nothing_more(factory: MockFactory) -> None:
    lines = SelectLines(PINS, factory)
    lines.close()
    lines.close()


def test_chips_are_held_in_reset_while_it_is_wanted_and_never_after_the_end(factory: MockFactory) -> None:
    lines = SelectLines(SelectPins(reset=26), factory)
    pin = factory.pin("GPIO26")
    assert not pin.state
    for hold in (True, False, True):
        lines.hold_in_reset(hold=hold)
        assert bool(pin.state) is hold
    lines.close()
    assert pin.function == "input"


def test_without_a_reset_line_no_pin_is_taken_for_it(factory: MockFactory) -> None:
    lines = SelectLines(PINS, factory)
    lines.hold_in_reset(hold=True)
    assert not lines.has_reset
    assert {number for number in range(28) if factory.pin(f"GPIO{number}").function == "output"} == {
        *PINS.address,
        PINS.enable,
        PINS.offer,
    }
