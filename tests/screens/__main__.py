"""Draw all screens again: `python -m tests.screens`, or `make screens`. Look at what has changed, then commit."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from PIL import Image

from quarto_pi.languages import LANGUAGES
from tests.screens.sheet import LARGE, LOW, Cell, cells_of, sheet_of

DIGESTS: Final = Path(__file__).parent / "digests"
SHEETS_MADE: Final = Path(__file__).parents[2] / "build" / "screens"
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


def digest_of(picture: Image.Image) -> str:
    """What differs wherever a dot does."""
    return sha256(f"{picture.size}".encode() + picture.tobytes()).hexdigest()[:12]


def digests_of(cells: Sequence[Cell]) -> dict[str, str]:
    """The digest of every screen, by its name."""
    return {name: digest_of(picture) for name, picture in cells}


def kept_digests(name: str) -> dict[str, str]:
    """The digests of a sheet as they are kept; none of a language that is new."""
    file = DIGESTS / f"{name}.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {screen: digest for screen, _, digest in (line.partition(": ") for line in lines)}


def main() -> None:
    """Draw the sheets and what has changed on them, keep their digests, and draw the overviews for the docs."""
    SHEETS_MADE.mkdir(parents=True, exist_ok=True)
    DIGESTS.mkdir(exist_ok=True)
    for name, (language, size) in SHEETS.items():
        cells, before = cells_of(language, size), kept_digests(name)
        now = digests_of(cells)
        sheet_of(cells, COLUMNS).save(SHEETS_MADE / f"{name}.png", optimize=True)
        changed = [cell for cell in cells if now[cell[0]] != before.get(cell[0])]
        (SHEETS_MADE / f"{name}-changed.png").unlink(missing_ok=True)
        if changed:
            sheet_of(changed, COLUMNS).save(SHEETS_MADE / f"{name}-changed.png", optimize=True)
            print(f"{name}: {len(changed)} of {len(cells)} screens have changed")
        text = "".join(f"{screen}: {digest}\n" for screen, digest in now.items())
        (DIGESTS / f"{name}.txt").write_text(text, encoding="utf-8")
    by_name = dict(cells_of("en", LARGE))
    for file, names in (("screens.png", OVERVIEW), ("guide-screens.png", GUIDE)):
        overview = sheet_of([(name, by_name.get(name) or by_name[f"{name} 1"]) for name in names], 3)
        overview.resize((overview.width * 2, overview.height * 2)).save(DOCS / file, optimize=True)
    print(f"{len(SHEETS)} sheets in {SHEETS_MADE}, overviews in {DOCS}")


if __name__ == "__main__":
    main()
