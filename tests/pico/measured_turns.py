"""Runs the whole node on MicroPython, and tells how long its turns take: looks, frames, buttons, everything."""

import json
from time import ticks_diff, ticks_us

from quarto_pi.firmware.node import Node
from quarto_pi.firmware.said_by_host import Configuration

TURNS = 16  # in so many each reader is audited once


def main():
    with open("configuration.hex") as file:
        wiring = Configuration.read(bytes.fromhex(file.read().strip()))
    node = Node("", "")
    node._wiring = wiring
    for _ in range(6):
        node.turn()
    turns = []
    for _ in range(TURNS):
        began = ticks_us()
        node.turn()
        turns.append(ticks_diff(ticks_us(), began))
    print(json.dumps(turns))


main()
