"""The loop of the guide: poll the readers and buttons, feed the guide, show what it says, store what it has learned.

It is to the guide what `loop` is to the referee, above the same readers and buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from quarto_pi.clock import Clock
from quarto_pi.controller.input_poller import InputPoller
from quarto_pi.controller.loop import Output
from quarto_pi.devices.readers.interface import Buttons, Readers
from quarto_pi.enrolment import GuideEffect, GuideInput, GuideState, Store, TagsStored, Task, fold_guide, start_guide
from quarto_pi.referee import Effect, EnrolPieces, Light
from quarto_pi.sensing.tags import TagTable


class GuideOutput(Protocol):
    """Somebody who does what the guide wants: a display, a light, a line in a terminal. It must not take its time."""

    def perform(self, effect: GuideEffect) -> None:
        """Do it, or start doing it, or leave it to others."""

    def tick(self, now: int) -> None:
        """Go on with what moves, at this millisecond."""


class Beside:
    """Somebody who works for the referee and works for the guide as well: the lamps, and who does errands."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def perform(self, effect: GuideEffect) -> None:
        """Take the newest lamps."""
        if isinstance(effect, Light):
            self._output.perform(effect)

    def tick(self, now: int) -> None:
        """Go on with what moves."""
        self._output.tick(now)


class TagStore(Protocol):
    """Stores the tags."""

    def write(self, table: TagTable) -> None:
        """Store them for good; an OSError says why not."""


class GuideDoor:
    """Knows whether people have opened the guide in the menu of the game."""

    def __init__(self) -> None:
        self.opened = False

    def perform(self, effect: Effect) -> None:
        """Take the menu's word."""
        self.opened |= isinstance(effect, EnrolPieces)

    def tick(self, now: int) -> None:
        """Nothing: a door does not move by itself."""

    def was_opened(self) -> bool:
        """Whether it was opened; from now on it is closed."""
        opened, self.opened = self.opened, False
        return opened


class GuideLoop:
    """The guide at one board, from its first question to its end; times are milliseconds since it began."""

    def __init__(  # noqa: PLR0913 - all that a board has
        self,
        bank: Readers,
        buttons: Buttons,
        clock: Clock,
        store: TagStore,
        outputs: Sequence[GuideOutput],
        task: Task,
        table: TagTable,
        cells: tuple[str, ...],
        language: str,
    ) -> None:
        self._poller: InputPoller[GuideInput] = InputPoller(bank, buttons, clock)
        self._tag_store = store
        self._outputs = outputs
        self.complaint = ""
        """Why the tags could not be stored when that was tried last; empty if they could."""
        self.turns = 0
        """How many turns have been taken: whoever watches over the loop sees that it turns."""
        self.state: GuideState
        self.state, effects = start_guide(task, table, cells, language, 0)
        self._perform(effects)

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Go on until the guide has ended, or until told otherwise."""
        while goes_on() and not self.state.ended:
            self.turn()
            self._poller.rest(goes_on, self._tick)

    def post(self, make: Callable[[int], GuideInput]) -> None:
        """Have something taken in at the next turn, made for that moment; may be called from any thread."""
        self._poller.post(make)

    def turn(self) -> None:
        """Look once, and do all that follows from it."""
        for received in (*self._poller.look(), *self._poller.posted()):
            self._feed(received)
        self.turns += 1
        self._tick()

    def _feed(self, received: GuideInput) -> None:
        if self.state.ended:
            return
        self.state, effects = fold_guide(self.state, received)
        self._perform(effects)
        for effect in effects:
            if isinstance(effect, Store):
                self._feed(TagsStored(self._poller.now(), self._store(effect.table)))

    def _store(self, table: TagTable) -> bool:
        try:
            self._tag_store.write(table)
        except OSError as error:
            self.complaint = error.strerror or str(error)
            return False
        self.complaint = ""
        return True

    def _perform(self, effects: Sequence[GuideEffect]) -> None:
        for effect in effects:
            for output in self._outputs:
                output.perform(effect)

    def _tick(self) -> None:
        now = self._poller.now()
        for output in self._outputs:
            output.tick(now)
