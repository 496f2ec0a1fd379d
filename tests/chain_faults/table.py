"""A board of a chain whose hands never tire, as a process that is there to be killed.

The real loop, referee, journal and chain above the table of `tests/cafe`. It says which history it writes, what hands
do and what people are told; it is asked to rest, or to play on, by lines of JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from sqlite3 import Connection
from threading import Event, Thread

from quarto_pi.chain.board_client import BoardClient
from quarto_pi.chain.messages import TakenThrough
from quarto_pi.config import ChainConfig
from quarto_pi.controller.computer import ThinkingComputer
from quarto_pi.controller.loop import Loop, Output
from quarto_pi.engine.client import EngineProcess
from quarto_pi.journal import settled
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.records import NewestAction, TakenRow
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Continue, Effect, Settings, Tell
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.trace.story import DURABLE_EVENTS, as_json
from quarto_pi.wiring.chain import JournalQueue, OpenChain, Surveyed
from tests.cafe.hands import Hands, Stuck
from tests.cafe.wood import UIDS, Wood, standing
from tests.chain_faults.stumbling import QUEUE_CALLS, Stumbles, make_haste
from tests.chain_faults.wording import say


class Teller:
    """Says what people are told: by then it is safe."""

    def __init__(self) -> None:
        self._number = 0

    def perform(self, effect: Effect) -> None:
        """Say what was settled."""
        match effect:
            case Begin(number=number) | Continue(number=number):
                self._number = number
            case Tell(at, report):
                told = as_json(at, report)
                if told["event"] in DURABLE_EVENTS:
                    told.pop("t")
                    say(told=[self._number, told])
            case _:
                pass

    def tick(self, now: int) -> None:
        """Nothing moves here."""


class Orders:
    """What the one who watches wants: to rest, or to play."""

    def __init__(self, *, plays: bool, stumbles: Stumbles) -> None:
        self._stumbles = stumbles
        self._is_at_rest = False
        self._plays = Event()
        if plays:
            self._plays.set()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            match json.loads(line):
                case {"plays": True}:
                    self._plays.set()
                case {"plays": False}:
                    self._stumbles.share = 0.0
                    self._plays.clear()

    @property
    def plays(self) -> bool:
        """Whether it is to play."""
        return self._plays.is_set()

    def say_whether(self, *, rests: bool) -> None:
        """Say that it has come to rest, or that it has not yet, whenever that changes."""
        if rests is not self._is_at_rest:
            self._is_at_rest = rests
            say(rests=rests)

    def pass_time(self, pace: float) -> None:
        """Let time pass, and go on whatever is wanted."""
        time.sleep(pace)

    def wait(self, pace: float) -> None:
        """Wait for the next thing to do."""
        time.sleep(pace)
        if not self._plays.is_set():
            say(rests=True)
            self._plays.wait()


def delete_at_puback() -> None:
    """WRONG: what the broker has acknowledged is taken as kept by the hub."""

    def published(self: BoardClient, mid: int, code: int, now: float) -> None:
        del code, now
        key = self._mids.pop(mid, None)
        if key is not None:
            through = self._delivery.taken(TakenThrough(key[0], (key[1:],)), 0.0)
            self._queue.forget(key[0], through)

    BoardClient.published = published  # type: ignore[method-assign]


def restart_numbers() -> None:
    """WRONG: a board that is started again numbers its actions from 1."""

    def newest_action(connection: Connection) -> NewestAction:
        del connection
        return NewestAction()

    settled.newest_action = newest_action


WRONG = {"deletes-at-puback": delete_at_puback, "restarts-numbers": restart_numbers}


def play(wanted: argparse.Namespace, stack: ExitStack) -> None:
    """Play until the power fails."""
    if wanted.wrong:
        WRONG[wanted.wrong]()
    stumbles = stumbles_of(wanted)
    clock = SimulatedClock()
    wood = Wood(dict(standing(wanted.standing)), clock, announce)
    wall = wall_of(wanted.days)
    kept = open_journal(wanted.folder / "journal", Settings(), stack, at_once=True, wall=wall, is_on_chain=True)
    say(history=SettledQueue(wanted.folder / "journal").history())
    chain = OpenChain(chain_config(wanted), complain, wall)
    stack.callback(chain.close)
    chain.serve(kept.writer)
    sensing = Sensing(TagTable(dict(zip(UIDS, PIECES, strict=True))))
    shown: list[Output] = [Teller(), chain.output(Surveyed())]
    no_computer, remembered = ThinkingComputer(nobody), kept.remembered
    loop = Loop(wood, wood, clock, sensing, remembered.wishes, no_computer, shown, None, kept.writer, remembered.before)
    hands, orders = Hands(wood, loop, random.Random(wanted.seed)), Orders(plays=not wanted.rests, stumbles=stumbles)
    hands.begin()
    say(plays=True)
    orders.wait(0.0)
    try:
        for _ in hands.play():
            orders.wait(wanted.pace)
    except Stuck as error:
        say(stuck=str(error))


def stumbles_of(wanted: argparse.Namespace) -> Stumbles:
    """Errors that nobody foresaw, in whatever the chain works with; never in what only the game works with."""
    stumbles = Stumbles(wanted.seed, wanted.stumbles, lambda name: say(stumbled=name))
    if wanted.stumbles:
        stumbles.upon_paho()
        stumbles.upon(JournalQueue, QUEUE_CALLS, "queue")
        take_out = settled.take_out
        stumbling = stumbles.around("queue.take_out", take_out)

        def take_out_of(base: Connection, taken: Iterable[TakenRow]) -> None:
            (stumbling if taken else take_out)(base, taken)

        settled.take_out = take_out_of  # type: ignore[assignment] # for as long as the process lives
    if wanted.stumbles or wanted.haste:
        make_haste()
    return stumbles


def chain_config(wanted: argparse.Namespace) -> ChainConfig:
    """As the section that `quarto-pi hub add` writes would be read."""
    name, _, port = wanted.broker.rpartition(":")
    return ChainConfig(name, int(port), False, "", wanted.board, f"{wanted.folder / 'credentials'}")


def complain(words: str) -> None:
    """Say something into the board's log."""
    print(words, file=sys.stderr, flush=True)


