"""The opening book: the exact value of every position with few pieces, whose search would take too long at the table.

It holds positions without an alignment and without an immediate win, once for all their mirror images. For each variant
that matters there is a section: with and without `squares`, and by how many traits are in play (which ones makes no
difference to the value). The file begins with a line of text, so that its version can be read with the eyes.

A section is a table of small numbers that does not hold its keys: about 2.5 bits for each two-bit value. It is only
ever asked for keys that were there when it was made; for any other key the answer means nothing. Three cells belong to
every key, and the exclusive or of the three is its value. To make it, keys that have a cell for themselves are taken
away one after the other until none is left; in the opposite order that cell is free to be set.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from random import Random

from quarto_pi.engine.kernel import TOGETHER, Search

# --- What a position is worth to the player to move -------------------------------------------------------------------


class GameValue(Enum):
    """The value of a position or an option under perfect play and perfect calling by both."""

    WIN = 1
    DRAW = 0
    LOSS = -1

    @property
    def reversed(self) -> GameValue:
        """The same seen by the opponent."""
        return GameValue(-self.value)

    @property
    def word(self) -> str:
        """The value as it stands in the interfaces: win, draw or loss."""
        return self.name.lower()


# --- A table of small numbers that does not hold its keys: about 2.5 bits for each two-bit value ----------------------

_WORD = 0xFFFFFFFFFFFFFFFF
# Below 1.23 cells for a key the keys no longer come apart.
_CELLS_PER_KEY = 1.24


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Values from 0 to 3 for a set of whole numbers below 2**64."""

    seed: int
    segment: int
    cells: bytes

    def __getitem__(self, key: int) -> int:
        """The value that was kept for a key."""
        first, second, third = _places(key, self.seed, self.segment)
        cells = self.cells
        return (
            cells[first >> 2] >> 2 * (first & 3)
            ^ cells[second >> 2] >> 2 * (second & 3)
            ^ cells[third >> 2] >> 2 * (third & 3)
        ) & 3


def build_retrieval(values: Mapping[int, int]) -> Retrieval:
    """A table for these keys and values."""
    segment = int(len(values) * _CELLS_PER_KEY / 3) + 8
    for seed in count():
        order = _take_apart(values, seed, segment)
        if len(order) == len(values):
            return Retrieval(seed, segment, _fill(values, order, seed, segment))
    raise AssertionError


def _places(key: int, seed: int, segment: int) -> tuple[int, int, int]:
    """The three cells of a key, one in each segment."""
    mixed = (key + (seed + 1) * 0x9E3779B97F4A7C15) & _WORD
    mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _WORD
    mixed ^= mixed >> 31
    # 21 bits for each of the three are enough for books of two million positions.
    return (
        (mixed & 0x1FFFFF) * segment >> 21,
        segment + ((mixed >> 21 & 0x1FFFFF) * segment >> 21),
        2 * segment + ((mixed >> 42 & 0x1FFFFF) * segment >> 21),
    )


def _take_apart(values: Mapping[int, int], seed: int, segment: int) -> list[tuple[int, int]]:
    """The keys in the order in which each had a cell for itself, with that cell; some are missing where this fails."""
    users = [0] * (3 * segment)
    # The exclusive or of all keys that use a cell is, once it has a single user, that user.
    mixed_keys = [0] * (3 * segment)
    for key in values:
        for place in _places(key, seed, segment):
            users[place] += 1
            mixed_keys[place] ^= key
    order: list[tuple[int, int]] = []
    single = [place for place, number in enumerate(users) if number == 1]
    while single:
        place = single.pop()
        if users[place] != 1:
            continue
        key = mixed_keys[place]
        order.append((key, place))
        for other in _places(key, seed, segment):
            users[other] -= 1
            mixed_keys[other] ^= key
            if users[other] == 1:
                single.append(other)
    return order


def _fill(values: Mapping[int, int], order: list[tuple[int, int]], seed: int, segment: int) -> bytes:
    cells = [0] * (3 * segment)
    for key, place in reversed(order):
        value = values[key]
        for other in _places(key, seed, segment):
            value ^= cells[other]
        # The cell itself was still 0, so that this makes the three come out right.
        cells[place] = value
    cells += [0] * (-len(cells) % 4)
    quads = zip(*(cells[first::4] for first in range(4)), strict=True)
    return bytes(a | b << 2 | c << 4 | d << 6 for a, b, c, d in quads)


