"""Mistakes that are planted in a hub or a board, and evenings at which they have to be found out.

`python -m tests.chain_faults.planted RUNS` says of each mistake in how many of so many evenings it was found. Each has
many chances in an evening: whether a process is hit in the one millisecond that matters the machine decides.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.chain_faults.campaign import TableInHouse, compared
from tests.chain_faults.house import House
from tests.chain_faults.mosquitto import HOST
from tests.chain_faults.proxy import Trouble
from tests.chain_faults.waiting import wait_until

SOON_SECONDS: Final = 3.0
"""What is lost for good is not looked for any longer than this."""
CHANCES: Final = 6


@contextmanager
def one_table(
    folder: Path, *, hub: str = "", board: str = "", stumbles: float = 0.0, seed: int = 0
) -> Iterator[tuple[House, TableInHouse]]:
    """A house with one table, where a hub or a board makes a mistake, or errors come up that nobody foresaw."""
    with ExitStack() as stack:
        house = stack.enter_context(House(folder, seed, ["board-1"], "sqlite", wrong=hub))
        broker = f"{HOST}:{house.proxy.port}"
        folder_of = house.folder_of("board-1")
        table = TableInHouse("board-1", folder_of, broker, f"{seed}", wrong=board)
        table.use(stumbles=(stumbles,))
        stack.callback(table.end)
        table.start(random.Random(seed))
        yield house, table


def until_kept(house: House, more: int) -> None:
    """Wait until the hub has kept so many actions more."""
    wanted = _kept(house) + more
    wait_until("the hub keeps what is settled", lambda: _kept(house) >= wanted)


def _kept(house: House) -> int:
    return sum(len(hub.actions) for hub in house.found())


def _tells_before_it_commits(house: House, table: TableInHouse) -> None:
    for _ in range(CHANCES):
        until_kept(house, 20)
        house.revive_hub()
    until_kept(house, 20)
    table.rest()


def _counts_repeats(house: House, table: TableInHouse) -> None:
    house.proxy.trouble = Trouble(repeated=0.5)
    until_kept(house, 60)
    table.rest()


def _believes_the_broker(house: House, table: TableInHouse) -> None:
    for _ in range(CHANCES):
        until_kept(house, 20)
        # One that only finds no database takes its presence away, and is sent nothing.
        house.freeze_hub()
        told = len(table.told)
        wait_until("the table goes on", lambda told=told: len(table.told) > told + 20)  # type: ignore[misc] # at once
        house.end_hub()
        house.broker.kill()
        house.start_broker()
        house.revive_hub()
    table.rest()


def _numbers_begin_again(house: House, table: TableInHouse) -> None:
    for _ in range(CHANCES):
        # Between two games a number begins again by right.
        until_kept(house, 7)
        table.cut_power(random.Random(0))
        table.start(random.Random(0))
    ended = table.ended
    wait_until("the table goes on", lambda: table.ended > ended + 1)
    table.rest()


@dataclass(frozen=True, slots=True)
class PlantedMistake:
    """A mistake of a hub or of a board, the evening at which it is to be found, and what has to be found."""

    evening: Callable[[House, TableInHouse], None]
    hub: str = ""
    board: str = ""
    signs: tuple[str, ...] = ("",)


MISTAKES: Final = {
    "a hub that tells before it has committed": PlantedMistake(
        _tells_before_it_commits, hub="tells-before-commit", signs=("never reached the hub", "lacks actions", "waits")
    ),
    "a hub that counts what comes twice": PlantedMistake(_counts_repeats, hub="counts-repeats", signs=("the hub has",)),
    "a board that takes the broker's word for the hub's": PlantedMistake(
        # The hub misses them, and either asks for them in vain or is told that they are lost.
        _believes_the_broker,
        board="deletes-at-puback",
        signs=("waits", "{'event': 'lost'}", "never reached the hub"),
    ),
    "a board whose numbers begin again": PlantedMistake(_numbers_begin_again, board="restarts-numbers"),
}


def found_in(mistake: PlantedMistake, folder: Path, seed: int) -> list[str]:
    """What the checker says after an evening with this mistake, as far as it is a sign of it."""
    with one_table(folder, hub=mistake.hub, board=mistake.board, seed=seed) as (house, table):
        mistake.evening(house, table)
        faults = compared([house], [table], SOON_SECONDS)
    return [fault for fault in faults if any(sign in fault for sign in mistake.signs)]


def main() -> int:
    """Plant each mistake so many times; 1 if any was overlooked."""
    parser = argparse.ArgumentParser(prog="python -m tests.chain_faults.planted", description=__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=20)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    wanted = parser.parse_args()
    overlooked = 0
    for name, mistake in MISTAKES.items():
        found, begin = 0, time.monotonic()
        for seed in range(wanted.first_seed, wanted.first_seed + wanted.runs):
            with tempfile.TemporaryDirectory(prefix="planted-") as place:
                found += bool(found_in(mistake, Path(place) / "house", seed))
        overlooked += wanted.runs - found
        print(f"{name}: found in {found} of {wanted.runs} evenings, {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if overlooked else 0


if __name__ == "__main__":
    sys.exit(main())
