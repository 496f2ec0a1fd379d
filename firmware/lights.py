"""The lights on the panel, as bright as the host wants them, and the node's own light."""

from machine import PWM, Pin

from quarto_pi.firmware import pins
from quarto_pi.firmware.protocol import LAMPS, NOTHING
from quarto_pi.firmware.said_by_host import Configuration

HERTZ = 1_000
FULL = 65_535

# The node's own light: for how long it is on, out of how long, in milliseconds.
ALONE = (1_000, 2_000)  # no host
WAITING = (100, 1_000)  # a host, but no configuration yet
AT_WORK = (1_950, 2_000)
READER_LOST = (250, 500)


class PanelLights:
    """Three lamps; a pin is only touched when something changes."""

    def __init__(self) -> None:
        self.levels = bytearray(LAMPS)
        self._outputs: list[PWM | None] = [None] * LAMPS
        self._active_high = 1

    def set_up(self, wiring: Configuration) -> None:
        """Drive these pins from now on, all dark."""
        self._active_high = wiring.active_high
        for lamp, pin in enumerate(wiring.lights):
            self._outputs[lamp] = None if pin == NOTHING else PWM(Pin(pin), freq=HERTZ)
        self.show(bytes(LAMPS), True)

    def show(self, levels: bytes, anew: bool = False) -> None:
        """Show these levels of 0 to 255."""
        for lamp in range(LAMPS):
            if levels[lamp] == self.levels[lamp] and not anew:
                continue
            self.levels[lamp] = levels[lamp]
            duty = levels[lamp] * FULL // 255
            output = self._outputs[lamp]
            if output:
                output.duty_u16(duty if self._active_high else FULL - duty)


class StatusLight:
    """The light on the Pico itself."""

    def __init__(self) -> None:
        self._pin = Pin(pins.LED, Pin.OUT)
        self._is_on: bool | None = None

    def show(self, pattern: "tuple[int, int]", now: int) -> None:
        """Show a pattern as it is at this millisecond."""
        on, out_of = pattern
        wanted = now % out_of < on
        # On a Pico W it hangs on the radio chip, and each touch takes as long as several looks.
        if wanted is not self._is_on:
            self._is_on = wanted
            self._pin.value(wanted)
