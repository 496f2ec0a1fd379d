"""The whole evenings of tests/games, played on a board whose readers and buttons hang on a Pico.

`python -m tests.pico.evenings NAME ...` plays some of them, without a name all: more than an hour, most of it for the
long waits of the kiosk.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import ExitStack

from quarto_pi.config import Config, parse_config
from quarto_pi.firmware import pins
from quarto_pi.sensing.board import TraceValue, to_trace
from quarto_pi.sensing.readings import CELLS, Reading
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.field import shifted_by_one_bit
from quarto_pi.wiring.board import open_node
from tests.games.evening import Evening, EveningError
from tests.games.judging import complaints
from tests.games.performance import Memory, Performance
from tests.games.table import Table, uid_of
from tests.pico.underneath import on_a_pico
from tests.soak.arguments import some_evenings

EXCHANGES = 5
"""A look calls a tag of seven bytes, asks twice for its name and selects it twice; it tries that twice over."""
ROUND_MS = 130  # longer than a sweep, so that no round ends after the moment at which hands go on
BUTTON_PINS = {"call": pins.CALL, "call0": pins.CALL, "call1": pins.SECOND, "menu": pins.MENU}


class PicoTable(Table):
    """A table whose readers are simulated chips below a Pico: what it hears is what the host was told."""

    def stand_on(self, stack: ExitStack, config: Config) -> None:
        """Put the Pico below, and wait until it works."""
        self._under = on_a_pico(stack, config, seed=self.seed)
        assert self._under.config.node is not None
        self._node = stack.enter_context(open_node(self._under.config, self._under.config.node, self._under.platform))
        self._node.bank.start()
        self._node.buttons.movements()
        self._began = self._now
        self._last = 0
        self._told: dict[str, TraceValue] = dict.fromkeys(CELLS)

    @property
    def _now(self) -> float:
        return self._under.board.clock.ns / 1_000_000

    def plan(self, at: int, change: Callable[[], None]) -> None:
        """Let something change at a time that has not come yet."""

        def carried_out() -> None:
            change()
            self._apply()

        self._under.board.clock.plan(self._began + at, carried_out)

    def button(self, at: int, name: str, down: bool) -> None:
        """Let a button go down or up."""
        finger = self._under.pins.finger(BUTTON_PINS[name])
        self._under.board.clock.plan(self._began + at, finger.drive_low if down else finger.drive_high)

    def run(self, until: int) -> None:
        """Let time pass up to a moment, and write down what the host is told."""
        while self._now - self._began < until - ROUND_MS:
            self._note(self._node.bank.round())
        self._under.pico.run_until(round(1_000 * (self._began + until)))
        self.at = until

    def close(self, at: int) -> None:
        """The last sweeps of all."""
        self.run(at)
        self._note(self._node.bank.round())

    def _note(self, readings: list[Reading]) -> None:
        now = round(self._now - self._began)
        lines: list[tuple[int, dict[str, object]]] = [
            (round(moved.at - self._began), {"button": moved.name, "down": moved.down})
            for moved in self._node.buttons.movements()
        ]
        seen = {reading.cell: to_trace(reading) for reading in readings}
        changed: dict[str, object] = {cell: value for cell, value in seen.items() if value != self._told[cell]}
        self._told.update(seen)
        lines.append((now, {"sweep": changed}))
        for at, line in lines:
            self._last = max(self._last, at)
            self.says.append(json.dumps({"t": self._last, **line}, separators=(",", ":")))

    def _apply(self) -> None:
        """Let the simulated air be as the model of the table says."""
        board = self._under.board
        for thing, strengths in self.heard.items():
            tag = board.table.tag(uid_of(thing))
            board.field.unlink(tag, board.clock.ns)
            for cell, strength in strengths.items():
                answers = self.answers.get(thing, 1.0)
                # An evening says in how many looks a tag answers, the air how many of its frames arrive.
                arrive = (1 - (1 - answers) ** 0.5) ** (1 / EXCHANGES)
                board.field.link(tag, cell, board.clock.ns, strength * arrive)
            for (other, cell), (share, garbled) in self.overheard.items():
                if other == thing and strengths and cell not in strengths:
                    board.field.link(tag, cell, board.clock.ns, share, shifted_by_one_bit if garbled else None)
        for cell in CELLS:
            board.field.add_noise(cell, self.noise)
            if cell in self.dead:
                board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
            else:
                board.faults.clear(cell)


class OnAPico(Performance):
    """An evening whose hands play on a board with a Pico."""

    def __post_init__(self) -> None:
        self.memory = Memory(self.evening.answers)
        self.table = PicoTable(self.seed)

    def complaints(self) -> list[str]:
        """Play the evening, and say what was not as it expects."""
        header = json.loads(self.evening.trace_header())
        offer, buttons = header.get("offer_reader", True), header.get("buttons", 1)
        config = parse_config(f"[readers]\noffer = {str(offer).lower()}\n[game]\nbuttons = {buttons}\n")
        with ExitStack() as stack:
            assert isinstance(self.table, PicoTable)
            self.table.stand_on(stack, config)
            played = self.play()
            return complaints(played, self.effects())


def complaints_about(evening: Evening, seed: int = 1) -> list[str]:
    """What is not as an evening expects, when it is played on a Pico."""
    return OnAPico(evening, seed).complaints()


def main() -> int:
    """Play evenings; 1 if anything was not as one of them expects."""
    wrong = 0
    for evening in some_evenings("tests.pico.evenings", __doc__):
        try:
            found = complaints_about(evening)
        except EveningError as error:
            found = [f"{error}"]
        wrong += bool(found)
        print(f"{'NOT OK' if found else 'ok    '} {evening.name}", *found, sep="\n       ", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
