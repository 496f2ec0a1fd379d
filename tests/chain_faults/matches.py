"""Games between two boards through a bad network, and who has won them by a plain model of their logs.

`python -m tests.chain_faults.matches GAMES FIRST_SEED`: two tables with people, referees and real clients, a real
Mosquitto, and a proxy that delays, repeats, reorders and cuts. Lines are split, the broker is killed, boards lose their
power. The tables' time is simulated and runs faster than ours, so that an outage of a second is one of many.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from quarto_pi.referee import Begin, Continue, Settings, Tell
from quarto_pi.referee.effects import GameFinished
from quarto_pi.rules import FalseCallRule, Options
from quarto_pi.wiring.chain import ChainPost
from tests.chain.broker import TestBroker
from tests.chain_faults.proxy import Proxy, Trouble
from tests.chain_faults.waiting import Hangs
from tests.remote_play.tables import TableWithPeople, TwoTables
from tests.remote_play.test_over_a_broker import client_of, listen

NAMES: Final = ("north", "south")
STEP_MS: Final = 200
REST_SECONDS: Final = 0.004
GUARD_SECONDS: Final = 240.0
BAD_SECONDS: Final = 60.0
SHARES: Final = (0.0, 0.1, 0.4)
HAPPENS: Final = 0.03
"""The share of steps in which something goes wrong, or is put right."""

# --- The plain model --------------------------------------------------------------------------------------------------

FILES, RANKS = "abcd", "1234"
STRAIGHT: Final = [
    *([file + rank for file in FILES] for rank in RANKS),
    *([file + rank for rank in RANKS] for file in FILES),
    [file + rank for file, rank in zip(FILES, RANKS, strict=True)],
    [file + rank for file, rank in zip(FILES, reversed(RANKS), strict=True)],
]
BLOCKS: Final = [
    [file + rank for file in FILES[left : left + 2] for rank in RANKS[low : low + 2]]
    for left in range(3)
    for low in range(3)
]
TRAITS: Final = ("colour", "height", "shape", "top")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a log goes: whether it ends the game, and who has won it."""

    over: bool = False
    winner: int | None = None


def outcome_of(kept: Mapping[str, Any]) -> Outcome:
    """What the entries of a log come to, each by the next author: a model that shares no code with the boards."""
    author, board, hand, last, maker_passed = int(kept["starter"]), dict[str, str](), "", "", False
    for text in kept["entries"]:
        words = text.split()
        if text == "pass":
            if maker_passed:
                return Outcome(over=True)
            maker_passed, author = True, 1 - author
            continue
        if len(words[0]) == 2:
            board[words[0]], last = hand, words[0]
        if words[-1] == "QUARTO":
            is_true = _is_aligned(board, last, kept["rules"])
            return Outcome(True, author if is_true else 1 - author)
        if len(words[-1]) == 4:
            hand, author = words[-1], 1 - author
        # Without another piece to give the maker has the next word as well.
    return Outcome()


def _is_aligned(board: Mapping[str, str], last: str, rules: Mapping[str, Any]) -> bool:
    lines = [*STRAIGHT, *(BLOCKS if rules["squares"] else [])]
    traits = [TRAITS.index(name) for name in rules["traits"].split(",")]
    full = [line for line in lines if last in line and all(square in board for square in line)]
    return any(len({board[square][trait] for square in line}) == 1 for line in full for trait in traits)


def contradictions(tables: Sequence[TableWithPeople]) -> list[str]:
    """What two boards hold against each other at any moment: different entries, or different winners."""
    found = []
    logs = [[json.loads(row) for row in table.disk.rows.values()] for table in tables]
    for first in logs[0]:
        for second in logs[1]:
            if first["match"] == second["match"]:
                pairs = zip(first["entries"], second["entries"], strict=False)
                found += [f"entry {n}: {a!r} and {b!r}" for n, (a, b) in enumerate(pairs, 1) if a != b]
    winners = {table.name: told_winners(table) for table in tables}
    every = set().union(*winners.values())
    if len(every) > 1:
        found.append(f"people were told of different winners: {winners}")
    return found


def told_winners(table: TableWithPeople) -> set[int]:
    """Who has won games with another board, by what people at a table were told, and its journal was told later."""
    told: dict[int, set[int]] = defaultdict(set)
    number = 0
    for effect in table.effects:
        match effect:
            case Begin(number=number) | Continue(number=number):
                pass
            case Tell(report=GameFinished(result=result)) if result.winner is not None:
                told[number].add(result.winner.value)
    for number, game in table.disk.amended.items():
        if game.result is not None and game.result.winner is not None:
            told[number].add(game.result.winner.value)
    # The same table has games of its own before and after.
    with_others = {json.loads(row)["game"] for row in table.disk.rows.values()}
    return set().union(*(winners for of, winners in told.items() if of in with_others))


# --- One game ---------------------------------------------------------------------------------------------------------


@dataclass
class PlayedMatch:
    """One game between two boards: what was wrong, how it ended, and what had happened to it."""

    seed: int
    faults: list[str]
    ending: str = ""
    done: Counter[str] = field(default_factory=Counter)


