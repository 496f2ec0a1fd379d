"""What the display shows of the set-up by phone: a code that joins the board's Wi-Fi, and one that opens its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from PIL import Image

from quarto_pi.first_start.set_up import SetUpStage, SetUpView, code_to_join
from quarto_pi.languages import LANGUAGES
from quarto_pi.screens.boards import Size
from quarto_pi.screens.drawing import render
from quarto_pi.screens.icons import Code, Sign, fits
from quarto_pi.screens.layout import DrawnPicture, Page, alone, lay_out, page_at
from quarto_pi.screens.scene import Bar, Scene
from quarto_pi.screens.text import BOLD, PLAIN, TINY
from quarto_pi.words import Words

CODE_MS: Final = 8_000
"""How long a code is shown: a phone has to be taken out for it."""
WIDEST_WORD: Final = 70
_LINE: Final = 14


def draw_set_up(view: SetUpView, size: Size, now_ms: int) -> Image.Image:
    """What a display of this size shows of the set-up at this moment: a picture of mode "1"."""
    return render(page_at(set_up_pages(view, size), now_ms), size, now_ms)


@lru_cache(maxsize=2)
def set_up_pages(view: SetUpView, size: Size) -> tuple[Page, ...]:
    """All pages in their order; in every language, until somebody has chosen one.

    They are laid out once for what there is to say: nine catalogues for every picture are too many for a small Pi.
    """
    view = replace(view, network=" ".join(map(_shortened, view.network.split())))
    languages = LANGUAGES if view.language is None else (view.language,)
    return tuple(page for language in languages for page in _pages(view, size, Words(language)))


def _pages(view: SetUpView, size: Size, words: Words) -> list[Page]:
    pages: list[Page] = []
    if view.stage is SetUpStage.OPEN and view.trouble is not None:
        headline, text = words.join_trouble(view.trouble, view.network)
        pages += lay_out(Scene(headline, text, beside=Sign.UNKNOWN, bar=Bar.INVERTED), size)
    headline, text = words.set_up(view)
    is_open = view.stage is SetUpStage.OPEN
    join, page = code_to_join(view.own), view.address
    if is_open and not (fits(join, size[1]) and fits(page, size[1])):
        return [*pages, *lay_out(Scene(headline, words.set_up_without_code(view), beside=None), size)]
    pages += lay_out(Scene(headline, text, beside=Sign.EYE if is_open else Sign.CLOCK), size)
    if is_open:
        pages.append(_code("1 Wi-Fi", (view.own.name, view.own.password), join, size))
        pages.append(_code("2 http://", _broken(page.removeprefix("http://").rstrip("/")), page, size))
    return pages


def _shortened(word: str) -> str:
    """A word of a Wi-Fi's name, without its end where no line has room for it."""
    cut = word
    while PLAIN.width(cut) > WIDEST_WORD:
        cut = f"{cut.rstrip('…')[:-1]}…"
    return cut


def _code(title: str, lines: Sequence[str], code: str, size: Size) -> Page:
    """A code, and beside it what can be typed instead."""
    width, height = size
    room = width - height - 2
    top = (height - _LINE * (len(lines) + 1)) // 2
    written = [alone(title, (0, top, room, top + _LINE), (BOLD, PLAIN, TINY))]
    for index, line in enumerate(lines, start=1):
        written.append(alone(line, (0, top + _LINE * index, room, top + _LINE * (index + 1)), (PLAIN, TINY)))
    return Page((*written, DrawnPicture(Code(code), (width - height, 0, width, height))), CODE_MS)


def _broken(place: str) -> tuple[str, ...]:
    """An address in two lines, behind one of its stops."""
    stops = [index + 1 for index, letter in enumerate(place) if letter in ".:"]
    cut = min(stops, key=lambda at: abs(at - len(place) // 2))
    return place[:cut], place[cut:]
