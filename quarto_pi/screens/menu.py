"""The menu on the display: one item at a time, its value, and what the button does."""

from __future__ import annotations

from typing import Final

from quarto_pi.referee import Settings
from quarto_pi.referee.menu import MenuView, Stage, items_of
from quarto_pi.screens.layout import BAR, Dots, Filled, Page, Size, Written, alone
from quarto_pi.screens.typefaces import BOLD, HEADLINES, HUGE, LARGE, NARROW, PLAIN, TINY
from quarto_pi.words import Words

LOW: Final = 48
"""On a display of fewer lines there is no room for what the button does."""


def page_of(menu: MenuView, size: Size, words: Words, settings: Settings) -> Page:
    """The page of the open menu."""
    label, value = words.menu(menu, settings.seats)
    items = items_of(settings)
    page = choice(label, value, words.menu_help(menu.stage), size, chosen=menu.stage is not Stage.ITEMS)
    if size[1] < LOW:
        return page
    return Page((*page.items, Dots(items.index(menu.item), len(items), (0, 0, size[0], size[1] - 14))))


def choice(label: str, value: str, help_text: str, size: Size, *, chosen: bool) -> Page:
    """A line with its value in big type, inverted while it is being chosen, and what the button does."""
    width, height = size
    if height < LOW:
        return _on_low(label, value, size, chosen)
    low = height - 13
    foot = alone(help_text, (0, low, width, height), (PLAIN, TINY))
    if foot.broken:
        low = height - 25
        foot = alone(help_text, (0, low, width, height), (PLAIN, TINY))
    place = (0, BAR, width - 4, low - 1) if value else (0, 0, width - 4, low - 1)
    if not value:
        return Page((alone(label, place, (HUGE, LARGE, BOLD, NARROW)), foot))
    head = alone(label, (0, 0, width - 4, BAR), HEADLINES, centred=False)
    body = alone(value, (place[0] + 2, place[1] + 1, place[2] - 2, place[3] - 1), (HUGE, LARGE, BOLD, NARROW, PLAIN))
    return Page((head, body, *([Filled(place)] if chosen else []), foot))


def _on_low(label: str, value: str, size: Size, chosen: bool) -> Page:
    width, height = size
    if not value:
        return Page((alone(label, (0, 0, width, height), (HUGE, LARGE, BOLD, NARROW)),))
    place = (0, BAR, width, height)
    head: Written = alone(label, (0, 0, width, BAR), HEADLINES, centred=False)
    body = alone(value, (2, BAR, width - 2, height), (LARGE, BOLD, NARROW, PLAIN, TINY))
    return Page((head, body, *([Filled(place)] if chosen else [])))
