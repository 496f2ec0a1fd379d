"""Where guests have it from what to do: the display, voice and lights, the voice with eyes closed, or the page."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from quarto_pi.outputs.page import shown_lights
from quarto_pi.referee import Effect, Light, Settings, Show, Speak, View
from quarto_pi.referee.view import Lights, Mark
from quarto_pi.rules import Piece, parse_piece
from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.drawing import pages_of
from quarto_pi.screens.layout import BAR, DrawnPicture, Page, Written, page_at
from quarto_pi.screens.scene import PiecePicture, Way
from quarto_pi.web.requests import Moment
from quarto_pi.web.snapshot import snapshot
from quarto_pi.words import Words
from tests.stranger.tongues import Tongue, tongue

POINTS: Final = {Mark.TARGET: "put", Mark.PUT: "put", Mark.TAKE: "take", Mark.ASKED: "ask"}
"""What is understood of a light or of a mark in a picture."""
MOST_PAGES: Final = 8
"""So many pages are one message; more are what a board shows that nobody plays at."""
CLOCK: Final = re.compile(r"-?\d+:\d\d|\?")


@dataclass(frozen=True, slots=True)
class Perceived:
    """What is told at one moment: texts (what counts most comes first), pieces in pictures, and where is pointed at."""

    texts: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    points: tuple[tuple[str, str], ...] = ()

    def pointed(self, why: str) -> list[str]:
        """The cells that are pointed at for this."""
        return [cell for cell, reason in self.points if reason == why]


class Channel(ABC):
    """One way of being told; `headings` are the titles that have been met, by which a lesson is known."""

    def __init__(self, settings: Settings) -> None:
        self.tongue: Tongue = tongue(settings.language)
        self._words = Words(settings.language)
        self._lessons = {lesson.text for lesson in self._words.how_to_play()}
        self.read: dict[str, int] = {}
        """Every text that was met, and when for the first time."""

    @abstractmethod
    def take(self, now: int, effects: Iterable[Effect]) -> None:
        """Take in what the referee wants shown, lit and said."""

    @abstractmethod
    def perceive(self, now: int) -> Perceived:
        """What is told now."""

    def forget(self, done: Perceived) -> None:
        """Know that what was told is done: what was only heard must not be done again; what is shown goes by itself."""
        del done

    @property
    def goes_on(self) -> bool:
        """Whether it goes on by itself to other things."""
        return False

    def forget_all(self) -> None:
        """Be somebody who has only just come in."""
        self.read.clear()

    def note(self, now: int, texts: Iterable[str]) -> None:
        """Remember what was met."""
        for text in texts:
            self.read.setdefault(text, now)

    @property
    def lesson_at(self) -> int | None:
        """When the first sentence of how to play was met."""
        wanted = {_plain(lesson) for lesson in self._lessons}
        return next((at for text, at in self.read.items() if any(lesson in _plain(text) for lesson in wanted)), None)


def _plain(text: str) -> str:
    return "".join(text.split()).replace("\xa0", "")


@dataclass
class _Glass:
    """What a display shows since its last news, page by page."""

    pages: tuple[Page, ...] = ()
    since: int = 0
    seen: dict[int, None] = field(default_factory=dict)


class DisplayChannel(Channel):
    """The display, page by page as it turns them: a sentence of two pages is known once both were seen."""

    def __init__(self, settings: Settings, size: Size = (128, 64)) -> None:
        super().__init__(settings)
        self._size = size
        self._view: View | None = None
        self._glass = _Glass()

    def take(self, now: int, effects: Iterable[Effect]) -> None:
        """Take the newest view."""
        for effect in effects:
            if isinstance(effect, Show):
                before, self._view = self._view, effect.view
                if effect.view.settings.language != self._words.language:
                    self._words = Words(effect.view.settings.language)
                pages = () if effect.view.asleep else pages_of(effect.view, self._size, self._words)
                if before is None or pages != self._glass.pages:
                    self._glass = _Glass(pages, now)

    def perceive(self, now: int) -> Perceived:
        """What has been read of what is shown."""
        glass = self._glass
        if not glass.pages:
            return Perceived()
        page = page_at(glass.pages, now - glass.since)
        glass.seen[next(index for index, each in enumerate(glass.pages) if each is page)] = None
        pages = [glass.pages[index] for index in sorted(glass.seen)]
        if len(glass.pages) > MOST_PAGES:
            # Of a long programme nobody keeps more in mind than what stands under one title.
            title = self._texts(page)[0]
            before = glass.pages[glass.pages.index(page) - 1]
            pages = [before, page] if title and self._texts(before)[0] == title else [page]
        heads: list[str] = []
        bodies: list[str] = []
        pieces: list[Piece] = []
        points: dict[str, str] = {}
        for each in pages:
            head, body = self._texts(each)
            heads.append(head)
            bodies.append(body)
            for item in each.items:
                if isinstance(item, DrawnPicture):
                    _look_at(item, pieces, points)
        text = self.tongue.join(tuple(body for body in bodies if body))
        texts = tuple(dict.fromkeys(part for part in (text, *heads) if part))
        self.note(now, texts)
        return Perceived(texts, tuple(dict.fromkeys(pieces)), tuple(points.items()))

    @property
    def goes_on(self) -> bool:
        """Whether these are the pages of a board that nobody plays at."""
        return len(self._glass.pages) > MOST_PAGES

    def _texts(self, page: Page) -> tuple[str, str]:
        """Headline and body of a page."""
        heads: list[str] = []
        bodies: list[str] = []
        for item in page.items:
            if isinstance(item, Written):
                text = self.tongue.join(item.lines)
                if not CLOCK.fullmatch(text):
                    (heads if item.box[3] <= BAR and not heads else bodies).append(text)
        return self.tongue.join(tuple(heads)), self.tongue.join(tuple(bodies))


def _look_at(item: DrawnPicture, pieces: list[Piece], points: dict[str, str]) -> None:
    match item.picture:
        case PiecePicture(piece=piece, crossed=False):
            pieces.append(piece)
        case MarkedBoard(marks=marks):
            points.update((cell, POINTS[mark]) for cell, mark in marks.items() if mark in POINTS)
        case Way(goal=str() as goal):
            points.setdefault(goal, "put")
        case _:
            pass


class VoiceChannel(Channel):
    """What is said, and the lights: what was said once has to be kept in mind until it is done."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._said: list[str] = []
        self._view: View | None = None
        self._lights = Lights()
        self._seats = settings.seats

    def take(self, now: int, effects: Iterable[Effect]) -> None:
        """Hear what is said, and see the lights."""
        for effect in effects:
            match effect:
                case Show(view):
                    self._seats = view.settings.seats
                    if view.settings.language != self._words.language:
                        self._words = Words(view.settings.language)
                case Light(lights):
                    self._lights = lights
                case Speak(message):
                    text = self._words.say(message, self._seats)
                    self._said = [text, *(each for each in self._said if each != text)][:3]
                    self.note(now, [text])
                case _:
                    pass

    def perceive(self, now: int) -> Perceived:
        """What is in mind, the newest first, and where lights are."""
        del now
        points = tuple((cell, POINTS[mark]) for cell, mark in self._lights.squares if mark in POINTS)
        return Perceived(tuple(self._said), (), points)

    def forget_all(self) -> None:
        """Be somebody who was not there when it was said."""
        super().forget_all()
        self._said = []

    def forget(self, done: Perceived) -> None:
        """Forget what was said: it is done."""
        self._said = [text for text in self._said if text not in done.texts]


