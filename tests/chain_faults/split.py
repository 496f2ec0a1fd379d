"""A broker and a hub in one network, a board in another, and the cable between them pulled and put back.

Real kernels' networks, in namespaces that an ordinary user may have: `unshare -Urn python -m tests.chain_faults.split
FOLDER SECONDS` plays a little, pulls the cable for so long, plays on, and says what the checker finds. What TCP does
with a dead line is the kernel's here; the proxy of `proxy` only does like it.
"""

from __future__ import annotations

import random
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tests.chain_faults.campaign import TableInHouse, compared
from tests.chain_faults.house import House
from tests.chain_faults.waiting import wait_a_little, wait_until
from tests.chain_faults.wording import say

HERE: Final = "10.77.0.1"
THERE: Final = "10.77.0.2"
ENDLESS: Final = "infinity"


def _ip(*words: str, within: tuple[str, ...] = ()) -> None:
    subprocess.run([*within, "ip", *words], check=True)  # noqa: S603 - iproute2


def is_possible() -> bool:
    """Whether this user may have networks of his own here."""
    try:
        tried = subprocess.run(
            ["unshare", "-Urn", "ip", "link", "add", "name", "va", "type", "veth", "peer", "name", "vb"],  # noqa: S607
            check=False,
            capture_output=True,
        )
    except FileNotFoundError:
        return False
    return tried.returncode == 0


def live_through(folder: Path, seconds: float) -> list[str]:
    """What is wrong after the cable was away for so long."""
    with ExitStack() as stack:
        _ip("link", "set", "lo", "up")
        other = subprocess.Popen(["unshare", "-n", "sleep", ENDLESS])  # noqa: S603, S607
        stack.callback(other.wait)
        stack.callback(other.kill)
        within = ("nsenter", "-t", f"{other.pid}", "-n")
        wait_until("the other network is there", lambda: _network_of(other.pid) != _network_of("self"))
        _ip("link", "set", "lo", "up", within=within)
        _ip("link", "add", "name", "va", "type", "veth", "peer", "name", "vb", "netns", f"{other.pid}")
        for address, name, where in ((HERE, "va", ()), (THERE, "vb", within)):
            _ip("address", "add", f"{address}/24", "dev", name, within=where)
            _ip("link", "set", name, "up", within=where)
        house = stack.enter_context(House(folder, 0, ["board-1"], "sqlite", host=HERE))
        table = TableInHouse("board-1", house.folder_of("board-1"), f"{HERE}:{house.broker.port}", "0", within=within)
        stack.callback(table.end)
        table.start(random.Random(0), plays=True)
        _play_on(house, table)
        _ip("link", "set", "va", "down")
        told = len(table.told)
        wait_a_little(seconds)
        wait_until("the table goes on without a network", lambda: len(table.told) > told + 10)
        kept = sum(len(hub.actions) for hub in house.found())
        _ip("link", "set", "va", "up")
        wait_until("what was played meanwhile arrives", lambda: sum(len(hub.actions) for hub in house.found()) > kept)
        _play_on(house, table)
        table.rest()
        return compared([house], [table])


def _network_of(process: int | str) -> str:
    return f"{Path(f'/proc/{process}/ns/net').readlink()}"


def _play_on(house: House, table: TableInHouse) -> None:
    told = len(table.told)
    wait_until("more is told", lambda: len(table.told) > told + 20)
    wait_until("the hub has some of it", lambda: any(hub.actions for hub in house.found()))


if __name__ == "__main__":
    say(faults=live_through(Path(sys.argv[1]), float(sys.argv[2])))
