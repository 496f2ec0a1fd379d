"""The push buttons: an interrupt takes down every movement with its own moment, however busy the readers are."""

from time import ticks_ms

from machine import Pin, disable_irq, enable_irq

from quarto_pi.firmware.protocol import BUTTONS, NOTHING
from quarto_pi.firmware.said_by_node import Presses


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

    def look_undisturbed(self) -> None:
        """Take it down with the interrupt locked out, which would otherwise be undone by an older level."""
        interrupts = disable_irq()
        self.look()
        enable_irq(interrupts)

    def close(self) -> None:
        self._pin.irq(handler=None)


class PushButtons:
    """The buttons; what bounces is told as it is, the referee knows what to make of it.

    `presses` is what there was to tell when `note` was called last: what the interrupts write moves under the hands of
    whoever reads it.
    """

    def __init__(self) -> None:
        self.presses = [Presses() for _ in range(BUTTONS)]
        self._live = [Presses() for _ in range(BUTTONS)]
        self._buttons: list[_Button] = []

    def set_up(self, pins: "list[int]") -> None:
        """Watch these pins from now on."""
        for button in self._buttons:
            button.close()
        wired = zip(self._live, pins)
        self._buttons = [_Button(presses, pin) for presses, pin in wired if pin != NOTHING]

    def look(self) -> None:
        """Look at every button, in case that an interrupt came while the level was on its way."""
        for button in self._buttons:
            button.look_undisturbed()

    def note(self) -> None:
        """Take over into `presses` all that has happened so far."""
        for place in range(BUTTONS):
            self.presses[place].copy(self._live[place])

    def moved(self) -> int:
        """How often they have moved, all together."""
        count = 0
        for presses in self._live:
            count += presses.count
        return count
