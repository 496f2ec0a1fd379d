"""The page: the newest view and lights, what is told, and the games that have ended, for whoever looks on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from quarto_pi.devices.light_patterns import PanelLamp, Pattern
from quarto_pi.enrolment import GuideEffect, GuideView, ShowGuide
from quarto_pi.outputs.lights import MARKS, panel_patterns
from quarto_pi.referee import Begin, Continue, Effect, Keep, Light, Save, Settings, Show, Tell, View
from quarto_pi.referee.messages import Welcome
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.view import Lights
from quarto_pi.screens.first_start import board_of
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.trace.story import as_json
from quarto_pi.web.requests import Moment, ShownLights
from quarto_pi.web.streams import Feed, Levels
from quarto_pi.web.wishes import Json

if TYPE_CHECKING:
    from quarto_pi.chain.messages import TournamentTold
    from quarto_pi.devices.readers.health import ReaderHealth

STIR_MS: Final = 100
"""What lies below the drivers is looked at again that often, if anybody looks on."""
READERS_EVERY_MS: Final = 2_000
_NAMES: Final[Mapping[PanelLamp, str]] = {PanelLamp.A: "a", PanelLamp.B: "b", PanelLamp.ATTENTION: "attention"}


class PageOutput:
    """Hands everything on to the page's thread, which makes of it what browsers read.

    `address` tells where others can look at the page at this moment; nothing where they can't.
    """

    def __init__(self, feed: Feed, settings: Settings, address: Callable[[], str] = str) -> None:
        self.address = address
        self._feed = feed
        self._view: View | None = None
        self._lights = shown_lights(Lights())
        self._wishes = settings
        self._ended = -1
        self._game = 0
        self._levels: Levels = (None, None)
        self._stirred = 0
        self._health: Callable[[], Mapping[str, ReaderHealth]] = dict
        self._readers: tuple[int, Json] | None = None
        self._now = 0

    def know(self, health: Callable[[], Mapping[str, ReaderHealth]]) -> None:
        """Know where to ask how the readers are doing."""
        self._health = health

    def announce(self, told: TournamentTold | None) -> None:
        """Show the tournament of the board's house, or none; called in the chain's thread."""
        self._feed.announce(None if told is None else told_as_json(told))

    def readers(self) -> Json:
        """How the readers are doing, not more often than anybody can read."""
        now = self._now
        if self._readers is None or now - self._readers[0] >= READERS_EVERY_MS:
            self._readers = (now, {cell: health_as_json(health) for cell, health in self._health().items()})
        return self._readers[1]

    def perform(self, effect: Effect) -> None:
        """Take the newest of each."""
        match effect:
            case Show(view):
                self._view = view
            case Light(lights):
                self._lights = shown_lights(lights)
            case Keep(settings):
                self._wishes = settings
            case Begin(number=number, settings=settings):
                self._wishes, self._game, self._levels = settings, number, _levels_of(settings)
            case Continue(number=number, settings=settings, game=game):
                self._game, self._levels = number, _levels_of(settings)
                # One that was over before the stop is known already.
                self._ended = number if game.over else -1
            case Save(game=game) if game.over and self._ended != self._game:
                self._ended = self._game
                self._feed.keep(self._game, game, self._levels)
                return
            case Tell(at, report):
                self._feed.tell(json.dumps(as_json(at, report), separators=(",", ":")))
                return
            case _:
                return
        if self._view is not None:
            # A language counts at once, and that of a guest is nobody's wish for the next time.
            wishes = replace(self._wishes, language=self._view.settings.language)
            self._feed.show(Moment(self._view, self._lights, wishes))

    def tick(self, now: int) -> None:
        """Have what lies below the drivers looked at now and then."""
        self._now = now
        if now - self._stirred >= STIR_MS:
            self._stirred = now
            self._feed.stir()


def told_as_json(told: TournamentTold) -> Json:
    """A house's tournament as the page is told it; points are in halves."""
    match = told.match
    return {
        "title": told.title,
        "round": told.round,
        "rounds": told.rounds,
        "table": told.table,
        "match": None
        if match is None
        else {
            "first": match.first,
            "second": match.second,
            "score": list(match.score),
            "best_of": match.best_of,
        },
        "standings": [
            {"place": row.place, "player": row.player, "points": row.points, "played": row.played}
            for row in told.standings
        ],
        "over": told.over,
    }


def _levels_of(settings: Settings) -> Levels:
    """Who plays by these settings."""
    first, second = settings.seats
    return first.level, second.level


class GuidePage:
    """Hands what the guide shows on to the page's thread."""

    def __init__(self, feed: Feed, settings: Settings) -> None:
        self._feed = feed
        self._settings = settings
        self._lights = shown_lights(Lights())
        self._guide: GuideView | None = None
        self._stirred = 0

    def perform(self, effect: GuideEffect) -> None:
        """Take the newest of each."""
        match effect:
            case ShowGuide(view):
                self._guide = view
            case Light(lights):
                self._lights = shown_lights(lights)
            case _:
                return
        if self._guide is not None:
            self._feed.show(moment_of(self._guide, self._lights, self._settings))

    def tick(self, now: int) -> None:
        """Have what lies below the drivers looked at now and then."""
        if now - self._stirred >= STIR_MS:
            self._stirred = now
            self._feed.stir()


def moment_of(guide: GuideView, lights: ShownLights, settings: Settings) -> Moment:
    """What is seen while the guide is open: a board on which nobody plays, with the pieces that are known by now."""
    settings = replace(settings, language=guide.language)
    view = View(RefereePhase.SET_UP, Welcome(), settings, board_of(guide), marks=guide.marks)
    return Moment(view, lights, settings, guide)


def shown_lights(lights: Lights) -> ShownLights:
    """The lights by the names of the interface."""
    patterns = panel_patterns(lights)
    panel = {name: patterns.get(lamp, Pattern.OFF).value for lamp, name in _NAMES.items()}
    squares = {
        cell: ("#{:02x}{:02x}{:02x}".format(*MARKS[mark].colour), MARKS[mark].pattern.value)
        for cell, mark in lights.squares
        if cell in SQUARE_NAMES
    }
    return ShownLights(panel, squares)


def health_as_json(health: ReaderHealth) -> Json:
    """A reader's health: the shares of looks that ended in an error, or missed a piece that was there."""
    return {
        "ok": health.answers,
        "errors": round(health.error_rate, 2),
        "misses": round(health.miss_rate, 2),
        "cross_reads": health.cross_reads,
    }
