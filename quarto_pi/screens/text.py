"""Sentences broken into lines and pages, so that nothing is ever cut off.

A sentence takes the first typeface in which it fits its place as a whole; if it fits in none, the last one is used and
the pages are shown in turn.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from PIL import Image

# --- Letters as dots, read from the glyph files in `fonts/` -----------------------------------------------------------
#
# A glyph file is gzipped text: what it is, ascent and descent, then a line for each character with its code, advance,
# left, top (from the baseline), width, and its rows in hex. `python -m tests.fonts` makes them.

FONTS_FOLDER: Final = Path(__file__).parent / "fonts"


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
        with gzip.open(FONTS_FOLDER / f"{name}.glyphs.gz", "rt", encoding="ascii") as file:
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


# --- The typefaces: Latin letters of one size together with the Chinese characters that go with them ------------------

Point = tuple[int, int]

LIT: Final = 255
"""How Pillow stores a lit dot in a picture of one bit."""


@dataclass(frozen=True, slots=True, eq=False)
class Typeface:
    """Two glyph files that are used together, and how far apart their lines stand; each is made once, below."""

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
        return _measured(self, text)[1]

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
def _measured(face: Typeface, text: str) -> tuple[int, int]:
    """How far the pen moves on, and where the last dot stands."""
    # Breaking sentences into lines asks for the same words again and again.
    pen = right = 0
    for character in text:
        glyph = face.find(character)
        if glyph.picture is not None:
            right = max(right, pen + glyph.left + glyph.picture.width)
        pen += glyph.advance
    return pen, right


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


# --- Sentences broken into lines and pages, so that nothing is ever cut off -------------------------------------------

Lines = tuple[str, ...]

_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
# Not at a space that does not break, as in French before "!", nor at a hyphen: "donne-la" is read as one word.
_WORD_ENDS: Final = re.compile(r"(?<=[ \n])")
# A line of Chinese neither begins with a closing sign nor ends with an opening one.
_CLOSING: Final = frozenset("、。，．；：？！）」』》〉】…—～·")
_OPENING: Final = frozenset("（「『《〈【")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text in lines and pages; `broken` tells that not even one of its words fits the width as a whole."""

    face: Typeface
    pages: tuple[Lines, ...]
    broken: bool = False


def pitch_of(face: Typeface, text: str) -> int:
    """How far apart the lines of a text stand."""
    # The large Chinese characters fill their line to the last dot, the small ones leave one free.
    return face.han_pitch if has_han(text) else face.pitch


def rows_within(face: Typeface, text: str, height: int) -> int:
    """How many lines of a text fit a height; none where it is too low for one."""
    return max(0, 1 + (height - sum(face.metrics(text))) // pitch_of(face, text))


@lru_cache(maxsize=256)
def fit(text: str, faces: tuple[Typeface, ...], width: int, height: int) -> Paragraph:
    """A text as it fits a place best."""
    for face in faces:
        lines, broken = wrap(text, face, width)
        if not broken and len(lines) <= rows_within(face, text, height):
            return Paragraph(face, (_evened(text, face, width, lines),))
    whole = [face for face in faces if not wrap(text, face, width)[1]]
    face = whole[-1] if whole else faces[-1]
    return Paragraph(face, _paged(text, face, width, max(1, rows_within(face, text, height))), broken=not whole)


def fit_name(name: str, faces: tuple[Typeface, ...], width: int, height: int) -> Paragraph:
    """A name as it fits a place best: one that no words make short enough is parted anywhere, and never cut off."""
    whole = fit(name, faces, width, height)
    if not whole.broken and len(whole.pages) == 1:
        return whole
    for face in faces:
        for count in range(1, rows_within(face, name, height) + 1):
            cuts = [round(index * len(name) / count) for index in range(count + 1)]
            lines = tuple(name[start:end].strip() for start, end in pairwise(cuts))
            if all(face.width(line) <= width for line in lines):
                return Paragraph(face, (lines,))
    return whole


def _evened(text: str, face: Typeface, width: int, lines: Lines) -> Lines:
    """The same number of lines, all as long as each other if that can be: no word alone on the last one."""
    narrow, wide = width // 2, width
    while len(lines) > 1 and narrow < wide:
        middle = (narrow + wide) // 2
        closer, broken = wrap(text, face, middle)
        if broken or len(closer) > len(lines):
            narrow = middle + 1
        else:
            lines, wide = closer, middle
    return lines


@lru_cache(maxsize=256)
def wrap(text: str, face: Typeface, width: int) -> tuple[Lines, bool]:
    """A text in lines of a width, and whether a word had to be broken for that."""
    lines: list[str] = []
    line, broken = "", False
    # Where the pen stands after the line, where its last dot is, and where without the spaces at its end.
    pen = right = shown = 0
    for unit, advance, reach, seen in _units(text, face):
        if seen:  # and not spaces alone
            end = pen + seen
            shown = right if right > end else end  # noqa: FURB136 - to call `max` costs more than all else here
        if line and shown > width:
            lines.append(line.rstrip())
            line, pen, right, shown = "", 0, 0, seen
        line += unit
        end = pen + reach
        if end > right:  # noqa: PLR1730 - as above
            right = end
        pen += advance
        while shown > width and len(line) > 1:
            broken = True
            count = next(
                count for count in range(len(line) - 1, 0, -1) if count == 1 or face.width(line[:count]) <= width
            )
            lines.append(line[:count])
            line = line[count:]
            pen, right = _measured(face, line)
            shown = face.width(line.rstrip())
    return (*lines, line.rstrip()), broken


@lru_cache(maxsize=256)
def _units(text: str, face: Typeface) -> tuple[tuple[str, int, int, int], ...]:
    """The parts of a text that stay together, each with how far it moves the pen, its last dot, and that before spaces.

    That is a word with the space after it, or a Chinese character with its signs.
    """
    # Each width that is tried asks for those of the same text.
    return tuple((unit, *_measured(face, unit), face.width(unit.rstrip())) for unit in _each_unit(text))


def _each_unit(text: str) -> Iterator[str]:
    if not has_han(text):
        yield from filter(None, _WORD_ENDS.split(text))
        return
    unit = ""
    for word in filter(None, _WORD_ENDS.split(text)):
        for character in word:
            joins = not unit or character in _CLOSING or unit[-1] in _OPENING
            if not joins and (has_han(character) or has_han(unit[-1])):
                yield unit
                unit = ""
            unit += character
        if unit[-1] not in _OPENING:
            yield unit
            unit = ""
    if unit:
        yield unit


def _paged(text: str, face: Typeface, width: int, rows: int) -> tuple[Lines, ...]:
    """Pages of whole sentences; a sentence that is too long alone is spread evenly."""
    gap = "" if has_han(text) else " "
    pages: list[Lines] = []
    together = ""
    for sentence in filter(None, _SENTENCE_ENDS.split(text)):
        longer = f"{together}{gap}{sentence}" if together else sentence
        if together and len(wrap(longer, face, width)[0]) > rows:
            pages += _spread(_lines(together, face, width), rows)
            longer = sentence
        together = longer
    return (*pages, *_spread(_lines(together, face, width), rows))


def _lines(text: str, face: Typeface, width: int) -> Lines:
    return _evened(text, face, width, wrap(text, face, width)[0])


def _spread(lines: Lines, rows: int) -> list[Lines]:
    count = -(-len(lines) // rows)
    cuts = [round(index * len(lines) / count) for index in range(count + 1)]
    return [lines[start:end] for start, end in pairwise(cuts)]
