"""Draw all screens again: `python -m tests.screens`, or `make screens`. Look at what has changed first."""

from pathlib import Path
from typing import Final

from quarto_pi.languages import LANGUAGES
from tests.screens.sheet import LARGE, LOW, cells_of, sheet_of

PICTURES: Final = Path(__file__).parent / "pictures"
DOCS: Final = Path(__file__).parents[2] / "docs"
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


GUIDE: Final = (
    "guide language",
    "guide readers 1",
    "guide put 1",
    "guide put 2",
    "guide enrolled 1",
    "guide known 1",
    "guide pieces",
    "guide replace 1",
    "guide ready 1",
)
"""What docs/enrolment.md shows in large."""


def main() -> None:
    """Draw the sheets, and the overviews for the docs."""
    PICTURES.mkdir(exist_ok=True)
    for name, (language, size) in SHEETS.items():
        sheet_of(cells_of(language, size), COLUMNS).save(PICTURES / f"{name}.png", optimize=True)
    cells = dict(cells_of("en", LARGE))
    for file, names in (("screens.png", OVERVIEW), ("guide-screens.png", GUIDE)):
        overview = sheet_of([(name, cells.get(name) or cells[f"{name} 1"]) for name in names], 3)
        overview.resize((overview.width * 2, overview.height * 2)).save(DOCS / file, optimize=True)
    print(f"{len(SHEETS)} sheets in {PICTURES}, overviews in {DOCS}")


if __name__ == "__main__":
    main()
