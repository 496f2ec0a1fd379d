"""Letters as dots, read from the glyph files in `fonts/`.

A glyph file is gzipped text: what it is, ascent and descent, then a line for each character with its code, advance,
left, top (from the baseline), width, and its rows in hex. `python -m tests.fonts` makes them.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image

FOLDER: Final = Path(__file__).parent / "fonts"


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character's dots: where they stand from the pen on the baseline, and how far the pen moves on."""

    advance: int
    left: int
    top: int
    picture: Image.Image | None


class Glyphs:
    """One glyph file; a glyph is made when it is first wanted."""

    def __init__(self, name: str) -> None:
        with gzip.open(FOLDER / f"{name}.glyphs.gz", "rt", encoding="ascii") as file:
            _, metrics, *lines = file.read().splitlines()
        self.ascent, self.descent = map(int, metrics.split())
        self._lines = {chr(int(code, 16)): rest for code, _, rest in (line.partition(" ") for line in lines)}
        self._made: dict[str, Glyph] = {}

    def __contains__(self, character: str) -> bool:
        return character in self._lines

    def __getitem__(self, character: str) -> Glyph:
        if character not in self._made:
            self._made[character] = _made_of(self._lines[character])
        return self._made[character]


def _made_of(line: str) -> Glyph:
    *numbers, rows = line.split()
    advance, left, top, width = map(int, numbers)
    if not width:
        return Glyph(advance, left, top, None)
    data = bytes.fromhex(rows)
    height = len(data) // ((width + 7) // 8)
    return Glyph(advance, left, top, Image.frombytes("1", (width, height), data))


@cache
def glyphs(name: str) -> Glyphs:
    """The glyphs of this name, read once and only when something is written in them."""
    return Glyphs(name)
