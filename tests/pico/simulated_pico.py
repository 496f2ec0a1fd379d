"""A Pico on its cable: the real MicroPython interpreter with the real firmware, above the simulated board.

It runs only while somebody waits on its clock, in that somebody's thread: the same evening is the same each time.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.devices.node.firmware import write_firmware
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.clock import SimulatedClock
from tests.pico.cable import Cable
from tests.pico.interpreter import HEAP_KB, Interpreter, Operation, Request
from tests.pico.node_pins import NodePins
from tests.pico.processor import slow_down

BOOT_US: Final = 300_000  # from power to main.py, more or less
NS_PER_US: Final = 1_000


class Broken(AssertionError):
    """The interpreter is gone though nobody has ended it."""


@dataclass
class _Waiting:
    until: int


class SimulatedPico:
    """The node below its cable; `port` is the name under which the host finds it, plugged in or not.

    With `processor_time` it works as slowly as a Pico does, for which its programs are a good deal longer.
    """

    def __init__(
        self, board: SimulatedBoard, pins: NodePins, folder: Path, *, drift_ppm: int = 0, processor_time: bool = False
    ) -> None:
        self.port = folder / "port"
        self.cable = Cable(self.port)
        self.flash = folder / "flash"
        self.printed = ""
        self.boots = 0
        self.dimmed: dict[int, int] = {}
        self.bootloader = False
        self._board = board
        self._pins = pins
        self._drift_ppm = drift_ppm
        self._began = 0
        pins.ns = lambda: board.clock.ns
        self._interpreter: Interpreter | None = None
        self._waiting: _Waiting | None = None
        self._watched: tuple[int, int] | None = None
        self._starts_at = 0
        write_firmware(self.flash)
        self._heap_kb = HEAP_KB
        if processor_time:
            slow_down(self.flash)
            self._heap_kb *= 4

    def plug_in(self) -> None:
        """Put the cable in: the Pico gets power and begins."""
        self.cable.plug_in()
        self._begin()

    def unplug(self) -> None:
        """Pull the cable out."""
        self._end()
        self.cable.unplug()

    def close(self) -> None:
        """Pull the cable out and forget it all."""
        self.unplug()
        shutil.rmtree(self.flash, ignore_errors=True)

    def _begin(self) -> None:
        self.boots += 1
        self._interpreter = Interpreter(self.flash, self.boots, self._heap_kb)
        self._waiting, self._watched = None, None
        self._pins.moved.clear()
        self._began = self._board.clock.ns
        self._starts_at = self._began // NS_PER_US + BOOT_US

    def _end(self) -> None:
        if self._interpreter is not None:
            self._interpreter.end()
            self._interpreter = None

    # -- its time --------------------------------------------------------------------------------------------------

    def run_until(self, moment: int) -> None:
        """Let the Pico work until the clock has reached this microsecond."""
        clock = self._board.clock
        while clock.now() < moment:
            if self._interpreter is None:
                clock.wait_until(moment)
            elif clock.now() < self._starts_at:
                clock.wait_until(min(moment, self._starts_at))
            elif self._waiting is not None:
                self._go_on_waiting(self._waiting, moment)
            else:
                self._serve(self._interpreter)
            self._bite()

    def _go_on_waiting(self, waiting: _Waiting, moment: int) -> None:
        clock = self._board.clock
        # Not beyond an interrupt: it is served when it comes.
        end = min(moment, waiting.until)
        while (now := clock.now()) < end and not self._pins.moved:
            clock.wait_until(min(end, now + 500))
        if clock.now() >= waiting.until or self._pins.moved:
            self._waiting = None
            self._answer()

    def _bite(self) -> None:
        """Reset a Pico whose program does not feed its watchdog."""
        if self._watched is not None and self._board.clock.now() > self._watched[1]:
            self._end()
            self._begin()

    def _feed(self, milliseconds: int) -> None:
        """Wind the watchdog up; for so long as it was told at first, if it is not told now."""
        milliseconds = milliseconds or (self._watched or (0, 0))[0]
        self._watched = (milliseconds, self._board.clock.now() + milliseconds * 1_000)

    def _node_us(self, ns: int) -> int:
        us = (ns - self._began) // NS_PER_US
        return us + us * self._drift_ppm // 1_000_000

    # -- what the interpreter asks for -----------------------------------------------------------------------------

    def _serve(self, interpreter: Interpreter) -> None:
        try:
            request = interpreter.request()
        except EOFError as error:
            raise Broken(f"the interpreter has ended: {self.printed}") from error
        for pin, level in request.driven:
            self._pins.drive(pin, level)
        if request.spent_ns:
            self._board.clock.advance_ns(request.spent_ns)
        self._do(request)

    def _do(self, request: Request) -> None:
        payload = request.payload
        value = int.from_bytes(payload[:4], "little")
        match request.operation:
            case Operation.TRANSFER:
                self._answer(bytes(self._board.bus.transfer(list(payload[4:]), value, 0)))
            case Operation.WAIT:
                self._waiting = _Waiting(self._board.clock.now() + value)
            case Operation.SEND:
                self.cable.send(payload)
                self._answer(bytes((self.cable.has_room,)))
            case Operation.WATCHDOG:
                self._feed(value)
                self._answer()
            case Operation.DIM:
                self.dimmed[payload[0]] = int.from_bytes(payload[1:], "little")
                self._answer()
            case Operation.RECEIVE:
                self._answer(bytes((self._pins.level(payload[0]),)))
            case Operation.PRINT:
                self.printed += payload.decode(errors="replace")
                self._answer()
            case Operation.RESET:
                self._reset(to_bootloader=value == 2)
            case _:
                self._answer()

    def _reset(self, *, to_bootloader: bool) -> None:
        self._end()
        self._watched = None  # the boot ROM restarts by means of the watchdog, which thereby ends
        self.bootloader = to_bootloader
        if not to_bootloader:
            self._begin()

    def _answer(self, payload: bytes = b"") -> None:
        assert self._interpreter is not None
        came = self.cable.from_host()
        moved = []
        while self._pins.moved:
            pin, level, ns = self._pins.moved.popleft()
            moved.append((pin, level, self._node_us(ns)))
        self._interpreter.answer(self._node_us(self._board.clock.ns), moved, came, payload)


class NodeTime:
    """The host's clock while a Pico is on its cable: who waits on it lets the Pico work."""

    def __init__(self, clock: SimulatedClock, pico: SimulatedPico) -> None:
        self._clock = clock
        self._pico = pico

    def now(self) -> int:
        """Return the simulated microseconds since the start."""
        return self._clock.now()

    def wait_until(self, moment: int) -> None:
        """Let the Pico work up to the moment."""
        self._pico.run_until(moment)
