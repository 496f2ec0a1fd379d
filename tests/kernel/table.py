"""The table in the virtual machine: chips behind /dev/spidev0.0, a strip of lights, a display, and hands.

One loop in one thread: whatever the kernel asks of a device, and whatever hands are told from outside, is done in the
order in which it comes. The chips' time is the machine's own.
"""

from __future__ import annotations

import base64
import json
import os
import selectors
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from quarto_pi.rules import parse_piece
from quarto_pi.sensing.readings import CELLS
from quarto_pi.service import READY, ServiceManager
from quarto_pi.simulation.board import UIDS, Hands, SimulatedBoard
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault, Wiring
from tests.kernel.cuse import READ_SIZE, Conversation, Device
from tests.kernel.gpio_sim import SimulatedLines, make_chip
from tests.kernel.i2c_dev_ioctls import I2cAdapter
from tests.kernel.spidev_ioctls import SpiDevice

DISPLAY_ADDRESS: Final = 0x3C
OFTEN_S: Final = 0.02
"""How often time passes at the table while nobody asks for anything."""

Json = dict[str, Any]


@dataclass
class TimeKept:
    """The board's clock, brought up to the machine's own whenever something happens."""

    board: SimulatedBoard
    began_ns: int

    def catch_up(self) -> None:
        """Let the time pass at the table that has passed in the machine."""
        behind = time.monotonic_ns() - self.began_ns - self.board.clock.ns
        if behind > 0:
            self.board.clock.advance_ns(behind)


class Table:
    """The board, its wires, and the hands at it."""

    def __init__(self, lines: SimulatedLines) -> None:
        self.lines = lines
        wiring = Wiring(chip_enable_gates=True)
        # As the board pulls them up where nobody drives them; a button is pulled up by whoever asks for it.
        lines.pull_up((*wiring.address, wiring.enable, wiring.offer))
        self.board = SimulatedBoard(lines, wiring=wiring)
        self.board.i2c.attach(self.board.oled, DISPLAY_ADDRESS)
        self.kept = TimeKept(self.board, time.monotonic_ns())
        self._hands = Hands(self.board.clock, self.board.table)
        self.transfers = 0
        self.heard: list[tuple[str, str]] | None = None

    def devices(self) -> dict[str, Device]:
        """What is to be found in /dev."""
        return {
            "spidev0.0": SpiDevice.on(self._readers),
            "spidev1.0": SpiDevice.on(self._strip),
            "i2c-1": I2cAdapter(self.board.i2c.write),
        }

    def _readers(self, data: bytes, hertz: int, mode: int) -> bytes:
        self.transfers += 1
        self.kept.catch_up()
        self.lines.look()
        return bytes(self.board.bus.transfer(data, hertz, mode))

    def _strip(self, data: bytes, hertz: int, mode: int) -> bytes:
        del hertz, mode
        self.board.strip.take(data)
        return bytes(len(data))

    # -- what it is told from outside ------------------------------------------------------------------------------

    def do(self, said: Json) -> Json:
        """Do what one line says, and answer it."""
        self.kept.catch_up()
        do: Callable[..., Json] = getattr(self, f"do_{said.pop('do')}")
        return do(**said)

    def do_put(self, piece: str, cell: str) -> Json:
        """Lower a piece onto a cell, from wherever it is."""
        uid, now = self._uid(piece), self.board.clock.ns / 1_000_000
        if uid in self.board.table.resting:
            now = self._hands.lift(uid, now) + 300
        self._hands.put(uid, cell, now)
        return {}

    def do_lift(self, piece: str) -> Json:
        """Take a piece off."""
        self._hands.lift(self._uid(piece), self.board.clock.ns / 1_000_000)
        return {}

    def do_set(self, standing: dict[str, str]) -> Json:
        """Let exactly these pieces stand, as they do on a table that somebody has found."""
        for uid in tuple(self.board.table.resting):
            self.board.table.lift(uid)
        for piece, cell in standing.items():
            self.board.table.rest(self._uid(piece), cell)
        return {}

    def do_pull(self, line: int, up: bool) -> Json:
        """Press what is between this line and ground, or let go of it."""
        self.lines.pull(line, up=up)
        return {}

    def do_look(self, lines: list[int]) -> Json:
        """What is to be seen: lines, picture, lights, pieces, and what the chips have been through."""
        board = self.board
        return {
            "levels": [int(self.lines.level(line)) for line in lines],
            "picture": base64.b64encode(board.oled.picture().tobytes()).decode(),
            "on": board.oled.on,
            "sent": board.i2c.writes,
            "lit": {square: list(seen) for square, seen in board.strip.lit.items()},
            "standing": dict(sorted(board.table.resting.items())),
            "faults": [*board.oled.faults, *board.strip.faults],
            "transfers": self.transfers,
            "ns": board.clock.ns,
            "by_cell": dict(board.bus.transfers),
        }

    def do_kill(self, cell: str, dead: bool) -> Json:
        """Let a chip die, or live again."""
        if dead:
            self.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
        else:
            self.board.faults.clear(cell)
        return {}

    def do_display(self, plugged: bool) -> Json:
        """Pull the display off its wires, or put it back."""
        (self.board.oled.plug_in if plugged else self.board.oled.unplug)()
        return {}

    def do_listen(self, on: bool) -> Json:
        """Begin to take down what the kernel asks of the devices, or end that: the requests so far."""
        heard, self.heard = self.heard, [] if on else None
        return {"heard": heard or []}

    @staticmethod
    def _uid(piece: str) -> str:
        return UIDS[parse_piece(piece).number]