class EarsChannel(VoiceChannel):
    """What is said alone: eyes are closed."""

    def perceive(self, now: int) -> Perceived:
        """What is in mind, the newest first."""
        return replace(super().perceive(now), points=())


class PageChannel(Channel):
    """The page as its snapshot has it: what is to be done, what is told in passing, and the marks on the squares."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._view: View | None = None
        self._lights = Lights()
        self._perceived: Perceived | None = None

    def take(self, now: int, effects: Iterable[Effect]) -> None:
        """Take the newest view and lights."""
        del now
        for effect in effects:
            if isinstance(effect, Show):
                self._view, self._perceived = effect.view, None
            elif isinstance(effect, Light):
                self._lights, self._perceived = effect.lights, None

    def perceive(self, now: int) -> Perceived:
        """What stands on the page."""
        view = self._view
        if view is None:
            return Perceived()
        if self._perceived is None:
            if view.settings.language != self._words.language:
                self._words = Words(view.settings.language)
            told = snapshot(Moment(view, shown_lights(self._lights), view.settings), self._words)
            self._perceived = _on_page(told)
            self.note(now, self._perceived.texts)
        return self._perceived


def _on_page(told: Mapping[str, object]) -> Perceived:
    texts = []
    for key in ("prompt", "notice"):
        message = told[key]
        if isinstance(message, dict):
            texts += [str(message["text"]), str(message["headline"])]
    marks = told["marks"]
    assert isinstance(marks, dict)
    points = tuple((str(cell), POINTS[Mark(mark)]) for cell, mark in marks.items() if Mark(mark) in POINTS)
    hand = told["hand"]
    pieces = (parse_piece(hand),) if isinstance(hand, str) else ()
    return Perceived(tuple(text for text in texts if text), pieces, points)


CHANNELS: Final = {"display": DisplayChannel, "voice": VoiceChannel, "ears": EarsChannel, "page": PageChannel}
