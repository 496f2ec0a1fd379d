"""An evening of tests/games, played by hands in the virtual machine, and held against the same evening on paper.

What the board has to show after each thing that hands do is what the referee shows when the evening's file is performed
without any device; whatever the machine's slowness does to the moments, hands wait until it is shown.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from PIL import Image

from quarto_pi.config import Config
from quarto_pi.devices.light_patterns import PanelLamp, Pattern
from quarto_pi.outputs.lights import panel_patterns
from quarto_pi.outputs.page import shown_lights
from quarto_pi.referee import Light, Save, Settings, Show, View
from quarto_pi.referee.view import Lights
from quarto_pi.rules import Record
from quarto_pi.screens import draw
from quarto_pi.web.requests import Moment
from quarto_pi.web.snapshot import snapshot
from quarto_pi.words import Words
from tests.appliance.box import Failed
from tests.games.evening import Evening
from tests.games.judging import complaints
from tests.games.performance import Performance
from tests.kernel.channel import Json
from tests.kernel.machine import BoardMachine

PRESS_MS: Final = 250
PATIENCE_S: Final = 180.0
PAGES_MS: Final = range(0, 30_000, 250)
"""The moments for which pictures of a view are drawn: all its pages, and what moves on them."""
SAMPLES: Final = 24
COMPARED: Final = ("phase", "prompt", "board", "hand", "to_act", "result", "missed")


@dataclass(frozen=True)
class Expected:
    """What the board has to show until hands do the next thing."""

    view: View
    lights: Lights

    def as_page(self) -> Json:
        """What the page says of it, as far as it is compared."""
        moment = Moment(self.view, shown_lights(self.lights), Settings())
        whole = snapshot(moment, Words(self.view.settings.language))
        return {key: json.loads(json.dumps(whole[key])) for key in COMPARED}

    def pictures(self, size: tuple[int, int]) -> dict[bytes, int]:
        """Every picture that a display may show of it, and when it shows it first."""
        words = Words(self.view.settings.language)
        drawn: dict[bytes, int] = {}
        for moment in PAGES_MS:
            drawn.setdefault(draw(self.view, size, words, moment).tobytes(), moment)
        return drawn


@dataclass
class OnPaper:
    """The evening as the referee alone goes through it."""

    evening: Evening
    steps: list[tuple[str, Expected]] = field(default_factory=list)
    record: str = ""

    def __post_init__(self) -> None:
        performance = Performance(self.evening)
        played, effects = performance.play(), performance.effects()
        wrong = complaints(played, effects)
        if wrong:
            raise Failed("\n".join(wrong))
        views = [(at, effect.view) for at, effect in effects if isinstance(effect, Show)]
        lights = [(at, effect.lights) for at, effect in effects if isinstance(effect, Light)]
        for each in played:
            view = [view for at, view in views if at < each.end or each is played[-1]][-1]
            lit = [lit for at, lit in lights if at < each.end or each is played[-1]][-1:]
            self.steps.append((each.block.action, Expected(view, lit[0] if lit else Lights())))
        saved = [effect.game for _, effect in effects if isinstance(effect, Save)]
        self.record = moves_of(str(Record(saved[-1])))


def moves_of(record: str) -> str:
    """What was done and who has won, of a record with whatever headers."""
    lines = [
        line
        for line in record.splitlines()
        if line.startswith(("[Winner", "[Reason", "[Starter")) or line[:1].isdigit()
    ]
    return " ".join(" ".join(lines).split())


class TableHands(Protocol):
    """What hands do at a table, wherever its chips are."""

    def put(self, piece: str, cell: str) -> None:
        """Lower a piece onto a cell, from wherever it is."""

    def lift(self, piece: str) -> None:
        """Take a piece off."""

    def press(self, down: bool) -> None:
        """Press the button, or let go of it."""


class HandsInTheMachine:
    """Hands at the table in the machine, whose chips hang on its header."""

    def __init__(self, machine: BoardMachine, call_pin: int) -> None:
        self._machine = machine
        self._call_pin = call_pin

    def put(self, piece: str, cell: str) -> None:
        """Lower a piece onto a cell, from wherever it is."""
        self._machine.hands("put", piece=piece, cell=cell)

    def lift(self, piece: str) -> None:
        """Take a piece off."""
        self._machine.hands("lift", piece=piece)

    def press(self, down: bool) -> None:
        """Press the button, or let go of it."""
        self._machine.hands("pull", line=self._call_pin, up=not down)


class Player:
    """Somebody who plays an evening, and looks at what is shown."""

    def __init__(self, machine: BoardMachine, config: Config, hands: TableHands) -> None:
        self._machine = machine
        self._config = config
        self._hands = hands
        self.standing: dict[str, str] = {}

    def play(self, evening: OnPaper, between: Callable[[int, Expected], None]) -> Iterator[str]:
        """Do everything, and say what was done each time; between two things something may happen to the board."""
        for number, (action, expected) in enumerate(evening.steps):
            self._do(action.split())
            took = self.until_shown(expected, action)
            yield f"{action}: {took:.1f} s"
            between(number, expected)

    def until_shown(self, expected: Expected, after: str = "") -> float:
        """Wait until the page shows just that."""
        wanted = expected.as_page()
        state: Json = {}

        def is_shown() -> bool:
            nonlocal state
            state = self.state()
            return all(state.get(key) == value for key, value in wanted.items())

        began = time.monotonic()
        while not is_shown():
            if time.monotonic() - began > PATIENCE_S:
                differing = {key: (value, state.get(key)) for key, value in wanted.items() if state.get(key) != value}
                raise Failed(f"after '{after}' (expected, found): {differing}\n{self._machine.words()}")
            time.sleep(0.2)
        return time.monotonic() - began

    def state(self) -> Json:
        """What the page says now; as long as there is none, that nothing is asked for."""
        text = self._machine.page("state")
        state: Json = json.loads(text) if text.startswith("{") else {"prompt": {"kind": ""}, "marks": {}}
        return state

    def press(self) -> None:
        """Press the button for a moment."""
        self._hands.press(down=True)
        time.sleep(PRESS_MS / 1000)
        self._hands.press(down=False)

    def _do(self, words: list[str]) -> None:
        match words:
            case ["begin" | "end"] | ["wait", _]:
                pass
            case ["give", piece]:
                self._put(piece, "offer")
            case ["put", piece, cell]:
                self._put(piece, cell)
            case ["lift", piece]:
                self._hands.lift(piece)
                self.standing.pop(piece, None)
            case ["clear", *_]:
                for piece in tuple(self.standing):
                    self._do(["lift", piece])
            case ["press", "call"]:
                self.press()
            case _:
                raise Failed(f"nobody here knows how to '{' '.join(words)}'")

    def _put(self, piece: str, cell: str) -> None:
        self._hands.put(piece, cell)
        self.standing[piece] = cell

    # -- what is seen ----------------------------------------------------------------------------------------------

    def look(self, lines: tuple[int, ...] = ()) -> Json:
        """What is to be seen at the table."""
        return self._machine.hands("look", lines=list(lines))

    def display_shows(self, expected: Expected) -> str:
        """Whether the glass shows, dot for dot, what the screens' own code draws of the view."""
        assert self._config.oled is not None
        size = (self._config.oled.width, self._config.oled.height)
        pictures, seen = expected.pictures(size), b""

        def is_drawn() -> bool:
            nonlocal seen
            look = self.look()
            if look["faults"]:
                raise Failed(f"the display was told what it does not understand: {look['faults'][:3]}")
            seen = base64.b64decode(look["picture"])
            return seen in pictures

        try:
            took = self._machine.wait_for("the picture", is_drawn, 40)
        except Failed as failed:
            dots = "\n".join(ascii_of(Image.frombytes("1", size, seen)))
            raise Failed(f"{failed}\non the glass:\n{dots}") from None
        return f"picture {sorted(pictures.values()).index(pictures[seen]) + 1} of {len(pictures)} after {took:.1f} s"

    def panel_shows(self, expected: Expected) -> str:
        """Whether the panel's lights do what the lamps of the view do."""
        assert self._config.panel_lights is not None
        pins = self._config.panel_lights.pins
        seen = [self.look(pins)["levels"] for _ in range(SAMPLES)]
        for index, (lamp, pattern) in enumerate(zip(PanelLamp, _patterns(expected), strict=True)):
            levels = {each[index] for each in seen}
            wanted = {Pattern.OFF: {0}, Pattern.ON: {1}}.get(pattern, {0, 1})
            if levels != wanted:
                raise Failed(
                    f"the light {lamp.name} has to be {pattern.value}, and was {[each[index] for each in seen]}"
                )
        return ", ".join(pattern.value for pattern in _patterns(expected))


def _patterns(expected: Expected) -> list[Pattern]:
    patterns = panel_patterns(expected.lights)
    return [patterns.get(lamp, Pattern.OFF) for lamp in PanelLamp]


def ascii_of(image: Image.Image) -> Iterator[str]:
    """A picture as lines of text."""
    for y in range(image.height):
        yield "".join("#" if image.getpixel((x, y)) else "." for x in range(image.width))
