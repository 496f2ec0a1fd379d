"""The module `time` on the simulated clock."""

from _board import ms as ticks_ms
from _board import us as ticks_us
from _board import wait
from machine import serve_interrupts

_HALF = 1 << 29
_ALL = (1 << 30) - 1


def ticks_diff(later, earlier):
    return ((later - earlier + _HALF) & _ALL) - _HALF


def ticks_add(moment, change):
    return (moment + change) & _ALL


def sleep_us(duration):
    """An interrupt is served when it comes, and the time that was asked for passes all the same."""
    end = ticks_add(ticks_us(), duration)
    left = duration
    while True:
        wait(left)
        serve_interrupts()
        left = ticks_diff(end, ticks_us())
        if left <= 0:
            return


def sleep_ms(duration):
    sleep_us(1000 * duration)
