"""Sentences broken into lines and pages, so that nothing is ever cut off.

A sentence takes the first typeface in which it fits its place as a whole; if it fits in none, the last one is used and
the pages are shown in turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from quarto_pi.screens.typefaces import Typeface, has_han

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
    for unit in _units(text):
        longer = line + unit
        fits = face.width(longer.rstrip()) <= width
        if line and not fits:
            lines.append(line.rstrip())
            longer = unit
            fits = face.width(longer.rstrip()) <= width
        line = longer
        while not fits and len(line) > 1:
            broken = True
            count = next(
                count for count in range(len(line) - 1, 0, -1) if count == 1 or face.width(line[:count]) <= width
            )
            lines.append(line[:count])
            line = line[count:]
            fits = face.width(line.rstrip()) <= width
    return (*lines, line.rstrip()), broken


@lru_cache(maxsize=256)
def _units(text: str) -> tuple[str, ...]:
    """The parts of a text that stay together: a word with the space after it, a Chinese character with its signs."""
    # Each width that is tried asks for those of the same text.
    return tuple(_each_unit(text))


def _each_unit(text: str) -> Iterator[str]:
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
