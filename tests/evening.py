"""The whole controller over a simulated board, and hands that play at it, as tests of the loop use it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from quarto_pi.config import Config
from quarto_pi.controller.loop import Loop
from quarto_pi.journal.writer import open_journal
from quarto_pi.known_time import KnownTime
from quarto_pi.referee import Effect, Show, State, Tell
from quarto_pi.referee.effects import Report
from quarto_pi.referee.messages import Prompt, Thinking
from quarto_pi.referee.view import Mark
from quarto_pi.rules import parse_piece
from quarto_pi.simulation.board import UIDS, Hands, SimulatedBoard
from quarto_pi.simulation.workshop import Pin
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.chain import OpenChain
from quarto_pi.wiring.platform import Platform, simulated_hardware, simulated_tags

CALL_PIN = 12
KNOWN_MS = 800
"""After how long what hands have done is certain. A sweep costs much to simulate: nobody waits longer for nothing."""
SELDOM_MS = 900
"""Between two sweeps while nothing happens; a reader counts as lost only after much longer."""
THINKING_SECONDS = 0.05
"""Between two looks at whether the computer has thought: its process needs the processor, too."""
MOST_THINKING = 2_000
"""So many turns the computer may think: more than a minute."""


@dataclass
class Underneath:
    """What lies below a controller: a board whose readers and buttons hang on this or that."""

    config: Config
    platform: Platform
    board: SimulatedBoard
    call: Pin


Build = Callable[[ExitStack, Config], Underneath]


def on_the_header(stack: ExitStack, config: Config) -> Underneath:
    """Readers and button on the Pi's own header."""
    del stack
    platform, board = simulated_hardware(config=config)
    assert platform.pin_factory is not None
    return Underneath(config, platform, board, platform.pin_factory.pin(f"GPIO{CALL_PIN}"))


@dataclass
class Watcher:
    """Keeps all that the referee wanted done, and when each cell was marked as seen."""

    now: Callable[[], float]
    effects: list[Effect] = field(default_factory=list)
    marked: list[tuple[float, str]] = field(default_factory=list)
    _marks: frozenset[str] = frozenset()

    def perform(self, effect: Effect) -> None:
        self.effects.append(effect)
        if isinstance(effect, Show):
            marks = frozenset(cell for cell, mark in effect.view.marks if mark is Mark.SEEN)
            self.marked += [(self.now(), cell) for cell in sorted(marks - self._marks)]
            self._marks = marks

    def tick(self, now: int) -> None:
        pass

    @property
    def told(self) -> list[Tell]:
        return [effect for effect in self.effects if isinstance(effect, Tell)]

    @property
    def reports(self) -> list[Report]:
        return [tell.report for tell in self.told]

    @property
    def prompt(self) -> Prompt:
        return [effect for effect in self.effects if isinstance(effect, Show)][-1].view.prompt


class Evening:
    """A controller that runs, and the hands of the people in front of it."""

    def __init__(
        self,
        stack: ExitStack,
        config: Config | None = None,
        record: Path | None = None,
        journal: Path | None = None,
        wall: Callable[[], datetime] = datetime.now,
        build: Build = on_the_header,
        chain: OpenChain | None = None,
    ) -> None:
        self._chain = chain
        under = build(stack, config or Config())
        self._config, self.board, self._call = under.config, under.board, under.call
        self._journal = journal
        self._platform = under.platform
        # What the clock of the machine shows that runs the test is nobody's business here.
        self._known_time = KnownTime(lambda: True, wall=lambda: wall().timestamp())
        self._factory = self._platform.pin_factory
        self._hands = Hands(self.board.clock, self.board.table)
        self._stack, self._devices = stack, ExitStack()
        self.start(record)

    def start(self, record: Path | None = None) -> None:
        """Start the controller; a second time, that is as after a power cut: the journal was not closed."""
        config, kept = self._config, None
        self._devices.close()
        self._devices = self._stack.enter_context(ExitStack())
        if self._journal is not None:
            settings = config.settings
            # In this thread: simulated time runs much faster than any disk.
            is_on_chain = self._chain is not None
            kept = open_journal(self._journal, settings, self._stack, at_once=True, is_on_chain=is_on_chain)
        self.watcher = Watcher(lambda: self.now)
        outputs = (self.watcher,)
        self.loop: Loop = open_loop(
            config,
            self._platform,
            self._devices,
            simulated_tags(),
            outputs,
            record,
            None,
            kept,
            known_time=self._known_time,
            chain=self._chain,
        )
        # The controller counts from its start; what hands did last was done at `done_at`.
        self.began = self.now
        self.done_at = 0.0

    @property
    def now(self) -> float:
        return self.board.clock.ns / 1_000_000

    @property
    def factory(self) -> MockFactory:
        assert isinstance(self._factory, MockFactory)
        return self._factory

    @property
    def state(self) -> State:
        assert self.loop.state is not None
        return self.loop.state

    def wait(self, milliseconds: float) -> None:
        end = self.now + milliseconds
        self.loop.run(lambda: self.now < end)

    def pass_time(self, milliseconds: float) -> None:
        """Let time pass in which nobody touches anything: readers are asked once a second, and not ten times."""
        end = self.now + milliseconds

        def goes_on() -> bool:
            left = end - self.now
            if left > SELDOM_MS:
                self.board.clock.advance_ms(SELDOM_MS)
            return left > 0

        self.loop.run(goes_on)

    def wait_for(self, happened: Callable[[], bool], turns: int = 2_000) -> None:
        """Let the loop turn until something has happened, however long the computer thinks meanwhile."""
        left, thinking = iter(range(turns)), iter(range(MOST_THINKING))

        def goes_on() -> bool:
            if happened():
                return False
            if not isinstance(self.watcher.prompt, Thinking):
                return next(left, None) is not None
            # Its process needs real time, and the board's is simulated.
            time.sleep(THINKING_SECONDS)
            return next(thinking, None) is not None

        self.loop.run(goes_on)
        assert happened(), self.watcher.prompt

    def put(self, code: str, cell: str, after: float = 1) -> None:
        self.done_at = self._hands.put(UIDS[parse_piece(code).number], cell, self.now + after) - self.began
        self.wait(KNOWN_MS)

    def lift(self, code: str, after: float = 1) -> None:
        self.done_at = self._hands.lift(UIDS[parse_piece(code).number], self.now + after) - self.began
        self.wait(KNOWN_MS)

    def carry(self, code: str, cell: str, after: float = 1) -> None:
        """Take a piece up and put it on another cell at once, half a second later."""
        uid = UIDS[parse_piece(code).number]
        away_at = self._hands.lift(uid, self.now + after)
        self.done_at = self._hands.put(uid, cell, away_at + 200) - self.began
        self.wait(2 * KNOWN_MS)

    def turn(self, code: str, square: str) -> None:
        """Give a piece and place it."""
        self.put(code, "offer")
        self.lift(code)
        self.put(code, square)

    def press(self, milliseconds: float = 120) -> None:
        self.done_at = self.now + 20 - self.began
        self.board.clock.plan(self.now + 20, self._call.drive_low)
        self.board.clock.plan(self.now + 20 + milliseconds, self._call.drive_high)
        self.wait(milliseconds + 500)

    def clear(self) -> None:
        for uid in tuple(self.board.table.resting):
            self.board.table.lift(uid)
        self.wait(4_000)
