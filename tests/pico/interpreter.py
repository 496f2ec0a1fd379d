"""MicroPython in a process of its own, and what is said between it and us; `interpreter.mjs` is the other end."""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from tests.pico import micropython

HERE: Final = Path(__file__).parent
MOST_AT_ONCE: Final = 65_536
HEAP_KB: Final = 192  # what a Pico has left, more or less


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


@dataclass(frozen=True)
class Request:
    """What is asked for, which pins were driven since the last time, and for how long the processor has worked."""

    operation: Operation
    driven: tuple[tuple[int, bool], ...]
    spent_ns: int
    payload: bytes


class Interpreter:
    """A program on MicroPython, which stands still until each of its requests has been answered.

    `start` says how often it was started: chance is another one each time.
    """

    def __init__(self, flash: Path, start: int = 1, heap_kb: int = HEAP_KB) -> None:
        # Two pipes: a socket, which has both ways, takes half as long again.
        (their_in, self._out), (self._in, their_out) = os.pipe(), os.pipe()
        script, stand_ins = HERE / "interpreter.mjs", HERE / "stand_ins"
        told = [micropython.FOLDER, stand_ins, flash, their_in, their_out, start, heap_kb]
        command = [str(micropython.NODE), str(script), *map(str, told)]
        self._process = subprocess.Popen(command, pass_fds=[their_in, their_out])  # noqa: S603
        os.close(their_in)
        os.close(their_out)
        self._received = b""

    def end(self) -> None:
        """End it, wherever it is."""
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def request(self) -> Request:
        """Wait for the next request; EOFError if the interpreter is gone."""
        head = self._receive(10)
        operation, changes = Operation(head[0]), head[1]
        length, spent_ns = struct.unpack("<II", head[2:])
        driven, payload = self._receive(2 * changes), self._receive(length)
        return Request(operation, tuple(zip(driven[::2], map(bool, driven[1::2]), strict=True)), spent_ns, payload)

    def answer(self, now_us: int, moved: Sequence[tuple[int, bool, int]], came: bytes, payload: bytes) -> None:
        """Let it go on, with its clock, the pins that have moved and when, the host's bytes, and what it asked for."""
        head = struct.pack("<QB", now_us, len(moved)) + b"".join(struct.pack("<BBQ", *pin) for pin in moved)
        whole = head + struct.pack("<I", len(came)) + came + payload
        left = struct.pack("<I", len(whole)) + whole
        while left:
            left = left[os.write(self._out, left) :]

    def _receive(self, count: int) -> bytes:
        # What is said comes in one piece, nearly always: to ask for each part of it costs more than all else here.
        while len(self._received) < count:
            more = os.read(self._in, MOST_AT_ONCE)
            if not more:
                raise EOFError
            self._received += more
        data, self._received = self._received[:count], self._received[count:]
        return data
