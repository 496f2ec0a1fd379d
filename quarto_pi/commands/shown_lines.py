"""What people at a board are told, as lines for programs that play in their place: what display, voice and lights tell.

Nothing here depends on whether an alignment is open (D8): all of it comes from the referee's view, lamps and messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from quarto_pi.referee import Effect, Light, Show, Speak, View
from quarto_pi.referee.messages import Message, Question, ShuttingDown
from quarto_pi.referee.view import Attention, Lights, Mark
from quarto_pi.rules import Alignment, Piece, Square
from quarto_pi.sensing.readings import CELLS
from quarto_pi.words import Words

ShownJson = dict[str, object]


class ShownLines:
    """Makes an object of what people are told, whenever that changes."""

    def __init__(self) -> None:
        self._view: View | None = None
        self._lights = Lights()
        self._words = Words()
        self._last: ShownJson | None = None

    def after(self, at: int, effects: Iterable[Effect]) -> ShownJson | None:
        """What is told once these effects of one moment are carried out; None if that is the same as before."""
        spoken: list[Message] = []
        for effect in effects:
            match effect:
                case Show(view):
                    self._know(view)
                case Light(lights):
                    self._lights = lights
                case Speak(message):
                    spoken.append(message)
                case _:
                    pass
        if self._view is None:
            return None
        told = self._told(self._view, spoken)
        if told == self._last and not spoken:
            return None
        self._last = told
        return {"t": at, "event": "shown", **told}

    def _know(self, view: View) -> None:
        self._view = view
        if view.settings.language != self._words.language:
            self._words = Words(view.settings.language)

    def _told(self, view: View, spoken: Iterable[Message]) -> ShownJson:
        words, seats = self._words, view.settings.seats
        messages: list[Message] = []
        prompt, headline, shown = type(view.prompt).__name__, "", ""
        if view.menu is not None and not isinstance(view.prompt, ShuttingDown):
            headline, value = words.menu(view.menu, seats)
            prompt, shown = "Menu", " ".join((value, words.menu_help(view.menu.stage))).strip()
        elif not view.asleep:
            headline = words.headline(view.title, seats)
            messages = [message for message in (view.notice, view.prompt) if message is not None]
        # The voice also tells what is covered on the display by something else.
        messages = [*dict.fromkeys(message for message in spoken if message not in messages), *messages]
        texts = [words.say(message, seats) for message in messages]
        # What is to be done comes first: hands read no further than to the first one.
        named = messages[::-1]
        cells = [
            *(cell for message in named for cell in cells_in(message)),
            *(cell for cell, mark in self._lights.squares if mark is not Mark.SEEN),
        ]
        return {
            "prompt": prompt,
            "headline": headline,
            "text": " ".join(part for part in (*texts, shown) if part),
            "question": self._lights.attention is Attention.ASKED and view.menu is None,
            "pieces": list(dict.fromkeys(piece for message in named for piece in pieces_in(message))),
            "squares": list(dict.fromkeys(cells)),
            "lights": {**_lights_as_json(self._lights), **_clock_as_json(view)},
        }


def pieces_in(message: Message) -> Iterator[str]:
    """The pieces that a message names."""
    return (value.letters for value in _values_in(message) if isinstance(value, Piece))


def cells_in(message: Message) -> Iterator[str]:
    """The squares that a message names, and the give place."""
    for value in _values_in(message):
        match value:
            case Square():
                yield value.name
            case Alignment():
                yield from (square.name for square in value.squares)
            case str() if value in CELLS:
                yield value


def _values_in(message: Message | Question) -> Iterator[object]:
    for each in fields(message):
        value = getattr(message, each.name)
        if isinstance(value, Question):
            yield from _values_in(value)
            continue
        yield from value if isinstance(value, tuple) and not isinstance(value, Piece | Square) else (value,)


def _lights_as_json(lights: Lights) -> ShownJson:
    return {
        "players": [lamp.value for lamp in lights.players],
        "attention": lights.attention.value,
        "squares": {cell: mark.value for cell, mark in lights.squares},
        "thinking": bool(lights.thinking),
        "celebrates": lights.celebrates,
    }


def _clock_as_json(view: View) -> ShownJson:
    """The clock in the corner of the display, where one is to be seen."""
    clock = view.clock
    if clock is None or view.asleep:
        return {}
    return {"clock": {"player": clock.player.value, "seconds": clock.seconds, "stands": clock.stands}}
