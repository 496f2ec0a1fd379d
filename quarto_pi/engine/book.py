"""The opening book: the exact value of every position with few pieces, whose search would take too long at the table.

It holds positions without an alignment and without an immediate win, once for all their mirror images. For each variant
that matters there is a section: with and without `squares`, and by how many traits are in play (which ones makes no
difference to the value). The file begins with a line of text, so that its version can be read with the eyes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quarto_pi.engine.outcome import Outcome
from quarto_pi.engine.retrieval import Retrieval

BOOK_FILE = Path(__file__).with_name("opening.book")
DEEPEST = 4
"""The book covers positions with up to this many pieces on the board."""

VERSION = 1
_MAGIC = f"quarto-pi opening book {VERSION}\n".encode()
_SECTION = struct.Struct("<BBIIII")
# The key of the search takes 56 bits; the number of pieces on the board stands above them.
_KEY_BITS = 56

_CODES = {Outcome.LOSS: 0, Outcome.DRAW: 1, Outcome.WIN: 2}
_OUTCOMES = {code: outcome for outcome, code in _CODES.items()}

Variant = tuple[bool, int]
"""Whether the nine 2x2 squares count, and how many traits are in play."""


class BookDamaged(ValueError):
    """A book file that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Section:
    """What the book knows of one variant."""

    positions: int
    values: Retrieval

    def __getitem__(self, key: int) -> Outcome:
        """The value of a position that the book covers, for the player who holds the piece."""
        return _OUTCOMES[self.values[key]]


def book_key(identity: int, placed: int) -> int:
    """The key of a position from what the search tells it by, and how many pieces stand."""
    return placed << _KEY_BITS | identity


def code_of(outcome: Outcome) -> int:
    """The number that stands for a value in a section."""
    return _CODES[outcome]


def write_book(file: Path, sections: Mapping[Variant, Section]) -> None:
    """Write a book as a whole."""
    parts = [_MAGIC]
    for (squares, traits), section in sorted(sections.items()):
        values = section.values
        head = (squares, traits, section.positions, values.seed, values.segment, len(values.cells))
        parts += [_SECTION.pack(*head), values.cells]
    body = b"".join(parts)
    file.write_bytes(body + struct.pack("<I", zlib.crc32(body)))


def read_book(file: Path = BOOK_FILE) -> dict[Variant, Section]:
    """All sections of a book file."""
    try:
        whole = file.read_bytes()
    except OSError as error:
        raise BookDamaged(f"the opening book {file.name} cannot be read ({error.strerror}).") from error
    if not whole.startswith(_MAGIC):
        raise BookDamaged(f"{file.name} is not an opening book of version {VERSION}.")
    body, check = whole[:-4], whole[-4:]
    if struct.pack("<I", zlib.crc32(body)) != check:
        raise BookDamaged(f"the opening book {file.name} is damaged: its check sum is wrong.")
    sections: dict[Variant, Section] = {}
    place = len(_MAGIC)
    while place < len(body):
        squares, traits, positions, seed, segment, length = _SECTION.unpack_from(body, place)
        place += _SECTION.size
        sections[bool(squares), traits] = Section(positions, Retrieval(seed, segment, body[place : place + length]))
        place += length
    return sections
