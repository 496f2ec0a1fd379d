"""Situations of an evening, each reached by hands through the referee, and what lamps and voice make of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from quarto_pi.devices import light_patterns
from quarto_pi.devices import light_patterns as panel
from quarto_pi.devices.light_patterns import Pattern
from quarto_pi.outputs.lights import MARKS, WANDERER, panel_patterns
from quarto_pi.referee import Show, Speak, View
from quarto_pi.referee import messages as said
from quarto_pi.referee.view import lights_of
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.words import Words
from tests.games.evening import parse_evening
from tests.games.performance import Performance

LINE = "turn LTRF a1\nturn LSQH b1\nturn LTRH c1\nturn LSQF d1\n"
DRAWN = (
    "turn DTQF a1\nturn DSQF b1\nturn LSRH c1\nturn LTRH d1\nturn DTRH a2\nturn LTQF b2\nturn LTQH c2\nturn DSRH d2\n"
    "turn DTQH a3\nturn DTRF b3\nturn LSQH c3\nturn LSRF d3\nturn LSQF a4\nturn DSQH b4\nturn DSRF c4\nturn LTRF d4\n"
)
COMPUTER = "players: human, computer 3\nanswers: c3 DSQH\ngive LTRF\n"
COLOURS = {
    getattr(light_patterns, name): name.lower().replace("_", " ")
    for name in ("BLUE", "ORANGE", "WHITE", "GREEN", "VERMILION", "SKY_BLUE", "YELLOW", "PURPLE")
}

Test = Callable[[View], bool]


def prompts(kind: type[said.Prompt]) -> Test:
    return lambda view: isinstance(view.prompt, kind) and view.menu is None


def tells(kind: type[said.Notice]) -> Test:
    return lambda view: isinstance(view.notice, kind)


@dataclass(frozen=True)
class Situation:
    """What hands do, and which of the views that come of it is meant: the last that passes the test."""

    hands: str
    is_meant: Test


SITUATIONS = {
    "nobody is there": Situation("wait 70", prompts(said.Welcome)),
    "player 1 chooses the first piece": Situation("wait 1", prompts(said.ChooseFirst)),
    "player 2 places the given piece": Situation("give LTRF", prompts(said.PlaceThis)),
    "player 2 gives the next piece": Situation("turn LTRF a1", prompts(said.GiveNext)),
    "little time is left for player 2": Situation("rules: clock 30\ngive LTRF\nwait 22", tells(said.HurryUp)),
    "the time is over": Situation("rules: clock 30\ngive LTRF\nwait 31", tells(said.TimeIsUp)),
    "the computer (player 2) thinks": Situation(COMPUTER, prompts(said.Thinking)),
    "its piece is to be put on c3": Situation(COMPUTER, prompts(said.CarryOut)),
    "player 1 has won by a call": Situation(f"{LINE}press call", prompts(said.Won)),
    "a call was false": Situation("turn LTRF a1\npress call", tells(said.FalseCall)),
    "an alignment was missed": Situation(f"{LINE}give DTRF\nput DTRF a2", tells(said.MissedAlignment)),
    "who called? player 1?": Situation(f"give place: no\n{LINE}press call", prompts(said.WhoCalled)),
    "a piece stands on a wrong square": Situation(
        "turn LTRF a1\ngive LSQH\nslide LTRF a2\nwait 3", prompts(said.MoveBack)
    ),
    "a piece is missing": Situation(f"{LINE}lift LTRF\nwait 4", prompts(said.PutBack)),
    "a wrong piece was placed": Situation("give LTRF\nput LSQH b2\nwait 3", prompts(said.WrongPiece)),
    "is the last move taken back?": Situation(f"{LINE}lift LSQF\nwait 8", prompts(said.TakeItBack)),
    "the reader of b3 is lost": Situation("turn LTRF a1\ndead b3\nwait 9", tells(said.ReaderLost)),
    "all are placed: the last chance": Situation(DRAWN, prompts(said.LastCall)),
    "a draw": Situation(f"{DRAWN}wait 12", prompts(said.Drawn)),
    "the menu is open": Situation("turn LTRF a1\nhold call for 3.2", lambda view: view.menu is not None),
    "a pause": Situation(
        "turn LTRF a1\nhold call for 3.2\npress call 2 times\nhold call for 1.2", prompts(said.Paused)
    ),
}


@dataclass(frozen=True)
class Shown:
    """What each display makes of a situation, in the words of docs/displays.md."""

    headline: str
    three: str
    one: str
    squares: str
    voice: str


@cache
def shown(name: str) -> Shown:
    """What is shown in a situation."""
    situation = SITUATIONS[name]
    performance = Performance(parse_evening(name, f"title: {name}\n{situation.hands}\nend\n"))
    performance.play()
    effects = [effect for _, effect in performance.effects()]
    meant = [effect.view for effect in effects if isinstance(effect, Show) and situation.is_meant(effect.view)]
    assert meant, f"{name}: nothing of that kind was shown"
    view = meant[-1]
    told = view.title
    spoken = view.menu is None and Speak(told) in effects
    words = Words()
    seats = view.settings.seats
    headline = words.menu(view.menu, seats)[0] if view.menu else words.headline(told, seats)
    lit = panel_patterns(lights_of(view))
    return Shown(f'"{headline}"', three(lit), one(lit), squares(view), "says it" if spoken else "silent")


def three(lit: dict[panel.PanelLamp, Pattern]) -> str:
    names = {panel.PanelLamp.A: "1", panel.PanelLamp.B: "2", panel.PanelLamp.ATTENTION: "attention"}
    return (
        ", ".join(f"{names[lamp]} {pattern.value}" for lamp, pattern in lit.items() if pattern.value != "off") or "dark"
    )


def one(lit: dict[panel.PanelLamp, Pattern]) -> str:
    order = (panel.PanelLamp.ATTENTION, panel.PanelLamp.A, panel.PanelLamp.B)
    parts = [f"{COLOURS[panel.LAMP_COLOURS[lamp]]} {lit[lamp].value}" for lamp in order if lit[lamp] is not Pattern.OFF]
    return ", then ".join(parts) or "dark"


def squares(view: View) -> str:
    lights = lights_of(view)
    cells: dict[str, list[str]] = {}
    for cell, mark in lights.squares:
        if cell not in SQUARE_NAMES:
            continue  # no light lies under the give place
        light = MARKS[mark]
        cells.setdefault(f"{COLOURS[light.colour]} {light.pattern.value}", []).append(cell)
    parts = [f"{' '.join(names)} {how}" for how, names in cells.items()]
    if lights.thinking:
        parts.append(f"{COLOURS[WANDERER.colour]} wanders over the empty squares")
    return ", ".join(parts) or "dark"