BOOK_FILE = Path(__file__).with_name("opening.book")
DEEPEST = 4
"""The book covers positions with up to this many pieces on the board."""

BOOK_VERSION = 1
_MAGIC = f"quarto-pi opening book {BOOK_VERSION}\n".encode()
_SECTION = struct.Struct("<BBIIII")
# The key of the search takes 56 bits; the number of pieces on the board stands above them.
_KEY_BITS = 56

_CODES = {GameValue.LOSS: 0, GameValue.DRAW: 1, GameValue.WIN: 2}
_OUTCOMES = {code: outcome for outcome, code in _CODES.items()}

BookVariant = tuple[bool, int]
"""Whether the nine 2x2 squares count, and how many traits are in play."""


class BookDamaged(ValueError):
    """A book file that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class BookSection:
    """What the book knows of one variant."""

    positions: int
    values: Retrieval

    def __getitem__(self, key: int) -> GameValue:
        """The value of a position that the book covers, for the player who holds the piece."""
        return _OUTCOMES[self.values[key]]


def book_key(identity: int, placed: int) -> int:
    """The key of a position from what the search tells it by, and how many pieces stand."""
    return placed << _KEY_BITS | identity


def code_of(outcome: GameValue) -> int:
    """The number that stands for a value in a section."""
    return _CODES[outcome]


def write_book(file: Path, sections: Mapping[BookVariant, BookSection]) -> None:
    """Write a book as a whole."""
    parts = [_MAGIC]
    for (squares, traits), section in sorted(sections.items()):
        values = section.values
        head = (squares, traits, section.positions, values.seed, values.segment, len(values.cells))
        parts += [_SECTION.pack(*head), values.cells]
    body = b"".join(parts)
    file.write_bytes(body + struct.pack("<I", zlib.crc32(body)))


def read_book(file: Path = BOOK_FILE) -> dict[BookVariant, BookSection]:
    """All sections of a book file."""
    try:
        whole = file.read_bytes()
    except OSError as error:
        raise BookDamaged(f"the opening book {file.name} cannot be read ({error.strerror}).") from error
    if not whole.startswith(_MAGIC):
        raise BookDamaged(f"{file.name} is not an opening book of version {BOOK_VERSION}.")
    body, check = whole[:-4], whole[-4:]
    if struct.pack("<I", zlib.crc32(body)) != check:
        raise BookDamaged(f"the opening book {file.name} is damaged: its check sum is wrong.")
    sections: dict[BookVariant, BookSection] = {}
    place = len(_MAGIC)
    while place < len(body):
        squares, traits, positions, seed, segment, length = _SECTION.unpack_from(body, place)
        place += _SECTION.size
        sections[bool(squares), traits] = BookSection(positions, Retrieval(seed, segment, body[place : place + length]))
        place += length
    return sections


# --- How the opening book is made, and made sure of: by our own search, from our own enumeration of positions ---------

BOOK_VARIANTS: tuple[BookVariant, ...] = tuple(
    (squares, traits) for squares in (False, True) for traits in (4, 3, 2, 1)
)

Laid = tuple[tuple[int, ...], int]
"""A board of piece numbers, -1 for an empty square, and the piece in hand."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What the work may use: memory, threads that share it, and where to tell how far it has come."""

    table_mb: int
    threads: int
    tell: Callable[[str], None]


_CHUNK = 64
"""After so many positions it is told how far the work has come."""

SAMPLE = 60
"""How many positions of each depth a sample takes."""


def new_search(variant: BookVariant, table_mb: int) -> Search:
    """A search for a variant; which traits are in play makes no difference to a value, so the first ones are taken."""
    squares, traits = variant
    return Search(squares, (1 << traits) - 1, table_mb << 20)


def book_positions(variant: BookVariant, placed: int) -> dict[int, Laid]:
    """One of each kind of positions with this many pieces on the board and one in hand, without an alignment."""
    search = new_search(variant, 1)
    level: dict[int, Laid] = {0: ((-1,) * 16, 0)}
    for _ in range(placed):
        following: dict[int, Laid] = {}
        for board, hand in level.values():
            winning = set(search.winning_squares(board, hand))
            for after in _placements(board, hand, winning):
                for piece in search.pool(after, -1):
                    following.setdefault(search.identity(after, piece), (after, piece))
        level = following
    return level


