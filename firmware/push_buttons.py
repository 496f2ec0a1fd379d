"""The push buttons: an interrupt takes down every movement with its own moment, however busy the readers are."""

from time import ticks_ms

from machine import Pin

from quarto_pi.firmware.messages import Presses
from quarto_pi.firmware.protocol import BUTTONS, NOTHING


class _Button:
    """One button between a pin and ground."""

    def __init__(self, presses: Presses, pin: int) -> None:
        self._presses = presses
        self._pin = Pin(pin, Pin.IN, Pin.PULL_UP)
        presses.down = not self._pin.value()
        self._pin.irq(handler=self.look, trigger=Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def look(self, _pin: "Pin | None" = None) -> None:
        """Take down how it is now."""
        self._presses.note(not self._pin.value(), ticks_ms())

    def close(self) -> None:
        self._pin.irq(handler=None)


class PushButtons:
    """The buttons; what bounces is told as it is, the referee knows what to make of it."""

    def __init__(self) -> None:
        self.presses = [Presses() for _ in range(BUTTONS)]
        self._buttons: list[_Button] = []

    def set_up(self, pins: "list[int]") -> None:
        """Watch these pins from now on."""
        for button in self._buttons:
            button.close()
        wired = zip(self.presses, pins)
        self._buttons = [_Button(presses, pin) for presses, pin in wired if pin != NOTHING]

    def look(self) -> None:
        """Look at every button, in case that an interrupt came while the level was on its way."""
        for button in self._buttons:
            button.look()

    def moved(self) -> int:
        """How often they have moved, all together."""
        count = 0
        for presses in self.presses:
            count += presses.count
        return count
