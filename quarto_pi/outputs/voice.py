"""The voice: what the referee wants said, in the language of the game."""

from __future__ import annotations

from quarto_pi.devices.speech import Speech
from quarto_pi.referee import Begin, Effect, Settings, Show, Speak
from quarto_pi.referee.menu import MenuView
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
        self._menu: MenuView | None = None

    def perform(self, effect: Effect) -> None:
        """Say what is to be said; a sentence that is still being said is not said again."""
        match effect:
            case Begin(settings=settings):
                self._know(settings)
            case Show(view):
                self._know(view.settings)
                self._read_menu(view.menu)
            case Speak(message) if self._settings.voice is not False:
                text = self._words.say(message, self._settings.seats)
                self._speech.say(text, self._settings.language, urgent=isinstance(message, URGENT))
            case _:
                pass

    def tick(self, now: int) -> None:
        """Nothing: speech goes on by itself."""

    def _read_menu(self, menu: MenuView | None) -> None:
        """Say a line of the menu that has just been reached; and what the button does, when that is new."""
        before, self._menu = self._menu, menu
        if menu is None or menu == before or not self._settings.voice:
            return
        line = ": ".join(part for part in self._words.menu(menu, self._settings.seats) if part)
        is_new = before is None or before.stage is not menu.stage
        told = f"{line}. {self._words.menu_help(menu.stage)}." if is_new else f"{line}."
        self._speech.say(told, self._settings.language, urgent=True)

    def _know(self, settings: Settings) -> None:
        if settings.language != self._settings.language:
            self._words = Words(settings.language)
        self._settings = settings
