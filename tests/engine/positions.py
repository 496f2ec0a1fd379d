"""Positions for the engine's tests: at random, and from plain files."""

from __future__ import annotations

import random
from pathlib import Path

from quarto_pi.rules import Board, Options, Piece, Position, Square, Trait
from tests.engine import naive_search

HERE = Path(__file__).parent

Numbers = tuple[list[int], int]
"""A board of piece numbers, -1 for an empty square, and the piece in hand, -1 for none."""

VARIANTS = [(squares, traits) for squares in (False, True) for traits in naive_search.subsets()]


def listed(name: str) -> list[tuple[Numbers, str]]:
    """The positions of a file, each with the last word of its line."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    found = []
    for ranks, hand, *rest in (line.split() for line in lines if not line.startswith("#")):
        cells = "".join(reversed(ranks.split("/")))
        board = [-1 if letter == "." else int(letter, 16) for letter in cells]
        found.append(((board, int(hand, 16)), rest[-1] if rest else ""))
    return found


def options_of(squares: bool, traits: list[int]) -> Options:
    """The rules options for the naive search's words."""
    return Options(squares=squares, traits=tuple(list(Trait)[index] for index in traits))


def position_of(numbers: Numbers) -> Position:
    """The same as a position of the rules."""
    board, hand = numbers
    pieces = {Square(index): Piece(number) for index, number in enumerate(board) if number >= 0}
    return Position(Board.of(pieces), None if hand < 0 else Piece(hand))


def random_position(rng: random.Random, empties: int) -> Numbers:
    """Any position: complete alignments, which have lapsed, and immediate wins included."""
    board = [-1] * 16
    pieces = rng.sample(range(16), 16)
    for square in rng.sample(range(16), 16 - empties):
        board[square] = pieces.pop()
    return board, pieces.pop() if empties and rng.random() < 0.7 else -1


def quiet_position(rng: random.Random, empties: int, squares: bool, traits: list[int]) -> Numbers:
    """A position that play without a win leads to, so that the search has something to do."""
    while True:
        board: dict[int, naive_search.Piece] = {}
        pool = rng.sample(naive_search.PIECES, 16)
        free = rng.sample(range(16), 16)
        while len(free) > empties:
            hand = pool.pop()
            good = [s for s in free if not naive_search.wins({**board, s: hand}, s, squares, traits)]
            if not good:
                break
            board[good[0]] = hand
            free.remove(good[0])
        else:
            numbers = [naive_search.PIECES.index(board[s]) if s in board else -1 for s in range(16)]
            return numbers, naive_search.PIECES.index(pool.pop())


def naive_options(numbers: Numbers, squares: bool, traits: list[int]) -> dict[tuple[int, int], int]:
    """What the naive search says of every option, in numbers."""
    board, hand = numbers
    tuples = {square: naive_search.PIECES[piece] for square, piece in enumerate(board) if piece >= 0}
    found = naive_search.options(tuples, naive_search.PIECES[hand] if hand >= 0 else None, squares, traits)
    return {
        (-1 if square is None else square, -1 if piece is None else naive_search.PIECES.index(piece)): value
        for (square, piece), value in found.items()
    }
