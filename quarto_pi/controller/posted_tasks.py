"""What other threads want done in the thread of the game: done there between two looks at the board."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from quarto_pi.referee import Effect

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
