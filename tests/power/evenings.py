"""Evenings at the board that keep a journal, as a program with the tap below it: `python -m tests.power.evenings`.

What is about to be kept and what has been acknowledged is said into the log of the tap. Every few minutes the
controller is started anew, as after a crash, or after a clean stop. The board is on a chain: what is settled is sent,
and now and then a hub says that it has taken it.
"""

from __future__ import annotations

import json
import random
import sys
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.journal import repair
from quarto_pi.journal.records import TakenRow
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.referee import (
    Ask,
    Begin,
    Button,
    Choose,
    Continue,
    Effect,
    Input,
    Keep,
    Save,
    Seen,
    Settings,
    fold,
    start,
)
from quarto_pi.rules import Record
from quarto_pi.sensing.board import Sensing, Sweep, doubts_of
from quarto_pi.sensing.readings import Reading
from quarto_pi.trace.format import Trace, read_trace
from tests.power.tap import mark
from tests.referee.people import Rascals, as_trace, header
from tests.referee.test_any_evening import Chance


class Controller:
    """A referee with a journal, which says what it has kept."""

    def __init__(self, folder: Path, file: Settings, at: int, stack: ExitStack, rng: random.Random) -> None:
        self._journal: OpenJournal = open_journal(
            folder, file, stack, at_once=True, wall=lambda: 1_000_000.0, is_on_chain=True
        )
        self._rng = rng
        self._sent: set[tuple[int, int]] = set()
        self._number = 0
        self.state, effects = start(self._journal.remembered.wishes, at, before=self._journal.remembered.before)
        self.asked = self._keep(effects)

    def take(self, received: Input) -> None:
        """Take something in, and have kept what follows from it."""
        self.state, effects = fold(self.state, received)
        self.asked += self._keep(effects)

    def _keep(self, effects: tuple[Effect, ...]) -> list[Ask]:
        records: dict[int, str] = {}
        for effect in effects:
            match effect:
                case Begin(number=number) | Continue(number=number):
                    self._number = number
                case Save(game=game):
                    records[self._number] = str(Record(game))
                case _:
                    pass
        chosen = [effect for effect in effects if isinstance(effect, Keep)]
        said = json.dumps(
            {
                "records": records,
                "language": chosen[-1].settings.language if chosen else None,
            }
        )
        if records or chosen:
            mark(f"about to keep {said}")
        ticket = self._journal.writer.keep(effects)
        assert ticket is None or self._journal.writer.is_safe(ticket)
        assert self._journal.writer.trouble is None
        if records or chosen:
            mark(f"kept {said}")
        self._send()
        return [effect for effect in effects if isinstance(effect, Ask)]

    def _send(self) -> None:
        """Send what is new in the queue, as far as anybody can read it there; the hub takes some of it."""
        connection = self._journal.writer._connection
        assert connection is not None
        rows = connection.execute("SELECT game, number, told, history FROM settled ORDER BY game, number").fetchall()
        new = [row for row in rows if row[:2] not in self._sent]
        if new:
            mark(f"sent {json.dumps({'history': new[0][3], 'rows': [row[:3] for row in new]})}")
            self._sent |= {row[:2] for row in new}
        if new and self._rng.random() < 0.3:
            game, number, _, history = self._rng.choice(rows)
            mark(f"taken {json.dumps({'game': game, 'number': number})}")
            self._journal.writer.forget([TakenRow(history, game, number)])


def live_through(folder: Path, trace: Trace, seed: int) -> None:
    """An evening with stops."""
    rng = random.Random(seed)
    sensing, computer = Sensing(trace.header.tags), Chance(seed)
    board = sensing.start_empty()
    with ExitStack() as journals:
        stack = journals.enter_context(ExitStack())
        hub = random.Random(f"{seed} hub")
        controller = Controller(folder, trace.header.settings, trace.lines[0].at, stack, hub)
        seen: dict[str, Reading] = {}
        for line in trace.lines:
            if not isinstance(line, Button):
                seen |= {reading.cell: reading for reading in line.readings}
            if rng.random() < 0.004:
                if rng.random() < 0.5:
                    stack.close()
                stack = journals.enter_context(ExitStack())
                controller = Controller(folder, trace.header.settings, line.at, stack, hub)
                # The readers begin anew as well: they see what stands there, and know nothing of what stood there.
                board, events = sensing.fold(sensing.start(), Sweep(line.at, tuple(seen.values())))
                controller.take(Seen(line.at, events, doubts_of(board)))
            asked, controller.asked = controller.asked, []
            for ask in asked:
                controller.take(computer(ask))
            if rng.random() < 0.002:
                wishes = controller.state.wishes
                language = rng.choice(("en", "fr", "lt", "zh_TW"))
                controller.take(Choose(line.at, Settings(wishes.rules, wishes.seats, language=language)))
            if isinstance(line, Button):
                controller.take(line)
            else:
                board, events = sensing.fold(board, line)
                controller.take(Seen(line.at, events, doubts_of(board)))


def main(arguments: list[str]) -> None:
    """Live through an evening in a folder: `FOLDER SEED TURNS [SYNCHRONOUS]`."""
    folder, seed, turns = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    if len(arguments) > 3:
        repair.SYNCHRONOUS = arguments[3]  # type: ignore[misc] # to see that it makes a difference
    rng = random.Random(seed)
    first = header(
        players=rng.choice((["human", "human"], ["human", "ai 2"])),
        rules={
            "squares": rng.random() < 0.5,
            "calling": rng.choice(("button", "button", "auto")),
            "clock_seconds": rng.choice((None, 20)),
            "false_call": rng.choice(("refuse", "refuse", "forfeit")),
        },
    )
    trace = read_trace(as_trace(first, Rascals(seed).play(turns)), Settings(), 3, foreign=True)
    live_through(folder, trace, seed)


if __name__ == "__main__":
    main(sys.argv[1:])
