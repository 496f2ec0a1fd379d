"""What a Pico below the board costs: sweeps, transfers, memory, frames, and the way of a press to the host.

The firmware runs on MicroPython (WebAssembly), its chips, bus and clock are simulated: 30 us a transfer, 4 MHz. Where
the processor's time counts, each statement takes what it takes on an RP2040: see `tests.pico.processor`.
"""

from __future__ import annotations

import statistics
from contextlib import ExitStack

from quarto_pi.config import parse_config
from quarto_pi.sensing.readings import SQUARE_NAMES
from tests.bench.measure import table
from tests.pico.conftest import AtTheHost
from tests.pico.measuring import BEFORE_MS, BOUND_MS, UIDS, measure, turns_ms

BAUD = 115_200
BITS_A_BYTE = 10
PRESSES = 60
SECONDS = 10
NAMES = {0: "all empty", 4: "16 x 4-byte UID", 7: "16 x 7-byte UID"}


def run() -> None:
    """Measure and print."""
    _sweeps()
    _costs()
    _found_out()
    _frames()
    _presses()


def _sweeps() -> None:
    rows = []
    for size, uids in UIDS.items():
        turns = turns_ms(dict(zip(SQUARE_NAMES, uids, strict=False)), parse_config("[readers]\noffer = false\n"))
        mean = statistics.mean(turns)
        measured, counted = BEFORE_MS[size]
        ratio = f"{mean / BOUND_MS[size]:.2f}"
        rows.append([NAMES[size], str(measured), str(counted), f"{mean:.0f}", f"{BOUND_MS[size]:.0f}", ratio])
    header = ["16 readers", "before, emulated", "before, counted", "now, counted", "bound", "now / bound"]
    table("A sweep with the time of an RP2040, one field at a time, in milliseconds", header, rows)


def _costs() -> None:
    rows = []
    for size, uids in UIDS.items():
        cost = measure(dict(zip(SQUARE_NAMES, uids, strict=False)), parse_config("[readers]\noffer = false\n"))
        rows.append(
            [
                NAMES[size],
                f"{max(cost.transfers) / 16:.1f}",
                str(cost.swept // 20),
                str(cost.written // 20),
                "none" if cost.locked else "some",
            ]
        )
    header = [
        "16 readers",
        "transfers a poll",
        "bytes a sweep allocates",
        "a frame",
        "allocations in a sweep, heap locked",
    ]
    table("Polls and memory on MicroPython, tags known", header, rows)


def _found_out() -> None:
    """What it takes to find a tag out that is not known."""
    rows = []
    with ExitStack() as stack:
        for size in (4, 7):
            host = AtTheHost(stack)
            host.begin()
            host.board.table.rest(UIDS[size][0], "a1")
            most = 0
            for _ in range(40):
                before = host.board.bus.transfers["a1"]
                host.wait(20)
                most = max(most, host.board.bus.transfers["a1"] - before)
            rows.append([f"{size}-byte UID", str(most)])
    table("Transfers of the look that finds a tag out", ["tag", "transfers"], rows)


def _frames() -> None:
    rows = []
    for size, uids in UIDS.items():
        with ExitStack() as stack:
            host = AtTheHost(stack, processor_time=True)
            for uid, cell in zip(uids, SQUARE_NAMES, strict=False):
                host.board.table.rest(uid, cell)
            host.begin()
            frames, began = host.link.frames, host.now
            host.wait(1_000 * SECONDS)
            a_second = (host.link.frames - frames) / (host.now - began) * 1_000
        length = measure(dict(zip(SQUARE_NAMES, uids, strict=False))).frame
        room = BAUD / BITS_A_BYTE / length
        rows.append([NAMES[size], str(length), f"{a_second:.1f}", f"{room:.0f}"])
    header = ["17 readers", "bytes a frame", "frames a second", "room for, at 115200 baud"]
    table("Frames with the whole board", header, rows)


def _presses() -> None:
    with ExitStack() as stack:
        host = AtTheHost(stack, processor_time=True)
        host.board.set_up()
        host.begin()
        told, errors = [], []
        for index in range(PRESSES):
            at = host.now + 13.7 + 7.3 * (index % 17)
            host.board.clock.plan(at, host.under.call.drive_low)
            host.board.clock.plan(at + 150, host.under.call.drive_high)
            host.movements.clear()
            while not host.movements:
                host.wait(0.1)
            told.append(host.now - at)
            errors.append(abs(host.movements[0].at - at))
            host.wait(300)
    rows = [
        ["from the press to the host", f"{statistics.median(told):.1f}", f"{max(told):.1f}"],
        ["error of its moment, the node's clock 80 ppm fast", f"{statistics.median(errors):.1f}", f"{max(errors):.1f}"],
    ]
    table(f"A press, full board, {PRESSES} of them, in milliseconds", ["", "median", "worst"], rows)
