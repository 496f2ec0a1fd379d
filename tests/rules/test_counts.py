"""Counts of positions and games to a fixed depth, each confirmed by two independent ways of counting."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, factorial, perm
from pathlib import Path
from typing import Any

import pytest

from quarto_pi.rules import Board, Piece, Trait, lines_in_play

pytestmark = pytest.mark.slow

COUNTS: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "counts.toml").read_text())

Key = tuple[int, ...]


# First way: formulas, which know of the rules only the number of lines and traits. On five squares or fewer stands no
# more than one line, because two lines share at most two squares.


def aligned_fours(traits: int) -> int:
    """Sets of four pieces that share one of so many traits at least, by inclusion and exclusion."""
    return sum((-1) ** (shared + 1) * comb(traits, shared) * 2**shared * comb(16 >> shared, 4) for shared in (1, 2))


def boards(placed: int) -> int:
    return comb(16, placed) * perm(16, placed)


def aligned_boards(placed: int, lines: int, traits: int) -> int:
    """Boards of up to five pieces with an alignment: a line, and one more piece elsewhere."""
    rest = placed - 4
    return lines * aligned_fours(traits) * factorial(4) * comb(12, rest) * perm(12, rest) if rest >= 0 else 0


def free_boards(placed: int, lines: int, traits: int) -> int:
    return boards(placed) - aligned_boards(placed, lines, traits)


# Second way: every board is played, with one for all that a symmetry makes alike.


@dataclass(frozen=True)
class RuleSet:
    squares: bool
    traits: tuple[Trait, ...]

    @classmethod
    def named(cls, name: str) -> RuleSet:
        return cls(COUNTS[name]["squares"], tuple(Trait(word) for word in COUNTS[name]["traits"]))

    @property
    def lines(self) -> int:
        return len(lines_in_play(self.squares))


@cache
def symmetries(squares: bool) -> list[tuple[int, ...]]:
    """The ways to rearrange the squares that turn lines into lines: for each square, where it comes from."""
    lines = {frozenset(square.index for square in line) for line in lines_in_play(squares)}
    found = set()
    for rows, columns in product(permutations(range(4)), repeat=2):
        for turned in (False, True):
            moved = [
                4 * rows[row] + columns[column] if not turned else 4 * columns[column] + rows[row]
                for row, column in product(range(4), repeat=2)
            ]
            if {frozenset(moved[index] for index in line) for line in lines} == lines:
                found.add(tuple(moved))
    return sorted(found)


@cache
def arrangements(squares: bool, occupied: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The orders in which to read these squares so that as early squares as possible come first."""
    best: tuple[int, ...] = (99,)
    orders: list[tuple[int, ...]] = []
    for symmetry in symmetries(squares):
        read = sorted((symmetry[index], index) for index in occupied)
        target = tuple(place for place, _ in read)
        order = tuple(index for _, index in read)
        if target < best:
            best, orders = target, [order]
        elif target == best and order not in orders:
            orders.append(order)
    return [(*best, -1, *order) for order in orders]


def key(board: Board, hand: Piece | None, rules: RuleSet) -> Key:
    """The same for two positions if, and only if, a symmetry makes them alike."""
    occupied = tuple(index for index, cell in enumerate(board.cells) if cell is not None)
    columns = [trait.bit for trait in rules.traits]
    others = [trait.bit for trait in Trait if trait not in rules.traits]
    best: Key = ()
    for arrangement in arrangements(rules.squares, occupied):
        middle = arrangement.index(-1)
        read = [board.cells[index] for index in arrangement[middle + 1 :]]
        numbers = [piece.number for piece in (*read, hand) if piece is not None]
        # Only where a piece differs from the first one matters, and the traits may come in any order.
        differs = [number ^ numbers[0] for number in numbers]
        pattern = [
            tuple(bool(number & bit) for number in differs)
            for group in (columns, others)
            for bit in sorted(group, key=lambda bit: [number & bit > 0 for number in differs])
        ]
        candidate = (
            *arrangement[:middle],
            *(sum(column[place] << bit for bit, column in enumerate(pattern)) for place in range(len(differs))),
        )
        if not best or candidate < best:
            best = candidate
    return best


@dataclass
class Level:
    """The boards with so many pieces: one of each class, how many are alike, and in how many orders they come about."""

    classes: dict[Key, Board]
    alike: Counter[Key]
    orders: Counter[Key]


