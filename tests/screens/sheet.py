"""All screens of a language on one picture."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from quarto_pi.screens import first_start
from quarto_pi.screens.boards import Size
from quarto_pi.screens.drawing import pages_at_table, pages_of, render
from quarto_pi.screens.layout import PAGE_MS, Page
from quarto_pi.screens.text import LIT, TINY
from quarto_pi.words import Words
from tests.screens.examples import AT_TABLE, attract, examples
from tests.screens.guide_examples import guide_examples

LARGE: Final = (128, 64)
LOW: Final = (128, 32)
SIZES: Final = (LARGE, LOW)
LABEL: Final = 10

Cell = tuple[str, Image.Image]


def cells_of(language: str, size: Size) -> list[Cell]:
    """Every page of every screen, with its name."""
    words = Words(language)
    shown = [(name, shown_of(pages_of(view, size, words))) for name, view in (*examples(), ("attract", attract()))]
    shown += [(name, list(pages_at_table(players, words, size))) for name, players in AT_TABLE.items()]
    shown += [(name, list(first_start.guide_pages(view, size, words))) for name, view in guide_examples(language)]
    return [
        (f"{name} {page + 1}" if len(pages) > 1 else name, render(each, size, page * PAGE_MS))
        for name, pages in shown
        for page, each in enumerate(pages)
    ]


def shown_of(pages: Sequence[Page]) -> list[Page]:
    """All pages, but of the many that show a game move by move only the last of each kind."""
    last = {page.lasts_ms: page for page in pages}
    return [page for page in pages if page.lasts_ms == PAGE_MS or page is last[page.lasts_ms]]


def sheet_of(cells: Sequence[Cell], columns: int) -> Image.Image:
    """Cells side by side, each under its name."""
    width, height = cells[0][1].size
    rows = -(-len(cells) // columns)
    sheet = Image.new("1", (columns * (width + 8) + 8, rows * (height + LABEL + 4)), 0)
    for index, (name, picture) in enumerate(cells):
        left, top = corner_of(index, columns, (width, height))
        TINY.write(sheet, (left, top - LABEL), name)
        sheet.paste(LIT, (left - 1, top - 1, left + width + 1, top + height + 1))
        sheet.paste(picture, (left, top))
    return sheet


def corner_of(index: int, columns: int, size: Size) -> tuple[int, int]:
    """Where a cell's picture begins."""
    width, height = size
    return 8 + index % columns * (width + 8), LABEL + index // columns * (height + LABEL + 4)
