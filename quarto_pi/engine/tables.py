"""What the search looks up about a variant: alignments, safe pieces, symmetries, one entry for every set of squares."""

from __future__ import annotations

import math
from array import array
from functools import cache

BOARD = 0xFFFF
TRAIT_LANES = 0x0001000100010001
ROWS_AND_COLUMNS = [0xF << 4 * rank for rank in range(4)] + [0x1111 << file for file in range(4)]
DIAGONAL_MASKS = [0x8421, 0x1248]
BLOCK_MASKS = [0x33 << 4 * rank + file for rank in range(3) for file in range(3)]

# The weights, in sixteenths, of what orders the options of a player who wants to win: safe answers, their logarithm,
# squares with one, pieces with one, and the lines still open to a trait value with one, two, three, four squares to go.
# Fitted to the outcome and the cost of some hundred thousand searched options; `make bench` shows what they give.
WEIGHTS = {
    9: (1, -48, -1, -2, 7, 4, 1, 0),
    10: (-1, -29, 1, -4, 9, 7, 4, 2),
}

# Near the end an option that leaves the opponent no more safe answers than this is searched before the rest is looked
# at: the rest may not be needed, but is not compared. By the empty squares, for a player who wants a draw and for one
# who wants to win.
EAGER = {5: (9, 0), 6: (8, 2), 7: (8, 4)}


def alignments(squares: bool) -> list[int]:
    """Return the lines of the variant as sets of squares, one bit a square."""
    return ROWS_AND_COLUMNS + DIAGONAL_MASKS + (BLOCK_MASKS if squares else [])


def members(squares: int) -> list[int]:
    """Return the squares of a set as sets of one."""
    return [1 << index for index in range(16) if squares >> index & 1]


def bytes_of_lines(lines: list[int]) -> array[int]:
    """Return for each square three words with full bytes for the lines through it, where the search finds its bit."""
    table = array("Q", bytes(8 * 16 * 3))
    for number, line in enumerate(lines):
        for square in range(16):
            if line >> square & 1:
                table[3 * ((1 << square) * 0x09AF >> 12 & 15) + number // 8] |= 0xFF << 8 * (number % 8)
    return table


def features(traits: int) -> array[int]:
    """Return the features of each piece: a bit for each trait in play that it has, from bit 4 on for one it lacks."""
    return array("B", [piece & traits | (~piece & traits) << 4 for piece in range(16)])


def safe_pieces(features: array[int]) -> array[int]:
    """Return, for every set of features, the pieces that have none of them."""
    return array("H", [sum(1 << p for p in range(16) if not features[p] & danger) for danger in range(256)])


def symmetries(lines: list[int]) -> list[list[int]]:
    """Return the permutations of the board's squares that keep the lines: 32, or 8 with the squares."""
    wanted = set(lines)
    orders = [[p, q, 3 - q, 3 - p] for p in range(4) for q in range(4) if q not in (p, 3 - p)]
    found = []
    for order in orders:
        for turned in (False, True):
            for swapped in (False, True):
                image = []
                for rank in range(4):
                    for file in range(4):
                        to = (order[rank], order[3 - file if turned else file])
                        image.append(4 * to[1] + to[0] if swapped else 4 * to[0] + to[1])
                if {sum(1 << image[s] for s in range(16) if line >> s & 1) for line in lines} == wanted:
                    found.append(image)
    return found


class Symmetry:
    """The board's symmetries: for every set of squares the ones that lead to the least image of it."""

    def __init__(self, lines: list[int]) -> None:
        images = symmetries(lines)
        self.low = array("H", bytes(2 * 256 * len(images)))
        self.high = array("H", bytes(2 * 256 * len(images)))
        for number, image in enumerate(images):
            for byte in range(256):
                self.low[number * 256 + byte] = sum(1 << image[s] for s in range(8) if byte >> s & 1)
                self.high[number * 256 + byte] = sum(1 << image[s + 8] for s in range(8) if byte >> s & 1)
        back = [images.index([image.index(s) for s in range(16)]) for image in images]
        # A class is a set of squares up to symmetry; step holds, four a class, what pushes its squares together.
        self.shape = array("H", bytes(2 << 16))
        self.first = array("i", bytes(4 << 16))
        self.count = array("B", bytes(1 << 16))
        self.by = array("B")
        self.step = array("Q")
        seen = bytearray(1 << 16)
        shapes = 0
        for least in range(1 << 16):
            if seen[least]:
                continue
            leading: dict[int, list[int]] = {}
            for number in range(len(images)):
                image_of = self.low[number * 256 + (least & 255)] | self.high[number * 256 + (least >> 8)]
                leading.setdefault(image_of, []).append(back[number])
            for squares, numbers in leading.items():
                seen[squares] = 1
                self.shape[squares] = shapes
                self.first[squares] = len(self.by)
                self.count[squares] = len(numbers)
                self.by.extend(numbers)
            self.step.extend(squeeze_steps(least))
            shapes += 1


@cache
def symmetry(squares: bool) -> Symmetry:
    """Return the symmetries of a variant, worked out once: that takes some tenths of a second."""
    return Symmetry(alignments(squares))


def squeeze_steps(squares: int) -> list[int]:
    """Return which bits move down by 1, 2, 4, 8 to push the bits of these squares together, in all four lanes."""
    steps = []
    place = {square: index for index, square in enumerate(s for s in range(16) if squares >> s & 1)}
    where = {square: square for square in place}
    for power in range(4):
        moving = [square for square in place if (square - place[square]) >> power & 1]
        steps.append(sum(1 << where[square] for square in moving) * TRAIT_LANES)
        for square in moving:
            where[square] -= 1 << power
    return steps


def weights() -> array[int]:
    """Return the ordering weights at eight times the number of empty squares."""
    return array("i", [w for empties in range(17) for w in WEIGHTS[min(max(empties, 9), 10)]])


def logarithms() -> array[int]:
    """Return sixteen times the natural logarithm of one more than the index."""
    return array("i", [round(16 * math.log1p(count)) for count in range(256)])


def eager() -> array[int]:
    """Return what is searched at once, at twice the number of empty squares plus the goal."""
    return array("i", [limit for empties in range(17) for limit in EAGER.get(empties, (0, 0))])
