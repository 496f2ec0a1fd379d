"""Many boards of a chain in one process, each with the real client and a journal of its own, and simulated tables.

paho-mqtt waits with select(), which knows no file above 1023: a process has room for `MOST_BOARDS`.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread

from quarto_pi.chain.messages import SettledAction
from quarto_pi.chain.topics import letters
from quarto_pi.config import ChainConfig
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.writer import JournalWriter, open_journal
from quarto_pi.referee import Effect, Settings
from quarto_pi.wiring.chain import JournalQueue, OpenChain
from tests.chain_faults.play import game_effects
from tests.chain_faults.wording import say

MOST_BOARDS = 125
"""Three files a client, up to three a journal, and those of a journal that is just read."""
WRITES_LETTERS = 10
"""One board in so many writes to its neighbour whenever something is settled at its table."""


class TimedQueue:
    """The queue of a board's journal; how long the hub's word took is noted where it ends an action."""

    def __init__(self, queue: JournalQueue) -> None:
        self._queue = queue
        self._settled: dict[tuple[str, int, int], float] = {}
        self.counts_from = 0.0
        self.took: list[float] = []

    def note(self, key: tuple[str, int, int]) -> None:
        """It is settled, in the journal, at this moment."""
        self._settled[key] = time.monotonic()

    def forget(self, history: str, through: Sequence[tuple[int, int]]) -> None:
        """The hub has these."""
        now = time.monotonic()
        for game, number in through:
            while (begin := self._settled.pop((history, game, number), None)) is not None:
                if begin >= self.counts_from:
                    self.took.append(now - begin)
                number -= 1  # noqa: PLW2901 - and those before it
        self._queue.forget(history, through)

    @property
    def left(self) -> int:
        """How many the hub has not confirmed yet."""
        return len(self._settled)

    def history(self) -> str:
        """The journal's."""
        return self._queue.history()

    def close(self) -> None:
        """The journal's."""
        self._queue.close()

    def histories(self) -> Sequence[str]:
        """The journal's."""
        return self._queue.histories()

    def after(self, history: str, game: int, number: int, most: int) -> Sequence[SettledAction]:
        """The journal's."""
        return self._queue.after(history, game, number, most)

    def waiting(self) -> int:
        """The journal's."""
        return self._queue.waiting()


class BusyBoard:
    """A board at which somebody settles something every few seconds."""

    def __init__(self, name: str, neighbour: str, hub: Path, journal: Path, port: int, stack: ExitStack) -> None:
        self.name = name
        self._neighbour = neighbour
        self._draw = random.Random(name)
        journal.mkdir()
        files = hub / "boards" / name
        config = ChainConfig("localhost", port, True, f"{files / 'ca.pem'}", name, f"{files / 'credentials'}")
        self._writer: JournalWriter = open_journal(journal, Settings(), stack, at_once=True, is_on_chain=True).writer
        self._chain = OpenChain(config, _complain, time.time)
        stack.callback(self._chain.close)
        self.queue = TimedQueue(JournalQueue(journal, self._writer))
        self._writer.settled = self._chain.client.settled
        self._chain.client.serve(self.queue)
        self._effects = self._games()
        self._history = SettledQueue(journal).history()
        self.letters: list[float] = []
        if neighbour:
            self._chain.client.listen(letters("+", name), self._read)

    @property
    def has_hub(self) -> bool:
        """Whether it has heard that the hub is there."""
        return self._chain.client.condition.hub

    def play(self) -> int:
        """Settle the next thing; how many actions that is for the hub."""
        before = self._writer._numbered
        self._writer.keep(next(self._effects))
        after = self._writer._numbered
        first = before.number + 1 if before.game == after.game else 1
        for number in range(first, after.number + 1):
            self.queue.note((self._history, after.game, number))
        if self._neighbour and time.monotonic() >= self.queue.counts_from:
            self._chain.client.send(letters(self.name, self._neighbour), f"{time.monotonic()}".encode())
        return after.number + 1 - first

    def _read(self, _topic: str, payload: bytes) -> None:
        self.letters.append(time.monotonic() - float(payload))

    def _games(self) -> Iterator[tuple[Effect, ...]]:
        number = 0
        while True:
            number += 1
            yield from game_effects(number, self._draw)


def _complain(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _play(boards: Sequence[BusyBoard], order: Mapping[str, float], ends: Event) -> int:
    """Play at all tables, each by its own beat; how many actions were settled once it counts."""
    pace, warm_up = order["pace"], order["warm_up"]
    draw, begin, settled = random.Random(0), time.monotonic(), 0
    due = [(begin + draw.uniform(0.0, warm_up or pace), number) for number in range(len(boards))]
    heapq.heapify(due)
    for board in boards:
        board.queue.counts_from = begin + warm_up
    while not ends.is_set() and due[0][0] < begin + warm_up + order["seconds"]:
        at, number = due[0]
        ends.wait(max(0.0, at - time.monotonic()))
        actions = boards[number].play()
        settled += actions if at >= begin + warm_up else 0
        heapq.heapreplace(due, (at + draw.uniform(0.5, 1.5) * pace, number))
    return settled


def _orders(ends: Event) -> Iterator[dict[str, float]]:
    for line in sys.stdin:
        yield json.loads(line)
    ends.set()


def main() -> None:
    """Have boards, and play at them when asked: `{"pace": 3.0, "warm_up": 6.0, "seconds": 20.0}`."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.chain_boards", description=__doc__)
    parser.add_argument("hub", type=Path, help="its folder, with the files for boards")
    parser.add_argument("port", type=int)
    parser.add_argument("journals", type=Path)
    parser.add_argument("boards", nargs="+")
    wanted = parser.parse_args()
    ends = Event()
    with ExitStack() as stack:
        boards = []
        for number, name in enumerate(wanted.boards):
            # Pairs of neighbours write to each other.
            other = number ^ 1
            neighbour = wanted.boards[other] if number % WRITES_LETTERS < 2 and other < len(wanted.boards) else ""
            boards.append(BusyBoard(name, neighbour, wanted.hub, wanted.journals / name, wanted.port, stack))
        Thread(target=_say_when_all_are_there, args=(boards, ends), daemon=True).start()
        for order in _orders(ends):
            settled = _play(boards, order, ends)
            begin = time.monotonic()
            while any(board.queue.left for board in boards) and time.monotonic() < begin + order.get("patience", 30.0):
                ends.wait(0.05)
            took = [round(1000 * each, 2) for board in boards for each in board.queue.took]
            written = [round(1000 * each, 2) for board in boards for each in board.letters]
            for board in boards:
                board.queue.took.clear()
                board.letters.clear()
            say(settled=settled, took=took, letters=written, left=sum(board.queue.left for board in boards))


def _say_when_all_are_there(boards: Sequence[BusyBoard], ends: Event) -> None:
    while not all(board.has_hub for board in boards):
        ends.wait(0.1)
    say(there=len(boards))


if __name__ == "__main__":
    main()