@cache
def level(placed: int, rules: RuleSet) -> tuple[Level, Level]:
    """The boards without an alignment and those with one, played on from those without one piece."""
    free, aligned = Level({}, Counter(), Counter()), Level({}, Counter(), Counter())
    if placed == 0:
        free.classes[()], free.alike[()], free.orders[()] = Board(), 1, 1
        return free, aligned
    for before in level(placed - 1, rules):
        for name, board in before.classes.items():
            for square, piece in product(board.empty_squares, board.pieces_left):
                after = board.place(square, piece)
                into = aligned if after.alignments(rules.squares, rules.traits) else free
                like = key(after, None, rules)
                into.classes.setdefault(like, after)
                into.alike[like] += before.alike[name]
                into.orders[like] += before.orders[name]
    for reached in (free, aligned):
        for name, times in reached.alike.items():
            assert times % placed == 0  # any of the pieces may have come last
            reached.alike[name] = times // placed
    return free, aligned


def last_level(placed: int, rules: RuleSet) -> tuple[int, int, int]:
    """Boards without and with an alignment, and games that the last placement ends, without their classes."""
    free = aligned = ended = 0
    for before, is_free in zip(level(placed - 1, rules), (True, False), strict=True):
        for name, board in before.classes.items():
            for square, piece in product(board.empty_squares, board.pieces_left):
                if is_free:
                    opens = bool(board.place(square, piece).alignments_through(square, rules.squares, rules.traits))
                    free += 0 if opens else before.alike[name]
                    aligned += before.alike[name] if opens else 0
                    ended += before.orders[name] if opens else 0
                else:
                    aligned += before.alike[name]
    assert free % placed == aligned % placed == 0
    return free // placed, aligned // placed, ended


def with_hands(reached: Level, rules: RuleSet) -> int:
    """How many classes of positions there are, with any piece left in hand."""
    return sum(len({key(board, hand, rules) for hand in board.pieces_left}) for board in reached.classes.values())


# Third way, for the classes: Burnside's lemma. A position stays as it is if every cycle of squares that is occupied
# carries a cycle of pieces of the same length, and the piece in hand is one that stays.


def cycles(moved: tuple[int, ...]) -> tuple[int, ...]:
    """How many cycles of each length a rearrangement has."""
    lengths, seen = [0] * 17, set[int]()
    for start in range(16):
        length, place = 0, start
        while place not in seen:
            seen.add(place)
            place, length = moved[place], length + 1
        lengths[length] += length > 0
    return tuple(lengths)


