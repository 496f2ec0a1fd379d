"""The program itself: whether all that belongs to it was installed."""

from __future__ import annotations

from pathlib import Path

from quarto_pi.checks.finding import Finding
from quarto_pi.engine import kernel
from quarto_pi.engine.book import BookDamaged, read_book
from quarto_pi.referee.settings import LANGUAGES
from quarto_pi.words import Words
from quarto_pi.words.catalogue import FOLDER

AGAIN = "install quarto-pi again"


def search() -> Finding:
    """Whether the opponent's search is compiled."""
    if Path(kernel.__file__).suffix != ".py":
        return Finding("search", ok=True, detail="compiled")
    return Finding(
        "search",
        ok=True,
        detail="interpreted: the opponent plays, but searches more than a hundred times slower",
        fix="install gcc and python3-dev, then install quarto-pi again",
    )


def opening_book() -> Finding:
    """The opening book."""
    try:
        sections = read_book()
    except BookDamaged as error:
        return Finding("opening book", ok=False, detail=str(error), fix=AGAIN)
    positions = sum(section.positions for section in sections.values())
    return Finding("opening book", ok=True, detail=f"{positions} positions in {len(sections)} variants")


def words(folder: Path = FOLDER) -> Finding:
    """The catalogues of all languages."""
    missing = [language for language in LANGUAGES if Words(language, folder=folder).missing]
    if missing:
        detail = f"no catalogue for {', '.join(missing)}: English stands in"
        return Finding("words", ok=False, detail=detail, fix=AGAIN)
    return Finding("words", ok=True, detail=f"{len(LANGUAGES)} languages")
