"""The shared SPI bus and its select lines: a 4-to-16 decoder for the squares, one line for the offer reader."""

from machine import SPI, Pin

from quarto_pi.firmware import pins
from quarto_pi.firmware.said_by_host import Configuration

OFFER_LINE = 16
MOST_BYTES = 32  # of a transfer


class SelectLines:
    """Seventeen select lines of which at most one is low at any time, and the bus behind them.

    `out` is what goes out with the next transfer, `back` is what came back with the last one.
    """

    def __init__(self, wiring: Configuration) -> None:
        # high before they are outputs: nothing is selected on the way
        self._enable = Pin(wiring.enable, Pin.OUT, value=1)
        self._offer = Pin(wiring.offer, Pin.OUT, value=1)
        self._address = [Pin(pin, Pin.OUT, value=0) for pin in wiring.address]
        self._shown = 0
        self._spi = SPI(
            pins.SPI_BUS,
            baudrate=wiring.spi_hz,
            polarity=0,
            phase=0,
            sck=Pin(pins.SCK),
            mosi=Pin(pins.MOSI),
            miso=Pin(pins.MISO),
        )
        self.out = bytearray(MOST_BYTES)
        self.back = bytearray(MOST_BYTES)
        # a view of every length, because making one would allocate memory
        self._outs = [memoryview(self.out)[:length] for length in range(MOST_BYTES + 1)]
        self._backs = [memoryview(self.back)[:length] for length in range(MOST_BYTES + 1)]
        self.transfers = 0

    def exchange(self, line: int, length: int) -> None:
        """Select a chip, exchange the first bytes of `out` for those of `back`, deselect it."""
        strobe = self._strobe(line)
        strobe.value(0)
        self._spi.write_readinto(self._outs[length], self._backs[length])
        strobe.value(1)
        self.transfers += 1

    def _strobe(self, line: int) -> Pin:
        """Set the address for a line, with nothing selected yet, and return the pin that selects it."""
        if line == OFFER_LINE:
            return self._offer
        changed = line ^ self._shown
        if changed:
            for bit in range(4):
                if changed >> bit & 1:
                    self._address[bit].value(line >> bit & 1)
            self._shown = line
        return self._enable
