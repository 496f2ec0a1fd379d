"""How the opening book is made, and made sure of: by our own search, from our own enumeration of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random

from quarto_pi.engine.book import DEEPEST, Section, Variant, book_key, code_of
from quarto_pi.engine.kernel import Search
from quarto_pi.engine.outcome import Outcome
from quarto_pi.engine.retrieval import build_retrieval

VARIANTS: tuple[Variant, ...] = tuple((squares, traits) for squares in (False, True) for traits in (4, 3, 2, 1))

Laid = tuple[tuple[int, ...], int]
"""A board of piece numbers, -1 for an empty square, and the piece in hand."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What the work may use: memory for each process, processes, and where to tell how far it has come."""

    table_mb: int
    workers: int
    tell: Callable[[str], None]


_CHUNK = 64

SAMPLE = 60
"""How many positions of each depth a sample takes."""


def new_search(variant: Variant, table_mb: int) -> Search:
    """A search for a variant; which traits are in play makes no difference to a value, so the first ones are taken."""
    squares, traits = variant
    return Search(squares, (1 << traits) - 1, table_mb << 20)


def positions(variant: Variant, placed: int) -> dict[int, Laid]:
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


def make_section(variant: Variant, effort: Effort) -> Section:
    """Work out every position of a variant that the book covers: the deepest by search, the others from those."""
    values: dict[int, Outcome] = {}
    for key, outcome in _solved(variant, _quiet(variant, DEEPEST), effort):
        values[book_key(key, DEEPEST)] = outcome
    search = new_search(variant, 1)
    for placed in reversed(range(DEEPEST)):
        for key, (board, hand) in _quiet(variant, placed).items():
            values[book_key(key, placed)] = _from_deeper(search, values.__getitem__, board, hand)
    return Section(len(values), build_retrieval({key: code_of(outcome) for key, outcome in values.items()}))


def wrong_positions(variant: Variant, section: Section, sample: Random | None, effort: Effort) -> Iterator[Laid]:
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


def variant_name(variant: Variant) -> str:
    """A variant in words."""
    squares, traits = variant
    return f"{'squares' if squares else 'plain'}, {traits} trait{'s' if traits > 1 else ''}"


def _quiet(variant: Variant, placed: int) -> dict[int, Laid]:
    """The positions of the book with this many pieces on the board: without an immediate win."""
    search = new_search(variant, 1)
    return {
        key: (board, hand)
        for key, (board, hand) in positions(variant, placed).items()
        if not search.winning_squares(board, hand)
    }


def _placements(board: Sequence[int], hand: int, barred: set[int]) -> Iterator[tuple[int, ...]]:
    """The boards after each placement of the hand, but for those on squares that are barred."""
    for square in range(16):
        if board[square] < 0 and square not in barred:
            yield (*board[:square], hand, *board[square + 1 :])


def _from_deeper(search: Search, value_of: Callable[[int], Outcome], board: Sequence[int], hand: int) -> Outcome:
    """The value of a position whose successors' values are known."""
    best = Outcome.LOSS
    placed = 17 - board.count(-1)
    for after in _placements(board, hand, set()):
        for piece in search.pool(after, -1):
            if search.winning_squares(after, piece):
                continue
            value = value_of(book_key(search.identity(after, piece), placed)).reversed
            if value is Outcome.WIN:
                return value
            best = max(best, value, key=lambda outcome: outcome.value)
    return best


def _solved(variant: Variant, wanted: dict[int, Laid], effort: Effort) -> Iterator[tuple[int, Outcome]]:
    """The values of positions by search, worked out by several processes."""
    keys = list(wanted)
    chunks = [keys[start : start + _CHUNK] for start in range(0, len(keys), _CHUNK)]
    done = 0
    with ProcessPoolExecutor(effort.workers, initializer=_begin, initargs=(variant, effort.table_mb)) as pool:
        solved = pool.map(_solve, ([wanted[key] for key in chunk] for chunk in chunks))
        for chunk, outcomes in zip(chunks, solved, strict=True):
            yield from zip(chunk, outcomes, strict=True)
            done += len(chunk)
            effort.tell(f"{variant_name(variant)}: {done} of {len(keys)} positions worked out")


# Each process keeps one search, so that what it has learnt from one position helps with its neighbours.
_searches: list[Search] = []


def _begin(variant: Variant, table_mb: int) -> None:
    _searches.append(new_search(variant, table_mb))


def _solve(chunk: list[Laid]) -> list[Outcome]:
    search = _searches[-1]
    outcomes = []
    for board, hand in chunk:
        search.start()
        outcomes.append(Outcome(search.value(board, hand)))
    return outcomes
