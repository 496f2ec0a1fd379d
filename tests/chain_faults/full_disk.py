"""A hub whose disk is full, until there is room again: `unshare -Urm python -m tests.chain_faults.full_disk FOLDER`.

Its folder is a small file system of its own, in a namespace that an ordinary user may have. It is filled to the last
byte while a board plays, the hub is killed and started meanwhile, and what filled it is taken away.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.chain_faults.campaign import TableInHouse, compared
from tests.chain_faults.house import HUB, House
from tests.chain_faults.mosquitto import HOST
from tests.chain_faults.planted import until_kept
from tests.chain_faults.waiting import wait_until
from tests.chain_faults.wording import say

SIZE: Final = "24m"
FILLER: Final = "filler"
KEEPS_NOTHING: Final = "The hub keeps nothing at present, and boards wait"
KEEPS_AGAIN: Final = "The hub's database is there again"


def is_possible() -> bool:
    """Whether this user may have file systems of his own here."""
    try:
        words = ["unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        tried = subprocess.run(words, check=False, capture_output=True)  # noqa: S603
    except FileNotFoundError:
        return False
    return tried.returncode == 0


def _fill(folder: Path) -> None:
    """Leave no room at all."""
    for block in (65_536, 1):
        try:
            with (folder / FILLER).open("ab", buffering=0) as filler:
                while filler.write(bytes(block)) == block:
                    pass
        except OSError:
            continue


def live_through(folder: Path) -> dict[str, object]:
    """What is wrong after the hub's disk was full twice, and whether the hub has said so once each time."""
    place = folder / "house" / HUB
    place.mkdir(parents=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", f"{place}"]
    subprocess.run(words, check=True)  # noqa: S603 - our own folder
    with House(folder / "house", 0, ["board-1"], "sqlite") as house:
        table = TableInHouse("board-1", house.folder_of("board-1"), f"{HOST}:{house.proxy.port}", "0")
        try:
            table.start(random.Random(0))
            until_kept(house, 20)
            _full_for_a_while(house, table, place)
            first = house.log.read_text(encoding="utf-8")
            _full_for_a_while(house, table, place, is_hub_killed=True)
            table.rest()
            faults = compared([house], [table])
        finally:
            table.end()
        # Now and then a little room comes up by itself, into which the hub writes until that is full as well.
        return {"faults": faults, "said_once": 1 <= first.count(KEEPS_NOTHING) == first.count(KEEPS_AGAIN)}


def _full_for_a_while(house: House, table: TableInHouse, place: Path, *, is_hub_killed: bool = False) -> None:
    if is_hub_killed:
        house.end_hub()
    said = house.log.read_text(encoding="utf-8").count(KEEPS_NOTHING)
    _fill(place)
    if is_hub_killed:
        house.start_hub(waits=False)
    wait_until("the hub says so", lambda: house.log.read_text(encoding="utf-8").count(KEEPS_NOTHING) > said)
    told = len(table.told)

    def goes_on() -> bool:
        # Who closes a database makes room by that.
        _fill(place)
        return len(table.told) > told + 30

    wait_until("the game goes on", goes_on)
    (place / FILLER).unlink()
    until_kept(house, 30)


if __name__ == "__main__":
    say(**live_through(Path(sys.argv[1])))
