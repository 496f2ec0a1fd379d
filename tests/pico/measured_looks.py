"""Sweeps the firmware's bank on MicroPython, and tells how each look went."""

import json

from quarto_pi.firmware.protocol import FAULTS, OUTCOMES
from quarto_pi.firmware.reader_bank import ReaderBank
from quarto_pi.firmware.said_by_host import Configuration


def nothing():
    pass


def main():
    with open("configuration.hex") as file:
        wiring = Configuration.read(bytes.fromhex(file.read().strip()))
    with open("sweeps") as file:
        sweeps = int(file.read())
    bank = ReaderBank()
    bank.set_up(wiring)
    seen = [{} for _ in bank.looks]
    for _ in range(sweeps):
        bank.sweep(nothing)
        bank.finish()
        for cell, look in enumerate(bank.looks):
            what = " ".join([OUTCOMES[look.outcome], FAULTS[look.fault]] + [uid.hex() for uid in look.uids()])
            seen[cell][what] = seen[cell].get(what, 0) + 1
    misses = [figures.misses for figures in bank.figures]
    print(json.dumps({"seen": seen, "misses": misses}))


main()
