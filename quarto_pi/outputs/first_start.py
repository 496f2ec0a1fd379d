"""Who shows and says a first start, the set-up by phone and the guide: the small display and the voice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quarto_pi.devices.speech import Speech
from quarto_pi.enrolment import GuideEffect, GuideView, ShowGuide, SpeakGuide
from quarto_pi.first_start.set_up import SetUpStage, SetUpView
from quarto_pi.outputs.display import Care, DisplayGlass, care_when_idle
from quarto_pi.screens.first_start import draw_guide, draw_set_up
from quarto_pi.words import Words

if TYPE_CHECKING:
    from quarto_pi.devices.oled import Oled


# --- Who shows and says how the set-up by phone stands: the small display and the voice -------------------------------


class SetUpScreen:
    """Draws the set-up on the small display, which never sleeps meanwhile."""

    def __init__(self, oled: Oled) -> None:
        self._glass = DisplayGlass(oled)
        self._view: SetUpView | None = None

    def show(self, view: SetUpView) -> None:
        """Take the newest view."""
        self._glass.turn_page()
        self._view = view

    def tick(self, now: int) -> None:
        """Show it as it is at this millisecond."""
        view = self._view
        if view is None:
            return
        shown_for = self._glass.shown_for(now)
        self._glass.show(Care(), lambda size: draw_set_up(view, size, shown_for))


class SetUpVoice:
    """Says what there is to do and what has become of it, in the board's language until somebody chooses one."""

    def __init__(self, speech: Speech, language: str) -> None:
        self._speech = speech
        self._language = language
        self._said = ""

    def show(self, view: SetUpView) -> None:
        """Say what is new."""
        words = Words(view.language or self._language)
        told = words.set_up(view)[1]
        if view.stage is SetUpStage.OPEN and view.trouble is not None:
            told = words.join_trouble(view.trouble, view.network)[1]
        if told != self._said:
            self._said = told
            self._speech.say(told, words.language)

    def tick(self, now: int) -> None:
        """Nothing: speech goes on by itself."""


# --- The guide: the display and the voice; lamps shine for it as they do for the referee ------------------------------


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
