"""The voice: what the referee wants said, in the language of the game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from quarto_pi.devices.speech import Speech
from quarto_pi.referee import Begin, Effect, Settings, Show, Speak
from quarto_pi.referee.messages import Drawn, Forfeited, LastCall, MissedAlignment, Won
from quarto_pi.words import Words

URGENT = (Won, Drawn, Forfeited, LastCall, MissedAlignment)
"""What is said at once, instead of what still waits to be said."""


class VoiceOutput:
    """Speaks, if it can; nobody waits for it."""

    def __init__(self, speech: Speech, settings: Settings) -> None:
        self._speech = speech
        self._settings = settings
        self._words = Words(settings.language)

    def perform(self, effect: Effect) -> None:
        """Say what is to be said; a sentence that is still being said is not said again."""
        match effect:
            case Begin(settings=settings):
                self._know(settings)
            case Show(view):
                self._know(view.settings)
            case Speak(message) if self._settings.voice is not False:
                text = self._words.say(message, self._settings.seats)
                self._speech.say(text, self._settings.language, urgent=isinstance(message, URGENT))
            case _:
                pass

    def tick(self, now: int) -> None:
        """Nothing: speech goes on by itself."""

    def _know(self, settings: Settings) -> None:
        if settings.language != self._settings.language:
            self._words = Words(settings.language)
        self._settings = settings


# --- What other threads want done in the thread of the game: done there between two looks at the board ----------------

MOST_WAITING: Final = 64
_T = TypeVar("_T")


class TooManyTasks(RuntimeError):
    """More is asked for than the game's thread may be bothered with."""


class PostedTasks:
    """Runs them as a performer that has nothing to show; what goes wrong is told to who asked, never to the game."""

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
        """Nothing: errands come from elsewhere."""

    def tick(self, now: int) -> None:
        """Do what has been asked for so far."""
        del now
        for _ in range(MOST_WAITING):
            try:
                run = self._waiting.get_nowait()
            except Empty:
                return
            run()