def announce(piece: Piece, to: str | None) -> None:
    """Say what a hand is about to do."""
    say(hand=[piece.digit, piece.letters, to])


def wall_of(days: float) -> Callable[[], float]:
    """A calendar that is wrong by so many days."""
    return lambda: time.time() + days * 86_400


def nobody() -> EngineProcess:
    """No computer."""
    raise AssertionError("two people play here")


def table_options(program: str, what: str | None) -> argparse.ArgumentParser:
    """What every process of a board is told on its command line."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.chain_faults.{program}", description=what)
    parser.add_argument("folder", type=Path, help="with its credentials, and its journal from now on")
    parser.add_argument("board", help="its name")
    parser.add_argument("broker", help="as in 127.0.0.1:1883")
    parser.add_argument("--seed", default="")
    parser.add_argument("--standing", default="", help="where pieces stand, as in 7:b2,c:offer")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two things that hands or readers do")
    parser.add_argument("--rests", action="store_true", help="until it is asked to play")
    parser.add_argument("--stumbles", type=float, default=0.0, help="the share of calls that fail by some error")
    parser.add_argument("--haste", action="store_true", help="in all that waits longer and longer")
    parser.add_argument("--days", type=float, default=0.0, help="by which the calendar is wrong")
    return parser


def main() -> None:
    """Sit down at the table."""
    parser = table_options("table", __doc__)
    parser.add_argument("--wrong", choices=WRONG, help="with this mistake")
    with ExitStack() as stack:
        play(parser.parse_args(), stack)


if __name__ == "__main__":
    main()
