"""A Pico on its cable: the real MicroPython interpreter with the real firmware, above the simulated board.

It runs only while somebody waits on its clock, in that somebody's thread: the same evening is the same each time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import shutil
import socket
import struct
import subprocess
import termios
import time
import tty
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from quarto_pi.devices.node_firmware import lay_out
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.simulation.pins import HeaderPins
from tests.pico import micropython

HERE: Final = Path(__file__).parent
LED: Final = 25
BOOT_US: Final = 300_000  # from power to main.py, more or less
NS_PER_US: Final = 1_000
CABLE_BYTES: Final = 3_000  # what waits in the cable for a host that does not read; a pseudo-terminal holds some 4,000


class Operation(IntEnum):
    """What the interpreter asks for."""

    TRANSFER = 1
    WAIT = 2
    SEND = 3
    DRIVE = 4
    WATCHDOG = 5
    RESET = 6
    PRINT = 7
    DIM = 8
    RECEIVE = 9


class Broken(AssertionError):
    """The interpreter is gone though nobody has ended it."""


@dataclass
class _Waiting:
    until: int


class NodePins(HeaderPins):
    """The pins of the Pico, driven by the firmware; fingers pull some of them to ground."""

    def __init__(self) -> None:
        super().__init__()
        self.moved: deque[tuple[int, bool, int]] = deque()
        self.ns: Callable[[], int] = lambda: 0

    def finger(self, number: int) -> Finger:
        """What presses the button on a pin."""
        return Finger(self, number)


class Finger:
    """A button's pin, as hands see it."""

    def __init__(self, pins: NodePins, number: int) -> None:
        self._pins = pins
        self._number = number

    def drive_low(self) -> None:
        """Press."""
        self._move(level=False)

    def drive_high(self) -> None:
        """Let go."""
        self._move(level=True)

    def _move(self, *, level: bool) -> None:
        if self._pins.level(self._number) != level:
            self._pins.drive(self._number, level)
            self._pins.moved.append((self._number, level, self._pins.ns()))


