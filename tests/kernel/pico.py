"""A Pico beside the virtual machine, in real time: the firmware on the real MicroPython, its cable one of its ports.

It is a computer of its own, so it runs outside; within the machine its cable ends in a USB gadget (`gadget`).
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from quarto_pi.firmware import pins
from quarto_pi.rules import parse_piece
from quarto_pi.simulation.board import UIDS, Hands, SimulatedBoard
from quarto_pi.simulation.bus import Wiring
from tests.pico.cable import Cable
from tests.pico.node_pins import NodePins
from tests.pico.simulated_pico import SimulatedPico

STEP_US: Final = 5_000
FULL: Final = 1 << 16
BETWEEN_MS: Final = 300


class MachineCable(Cable):
    """A cable whose other end is a port of the virtual machine; what nobody takes is lost."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.with_suffix(".port"))
        self._path = path
        self._line: socket.socket | None = None

    def plug_in(self) -> None:
        """Put it in."""
        line = socket.socket(socket.AF_UNIX)
        line.connect(str(self._path))
        line.setblocking(False)
        self._line = line

    def unplug(self) -> None:
        """Pull it out."""
        if self._line is not None:
            self._line.close()
            self._line = None

    @property
    def is_plugged_in(self) -> bool:
        """Whether it is in."""
        return self._line is not None

    @property
    def has_room(self) -> bool:
        """Yes: the machine takes what comes, or loses it."""
        return self._line is not None

    def send(self, data: bytes) -> None:
        """Take a frame to the host."""
        if self._line is not None and data:
            try:
                sent = self._line.send(data)
            except OSError:
                sent = 0
            self.lost_frames += sent < len(data)

    def from_host(self) -> bytes:
        """What the host has sent."""
        if self._line is not None:
            with suppress(OSError):
                return self._line.recv(FULL)
        return b""


class PicoBeside:
    """The Pico with its readers and button, in a thread of its own; what is done to it is done in that thread."""

    def __init__(self, port: Path, folder: Path) -> None:
        self._pins = NodePins()
        wiring = Wiring(pins.ADDRESS, pins.ENABLE, pins.OFFER)
        self.board = SimulatedBoard(self._pins, wiring=wiring)
        folder.mkdir(parents=True, exist_ok=True)
        self.pico = SimulatedPico(self.board, self._pins, folder)
        self.pico.cable = MachineCable(port)
        self._call = self._pins.finger(pins.CALL)
        self._hands = Hands(self.board.clock, self.board.table)
        self._wishes: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._began = time.monotonic_ns()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)
        self._thread.start()

    def do(self, wish: Callable[[], None]) -> None:
        """Have something done, and wait until it is."""
        done = threading.Event()

        def carry_out() -> None:
            wish()
            done.set()

        self._wishes.put(carry_out)
        if not done.wait(60):
            raise RuntimeError("the Pico's thread does nothing any more")

    def put(self, piece: str, cell: str) -> None:
        """Lower a piece onto a cell, from wherever it is."""
        uid = UIDS[parse_piece(piece).number]

        def put() -> None:
            now = self.board.clock.ns / 1_000_000
            if uid in self.board.table.resting:
                now = self._hands.lift(uid, now) + BETWEEN_MS
            self._hands.put(uid, cell, now)

        self.do(put)

    def lift(self, piece: str) -> None:
        """Take a piece off."""
        self.do(lambda: self._lift(UIDS[parse_piece(piece).number]))

    def _lift(self, uid: str) -> None:
        self._hands.lift(uid, self.board.clock.ns / 1_000_000)

    def press(self, down: bool) -> None:
        """Press its button, or let go of it."""
        self.do(self._call.drive_low if down else self._call.drive_high)

    def close(self) -> None:
        """Pull it out and forget it."""
        self._ends.set()
        self._thread.join()
        self.pico.close()

    def _run(self) -> None:
        while not self._ends.is_set():
            with suppress(Empty):
                while True:
                    self._wishes.get_nowait()()
            now = (time.monotonic_ns() - self._began) // 1_000
            if self.board.clock.now() < now:
                self.pico.run_until(min(now, self.board.clock.now() + STEP_US))
            else:
                time.sleep(STEP_US / 1_000_000)
