"""The small display: the newest view, drawn again while something on it moves, and treated so that it lives long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PIL import Image

from quarto_pi.devices.oled import Oled
from quarto_pi.referee import Begin, Continue, Effect, Show, View
from quarto_pi.rules import Reason
from quarto_pi.screens import Care, care_for, draw
from quarto_pi.screens.boards import Size
from quarto_pi.screens.care import BRIGHT
from quarto_pi.screens.drawing import PlayersAtTable
from quarto_pi.words import Words

if TYPE_CHECKING:
    from quarto_pi.chain.messages import TournamentTold


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