class SimulatedPico:
    """The node below its cable; `port` is the name under which the host finds it, plugged in or not."""

    def __init__(self, board: SimulatedBoard, pins: NodePins, folder: Path, *, drift_ppm: int = 0) -> None:
        self.port = folder / "port"
        self.flash = folder / "flash"
        self.printed = ""
        self.boots = 0
        self.dimmed: dict[int, int] = {}
        self.bootloader = False
        self.in_step = True  # nobody reads while the Pico runs; not so for a host in another process
        self.damage: Callable[[bytes], bytes] = lambda data: data
        self.damage_from_host: Callable[[bytes], bytes] = lambda data: data
        self.lost_frames = 0
        self._board = board
        self._pins = pins
        self._drift_ppm = drift_ppm
        self._began = 0
        pins.ns = lambda: board.clock.ns
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._cable: tuple[int, int] | None = None
        self._waiting: _Waiting | None = None
        self._events: list[tuple[int, bool, int]] = []
        self._watched: tuple[int, int] | None = None
        self._starts_at = 0
        self._bytes_for_host = 0
        lay_out(self.flash)

    # -- the cable -------------------------------------------------------------------------------------------------

    def plug_in(self) -> None:
        """Put the cable in: the Pico gets power and begins."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._cable = (master, slave)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(os.ttyname(slave))
        self._begin()

    def unplug(self) -> None:
        """Pull the cable out."""
        self._end()
        if self._cable is not None:
            for end in self._cable:
                os.close(end)
            self._cable = None
        self.port.unlink(missing_ok=True)

    @property
    def is_running(self) -> bool:
        """Whether there is power and a program."""
        return self._process is not None

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        script = HERE / "interpreter.mjs"
        command = [
            "node",
            str(script),
            str(micropython.FOLDER),
            str(HERE / "stand_ins"),
            str(self.flash),
            str(theirs.fileno()),
        ]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])  # noqa: S603
        theirs.close()
        self._socket = ours
        self.boots += 1
        self._waiting, self._watched = None, None
        self._events.clear()
        self._pins.moved.clear()
        self._began = self._board.clock.ns
        self._starts_at = self._began // NS_PER_US + BOOT_US

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def close(self) -> None:
        """Pull the cable out and forget it all."""
        self.unplug()
        shutil.rmtree(self.flash, ignore_errors=True)

    # -- its time --------------------------------------------------------------------------------------------------

    def run_until(self, moment: int) -> None:
        """Let the Pico work until the clock has reached this microsecond."""
        clock = self._board.clock
        while clock.now() < moment:
            if self._process is None:
                clock.wait_until(moment)
            elif clock.now() < self._starts_at:
                clock.wait_until(min(moment, self._starts_at))
            elif self._waiting is not None:
                self._go_on_waiting(self._waiting, moment)
            else:
                self._serve()
            self._bite()

    def _go_on_waiting(self, waiting: _Waiting, moment: int) -> None:
        clock = self._board.clock
        # Not beyond an interrupt: it is served when it comes.
        while clock.now() < min(moment, waiting.until) and not self._pins.moved:
            clock.wait_until(min(moment, waiting.until, clock.now() + 500))
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

    def _serve(self) -> None:
        try:
            head = self._receive(6)
            operation, changes, length = Operation(head[0]), head[1], int.from_bytes(head[2:], "little")
            driven, payload = self._receive(2 * changes), self._receive(length)
        except EOFError as error:
            raise Broken(f"the interpreter has ended: {self.printed}") from error
        for place in range(0, len(driven), 2):
            self._pins.drive(driven[place], bool(driven[place + 1]))
        self._do(operation, payload)

    def _do(self, operation: Operation, payload: bytes) -> None:
        value = int.from_bytes(payload[:4], "little")
        match operation:
            case Operation.TRANSFER:
                self._answer(bytes(self._board.bus.transfer(list(payload[4:]), value, 0)))
            case Operation.WAIT:
                self._waiting = _Waiting(self._board.clock.now() + value)
            case Operation.SEND:
                self._send(payload)
                self._answer(bytes((self.cable_has_room,)))
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

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            assert self._socket is not None
            more = self._socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def _answer(self, payload: bytes = b"") -> None:
        clock = self._board.clock
        came = self._from_host()
        moved = b""
        while self._pins.moved:
            pin, level, ns = self._pins.moved.popleft()
            moved += struct.pack("<BBQ", pin, level, self._node_us(ns))
        count = len(moved) // 10
        head = struct.pack("<QB", self._node_us(clock.ns), count) + moved + struct.pack("<I", len(came))
        whole = head + came + payload
        assert self._socket is not None
        self._socket.sendall(struct.pack("<I", len(whole)) + whole)

    # -- bytes on the cable ----------------------------------------------------------------------------------------

    def _send(self, data: bytes) -> None:
        assert self._cable is not None
        master, slave = self._cable
        data = self.damage(data) if data else b""
        if not self.cable_has_room:
            self.lost_frames += 1
            return
        before = _waiting_in(slave)
        try:
            sent = os.write(master, data)
        except BlockingIOError:
            sent = 0
        # The kernel carries the bytes over in its own time; on the board's clock that takes no time at all.
        while self.in_step and _waiting_in(slave) < before + sent:
            time.sleep(0)

    @property
    def cable_has_room(self) -> bool:
        """Whether the host has read enough for another frame."""
        return self._cable is not None and _waiting_in(self._cable[1]) < CABLE_BYTES

    def _from_host(self) -> bytes:
        if self._cable is None:
            return b""
        with contextlib.suppress(BlockingIOError, OSError):
            return self.damage_from_host(os.read(self._cable[0], 4096))
        return b""


def _waiting_in(end: int) -> int:
    count: int = struct.unpack("i", fcntl.ioctl(end, termios.FIONREAD, b"\0\0\0\0"))[0]
    return count


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
