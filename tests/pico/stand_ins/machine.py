"""The module `machine`, with its pins and its bus on the simulated chips; nothing here allocates in the poll."""

from _board import dim, drive, level, next_moved, pull_up, transfer, watch
from _board import reset as _reset
from uctypes import addressof

LED = 25
_handlers = {}


def serve_interrupts():
    """Call the handlers of pins that have moved meanwhile; their time is that of the movement."""
    while True:
        pin = next_moved()
        if pin < 0:
            return
        handler = _handlers.get(pin)
        if handler is not None:
            handler(None)


class Pin:
    IN, OUT, PULL_UP, IRQ_FALLING, IRQ_RISING = 0, 1, 1, 4, 8

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number = LED if number == "LED" else number
        if not 0 <= self.number < 30:
            raise ValueError("invalid pin")
        if mode == Pin.OUT:
            drive(self.number, 1 if value else 0)
        elif mode == Pin.IN:
            pull_up(self.number)

    def value(self, wanted=None):
        if wanted is None:
            return level(self.number)
        drive(self.number, 1 if wanted else 0)

    def __call__(self, wanted=None):
        if wanted is None:
            return level(self.number)
        drive(self.number, 1 if wanted else 0)

    def irq(self, handler=None, trigger=0, hard=False):
        _handlers[self.number] = handler


class SPI:
    def __init__(self, bus, baudrate=1_000_000, polarity=0, phase=0, sck=None, mosi=None, miso=None):
        self._hz = baudrate
        self.transfers = 0
        self._nothing = bytearray(32)
        if polarity or phase or bus != 0 or (sck.number, mosi.number, miso.number) != (18, 19, 16):
            raise ValueError("no such bus on these pins")

    def write(self, out):
        self.transfers += 1
        transfer(addressof(out), addressof(self._nothing), len(out), self._hz)
        serve_interrupts()

    def write_readinto(self, out, back):
        self.transfers += 1
        transfer(addressof(out), addressof(back), len(out), self._hz)
        serve_interrupts()


class PWM:
    def __init__(self, pin, freq=0):
        self._number = pin.number

    def duty_u16(self, duty):
        dim(self._number, duty)


class WDT:
    def __init__(self, timeout=5000):
        watch(timeout)

    def feed(self):
        watch(0)


def disable_irq():
    return 0  # interrupts only come while the program waits or transfers


def enable_irq(state):
    pass


def unique_id():
    return b"\xe6\x61\x64\x08\x43\x1f\x2a\x2b"


def reset():
    _reset(0)


def bootloader():
    _reset(2)