def fixed_positions(squares: tuple[int, ...], pieces: tuple[int, ...], placed: int, length: int = 1) -> int:
    """Positions that stay as they are, given how many cycles of each length the squares and the pieces have."""
    if length == 1 and not pieces[1]:
        return 0
    if length > placed:
        return placed == 0 if length > 1 else pieces[1]
    total = 0
    for used in range(placed // length + 1):
        ways = comb(squares[length], used) * perm(pieces[length], used) * length**used
        if length == 1:
            ways *= max(pieces[1] - used, 0)
        if ways:
            total += ways * fixed_positions(squares, pieces, placed - used * length, length + 1)
    return total


def classes_by_burnside(placed: int, rules: RuleSet) -> int:
    board = Counter(cycles(symmetry) for symmetry in symmetries(rules.squares))
    inside = [trait.bit for trait in rules.traits]
    outside = [trait.bit for trait in Trait if trait not in rules.traits]
    pieces: Counter[tuple[int, ...]] = Counter()
    for order in product(permutations(inside), permutations(outside)):
        becomes = dict(zip(inside + outside, [*order[0], *order[1]], strict=True))
        for flips in range(16):
            moved = (sum(new for old, new in becomes.items() if number & old) ^ flips for number in range(16))
            pieces[cycles(tuple(moved))] += 1
    total = sum(
        times * ways * fixed_positions(squares, turned, placed)
        for (squares, times), (turned, ways) in product(board.items(), pieces.items())
    )
    classes = Fraction(total, board.total() * pieces.total())
    assert classes.denominator == 1
    return int(classes)


RULE_SETS = list(COUNTS)
MANY_CLASSES = "squares_and_two_traits"
PLAYED = [
    *(name for name in RULE_SETS if name != MANY_CLASSES),
    pytest.param(MANY_CLASSES, marks=pytest.mark.campaign),
]
ENDED = [name if name == "plain" else pytest.param(name, marks=pytest.mark.campaign) for name in RULE_SETS]
"""The rules sets whose boards are played; one has so many classes of them that `make soak` counts those of three."""


def test_r4_r5_the_board_has_32_symmetries_and_8_with_the_blocks() -> None:
    assert len(symmetries(squares=False)) == 32
    assert len(symmetries(squares=True)) == 8


@pytest.mark.parametrize("name", RULE_SETS)
def test_positions_are_as_many_as_the_formula_says(name: str) -> None:
    rules, counts = RuleSet.named(name), COUNTS[name]
    traits = len(rules.traits)
    assert counts["lines"] == rules.lines
    assert counts["free"] == [free_boards(n, rules.lines, traits) * (16 - n) for n in range(len(counts["free"]))]
    assert counts["aligned"] == [aligned_boards(n, rules.lines, traits) * (16 - n) for n in range(len(counts["free"]))]


@pytest.mark.parametrize("name", RULE_SETS)
def test_games_are_as_many_as_the_formula_says(name: str) -> None:
    rules, counts = RuleSet.named(name), COUNTS[name]
    free = [free_boards(n, rules.lines, len(rules.traits)) * factorial(n) for n in range(len(counts["games_ended"]))]
    ended = [0] + [free[n - 1] * (17 - n) ** 2 - free[n] for n in range(1, len(free))]
    assert (counts["games_going_on"], counts["games_ended"]) == (free, ended)


@pytest.mark.parametrize("name", PLAYED)
def test_positions_are_as_many_as_can_be_played(name: str) -> None:
    rules, counts = RuleSet.named(name), COUNTS[name]
    for placed in range(4):
        free, aligned = level(placed, rules)
        assert free.alike.total() * (16 - placed) == counts["free"][placed]
        assert aligned.alike.total() * (16 - placed) == counts["aligned"][placed]
        assert free.orders.total() == counts["games_going_on"][placed]


@pytest.mark.parametrize("name", ENDED)
def test_games_are_ended_by_the_fourth_piece_as_often_as_can_be_played(name: str) -> None:
    rules, counts = RuleSet.named(name), COUNTS[name]
    assert last_level(4, rules) == (counts["free"][4] // 12, counts["aligned"][4] // 12, counts["games_ended"][4])


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["plain", "squares"])
def test_positions_and_games_with_a_fifth_piece_are_as_many_as_can_be_played(name: str) -> None:
    rules, counts = RuleSet.named(name), COUNTS[name]
    assert last_level(5, rules) == (counts["free"][5] // 11, counts["aligned"][5] // 11, counts["games_ended"][5])


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_class_is_as_large_as_a_group_of_symmetries_allows(name: str) -> None:
    rules = RuleSet.named(name)
    order = len(symmetries(rules.squares)) * 16 * factorial(len(rules.traits)) * factorial(4 - len(rules.traits))
    for placed in range(1, 3 if name == MANY_CLASSES else 4):
        free, _ = level(placed, rules)
        assert free.alike
        assert all(order % alike == 0 for alike in free.alike.values())


@pytest.mark.parametrize(
    ("name", "placed"),
    [
        *((name, placed) for name in RULE_SETS for placed in range(4) if (name, placed) != (MANY_CLASSES, 3)),
        pytest.param(MANY_CLASSES, 3, marks=pytest.mark.campaign),
        pytest.param("plain", 4, marks=pytest.mark.campaign),
        pytest.param("squares", 4, marks=pytest.mark.campaign),
    ],
)
def test_classes_of_positions_are_as_many_as_are_found_and_as_burnsides_lemma_says(name: str, placed: int) -> None:
    rules, counts = RuleSet.named(name), COUNTS[name]
    free, aligned = level(placed, rules)
    expected = (counts["classes_free"][placed], counts["classes_aligned"][placed])
    assert (with_hands(free, rules), with_hands(aligned, rules)) == expected
    assert classes_by_burnside(placed, rules) == sum(expected)


def test_the_known_numbers_of_classes_without_an_alignment() -> None:
    assert COUNTS["plain"]["classes_free"][:5] == [1, 8, 148, 3382, 91558]


def test_the_first_alignments_come_with_the_fourth_piece() -> None:
    for counts in COUNTS.values():
        assert counts["aligned"][:4] == [0, 0, 0, 0]
        assert counts["games_ended"][4] > 0
