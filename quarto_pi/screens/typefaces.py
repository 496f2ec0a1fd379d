"""The typefaces: Latin letters of one size together with the Chinese characters that go with them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from quarto_pi.screens.glyphs import Glyph, Glyphs, glyphs

Point = tuple[int, int]

LIT: Final = 255
"""How Pillow stores a lit dot in a picture of one bit."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """Two glyph files that are used together, and how far apart their lines stand."""

    latin: str
    han: str
    pitch: int
    han_pitch: int

    def find(self, character: str) -> Glyph:
        """The glyph of a character; without one, that of its plain letter, or else a question mark."""
        first, second = (self.han, self.latin) if character >= "\u2e80" else (self.latin, self.han)
        if character in glyphs(first):
            return glyphs(first)[character]
        plain = unicodedata.normalize("NFKD", character)[:1]
        if plain in glyphs(self.latin):
            return glyphs(self.latin)[plain]
        # The large file of Chinese characters is opened last: most languages never need it.
        return glyphs(second)[character] if character in glyphs(second) else glyphs(self.latin)["?"]

    def has(self, character: str) -> bool:
        """Whether there is a glyph for just this character."""
        return character in glyphs(self.latin) or character in glyphs(self.han)

    def width(self, text: str) -> int:
        """How wide a line is, to its last dot."""
        return _width(self, text)

    def metrics(self, text: str) -> tuple[int, int]:
        """How far a line reaches above and below its baseline."""
        used = self._used(text)
        return max(each.ascent for each in used), max(each.descent for each in used)

    def overshoot(self, text: str) -> int:
        """How many dots of a line stand above its ascent, as some accents on capitals do."""
        ascent = self.metrics(text)[0]
        tops = [glyph.top for glyph in map(self.find, text) if glyph.picture is not None]
        return max(0, -min(tops, default=0) - ascent)

    def write(self, image: Image.Image, at: Point, text: str) -> None:
        """Write a line; `at` is its upper left corner."""
        pen, top = at
        baseline = top + self.metrics(text)[0]
        for character in text:
            glyph = self.find(character)
            if glyph.picture is not None:
                image.paste(LIT, (pen + glyph.left, baseline + glyph.top), glyph.picture)
            pen += glyph.advance

    def _used(self, text: str) -> tuple[Glyphs, ...]:
        return (glyphs(self.han),) if has_han(text) else (glyphs(self.latin),)


@lru_cache(maxsize=4096)
def _width(face: Typeface, text: str) -> int:
    # Breaking a sentence into lines asks for the same beginnings again and again.
    pen = right = 0
    for character in text:
        glyph = face.find(character)
        if glyph.picture is not None:
            right = max(right, pen + glyph.left + glyph.picture.width)
        pen += glyph.advance
    return right


def has_han(text: str) -> bool:
    """Whether a text has a Chinese character or a sign of that width."""
    return not text.isascii() and max(text) >= "\u2e80"


TITLE: Final = Typeface("latin-b24", "han-16", 24, 17)
HUGE: Final = Typeface("latin-b18", "han-16", 20, 17)
LARGE: Final = Typeface("latin-b14", "han-16", 16, 17)
BOLD: Final = Typeface("latin-b12", "han-16", 15, 17)
NARROW: Final = Typeface("latin-b10", "han-12", 13, 12)
ROOMY: Final = Typeface("latin-r12", "han-16", 14, 17)
PLAIN: Final = Typeface("latin-r10", "han-12", 12, 12)
TINY: Final = Typeface("latin-r08", "han-12", 9, 12)

HEADLINES: Final = (LARGE, BOLD, NARROW, PLAIN, TINY)
"""For headlines, the best to read first."""

BODIES: Final = (ROOMY, PLAIN)
"""For sentences: smaller than this is not read across a table, so that more text is shown in turns instead."""

LOW_BODIES: Final = (PLAIN, TINY)
"""The same for a display with half the lines: there is no room for more."""