class Server:
    """The loop over all devices and the line from outside."""

    def __init__(self, table: Table, port: str) -> None:
        self._table = table
        self._selector = selectors.DefaultSelector()
        for name, device in table.devices().items():
            file = os.open("/dev/cuse", os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
            talk = Conversation(name, device)
            self._selector.register(file, selectors.EVENT_READ, partial(self._serve, name, file, talk))
        self._port = os.open(port, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        self._heard = b""
        self._selector.register(self._port, selectors.EVENT_READ, self._listen)

    def run(self) -> None:
        """Serve for ever."""
        while True:
            for key, _ in self._selector.select(OFTEN_S):
                key.data()
            self._table.kept.catch_up()

    def until_there(self, names: list[str]) -> None:
        """Serve until these are in /dev."""
        while not all(os.path.exists(f"/dev/{name}") for name in names):  # noqa: PTH110 - asked many times
            for key, _ in self._selector.select(OFTEN_S):
                key.data()

    def _serve(self, name: str, file: int, talk: Conversation) -> None:
        try:
            request = os.read(file, READ_SIZE)
        except (BlockingIOError, InterruptedError, FileNotFoundError):
            # FileNotFoundError: the caller has gone away while its request was on its way.
            return
        if self._table.heard is not None:
            self._table.heard.append((name, request.hex()))
        answer = talk.answer(request)
        if answer is not None:
            try:
                os.write(file, answer)
            except FileNotFoundError:
                return

    def _listen(self) -> None:
        try:
            came = os.read(self._port, 1 << 16)
        except BlockingIOError:
            return
        if not came:
            # Nobody is at the other end yet.
            time.sleep(OFTEN_S)
            return
        *lines, self._heard = (self._heard + came).split(b"\n")
        for line in lines:
            answer = json.dumps(self._table.do(json.loads(line))).encode() + b"\n"
            while answer:
                try:
                    answer = answer[os.write(self._port, answer) :]
                except BlockingIOError:
                    time.sleep(OFTEN_S)


def main() -> None:
    """Make the header, the devices and the table, and tell systemd when they are there."""
    table = Table(SimulatedLines(make_chip()))
    server = Server(table, sys.argv[1])
    server.until_there(list(table.devices()))
    ServiceManager.of(os.environ, os.getpid()).tell(READY)
    server.run()


if __name__ == "__main__":
    assert len(CELLS) == len(UIDS) + 1
    main()
