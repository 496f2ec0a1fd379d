"""The guide as lines: sentences for people at a terminal, objects for other programs."""

from __future__ import annotations

import json
from dataclasses import fields

from quarto_pi.enrolment import Effect, GuideView, ShowGuide
from quarto_pi.enrolment.messages import AllKnown, Message
from quarto_pi.rules import Piece
from quarto_pi.words import Words


class GuideLines:
    """Prints every question and everything that is told, in the language of the guide, when it changes."""

    def __init__(self) -> None:
        self._words = Words()
        self._view: GuideView | None = None

    def perform(self, effect: Effect) -> None:
        """Print what is new."""
        if not isinstance(effect, ShowGuide):
            return
        view, before = effect.view, self._view
        self._view = view
        if view.language != self._words.language:
            self._words = Words(view.language)
        if view.notice is not None and (before is None or view.notice != before.notice):
            print(self._words.guide(view.notice), flush=True)
        if before is None or view.prompt != before.prompt:
            print(self._line(view, before), flush=True)

    def tick(self, now: int) -> None:
        """Nothing: a line that is printed stays."""

    def _line(self, view: GuideView, before: GuideView | None) -> str:
        prompt = view.prompt
        if isinstance(prompt, AllKnown) and before is not None and isinstance(before.prompt, AllKnown):
            return f"{prompt.seen}/16"
        help_text = self._words.guide_help(prompt)
        return f"{self._words.guide(prompt)} ({help_text})" if help_text else self._words.guide(prompt)


class GuideObjects:
    """Prints the same as one JSON object a line."""

    def __init__(self) -> None:
        self._view: GuideView | None = None

    def perform(self, effect: Effect) -> None:
        """Print what is new."""
        if not isinstance(effect, ShowGuide):
            return
        view, before = effect.view, self._view
        self._view = view
        if view.notice is not None and (before is None or view.notice != before.notice):
            say("told", view.notice)
        if before is None or view.prompt != before.prompt:
            say("asked", view.prompt)

    def tick(self, now: int) -> None:
        """Nothing: a line that is printed stays."""


def say(event: str, message: Message) -> None:
    """Print a message of the guide as an object: its kind, and what it names."""
    about = {each.name: _plain(getattr(message, each.name)) for each in fields(message)}
    print(json.dumps({"event": event, "kind": type(message).__name__, **about}, separators=(",", ":")), flush=True)


def _plain(value: object) -> object:
    return value.letters if isinstance(value, Piece) else value
