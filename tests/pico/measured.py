"""Measures the firmware's bank on MicroPython: what a poll and a sweep cost in memory and in transfers."""

import gc
import json

import micropython

from quarto_pi.firmware.lights import PanelLights
from quarto_pi.firmware.protocol import Writer
from quarto_pi.firmware.push_buttons import PushButtons
from quarto_pi.firmware.reader_bank import ReaderBank
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.firmware.said_by_node import State

SWEEPS = 20


def configuration():
    with open("configuration.hex") as file:
        return Configuration.read(bytes.fromhex(file.read().strip()))


def nothing():
    pass


def main():
    wiring = configuration()
    bank, buttons, panel, writer = ReaderBank(), PushButtons(), PanelLights(), Writer()
    buttons.set_up(wiring.buttons)
    panel.set_up(wiring)
    bank.set_up(wiring)
    buttons.note()
    state = State(bank.looks, buttons.presses)
    frame = 0
    for _ in range(4):
        bank.sweep(nothing)
        frame = len(state.write(writer))
    transfers = []
    for _ in range(SWEEPS):
        before = bank.lines.spi.transfers
        bank.sweep(nothing)
        transfers.append(bank.lines.spi.transfers - before)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(SWEEPS):
        bank.sweep(nothing)
    swept = gc.mem_alloc() - before
    before = gc.mem_alloc()
    for _ in range(SWEEPS):
        buttons.note()
        state.write(writer)
    written = gc.mem_alloc() - before
    # any allocation, also one that is freed at once, is now an error
    micropython.heap_lock()
    try:
        bank.sweep(nothing)
        bank.finish()
        buttons.note()
        locked = True
    except MemoryError:
        locked = False
    micropython.heap_unlock()
    answer = {"swept": swept, "written": written, "locked": locked, "frame": frame, "transfers": transfers}
    print(json.dumps(answer))


main()
