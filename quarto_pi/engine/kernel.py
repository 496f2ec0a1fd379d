"""The exact search: can the player who holds a piece force a win, can he force at least a draw.

The same source runs interpreted and compiled; kernel.pxd adds the machine's types, nothing else. So every number here
stays below 2**64 in both worlds, and what could grow beyond is masked where the compiler knows that it need not be.

A piece has four of eight features, one of the two values of each trait: a byte with a bit for each. A position is what
its lines have, a byte a line, eight lines a word: `shared` says which features all pieces on a line share, none once it
can't be completed any more; `lack` how many squares it lacks, 1 for one, 2 for two, 4 for three, 8 for four, so that a
placement shifts it. For its name in the table a position is seen from the piece in hand: `same` has four lanes of
sixteen bits, one a trait, and says where the pieces stand that share the trait with the hand.

All positions that the search enters are free of an immediate win: only safe pieces are given. A node is a position with
a piece in hand that is entered, or that is decided because its player has no safe answer; one that the table decides
before it is entered is none.
"""

from __future__ import annotations

import mmap
import sys
from array import array
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from types import SimpleNamespace

from quarto_pi.engine import tables

try:
    import cython
except ImportError:  # which only the compiler needs: compiled, other threads run while this one searches
    cython = SimpleNamespace(nogil=nullcontext(), compiled=False)

WIN = 1
DRAW = 0
LOSS = -1

LANES = 0x0001000100010001
KEY_BITS = 0xFFFFFFFFFFFFFF
FIRST_FACTOR = 0x5DEECE66D9B2C5
SECOND_FACTOR = 0x2545F4914F6CDD

# What the table knows of a position: the four low bits of an entry.
NOT_LOST = 1
WON = 2
NOT_WON = 4
LOST = 8

# Several searches at a time gain something where they are compiled, and tell the truth where a word is read in one.
TOGETHER = bool(cython.compiled) and sys.maxsize > 2**32

# With this many empty squares or more a position is ordered in full and kept in the table.
KEPT = 9
SOON = 4096
MOST = 1 << 24
# With this many or more, who wants a draw looks one step further at so many of his most promising options.
DEEP = 10
BREADTH = 8
# With this many or more, the table is asked about every option before the first of them is searched, and of two
# searches at a time each begins at its own end.
RECALLED = 11
# A word has eight lines, a byte each; a variant has up to three words of them.
WORDS = 3
BYTES = 0x0101010101010101
LOW_BITS = 0x7F7F7F7F7F7F7F7F


class Stopped(Exception):
    """The search was stopped by its node budget or by the caller."""


