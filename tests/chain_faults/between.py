"""Evenings at which two whole boards play each other, with people at both, while everything fails.

`python -m tests.chain_faults.between EVENINGS FIRST_SEED`: two processes with the real controller, referee and journal,
found by each other through the real hub, behind a proxy that delays, repeats, reorders and cuts. Boards lose their
power with all that was not synced, broker and hub are killed, lines are split. The tables' time is simulated, and
runs faster than ours. In the end the plain model of `matches` says of each game's log who has won.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any, Final

from tests.chain_faults.campaign import Evening, TableInHouse, compared, play_on
from tests.chain_faults.checker import faults_with_others
from tests.chain_faults.evidence import journal_in, matches_in
from tests.chain_faults.house import STUMBLES, House
from tests.chain_faults.matches import outcome_of
from tests.chain_faults.mosquitto import HOST
from tests.chain_faults.waiting import Hangs, wait_a_little, wait_until
from tests.power.tap import compile_tap

NAMES: Final = ("north", "south")
PACE_SECONDS: Final = 0.004
GAMES: Final = 4
MOST_GAMES: Final = 15
"""A journal keeps 20 of its games with other boards."""
BAD_SECONDS: Final = 60.0
PEACE_SECONDS: Final = 240.0
FOR_SECONDS: Final = (0.1, 1.5)
"""How long something is wrong at least."""
PUT_RIGHT: Final = 0.7
"""How often it is all put right then: two boards that never find each other have no game to lose."""
GUESTS: Final = "tests.chain_faults.guests"


@dataclass
class Played:
    """What came of an evening: what is wrong, how the games have ended, and what has happened to them."""

    seed: int
    faults: list[str]
    endings: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)


def evening_between(
    seed: int,
    folder: Path,
    *,
    games: int = GAMES,
    bad_seconds: float = BAD_SECONDS,
    tap: Path | None = None,
    is_hasty: bool = False,
) -> Played:
    """So many games through everything that can go wrong, for so long at most, and then in peace to their end.

    At a hasty one boards and hub wait tenths of seconds before they try something again.
    """
    draw = random.Random(f"between {seed}")
    with ExitStack() as stack:
        base = draw.choice(("sqlite", "postgres"))
        house = stack.enter_context(House(folder / "house", seed, NAMES, base, is_hasty=is_hasty))
        tables = [_guests(name, house, seed) for name in NAMES]
        for table in tables:
            stack.callback(table.end)
            table.use(tap, (0.0, 0.0, *STUMBLES), is_hasty=is_hasty)
            table.start(draw)
        evening = Evening(seed, {house: tables})
        # At half of the evenings the network is never good while they last.
        is_stormy = draw.random() < 0.5
        until = time.monotonic() + bad_seconds
        while time.monotonic() < until and min(_begun(table) for table in tables) < games:
            stopped = evening.stopped()
            if stopped:
                return Played(seed, stopped, done=evening.done)
            play_on(tables, draw)
            evening.go_wrong()
            wait_a_little(draw.uniform(*FOR_SECONDS))
            if draw.random() < PUT_RIGHT:
                evening.put_right()
                if is_stormy:
                    evening.worsen_weather(house)
        evening.calm(0.0)
        try:
            _come_to_rest(evening, tables)
        except Hangs as error:
            return Played(seed, [f"{error}"], done=evening.done)
        faults = compared([house], tables, compare=faults_with_others) + evening.stopped()
        found, endings = _judged_when_read(tables)
        return Played(seed, faults + found, endings, evening.done)


def _guests(name: str, house: House, seed: int) -> TableInHouse:
    program = (GUESTS, "--pace", f"{PACE_SECONDS}", "--rules", f"{seed}", *(["--invites"] if name == NAMES[0] else []))
    broker = f"{HOST}:{house.proxy.port}"
    return TableInHouse(name, house.folder_of(name), broker, f"{seed}-{name}", program=program)


def _begun(table: TableInHouse) -> int:
    """How many games have begun at a table."""
    return len({(history, game) for history, told in tuple(table.seen.told.items()) for game, _ in tuple(told)})


def _come_to_rest(evening: Evening, tables: Sequence[TableInHouse]) -> None:
    def is_at_rest() -> bool:
        return bool(evening.stopped()) or all(table.rests for table in tables)

    wait_until("both games come to their end, and both boards agree", is_at_rest, PEACE_SECONDS)


def _judged_when_read(tables: Sequence[TableInHouse]) -> tuple[list[str], Counter[str]]:
    judgement: list[tuple[list[str], Counter[str]]] = []

    def is_read() -> bool:
        # A journal is read while its board lives, and may be busy.
        with suppress(OperationalError):
            judgement.append(judged(tables))
        return bool(judgement)

    wait_until("both journals are read", is_read)
    return judgement[0]


def judged(tables: Sequence[TableInHouse]) -> tuple[list[str], Counter[str]]:
    """Whether what both journals hold is one game each, and what people were told is how it ended."""
    kept = [{each["match"]: each for each in matches_in(_journal(table))} for table in tables]
    faults: list[str] = []
    endings: Counter[str] = Counter()
    for name in {**kept[0], **kept[1]}:
        rows = [own.get(name) for own in kept]
        logs = [row["entries"] for row in rows if row is not None]
        pairs = zip(logs[0], logs[-1], strict=False)
        faults += [f"{name}, entry {n}: {a!r} and {b!r}" for n, (a, b) in enumerate(pairs, 1) if a != b]
        longest = max((row for row in rows if row is not None), key=lambda row: len(row["entries"]))
        outcome = outcome_of(longest)
        endings["given up" if not outcome.over else "draw" if outcome.winner is None else "won"] += 1
        for table, row in zip(tables, rows, strict=True):
            if row is not None and row.get("game"):
                faults += _told_otherwise(
                    table, row, outcome.winner, is_whole=len(row["entries"]) == len(longest["entries"])
                )
    return faults, endings


def _told_otherwise(table: TableInHouse, row: Mapping[str, Any], winner: int | None, *, is_whole: bool) -> list[str]:
    """What people at a table were told, and its journal has, that is not what the log says."""
    journal = journal_in(table.name, _journal(table))
    told = {
        event["winner"]
        for game, event in table.seen.told[journal.history]
        if game == row["game"] and event["event"] == "result" and event["winner"] is not None
    }
    found = []
    if told - {winner}:
        found.append(
            f"{table.name}: people were told that {told} has won game {row['game']}, and by its log {winner} has"
        )
    kept, _ = journal.outcomes.get(row["game"], (None, ""))
    if kept not in (None, winner) or (is_whole and kept != winner):
        found.append(
            f"{table.name}: its journal says that {kept} has won game {row['game']}, and by its log {winner} has"
        )
    return found


def _journal(table: TableInHouse) -> Path:
    return table.folder / "journal" / "journal.sqlite"


def main() -> int:
    """Live through so many evenings; 1 if two boards ever disagreed, or anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.chain_faults.between", description=__doc__)
    parser.add_argument("evenings", type=int, nargs="?", default=20)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    parser.add_argument("--games", type=int, choices=range(1, MOST_GAMES + 1), default=GAMES, metavar="GAMES")
    wanted = parser.parse_args()
    endings, done, wrong, begin = Counter[str](), Counter[str](), [], time.monotonic()
    for number in range(wanted.evenings):
        seed = wanted.first_seed + number
        with tempfile.TemporaryDirectory(prefix="between-") as name:
            folder = Path(name)
            played = evening_between(seed, folder, games=wanted.games, tap=compile_tap(folder))
        for fault in played.faults:
            print(f"seed {seed}: {fault}", flush=True)
        wrong += [seed] if played.faults else []
        endings += played.endings
        done += played.done
        print(
            f"{number + 1} of {wanted.evenings} evenings: {endings.total()} games, {dict(endings)}, {len(wrong)} "
            f"evenings wrong, {time.monotonic() - begin:.0f} s",
            flush=True,
        )
    print(", ".join(f"{what} {count}" for what, count in sorted(done.items())))
    if wrong:
        print(
            f"wrong: {' '.join(map(str, wrong))}; live through one again with: "
            "python -m tests.chain_faults.between 1 SEED"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
