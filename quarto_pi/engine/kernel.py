"""The exact search: can the player who holds a piece force a win, can he force at least a draw.

The same source runs interpreted and compiled; kernel.pxd adds the machine's types, nothing else. So every number here
stays below 2**64 in both worlds, and what could grow beyond is masked where the compiler knows that it need not be.

A position is seen from the piece in hand. Two words of four lanes of sixteen bits, one lane a trait, say where the
pieces stand that share the trait with the hand (`same`) and those that do not (`other`); `same_ends` and `other_ends`
are the empty squares where one more piece of that kind completes an alignment. Alignments that are complete already
have no empty square, so that they count for nothing without a word about them.

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
LOW_BITS = 0x7FFF7FFF7FFF7FFF
GATHER = 0x0001000200040008
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
KEPT = 7
SOON = 4096
MOST = 1 << 24
# With this many or more, who wants a draw looks one step further at so many of his most promising options.
DEEP = 10
BREADTH = 8


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
        self.completes = tables.completions(lines)
        self.safe = tables.safe_pieces()
        self.bits = array("B", [number.bit_count() for number in range(1 << 16)])
        self.index = array("B", bytes(16))
        for number in range(16):
            self.index[((1 << number) * 0x09AF >> 12) & 15] = number
        self.spread = array("Q", [sum(0xFFFF << 16 * t for t in range(4) if p & traits & 1 << t) for p in range(16)])
        # A placement marks its square in the lanes of the traits in play; the other lanes stay empty for good.
        self.lanes = LANES & sum(1 << 16 * t for t in range(4) if traits & 1 << t)
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
        self.line_count = len(lines)
        self.lines = array("Q", [line * LANES for line in lines])
        self.through = array("I", [sum(1 << k for k, line in enumerate(lines) if line >> s & 1) for s in range(16)])
        self.weights = tables.weights()
        self.logarithms = tables.logarithms()
        self.eager = tables.eager()
        # Work space, a part for every number of empty squares.
        self.moves = array("q", bytes(8 * 17 * 256))
        self.answers = array("H", bytes(2 * 17 * 4096))
        self.square = array("Q", bytes(8 * 17 * 16))
        self.queue = array("i", bytes(4 * 17 * 16))
        self.mine = array("Q", bytes(8 * 17 * 16))
        # Work space that no deeper position disturbs before it is read.
        self.pairs = array("I", bytes(4 * 256))
        self.straight = array("I", bytes(4 * 17 * 16))
        self.change = array("I", bytes(4 * 17 * 16))
        self.singles = array("Q", bytes(8 * 16))
        self.gain = array("i", bytes(4 * 19))
        self.resize(table_bytes)
        # Whether the options of who wants to win, most of which fail, are tried from the last to the first: of two
        # searches that share a table and search one position, one does so, and they meet half way.
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

    def ends(self, lanes: int) -> int:
        """Return, lane by lane, the squares that complete an alignment."""
        a = self.completes[lanes & 0xFFFF]
        b = self.completes[lanes >> 16 & 0xFFFF]
        c = self.completes[lanes >> 32 & 0xFFFF]
        d = self.completes[lanes >> 48]
        return a | b << 16 | c << 32 | d << 48

    def danger(self, same_ends: int, other_ends: int) -> int:
        """Return the traits whose value in the hand completes something, and in the next four bits the other values."""
        same = (((same_ends & LOW_BITS) + LOW_BITS) | same_ends) >> 15 & LANES
        other = (((other_ends & LOW_BITS) + LOW_BITS) | other_ends) >> 15 & LANES
        return ((same | other << 4) * GATHER >> 48) & 255

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

    def reaches(
        self,
        same: int,
        other: int,
        other_ends: int,
        occupied: int,
        rest: int,
        hand: int,
        empties: int,
        goal: int,
        given: int,
    ) -> int:
        """Return 1 if the player to place can force the goal (1: a win, 0: a draw), 0 if not.

        There is a safe answer; from given on, self.answers has the safe pieces for each empty square in turn.
        """
        if empties < KEPT:
            return self.reaches_late(same, other, other_ends, occupied, rest, hand, empties, goal, given)
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
        found = self.order(same, other, other_ends, occupied, rest, hand, empties, goal, given)
        here = empties * 16
        moves = empties * 256
        result = 0
        if found < 0:
            self.nodes += 1
            result = 1
        if empties >= DEEP and found > 1:
            if not goal:
                self.survey(same, other, other_ends, occupied, rest, hand, empties, found)
            elif self.contrary:
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
            place = here + (move >> 4 & 15)
            square = self.square[place]
            flip = self.spread[piece ^ hand]
            placed = same | square * self.lanes
            turn = (placed ^ other) & flip
            theirs = other_ends & ~(square * LANES)
            theirs ^= (self.mine[place] ^ theirs) & flip
            if not self.reaches(
                placed ^ turn,
                other ^ turn,
                theirs,
                occupied | square,
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

    def order(
        self,
        same: int,
        other: int,
        other_ends: int,
        occupied: int,
        rest: int,
        hand: int,
        empties: int,
        goal: int,
        given: int,
    ) -> int:
        """List the options with their promise and return how many, or -1 if one leaves the opponent no safe answer.

        Who wants a draw does best with the option that leaves the fewest safe answers, which is the one that is
        cheapest to prove; who wants to win also looks at the lines that stay open.
        """
        here = empties * 16
        safe = hand << 8
        number = 0
        left = 0xFFFF ^ occupied
        while left:
            square = left & -left
            left ^= square
            self.square[here + number] = square
            self.singles[number] = self.ends(other | square * LANES)
            number += 1
        weight = 8 * empties
        if goal:
            self.weigh_lines(same, other, occupied, weight)
        moves = empties * 256
        found = 0
        for number in range(empties):
            pieces = self.answers[given + number]
            if not pieces:
                continue
            square = self.square[here + number]
            placed = same | square * self.lanes
            full = (occupied | square) * LANES
            mine = self.ends(placed) & ~full
            self.mine[here + number] = mine
            replies = empties - 1
            for reply in range(replies):
                follow = reply + (reply >= number)
                gone = self.square[here + follow] * LANES
                free = ~(full | gone)
                # The piece given next adds to one lane of each trait or the other, by its value; xor picks which.
                if follow < number and self.answers[given + follow]:
                    straight = self.pairs[follow * 16 + number]
                else:
                    straight = self.danger(self.ends(placed | gone) & free, other_ends & free)
                    self.pairs[number * 16 + follow] = straight
                self.straight[reply] = safe + straight
                self.change[reply] = straight ^ self.danger(mine & ~gone, self.singles[follow] & free)
            base = 0
            if goal:
                base = 8192
                lines = self.through[self.index[(square * 0x09AF >> 12) & 15]]
                for line in range(self.line_count):
                    if lines >> line & 1:
                        base += self.gain[line]
            if self.unused_count:
                pieces = self.distinct(pieces)
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                piece = self.index[(bit * 0x09AF >> 12) & 15]
                flip = (piece ^ hand) * 17
                remaining = rest ^ bit
                total = 0
                keep = (moves + found) * 16
                for reply in range(replies):
                    good = remaining & self.safe[self.straight[reply] ^ (self.change[reply] & flip)]
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

    def survey(
        self, same: int, other: int, other_ends: int, occupied: int, rest: int, hand: int, empties: int, found: int
    ) -> None:
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
            place = here + (move >> 4 & 15)
            square = self.square[place]
            flip = self.spread[piece ^ hand]
            placed = same | square * self.lanes
            turn = (placed ^ other) & flip
            theirs = other_ends & ~(square * LANES)
            theirs ^= (self.mine[place] ^ theirs) & flip
            self.nodes += 1
            replies = self.order(
                placed ^ turn,
                other ^ turn,
                theirs,
                occupied | square,
                rest & ~(1 << piece),
                piece,
                empties - 1,
                0,
                (moves + (move >> 8 & 255)) * 16,
            )
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

    def weigh_lines(self, same: int, other: int, occupied: int, weight: int) -> None:
        """Work out what placing the hand on each line does to the lines that stay open, in the ordering's measure."""
        for line in range(self.line_count):
            lanes = self.lines[line]
            togo = 4 - self.bits[occupied & lanes & 0xFFFF]
            if togo:
                # A line is open to a value while no piece of the other value stands on it.
                blocked = other & lanes
                blocked = ((blocked & LOW_BITS) + LOW_BITS | blocked) >> 15 & LANES
                mine = 4 - ((blocked * LANES >> 48) & 15)
                blocked = same & lanes
                blocked = ((blocked & LOW_BITS) + LOW_BITS | blocked) >> 15 & LANES
                theirs = 4 - ((blocked * LANES >> 48) & 15)
                gain = -(mine + theirs) * self.weights[weight + 3 + togo]
                if togo > 1:
                    gain += mine * self.weights[weight + 2 + togo]
                self.gain[line] = gain
            else:
                self.gain[line] = 0

    def reaches_late(
        self,
        same: int,
        other: int,
        other_ends: int,
        occupied: int,
        rest: int,
        hand: int,
        empties: int,
        goal: int,
        given: int,
    ) -> int:
        """Do the same with few empty squares: squares that leave few pieces to give come first, nothing is kept."""
        self.nodes += 1
        if empties < 3 or (empties == 3 and not goal):
            # A safe answer is there, and after it the opponent, or with a square less this player, can't win any more.
            return 1 - goal
        if goal and empties < 5:
            return self.strands(same, other, other_ends, occupied, rest, hand, given)
        here = empties * 16
        moves = empties * 256
        number = 0
        listed = here
        left = 0xFFFF ^ occupied
        while left:
            square = left & -left
            left ^= square
            self.square[here + number] = square
            if self.answers[given + number]:
                move = self.bits[self.answers[given + number]] << 4 | number
                place = listed
                while place > here and self.queue[place - 1] > move:
                    self.queue[place] = self.queue[place - 1]
                    place -= 1
                self.queue[place] = move
                listed += 1
            number += 1
        pending = 0
        eager = self.eager[2 * empties + goal]
        for place in range(here, listed):
            number = self.queue[place] & 15
            pieces = self.answers[given + number]
            square = self.square[here + number]
            placed = same | square * self.lanes
            full = (occupied | square) * LANES
            mine = self.ends(placed) & ~full
            theirs = other_ends & ~full
            if self.unused_count:
                pieces = self.distinct(pieces)
            shared = self.queue[place] > 31
            if shared:
                reply = here
                left = 0xFFFF ^ occupied ^ square
                while left:
                    gone = (left & -left) * LANES
                    left &= left - 1
                    free = ~(full | gone)
                    danger = self.danger(self.ends(placed | gone) & free, theirs & ~gone)
                    self.straight[reply] = (hand << 8) + danger
                    self.change[reply] = danger ^ self.danger(mine & ~gone, self.ends(other | gone) & free)
                    reply += 1
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                piece = self.index[(bit * 0x09AF >> 12) & 15]
                flip = self.spread[piece ^ hand]
                turn = (placed ^ other) & flip
                next_same = placed ^ turn
                next_theirs = theirs ^ ((mine ^ theirs) & flip)
                remaining = rest ^ bit
                keep = (moves + pending) * 16
                total = 0
                if shared:
                    twist = (piece ^ hand) * 17
                    for reply in range(empties - 1):
                        good = remaining & self.safe[self.straight[here + reply] ^ (self.change[here + reply] & twist)]
                        self.answers[keep + reply] = good
                        total += self.bits[good]
                else:
                    safe = piece << 8
                    reply = keep
                    left = 0xFFFF ^ occupied ^ square
                    while left:
                        gone = (left & -left) * LANES
                        left &= left - 1
                        danger = self.danger(self.ends(next_same | gone) & ~(full | gone), next_theirs & ~gone)
                        good = remaining & self.safe[safe + danger]
                        self.answers[reply] = good
                        reply += 1
                        total += self.bits[good]
                if not total:
                    self.nodes += 1
                    return 1
                if total > eager:
                    self.moves[moves + pending] = total << 16 | pending << 8 | number << 4 | piece
                    pending += 1
                elif empties == 4:
                    # The opponent needs a win, and has one only if he can strand this player.
                    self.nodes += 1
                    if not self.strands(
                        next_same, other ^ turn, next_theirs, occupied | square, remaining, piece, keep
                    ):
                        return 1
                elif not self.reaches_late(
                    next_same,
                    other ^ turn,
                    next_theirs,
                    occupied | square,
                    remaining,
                    piece,
                    empties - 1,
                    1 - goal,
                    keep,
                ):
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
            flip = self.spread[piece ^ hand]
            placed = same | square * self.lanes
            full = (occupied | square) * LANES
            turn = (placed ^ other) & flip
            theirs = other_ends & ~full
            theirs ^= ((self.ends(placed) & ~full) ^ theirs) & flip
            if not self.reaches_late(
                placed ^ turn,
                other ^ turn,
                theirs,
                occupied | square,
                rest & ~(1 << piece),
                piece,
                empties - 1,
                1 - goal,
                (moves + (move >> 8 & 255)) * 16,
            ):
                return 1
        return 0

    def strands(self, same: int, other: int, other_ends: int, occupied: int, rest: int, hand: int, given: int) -> int:
        """Return 1 if an option leaves no safe answer: with three or four empty squares the only way to win."""
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
            placed = same | square * self.lanes
            full = (occupied | square) * LANES
            mine = self.ends(placed) & ~full
            theirs = other_ends & ~full
            while pieces:
                bit = pieces & -pieces
                pieces ^= bit
                piece = self.index[(bit * 0x09AF >> 12) & 15]
                flip = self.spread[piece ^ hand]
                next_same = placed ^ ((placed ^ other) & flip)
                next_theirs = theirs ^ ((mine ^ theirs) & flip)
                remaining = rest ^ bit
                self.nodes += 1
                free = 0xFFFF ^ occupied ^ square
                while free:
                    gone = (free & -free) * LANES
                    free &= free - 1
                    danger = self.danger(self.ends(next_same | gone) & ~(full | gone), next_theirs & ~gone)
                    if remaining & self.safe[(piece << 8) + danger]:
                        break
                else:
                    return 1
        return 0

    def answer(self, same: int, other_ends: int, occupied: int, rest: int, hand: int) -> int:
        """List the pieces that are safe to give once the hand stands on each empty square; return the union."""
        somewhere = 0
        given = 0
        left = 0xFFFF ^ occupied
        while left:
            gone = (left & -left) * LANES
            left &= left - 1
            free = (0xFFFF ^ occupied) * LANES & ~gone
            danger = self.danger(self.ends(same | gone) & free, other_ends & free)
            self.answers[given] = rest & self.safe[(hand << 8) + danger]
            somewhere |= self.answers[given]
            given += 1
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
        same, _, occupied = self.lay(board, hand)
        return self.key(same, occupied, 16 - occupied.bit_count())

    def pool(self, board: Sequence[int], hand: int) -> list[int]:
        """Return the pieces neither on the board nor in hand."""
        return [piece for piece in range(16) if piece != hand and piece not in board]

    def winning_squares(self, board: Sequence[int], hand: int) -> list[int]:
        """Return the squares where the hand completes an alignment."""
        same, _, _ = self.lay(board, hand)
        ends = self.ends(same)
        return [
            s for s in range(16) if board[s] < 0 and (ends >> s | ends >> s + 16 | ends >> s + 32 | ends >> s + 48) & 1
        ]

    def safe_answers(self, board: Sequence[int], hand: int) -> list[int]:
        """Return for each empty square in turn the pieces, a bit each, that are safe to give with the hand there."""
        same, other, occupied = self.lay(board, hand)
        rest = 0
        for piece in self.pool(board, hand):
            rest |= 1 << piece
        self.answer(same, self.ends(other) & (0xFFFF ^ occupied) * LANES, occupied, rest, hand)
        return [self.answers[given] for given in range(16 - occupied.bit_count())]

    def lay(self, board: Sequence[int], hand: int) -> tuple[int, int, int]:
        """Return the lanes that share each trait with the hand, those that do not, and the taken squares."""
        same = 0
        other = 0
        occupied = 0
        for square in range(16):
            if board[square] >= 0:
                piece = board[square]
                flip = self.spread[piece ^ hand]
                occupied |= 1 << square
                same |= (LANES << square) & self.spread[15] & ~flip
                other |= (LANES << square) & flip
        return same, other, occupied

    def attains(self, board: Sequence[int], hand: int, goal: int) -> bool:
        """Tell whether the player with this hand can force a win (goal 1), or at least a draw (goal 0)."""
        same, other, occupied = self.lay(board, hand)
        free = (0xFFFF ^ occupied) * LANES
        if self.ends(same) & free:
            return True
        rest = 0xFFFF ^ (1 << hand)
        for square in range(16):
            if board[square] >= 0:
                piece = board[square]
                rest &= ~(1 << piece)
        if not rest:
            return goal == DRAW
        other_ends = self.ends(other) & free
        given = 16 - occupied.bit_count()
        if not self.answer(same, other_ends, occupied, rest, hand):
            return False
        with cython.nogil:
            result = self.reaches(same, other, other_ends, occupied, rest, hand, given, goal, 0)
        return result == 1