class Search:
    """The search of one variant, with its table."""

    def __init__(self, squares: bool = False, traits: int = 15, table_bytes: int = 1 << 26) -> None:
        """Prepare a variant; traits has the bits of a piece number that are in play."""
        if not 0 < traits < 16:
            raise ValueError("traits must have one to four of the bits 1, 2, 4, 8")
        lines = tables.alignments(squares)
        symmetry = tables.symmetry(squares)
        self.features = tables.features(traits)
        self.safe = tables.safe_pieces(self.features)
        self.bits = array("B", [number.bit_count() for number in range(1 << 16)])
        # The number of a square or a piece that is given as a bit, at one of sixteen places, each bit at its own.
        self.index = array("B", bytes(16))
        for number in range(16):
            self.index[((1 << number) * 0x09AF >> 12) & 15] = number
        self.spread = array("Q", [sum(0xFFFF << 16 * t for t in range(4) if p & traits & 1 << t) for p in range(16)])
        # A placement marks its square in the lanes of the traits in play; the other lanes stay empty for good.
        self.lanes = LANES & self.spread[15]
        unused = [t for t in range(4) if not traits & 1 << t]
        self.unused_count = len(unused)
        self.unused = array("i", [1 << t for t in unused] + [0])
        self.twins = array("H", [sum(1 << p for p in range(16) if not p & 1 << t) for t in unused] + [0])
        self.low = symmetry.low
        self.high = symmetry.high
        self.shape = symmetry.shape
        self.first = symmetry.first
        self.count = symmetry.count
        self.by = symmetry.by
        self.step = symmetry.step
        self.lines = array("H", lines)
        self.line_count = len(lines)
        self.squares = squares
        self.through = tables.bytes_of_lines(lines)
        self.weights = tables.weights()
        self.logarithms = tables.logarithms()
        self.eager = tables.eager()
        # Work space, a part for every number of empty squares.
        self.shared = array("Q", bytes(8 * 17 * WORDS))
        self.lack = array("Q", bytes(8 * 17 * WORDS))
        self.always = array("I", bytes(4 * 17 * 16))
        self.alike = array("I", bytes(4 * 17 * 16))
        self.moves = array("q", bytes(8 * 17 * 256))
        self.answers = array("H", bytes(2 * 17 * 4096))
        self.square = array("I", bytes(4 * 17 * 16))
        self.queue = array("i", bytes(4 * 17 * 16))
        # Work space that no deeper position disturbs before it is read.
        self.gain = array("i", bytes(4 * 8 * WORDS))
        self.resize(table_bytes)
        # Whether the options of who wants to win, most of which fail, are tried from the last to the first: of two
        # searches that share a table and search one position, one does so, and they meet half way. Only with many empty
        # squares: further down the other search is elsewhere.
        self.contrary = False
        self.nodes = 0
        self.next_look = 0
        self.budget = 0
        self.poll: Callable[[], object] | None = None

    def resize(self, table_bytes: int) -> None:
        """Empty the table and give it the largest power of two of bytes that is not above table_bytes."""
        slots = 2
        while slots * 16 <= table_bytes:
            slots *= 2
        memory = mmap.mmap(-1, 8 * slots, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # a kernel without huge pages
                memory.madvise(mmap.MADV_HUGEPAGE)
        self.table = memoryview(memory).cast("Q")
        self.slot_mask = slots - 2

    def share(self, other: Search) -> None:
        """Use the table of another search of the same variant from now on, at the same time if need be.

        No lock is needed where a word of 64 bits is read and written as one: a word names its position, so that what
        was read of it is true whoever has written it. What two searches write to a slot at a time may get lost.
        """
        self.table = other.table
        self.slot_mask = other.slot_mask

    # --- what a position looks up ------------------------------------------------------------------------------------

    def place(self, square: int, hand: int, empties: int) -> None:
        """Put the hand on a square: write down what lines share and lack then, for an empty square less."""
        here = empties * WORDS
        below = here - WORDS
        through = ((square * 0x09AF >> 12) & 15) * WORDS
        features = self.features[hand] * BYTES
        # One word after the other, without a loop: a third of the time is spent here and in `threaten`.
        lines = self.through[through]
        self.shared[below] = self.shared[here] & (features | ~lines)
        self.lack[below] = self.lack[here] & ~lines | self.lack[here] >> 1 & LOW_BITS & lines
        lines = self.through[through + 1]
        self.shared[below + 1] = self.shared[here + 1] & (features | ~lines)
        self.lack[below + 1] = self.lack[here + 1] & ~lines | self.lack[here + 1] >> 1 & LOW_BITS & lines
        if self.squares:
            lines = self.through[through + 2]
            self.shared[below + 2] = self.shared[here + 2] & (features | ~lines)
            self.lack[below + 2] = self.lack[here + 2] & ~lines | self.lack[here + 2] >> 1 & LOW_BITS & lines

    def threaten(self, occupied: int, empties: int) -> None:
        """Work out for each empty square in turn with which features a piece placed there makes others dangerous.

        `always` has those that complete a line on some other square already, `alike` those that complete one as soon
        as a piece with the same feature stands on this square.
        """
        here = empties * WORDS
        one = self.shared[here] & (self.lack[here] & BYTES) * 255
        two = self.shared[here] & (self.lack[here] >> 1 & BYTES) * 255
        one_more = self.shared[here + 1] & (self.lack[here + 1] & BYTES) * 255
        two_more = self.shared[here + 1] & (self.lack[here + 1] >> 1 & BYTES) * 255
        one_last = 0
        two_last = 0
        if self.squares:
            one_last = self.shared[here + 2] & (self.lack[here + 2] & BYTES) * 255
            two_last = self.shared[here + 2] & (self.lack[here + 2] >> 1 & BYTES) * 255
        reply = empties * 16
        left = 0xFFFF ^ occupied
        while left:
            through = (((left & -left) * 0x09AF >> 12) & 15) * WORDS
            left &= left - 1
            lines = self.through[through]
            always = one & ~lines
            alike = two & lines
            lines = self.through[through + 1]
            always |= one_more & ~lines
            alike |= two_more & lines
            if self.squares:
                lines = self.through[through + 2]
                always |= one_last & ~lines
                alike |= two_last & lines
            always |= always >> 32
            always |= always >> 16
            self.always[reply] = (always | always >> 8) & 255
            alike |= alike >> 32
            alike |= alike >> 16
            self.alike[reply] = (alike | alike >> 8) & 255
            reply += 1

    def lanes_after(self, same: int, taken: int, square: int, hand: int, piece: int) -> int:
        """Return the lanes once the hand stands on its square, by then one of the taken, and a piece is given."""
        # Where the next piece differs from this one, the pieces that share the trait are the others.
        return (same | square * self.lanes) ^ (taken * LANES & self.spread[piece ^ hand])

    def distinct(self, pieces: int) -> int:
        """Leave one of each kind of pieces that agree in all traits in play."""
        for number in range(self.unused_count):
            pieces &= ~((pieces & self.twins[number]) << self.unused[number])
        return pieces

    def key(self, same: int, occupied: int, empties: int) -> int:
        """Return a number that this position shares with its images under symmetries and orders of traits, no other.

        Its pieces are four lanes with as many bits as squares are taken, and the shape of the taken squares: 54 bits.
        """
        best = KEY_BITS
        start = self.first[occupied]
        shape = self.shape[occupied]
        taken = 16 - empties
        for number in range(start, start + self.count[occupied]):
            by = self.by[number] << 8
            a = self.low[by + (same & 255)] | self.high[by + (same >> 8 & 255)]
            b = self.low[by + (same >> 16 & 255)] | self.high[by + (same >> 24 & 255)]
            c = self.low[by + (same >> 32 & 255)] | self.high[by + (same >> 40 & 255)]
            d = self.low[by + (same >> 48 & 255)] | self.high[by + (same >> 56)]
            lanes = a | b << 16 | c << 32 | d << 48
            for power in range(4):
                moving = lanes & self.step[4 * shape + power]
                lanes = (lanes ^ moving) | moving >> (1 << power)
            a = lanes & 0xFFFF
            b = lanes >> 16 & 0xFFFF
            c = lanes >> 32 & 0xFFFF
            d = lanes >> 48
            if a > b:
                a, b = b, a
            if c > d:
                c, d = d, c
            if a > c:
                a, c = c, a
            if b > d:
                b, d = d, b
            if b > c:
                b, c = c, b
            packed = ((d << taken | c) << taken | b) << taken | a
            if packed < best:
                best = packed
        best |= shape << 4 * taken
        # Each step can be undone, so that different positions keep different keys.
        best = best * FIRST_FACTOR & KEY_BITS
        best ^= best >> 28
        best = best * SECOND_FACTOR & KEY_BITS
        return best ^ best >> 29

    def known(self, key: int, empties: int) -> int:
        """Return what the table knows; a key is exact among positions with as many empty squares, no others."""
        slot = key & self.slot_mask
        name = key << 4 | (empties & 15)
        entry = self.table[slot]
        if entry >> 4 != name:
            entry = self.table[slot + 1]
            if entry >> 4 != name:
                return 0
        return entry & 15

    def keep(self, key: int, empties: int, facts: int) -> None:
        """Add facts; of two positions in a slot the one with fewer empty squares gives way to a third."""
        slot = key & self.slot_mask
        name = key << 4 | (empties & 15)
        entry = self.table[slot]
        if entry >> 4 == name:
            self.table[slot] = entry | facts
            return
        second = self.table[slot + 1]
        if second >> 4 == name:
            self.table[slot + 1] = second | facts
            return
        if entry >> 4 & 15 <= empties & 15:
            self.table[slot + 1] = entry
        else:
            slot += 1
        self.table[slot] = name << 4 | facts

    # --- the search --------------------------------------------------------------------------------------------------

    def reaches(self, same: int, occupied: int, rest: int, hand: int, empties: int, goal: int, given: int) -> int:
        """Return 1 if the player to place can force the goal (1: a win, 0: a draw), 0 if not.

        There is a safe answer; from given on, self.answers has the safe pieces for each empty square in turn.
        """
        if empties < KEPT:
            return self.reaches_late(occupied, rest, hand, empties, goal, given)
        key = self.key(same, occupied, empties)
        facts = self.known(key, empties)
        if goal:
            if facts & (WON | NOT_WON):
                return 1 if facts & WON else 0
        elif facts & (NOT_LOST | LOST):
            return 1 if facts & NOT_LOST else 0
        self.nodes += 1
        if self.nodes >= self.next_look:
            self.look()
        found = self.order(occupied, rest, hand, empties, goal, given)
        here = empties * 16
        moves = empties * 256
        result = 0
        if found < 0:
            self.nodes += 1
            result = 1
        if empties >= RECALLED and self.remembers(same, occupied, hand, empties, goal, found):
            found = 0
            result = 1
        if empties >= DEEP and found > 1:
            if not goal:
                self.survey(occupied, rest, hand, empties, found)
            elif self.contrary and empties >= RECALLED:
                for number in range(moves, moves + found):
                    self.moves[number] ^= -1 << 16
        for number in range(moves, moves + found):
            best = number
            for later in range(number + 1, moves + found):
                if self.moves[later] > self.moves[best]:
                    best = later
            move = self.moves[best]
            self.moves[best] = self.moves[number]
            self.moves[number] = move
            piece = move & 15
            square = self.square[here + (move >> 4 & 15)]
            taken = occupied | square
            self.place(square, hand, empties)
            if not self.reaches(
                self.lanes_after(same, taken, square, hand, piece),
                taken,
                rest & ~(1 << piece),
                piece,
                empties - 1,
                1 - goal,
                (moves + (move >> 8 & 255)) * 16,
            ):
                result = 1
                break
        if goal:
            self.keep(key, empties, WON | NOT_LOST if result else NOT_WON)
        else:
            self.keep(key, empties, NOT_LOST if result else LOST | NOT_WON)
        return result

    def order(self, occupied: int, rest: int, hand: int, empties: int, goal: int, given: int) -> int:
        """List the options with their promise and return how many, or -1 if one leaves the opponent no safe answer.

        Who wants a draw does best with the option that leaves the fewest safe answers, which is the one that is
        cheapest to prove; who wants to win also looks at the lines that stay open.
        """
        here = empties * 16
        below = here - 16
        replies = empties - 1
        number = 0
        left = 0xFFFF ^ occupied
        while left:
            self.square[here + number] = left & -left
            left &= left - 1
            number += 1
        weight = 8 * empties
        if goal:
            self.weigh_lines(hand, occupied, empties)
        moves = empties * 256
        found = 0
        for number in range(empties):
            pieces = self.answers[given + number]
            if not pieces:
                continue
            square = self.square[here + number]
            self.place(square, hand, empties)
            self.threaten(occupied | square, replies)
            base = 0
            if goal:
                base = 8192
                for line in range(self.line_count):
                    if self.lines[line] & square:
                        base += self.gain[line]
            if self.unused_count:
                pieces = self.distinct(pieces)
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                piece = self.index[(bit * 0x09AF >> 12) & 15]
                features = self.features[piece]
                remaining = rest ^ bit
                total = 0
                keep = (moves + found) * 16
                for reply in range(replies):
                    good = remaining & self.safe[self.always[below + reply] | self.alike[below + reply] & features]
                    self.answers[keep + reply] = good
                    total += self.bits[good]
                if not total:
                    return -1
                promise = 255 - total
                if goal:
                    squares = 0
                    somewhere = 0
                    for reply in range(keep, keep + replies):
                        good = self.answers[reply]
                        squares += good != 0
                        somewhere |= good
                    promise = (
                        base
                        + total * self.weights[weight]
                        + (self.logarithms[total] * self.weights[weight + 1] >> 4)
                        + squares * self.weights[weight + 2]
                        + self.bits[somewhere] * self.weights[weight + 3]
                    )
                self.moves[moves + found] = promise << 16 | found << 8 | number << 4 | piece
                found += 1
        return found

    def remembers(self, same: int, occupied: int, hand: int, empties: int, goal: int, found: int) -> int:
        """Return 1 if the table knows of one of the options that it reaches the goal."""
        here = empties * 16
        moves = empties * 256
        for number in range(moves, moves + found):
            move = self.moves[number]
            piece = move & 15
            square = self.square[here + (move >> 4 & 15)]
            taken = occupied | square
            key = self.key(self.lanes_after(same, taken, square, hand, piece), taken, empties - 1)
            if self.known(key, empties - 1) & (LOST if goal else NOT_WON):
                return 1
        return 0

    def survey(self, occupied: int, rest: int, hand: int, empties: int, found: int) -> None:
        """Rank the most promising options of a player who wants a draw anew, by the opponent's options after each.

        What it takes to refute one of those grows about with the square of the safe answers that it leaves.
        """
        here = empties * 16
        moves = empties * 256
        for number in range(moves, moves + min(found, BREADTH)):
            best = number
            for later in range(number + 1, moves + found):
                if self.moves[later] > self.moves[best]:
                    best = later
            move = self.moves[best]
            self.moves[best] = self.moves[number]
            self.moves[number] = move
        for number in range(moves, moves + min(found, BREADTH)):
            move = self.moves[number]
            piece = move & 15
            square = self.square[here + (move >> 4 & 15)]
            self.nodes += 1
            self.place(square, hand, empties)
            answers = (moves + (move >> 8 & 255)) * 16
            replies = self.order(occupied | square, rest & ~(1 << piece), piece, empties - 1, 0, answers)
            effort = MOST
            if replies >= 0:
                effort = 0
                for reply in range(moves - 256, moves - 256 + replies):
                    total = 255 - (self.moves[reply] >> 16)
                    squares = 0
                    for follow in range(reply * 16, reply * 16 + empties - 2):
                        if self.answers[follow]:
                            squares += 1
                            if squares > 1:
                                break
                    # Answers on a single square decide little: the search has to go on behind them.
                    effort += total * total * (9 if squares == 1 else 1) + 4
            self.moves[number] = (MOST + 256 - effort) << 16 | (move & 0xFFFF)

    def weigh_lines(self, hand: int, occupied: int, empties: int) -> None:
        """Work out what placing the hand on each line does to the lines that stay open, in the ordering's measure."""
        weight = 8 * empties
        for line in range(self.line_count):
            togo = 4 - self.bits[self.lines[line] & occupied]
            shared = self.shared[empties * WORDS + (line >> 3)] >> 8 * (line & 7) & 255
            gain = 0
            if togo:
                gain -= self.bits[shared] * self.weights[weight + 3 + togo]
            if togo > 1:
                gain += self.bits[shared & self.features[hand]] * self.weights[weight + 2 + togo]
            self.gain[line] = gain

    def reaches_late(self, occupied: int, rest: int, hand: int, empties: int, goal: int, given: int) -> int:
        """Do the same with few empty squares: squares that leave few pieces to give come first, nothing is kept."""
        self.nodes += 1
        if self.nodes >= self.next_look:
            self.look()
        if empties < 3 or (empties == 3 and not goal):
            # A safe answer is there, and after it the opponent, or with a square less this player, can't win any more.
            return 1 - goal
        if goal and empties < 5:
            return self.strands(occupied, rest, hand, empties, given)
        if empties == 4:
            return self.survives(occupied, rest, hand, given)
        here = empties * 16
        below = here - 16
        moves = empties * 256
        number = 0
        listed = here
        left = 0xFFFF ^ occupied
        while left:
            self.square[here + number] = left & -left
            left &= left - 1
            if self.answers[given + number]:
                move = self.bits[self.answers[given + number]] << 4 | number
                slot = listed
                while slot > here and self.queue[slot - 1] > move:
                    self.queue[slot] = self.queue[slot - 1]
                    slot -= 1
                self.queue[slot] = move
                listed += 1
            number += 1
        pending = 0
        eager = self.eager[2 * empties + goal]
        for slot in range(here, listed):
            number = self.queue[slot] & 15
            pieces = self.answers[given + number]
            square = self.square[here + number]
            taken = occupied | square
            self.place(square, hand, empties)
            self.threaten(taken, empties - 1)
            if self.unused_count:
                pieces = self.distinct(pieces)
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                piece = self.index[(bit * 0x09AF >> 12) & 15]
                features = self.features[piece]
                remaining = rest ^ bit
                keep = (moves + pending) * 16
                total = 0
                for reply in range(empties - 1):
                    good = remaining & self.safe[self.always[below + reply] | self.alike[below + reply] & features]
                    self.answers[keep + reply] = good
                    total += self.bits[good]
                if not total:
                    self.nodes += 1
                    return 1
                if total > eager:
                    self.moves[moves + pending] = total << 16 | pending << 8 | number << 4 | piece
                    pending += 1
                elif not self.reaches_late(taken, remaining, piece, empties - 1, 1 - goal, keep):
                    return 1
        for number in range(moves, moves + pending):
            best = number
            for later in range(number + 1, moves + pending):
                if self.moves[later] < self.moves[best]:
                    best = later
            move = self.moves[best]
            self.moves[best] = self.moves[number]
            piece = move & 15
            square = self.square[here + (move >> 4 & 15)]
            taken = occupied | square
            self.place(square, hand, empties)
            keep = (moves + (move >> 8 & 255)) * 16
            if not self.reaches_late(taken, rest & ~(1 << piece), piece, empties - 1, 1 - goal, keep):
                return 1
        return 0

    def survives(self, occupied: int, rest: int, hand: int, given: int) -> int:
        """Return 1 if an option leaves the opponent no way to strand this player, who has four empty squares left."""
        below = 3 * 16
        keep = 4 * 256 * 16
        left = 0xFFFF ^ occupied
        while left:
            square = left & -left
            left ^= square
            pieces = self.answers[given]
            given += 1
            if not pieces:
                continue
            if self.unused_count:
                pieces = self.distinct(pieces)
            self.place(square, hand, 4)
            self.threaten(occupied | square, 3)
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                piece = self.index[(bit * 0x09AF >> 12) & 15]
                features = self.features[piece]
                remaining = rest ^ bit
                somewhere = 0
                for reply in range(3):
                    good = remaining & self.safe[self.always[below + reply] | self.alike[below + reply] & features]
                    self.answers[keep + reply] = good
                    somewhere |= good
                self.nodes += 1
                if not somewhere or not self.strands(occupied | square, remaining, piece, 3, keep):
                    return 1
        return 0

    def strands(self, occupied: int, rest: int, hand: int, empties: int, given: int) -> int:
        """Return 1 if an option leaves no safe answer: with three or four empty squares the only way to win."""
        below = empties * 16 - 16
        left = 0xFFFF ^ occupied
        while left:
            square = left & -left
            left ^= square
            pieces = self.answers[given]
            given += 1
            if not pieces:
                continue
            if self.unused_count:
                pieces = self.distinct(pieces)
            self.place(square, hand, empties)
            self.threaten(occupied | square, empties - 1)
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                features = self.features[self.index[(bit * 0x09AF >> 12) & 15]]
                remaining = rest ^ bit
                self.nodes += 1
                for reply in range(below, below + empties - 1):
                    if remaining & self.safe[self.always[reply] | self.alike[reply] & features]:
                        break
                else:
                    return 1
        return 0

    def answer(self, rest: int, hand: int, empties: int) -> int:
        """List the pieces that are safe to give once the hand stands on each empty square; return the union."""
        somewhere = 0
        features = self.features[hand]
        here = empties * 16
        for given in range(empties):
            good = rest & self.safe[self.always[here + given] | self.alike[here + given] & features]
            self.answers[given] = good
            somewhere |= good
        return somewhere

    def look(self) -> int:
        """See whether to stop: the budget is used up, or the caller says so."""
        if self.budget and self.nodes >= self.budget:
            raise Stopped
        if self.poll is not None and self.poll():
            raise Stopped
        self.next_look = self.nodes + SOON
        if self.budget and self.budget < self.next_look:
            self.next_look = self.budget
        return 0

    # --- the questions -----------------------------------------------------------------------------------------------

    def start(self, budget: int = 0, poll: Callable[[], object] | None = None) -> None:
        """Count nodes from zero; raise Stopped at the budget (0: none) or as soon as poll returns something true."""
        self.nodes = 0
        self.budget = budget
        self.poll = poll
        self.next_look = budget if 0 < budget < SOON else SOON

    def value(self, board: Sequence[int], hand: int) -> int:
        """Return 1, 0 or -1 for a win, a draw or a loss of the player to move.

        The board has sixteen pieces rank by rank, -1 for an empty square; hand is -1 when a piece is to be chosen.
        """
        for goal in (WIN, DRAW):
            if hand >= 0:
                if self.attains(board, hand, goal):
                    return goal
            elif any(not self.attains(board, piece, 1 - goal) for piece in self.pool(board, hand)):
                return goal
        return DRAW if hand < 0 and -1 not in board else LOSS

    def identity(self, board: Sequence[int], hand: int) -> int:
        """Return a number below 2**56 for a position and its mirror images, and no others with as many pieces."""
        same, occupied = self.lay(board, hand)
        return self.key(same, occupied, 16 - occupied.bit_count())

    def pool(self, board: Sequence[int], hand: int) -> list[int]:
        """Return the pieces neither on the board nor in hand."""
        return [piece for piece in range(16) if piece != hand and piece not in board]

    def winning_squares(self, board: Sequence[int], hand: int) -> list[int]:
        """Return the squares where the hand completes an alignment."""
        ends = self.draw_lines(board, hand)
        return [square for square in range(16) if ends >> square & 1]

    def safe_answers(self, board: Sequence[int], hand: int) -> list[int]:
        """Return for each empty square in turn the pieces, a bit each, that are safe to give with the hand there."""
        rest = 0
        for piece in self.pool(board, hand):
            rest |= 1 << piece
        self.draw_lines(board, hand)
        empties = sum(piece < 0 for piece in board)
        self.answer(rest, hand, empties)
        return [self.answers[given] for given in range(empties)]

    def lay(self, board: Sequence[int], hand: int) -> tuple[int, int]:
        """Return the lanes that share each trait with the hand, and the taken squares."""
        same = 0
        occupied = 0
        for square in range(16):
            if board[square] >= 0:
                piece = board[square]
                occupied |= 1 << square
                same |= (LANES << square) & self.spread[15] & ~self.spread[piece ^ hand]
        return same, occupied

    def draw_lines(self, board: Sequence[int], hand: int) -> int:
        """List the lines of a board with the hand still in hand; return the squares where it completes one."""
        occupied = 0
        empties = 0
        for square in range(16):
            if board[square] >= 0:
                occupied |= 1 << square
            else:
                empties += 1
        ends = 0
        here = empties * WORDS
        for part in range(here, here + WORDS):
            self.shared[part] = 0
            self.lack[part] = 0
        for number in range(self.line_count):
            squares = self.lines[number]
            shared = self.features[0] | self.features[15]
            for square in range(16):
                if squares >> square & 1 and board[square] >= 0:
                    piece = board[square]
                    shared &= self.features[piece]
            togo = 4 - self.bits[squares & occupied]
            self.shared[here + (number >> 3)] |= shared << 8 * (number & 7)
            lack = 1 << togo >> 1
            self.lack[here + (number >> 3)] |= lack << 8 * (number & 7)
            if togo == 1 and shared & self.features[hand]:
                ends |= squares & ~occupied
        self.threaten(occupied, empties)
        return ends

    def attains(self, board: Sequence[int], hand: int, goal: int) -> bool:
        """Tell whether the player with this hand can force a win (goal 1), or at least a draw (goal 0)."""
        if self.draw_lines(board, hand):
            return True
        same, occupied = self.lay(board, hand)
        rest = 0xFFFF ^ (1 << hand)
        for square in range(16):
            if board[square] >= 0:
                piece = board[square]
                rest &= ~(1 << piece)
        if not rest:
            return goal == DRAW
        empties = 16 - occupied.bit_count()
        if not self.answer(rest, hand, empties):
            return False
        with cython.nogil:
            result = self.reaches(same, occupied, rest, hand, empties, goal, 0)
        return result == 1
