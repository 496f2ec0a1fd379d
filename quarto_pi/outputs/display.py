"""The small display: the newest view, drawn again while something on it moves, and treated so that it lives long.

The dots of an OLED fade with use. So a picture that nobody changes is shown darker, stands somewhere else every
minute, and at last is not shown at all; the next touch of the board brings it back. What is shown while nobody plays
changes by itself; when it ends is the referee's to say, who knows whether the house is open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PIL import Image

from quarto_pi.devices.oled import Oled
from quarto_pi.referee import Begin, Continue, Effect, Show, View
from quarto_pi.referee.phases import Overlay, RefereePhase
from quarto_pi.rules import Reason
from quarto_pi.screens import draw
from quarto_pi.screens.boards import Size
from quarto_pi.screens.drawing import PlayersAtTable
from quarto_pi.words import Words

if TYPE_CHECKING:
    from quarto_pi.chain.messages import TournamentTold


# --- How a display that burns in lives long: it dims, moves by a dot, and sleeps while nobody is there ----------------

BRIGHT: Final = 255
DIM: Final = 80
FAINT: Final = 8

DIM_AFTER_MS: Final = 60_000
FAINT_AFTER_MS: Final = 5 * 60_000
SLEEP_AFTER_MS: Final = 15 * 60_000
SLEEP_IN_GAME_AFTER_MS: Final = 60 * 60_000
"""A game is left on the table while people eat; the board looks on for an hour."""

SHIFT_EVERY_MS: Final = 60_000
_PATH: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


@dataclass(frozen=True, slots=True)
class Care:
    """How a picture is to be shown: contrast from 0 to 255, moved by so many dots, or not at all."""

    contrast: int = BRIGHT
    shift: tuple[int, int] = (0, 0)
    asleep: bool = False


def care_for(view: View, idle_ms: int) -> Care:
    """How a view is to be shown that has been the same for so long."""
    if view.asleep:
        return Care(FAINT, asleep=True)
    if view.phase is RefereePhase.ATTRACT and view.notice is None and idle_ms >= DIM_AFTER_MS:
        return Care(DIM, _shift_at(idle_ms))
    return care_when_idle(idle_ms, playing=view.phase in _PLAYING and Overlay.PAUSED not in view.overlays)


def care_when_idle(idle_ms: int, *, playing: bool) -> Care:
    """How a picture is to be shown that has been the same for so long, while people play or do not."""
    if idle_ms < DIM_AFTER_MS:
        return Care()
    if idle_ms >= (SLEEP_IN_GAME_AFTER_MS if playing else SLEEP_AFTER_MS):
        return Care(FAINT, asleep=True)
    # A player who ponders for five minutes still has to see the piece.
    contrast = DIM if playing or idle_ms < FAINT_AFTER_MS else FAINT
    return Care(contrast, _shift_at(idle_ms))


def _shift_at(idle_ms: int) -> tuple[int, int]:
    return _PATH[idle_ms // SHIFT_EVERY_MS % len(_PATH)]


def shifted(image: Image.Image, care: Care) -> Image.Image:
    """A picture as it stands after the shift, and black if the display sleeps."""
    moved = Image.new("1", image.size)
    if not care.asleep:
        moved.paste(image, care.shift)
    return moved


_PLAYING: Final = frozenset({RefereePhase.CHOOSE, RefereePhase.GIVEN, RefereePhase.WAITING, RefereePhase.PLACED})


# --- The small display: the newest view, drawn again while something on it moves, and treated so that it lives long ---


class DisplayGlass:
    """The display with what is on it: only what has changed is sent, and care is taken of it."""

    def __init__(self, oled: Oled) -> None:
        self._oled = oled
        self._drawn: bytes | None = None
        self._care = Care()
        self._is_news = False
        self._news_at = 0

    def turn_page(self) -> None:
        """Begin something new: it is shown from the next picture on."""
        self._is_news = True

    def shown_for(self, now: int) -> int:
        """How long the same thing has been shown at this millisecond."""
        if self._is_news:
            self._news_at, self._is_news = now, False
        return now - self._news_at

    def show(self, care: Care, draw_at: Callable[[Size], Image.Image]) -> None:
        """Show a picture of the display's size with this care; it is not even drawn while the display sleeps."""
        self._take_care(care)
        if care.asleep:
            return
        image = draw_at(self._oled.size)
        dots = image.tobytes()
        if dots != self._drawn:
            self._drawn = dots
            self._oled.show(image)

    def _take_care(self, care: Care) -> None:
        before, self._care = self._care, care
        if care.asleep != before.asleep:
            if care.asleep:
                self._oled.sleep()
            else:
                self._oled.wake()
        if care.contrast != before.contrast:
            # Bright is what the configuration calls so, and the rest is a share of that.
            self._oled.set_contrast(self._oled.contrast * care.contrast // BRIGHT)
        if care.shift != before.shift:
            self._oled.set_shift(*care.shift)


class DisplayOutput:
    """Draws on the display; what was not drawn before the next view came is never drawn.

    `address` tells that of the page at this moment; nothing where phones cannot reach it. Who plays at the board's
    table in a tournament is shown once that is announced.
    """

    def __init__(self, oled: Oled, address: Callable[[], str] = str) -> None:
        self._glass = DisplayGlass(oled)
        self._address = address
        self._game = 0
        self._words = Words()
        self._view: View | None = None
        self._at_table: PlayersAtTable | None = None

    def announce(self, told: TournamentTold | None) -> None:
        """Show who plays at the board's table, if somebody does; called in the chain's thread."""
        self._at_table = None if told is None else at_table_of(told)

    def perform(self, effect: Effect) -> None:
        """Take the newest view, and know which game it is of."""
        match effect:
            case Begin(number=number) | Continue(number=number):
                self._game = number
            case Show(view):
                self._take(view)
            case _:
                pass

    def _take(self, view: View) -> None:
        # The pages of a new message begin with the first; a clock that ticks is no news.
        if self._view is None or _news(self._view) != _news(view):
            self._glass.turn_page()
        self._view = view
        if view.settings.language != self._words.language:
            self._words = Words(view.settings.language)

    def tick(self, now: int) -> None:
        """Show it as it is at this millisecond."""
        view = self._view
        if view is None:
            return
        shown_for = self._glass.shown_for(now)
        address = address_for(view, self._address(), self._game)
        at_table = self._at_table
        self._glass.show(
            care_for(view, shown_for), lambda size: draw(view, size, self._words, shown_for, address, at_table)
        )


def at_table_of(told: TournamentTold) -> PlayersAtTable | None:
    """Who plays at a board's table, as its hub tells it; None where nobody does."""
    match = told.match
    if match is None or not told.table or told.over:
        return None
    return PlayersAtTable(told.table, told.round, told.rounds, match.first, match.second, match.score, match.best_of)


def address_for(view: View, address: str, game: int) -> str:
    """What a phone that looks at the display is to open: the page, or the game that is over; empty for nothing."""
    if view.result is None:
        return address
    ended = view.result.reason is not Reason.UNFINISHED
    return f"{address}{game}" if address and game and ended and view.settings.photo_finish else ""


def _news(view: View) -> object:
    """What somebody who looks at the display again would call new."""
    shown = view.phase, view.prompt, view.notice, view.menu, view.board, view.overlays
    return *shown, view.settings.language, view.asleep
