"""The shared SPI bus, its select lines (a 4-to-16 decoder for the squares, one for the offer), the readers' reset."""

from time import sleep_ms

from machine import SPI, Pin

from quarto_pi.firmware import pins
from quarto_pi.firmware.pins import OFFER_LINE
from quarto_pi.firmware.protocol import NOTHING
from quarto_pi.firmware.said_by_host import Configuration

MOST_BYTES = 16  # that are read in a transfer
HOLD_MS = 1  # datasheet 8.8.1: 100 ns, and some for the line
WAKE_MS = 5  # datasheet 8.6.2: the oscillator's start, which depends on the crystal


class SelectLines:
    """Seventeen select lines of which at most one is low at any time, and the bus behind them.

    A transfer is written where it is made, pin, bus, pin: a call takes as long as a fourth of it. `shown` is the line
    that the decoder's address is set to.
    """

    def __init__(self, wiring: Configuration) -> None:
        # high before they are outputs: nothing is selected on the way
        self._enable = Pin(wiring.enable, Pin.OUT, value=1)
        self._offer = Pin(wiring.offer, Pin.OUT, value=1)
        self._address = [Pin(pin, Pin.OUT, value=0) for pin in wiring.address]
        self._reset = None if wiring.reset == NOTHING else Pin(wiring.reset, Pin.OUT, value=0)
        self.shown = 0
        self.spi = SPI(
            pins.SPI_BUS,
            baudrate=wiring.spi_hz,
            polarity=0,
            phase=0,
            sck=Pin(pins.SCK),
            mosi=Pin(pins.MOSI),
            miso=Pin(pins.MISO),
        )
        self.back = bytearray(MOST_BYTES)
        # a view of every length, because making one would allocate memory
        self.backs = [memoryview(self.back)[:length] for length in range(MOST_BYTES + 1)]

    def strobe(self, line: int) -> Pin:
        """The pin that selects a line while it is low."""
        return self._offer if line == OFFER_LINE else self._enable

    def reset_chips(self) -> bool:
        """Reset all chips by their line, which none can ignore; False where there is no such line."""
        pin = self._reset
        if pin is None:
            return False
        pin(1)
        sleep_ms(HOLD_MS)
        pin(0)
        sleep_ms(WAKE_MS)
        return True

    def choose(self, line: int) -> None:
        """Set the decoder's address for a line, with nothing selected yet."""
        if line == OFFER_LINE:
            return
        changed = line ^ self.shown
        address = self._address
        for bit in range(4):
            if changed >> bit & 1:
                address[bit](line >> bit & 1)
        self.shown = line
