"""What a loop looks at: the readers, the buttons, and what other threads have posted, each at its own moment.

The loop of the games and that of the guide stand on the same poller; times are milliseconds since it was made.
Tasks that other threads post are done in the thread of the game, between two looks at the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Final, Generic, TypeVar

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.readers.interface import Buttons, Movement, Readers
from quarto_pi.referee import Button, ButtonName, Effect
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.readings import Glimpse, leave_alone

MOST_WAITING: Final = 64
_T = TypeVar("_T")


class TooManyTasks(RuntimeError):
    """More is asked for than the game's thread may be bothered with."""


class PostedTasks:
    """Runs them as an output that has nothing to show; what goes wrong is told to who asked, never to the game."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def ask(self, do: Callable[[], _T]) -> Future[_T]:
        """Have something done soon; may be called from any thread."""
        if self._waiting.qsize() >= MOST_WAITING:
            raise TooManyTasks
        outcome: Future[_T] = Future()

        def run() -> None:
            if not outcome.set_running_or_notify_cancel():
                return
            try:
                outcome.set_result(do())
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the asker's
                outcome.set_exception(error)

        self._waiting.put(run)
        return outcome

    def perform(self, effect: Effect) -> None:
        """Nothing: tasks come from elsewhere."""

    def tick(self, now: int) -> None:
        """Do what has been asked for so far."""
        del now
        for _ in range(MOST_WAITING):
            try:
                run = self._waiting.get_nowait()
            except Empty:
                return
            run()


_Posted = TypeVar("_Posted")

TICK_MS: Final = 100
"""How long an idle board waits at most before its displays are looked after."""


class InputPoller(Generic[_Posted]):
    """Readers, buttons and posted inputs on one clock."""

    def __init__(self, bank: Readers, buttons: Buttons, clock: Clock) -> None:
        self._bank = bank
        self._buttons = buttons
        self._clock = clock
        self._origin_ms = clock.now() // US_PER_MS
        self._posted: SimpleQueue[Callable[[int], _Posted]] = SimpleQueue()

    def now(self) -> int:
        """Milliseconds since the beginning."""
        return self._clock.now() // US_PER_MS - self._origin_ms

    def look(self, glimpse: Glimpse = leave_alone) -> list[Button | Sweep]:
        """Look once at everything: what has come in, in the order in which it happened."""
        sweep = Sweep.of(self._bank.round(glimpse), self.now())
        came_in: list[Button | Sweep] = [*map(self._as_button, self._buttons.movements()), sweep]
        return sorted(came_in, key=lambda received: received.at)

    def post(self, make: Callable[[int], _Posted]) -> None:
        """Have something taken in after the next look, made for that moment; may be called from any thread."""
        self._posted.put(make)

    def posted(self) -> Iterator[_Posted]:
        """All that has been posted, each made for this moment."""
        while True:
            try:
                make = self._posted.get_nowait()
            except Empty:
                return
            yield make(self.now())

    def rest(self, goes_on: Callable[[], bool], tick: Callable[[], None]) -> None:
        """Wait for the next look, which comes more slowly at an idle board; its lights go on moving."""
        until = self._clock.now() + self._bank.pause_ms * US_PER_MS
        while self._clock.now() < until and goes_on():
            self._clock.wait_until(min(until, self._clock.now() + TICK_MS * US_PER_MS))
            tick()

    def wait(self, milliseconds: int) -> None:
        """Let so much time pass."""
        self._clock.wait_until(self._clock.now() + milliseconds * US_PER_MS)

    def _as_button(self, movement: Movement) -> Button:
        return Button(max(0, movement.at - self._origin_ms), ButtonName(movement.name), movement.down)