def make_section(variant: BookVariant, effort: Effort) -> BookSection:
    """Work out every position of a variant that the book covers: the deepest by search, the others from those."""
    values: dict[int, GameValue] = {}
    for key, outcome in _solved(variant, _quiet(variant, DEEPEST), effort):
        values[book_key(key, DEEPEST)] = outcome
    search = new_search(variant, 1)
    for placed in reversed(range(DEEPEST)):
        for key, (board, hand) in _quiet(variant, placed).items():
            values[book_key(key, placed)] = _from_deeper(search, values.__getitem__, board, hand)
    return BookSection(len(values), build_retrieval({key: code_of(outcome) for key, outcome in values.items()}))


def wrong_positions(
    variant: BookVariant, section: BookSection, sample: Random | None, effort: Effort
) -> Iterator[Laid]:
    """Work out positions of the book anew and yield those with another value there: all of them, or a sample.

    The deepest are searched. Each of the others is compared with what follows from the deeper ones in the book.
    """
    deepest = _quiet(variant, DEEPEST)
    if sample is not None:
        deepest = dict(sample.sample(list(deepest.items()), min(SAMPLE, len(deepest))))
    for key, outcome in _solved(variant, deepest, effort):
        if section[book_key(key, DEEPEST)] is not outcome:
            yield deepest[key]
    search = new_search(variant, 1)
    for placed in reversed(range(DEEPEST)):
        shallower = list(_quiet(variant, placed).items())
        if sample is not None:
            shallower = sample.sample(shallower, min(SAMPLE, len(shallower)))
        for key, (board, hand) in shallower:
            if section[book_key(key, placed)] is not _from_deeper(search, section.__getitem__, board, hand):
                yield board, hand


def variant_name(variant: BookVariant) -> str:
    """A variant in words."""
    squares, traits = variant
    return f"{'squares' if squares else 'plain'}, {traits} trait{'s' if traits > 1 else ''}"


def _quiet(variant: BookVariant, placed: int) -> dict[int, Laid]:
    """The positions of the book with this many pieces on the board: without an immediate win."""
    search = new_search(variant, 1)
    return {
        key: (board, hand)
        for key, (board, hand) in book_positions(variant, placed).items()
        if not search.winning_squares(board, hand)
    }


def _placements(board: Sequence[int], hand: int, barred: set[int]) -> Iterator[tuple[int, ...]]:
    """The boards after each placement of the hand, but for those on squares that are barred."""
    for square in range(16):
        if board[square] < 0 and square not in barred:
            yield (*board[:square], hand, *board[square + 1 :])


def _from_deeper(search: Search, value_of: Callable[[int], GameValue], board: Sequence[int], hand: int) -> GameValue:
    """The value of a position whose successors' values are known."""
    best = GameValue.LOSS
    placed = 17 - board.count(-1)
    for after in _placements(board, hand, set()):
        for piece in search.pool(after, -1):
            if search.winning_squares(after, piece):
                continue
            value = value_of(book_key(search.identity(after, piece), placed)).reversed
            if value is GameValue.WIN:
                return value
            best = max(best, value, key=lambda outcome: outcome.value)
    return best


def _solved(variant: BookVariant, wanted: dict[int, Laid], effort: Effort) -> Iterator[tuple[int, GameValue]]:
    """The values of positions by search, worked out by several threads: what one has learnt helps the others."""
    idle: SimpleQueue[Search] = SimpleQueue()
    first = new_search(variant, effort.table_mb)
    idle.put(first)
    threads = effort.threads if TOGETHER else 1
    for _ in range(1, threads):
        another = new_search(variant, 0)
        another.share(first)
        idle.put(another)

    def solve(laid: Laid) -> GameValue:
        search = idle.get()
        try:
            search.start()
            return GameValue(search.value(*laid))
        finally:
            idle.put(search)

    pool = ThreadPoolExecutor(threads, "book")
    try:
        solved = pool.map(solve, wanted.values())
        for done, (key, outcome) in enumerate(zip(wanted, solved, strict=True), 1):
            yield key, outcome
            if done % _CHUNK == 0 or done == len(wanted):
                effort.tell(f"{variant_name(variant)}: {done} of {len(wanted)} positions worked out")
    finally:
        # After Ctrl-C only what is under way is waited for.
        pool.shutdown(cancel_futures=True)