class BadEvening:
    """Two tables, their broker, and everything that goes wrong between them."""

    def __init__(self, seed: int, folder: Path, stack: ExitStack) -> None:
        self.draw = random.Random(f"match {seed}")
        self.broker = TestBroker(folder / "broker", *NAMES)
        stack.callback(self.broker.stop)
        self.proxy = stack.enter_context(Proxy(self.broker.port, seed))
        rules = Options(squares=self.draw.random() < 0.5, false_call=self.draw.choice(tuple(FalseCallRule)))
        self.tables = TwoTables(seed, Settings(rules), clumsy=self.draw.choice((0.0, 0.05)))
        for table in self.tables.tables:
            client = client_of(table.name, self.proxy.port, stack)
            table.post_by(ChainPost(client))
            listen(client, table)
        self.done: Counter[str] = Counter()
        self._is_broken = False

    def step(self, *, people: bool = True) -> list[str]:
        """Let both tables go on a little; what they hold against each other."""
        self.tables.pass_time(STEP_MS, people=people)
        time.sleep(REST_SECONDS)
        return contradictions(self.tables.tables)

    def go_wrong(self) -> None:
        """Have something happen."""
        what = self.draw.choice(("weather", "split", "line cut", "power cut", "power cut", "broker", "well", "well"))
        name = self.draw.choice(NAMES)
        match what:
            case "weather":
                share = random.Random(self.draw.random()).choice
                self.proxy.trouble = Trouble(
                    delayed=share(SHARES),
                    longest_seconds=share((0.01, 0.2)),
                    repeated=share(SHARES),
                    reordered=share(SHARES),
                    cut=share((0.0, 0.0, 0.05)),
                )
            case "split":
                self.proxy.silence(lambda client: client == name)
            case "line cut":
                self.proxy.cut(lambda client: client == name)
            case "power cut":
                next(table for table in self.tables.tables if table.name == name).cut_power()
            case "broker":
                (self.broker.start if self._is_broken else self.broker.kill)()
                self._is_broken = not self._is_broken
            case "well":
                self.all_well()
        self.done[what] += 1

    def all_well(self) -> None:
        """Put everything right."""
        self.proxy.heal()
        if self._is_broken:
            self.broker.start()
            self._is_broken = False


def play_match(seed: int, folder: Path, bad_seconds: float = BAD_SECONDS) -> PlayedMatch:
    """One game through everything that can go wrong for so long at most, and then in peace to its end."""
    with ExitStack() as stack:
        evening = BadEvening(seed, folder, stack)
        tables = evening.tables
        until = time.monotonic() + GUARD_SECONDS
        try:
            _begin(evening, until)
            faults: list[str] = []
            while not faults and not _is_over(tables) and time.monotonic() < until - GUARD_SECONDS + bad_seconds:
                if evening.draw.random() < HAPPENS:
                    evening.go_wrong()
                faults = evening.step()
            evening.all_well()
            while not faults and not (_is_over(tables) and _is_agreed(tables)):
                _guard(until, tables, "the game comes to an end on which both agree")
                faults = evening.step()
        except Hangs as error:
            faults = [f"{error}"]
        done = evening.done + Counter({f"message {what}": n for what, n in evening.proxy.done.items()})
        if faults:
            return PlayedMatch(seed, faults, done=done)
        faults, ending = _judged(tables)
        return PlayedMatch(seed, faults, ending, done)


def _begin(evening: BadEvening, until: float) -> None:
    """Let north invite south, and south accept."""
    tables = evening.tables

    def wait(what: str, happened: Callable[[], bool]) -> None:
        while not happened():
            _guard(until, tables, what)
            evening.step(people=False)

    wait("the line is there", lambda: all(table.box.is_open for table in tables.tables))
    wait("there is a board to invite", lambda: bool(tables.north.state.others and tables.north.state.others.free))
    tables.invite()
    wait("the invitation arrives", lambda: tables.south.is_invited)
    tables.accept()
    wait("the game begins", lambda: all(table.state.is_match_open for table in tables.tables))


def _guard(until: float, tables: TwoTables, what: str) -> None:
    if time.monotonic() > until:
        raise Hangs(f"{what}: not within {GUARD_SECONDS:.0f} s; {[table.prompt for table in tables.tables]}")


def _is_over(tables: TwoTables) -> bool:
    return all(not table.state.is_match_open for table in tables.tables)


def _is_agreed(tables: TwoTables) -> bool:
    return all(table.match is None or table.match.is_agreed for table in tables.tables)


def _judged(tables: TwoTables) -> tuple[list[str], str]:
    """Whether what both have on their disks is one game, and what people were told is how it ended."""
    kept = [json.loads(row) for table in tables.tables for row in table.disk.rows.values()]
    outcomes = [outcome_of(each) for each in kept]
    logs = [each["entries"] for each in kept]
    told = set().union(*(told_winners(table) for table in tables.tables))
    faults = []
    if len(logs) == 2 and logs[0] != logs[1]:
        faults.append(f"when all is well, one has {logs[0]}, and the other one {logs[1]}")
    winners = {outcome.winner for outcome in outcomes if outcome.over}
    if told - {None} and told != winners - {None}:
        faults.append(f"people were told that {told} has won, and by the logs {winners} has")
    ending = "given up" if not any(outcome.over for outcome in outcomes) else "won" if winners - {None} else "draw"
    return faults, ending


def main() -> int:
    """Play so many games; 1 if two boards ever disagreed."""
    parser = argparse.ArgumentParser(prog="python -m tests.chain_faults.matches", description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=100)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    wanted = parser.parse_args()
    endings, done, wrong = Counter[str](), Counter[str](), []
    for seed in range(wanted.first_seed, wanted.first_seed + wanted.games):
        with tempfile.TemporaryDirectory(prefix="match-") as folder:
            played = play_match(seed, Path(folder))
        for fault in played.faults:
            print(f"seed {seed}: {fault}", flush=True)
        wrong += [seed] if played.faults else []
        endings[played.ending or "wrong"] += 1
        done += played.done
        print(f"{endings.total()} of {wanted.games} games: {dict(endings)}", flush=True)
    print(", ".join(f"{what} {count}" for what, count in sorted(done.items())))
    if wrong:
        print(f"wrong: {' '.join(map(str, wrong))}; play one again with: python -m tests.chain_faults.matches 1 SEED")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
