"""Draw all screens again: `python -m tests.screens`, or `make screens`. Look at what has changed first."""

from pathlib import Path
from typing import Final

from quarto_pi.referee.settings import LANGUAGES
from tests.screens.sheet import LARGE, LOW, cells_of, sheet_of

PICTURES: Final = Path(__file__).parent / "pictures"
DOCS: Final = Path(__file__).parents[2] / "docs" / "screens.png"
COLUMNS: Final = 6

SHEETS: Final = {language: (language, LARGE) for language in LANGUAGES} | {"en-low": ("en", LOW)}
"""The sheets that are compared: every language on a display of 64 lines, English on one of 32."""

OVERVIEW: Final = (
    "attract",
    "attract 2",
    "attract 3",
    "drawing",
    "choose first",
    "place this",
    "give next",
    "thinking where, alone",
    "carry out, alone",
    "who called",
    "won",
    "missed",
    "last call",
    "move back",
    "take it back",
    "clock",
    "menu opponent",
    "readers lost",
)
"""What the docs show in large."""


def main() -> None:
    """Draw the sheets, and the overview for the docs."""
    PICTURES.mkdir(exist_ok=True)
    for name, (language, size) in SHEETS.items():
        sheet_of(cells_of(language, size), COLUMNS).save(PICTURES / f"{name}.png", optimize=True)
    cells = dict(cells_of("en", LARGE))
    overview = sheet_of([(name, cells.get(name) or cells[f"{name} 1"]) for name in OVERVIEW], 3)
    DOCS.parent.mkdir(exist_ok=True)
    overview.resize((overview.width * 2, overview.height * 2)).save(DOCS, optimize=True)
    print(f"{len(SHEETS)} sheets in {PICTURES}, an overview in {DOCS}")


if __name__ == "__main__":
    main()
