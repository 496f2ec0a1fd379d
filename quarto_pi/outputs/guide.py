"""Who shows and says what the guide wants: the display and the voice; lamps shine for it as they do for the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quarto_pi.devices.speech import Speech
from quarto_pi.enrolment import GuideEffect, GuideView, ShowGuide, SpeakGuide
from quarto_pi.outputs.display import DisplayGlass
from quarto_pi.screens.care import care_when_idle
from quarto_pi.screens.guide import draw_guide
from quarto_pi.words import Words

if TYPE_CHECKING:
    from quarto_pi.devices.oled import Oled


class GuideScreen:
    """Draws the guide on the small display."""

    def __init__(self, oled: Oled) -> None:
        self._glass = DisplayGlass(oled)
        self._words = Words()
        self._view: GuideView | None = None

    def perform(self, effect: GuideEffect) -> None:
        """Take the newest view."""
        if not isinstance(effect, ShowGuide):
            return
        self._glass.turn_page()
        self._view = effect.view
        if effect.view.language != self._words.language:
            self._words = Words(effect.view.language)

    def tick(self, now: int) -> None:
        """Show it as it is at this millisecond."""
        view = self._view
        if view is None:
            return
        shown_for = self._glass.shown_for(now)
        self._glass.show(
            care_when_idle(shown_for, playing=False), lambda size: draw_guide(view, size, self._words, shown_for)
        )


class GuideVoice:
    """Says what the guide asks for and tells."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._words = Words()

    def perform(self, effect: GuideEffect) -> None:
        """Say what is to be said."""
        if not isinstance(effect, SpeakGuide):
            return
        if effect.language != self._words.language:
            self._words = Words(effect.language)
        self._speech.say(self._words.guide(effect.message), effect.language)

    def tick(self, now: int) -> None:
        """Nothing: speech goes on by itself."""
