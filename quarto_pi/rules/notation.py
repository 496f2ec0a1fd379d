"""Pieces, squares, positions and options as text, and back.

What is printed can be read again. What cannot be read gets one sentence that names the place and the right form.
"""

from __future__ import annotations

from quarto_pi.rules.board import SQUARES, Board, Position, Square
from quarto_pi.rules.errors import NotationError, OptionsError, hint
from quarto_pi.rules.piece import ALL_TRAITS, PIECES, Piece, Trait, TraitValue

EMPTY_BOARD = "..../..../..../.... -"
"""The position before the first give."""

_HEX = "0123456789abcdef"
_BY_LETTER = {value.letter: value for value in TraitValue}
_BY_NAME = {square.name: square for square in SQUARES}


def parse_piece(text: str) -> Piece:
    """The piece with this code: one letter for each trait, in any order and case.

    >>> parse_piece("hqsd")
    Piece(number=15)
    """
    values: dict[Trait, TraitValue] = {}
    for letter in text.strip():
        value = _BY_LETTER.get(letter.upper()) if letter.isascii() else None
        if value is None:
            raise NotationError(
                f"{text!r} is not a piece: {letter!r} is none of the letters L or D, T or S, R or Q, F or H; "
                "write four of them, such as LTRF."
            )
        if value.trait in values:
            raise NotationError(
                f"{text!r} is not a piece: it tells the {value.trait.value} twice; "
                "write one letter for each trait, such as LTRF."
            )
        values[value.trait] = value
    for trait in ALL_TRAITS:
        if trait not in values:
            first, second = trait.values
            raise NotationError(
                f"{text!r} is not a piece: it does not tell the {trait.value}; "
                f"add {first.letter} ({first.word}) or {second.letter} ({second.word})."
            )
    return Piece.of(*values.values())


def parse_digit(text: str) -> Piece:
    """The piece with this number, written as one hex digit."""
    if len(text) != 1 or text.lower() not in _HEX:
        raise NotationError(f"{text!r} is not a piece number: write one hex digit, 0 to f.")
    return PIECES[_HEX.index(text.lower())]


def parse_square(text: str) -> Square:
    """The square with this name.

    >>> parse_square("b2").index
    5
    """
    name = text.strip().lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name[::-1] in _BY_NAME:
        raise NotationError(f"{text!r} is not a square: write the letter first, {name[::-1]}.")
    if len(name) == 2 and name[0].isalpha() and name[0] not in "abcd":
        raise NotationError(f"{text!r} is not a square: the columns are a to d, there is no {name[0]}.")
    if len(name) == 2 and name[0] in "abcd" and name[1].isdigit():
        raise NotationError(f"{text!r} is not a square: the rows are 1 to 4, there is no {name[1]}.")
    raise NotationError(f"{text!r} is not a square: write a letter a to d and a number 1 to 4, such as b2.")


def parse_position(text: str) -> Position:
    """The position in this text: four ranks, the fourth first, and the piece in hand or '-'.

    >>> str(parse_position("..../.7../..../.... c"))
    '..../.7../..../.... c'
    """
    parts = text.split()
    if len(parts) != 2:
        raise NotationError(
            f"a position has two parts, the board and the piece in hand, not {len(parts)}: write it as '{EMPTY_BOARD}'."
        )
    board = parse_board(parts[0])
    if parts[1] == "-":
        return Position(board)
    if len(parts[1]) != 1 or parts[1].lower() not in _HEX:
        raise NotationError(f"the piece in hand {parts[1]!r} is not a hex digit 0 to f, nor '-' for none.")
    hand = parse_digit(parts[1])
    if hand in board.cells:
        where = SQUARES[board.cells.index(hand)]
        raise NotationError(f"piece {hand.digit} is in hand and on {where}: every piece exists once.")
    return Position(board, hand)


def parse_board(text: str) -> Board:
    """The board in this text: four ranks with '/' between them, the fourth first."""
    ranks = text.split("/")
    if len(ranks) != 4:
        raise NotationError(
            f"a board has four ranks with '/' between them, not {len(ranks)}: write it as '..../..../..../....'."
        )
    where: dict[Piece, Square] = {}
    for number, rank in zip((4, 3, 2, 1), ranks, strict=True):
        if len(rank) != 4:
            raise NotationError(
                f"rank {number} {rank!r} has {len(rank)} squares instead of 4: "
                "write a hex digit for a piece and '.' for an empty square."
            )
        for column, character in enumerate(rank):
            square = SQUARES[4 * (number - 1) + column]
            if character == ".":
                continue
            if character.lower() not in _HEX:
                raise NotationError(
                    f"{character!r} on {square} is not a piece: write a hex digit 0 to f, or '.' for an empty square."
                )
            piece = parse_digit(character)
            if piece in where:
                raise NotationError(
                    f"piece {piece.digit} stands on {where[piece]} and on {square}: every piece exists once."
                )
            where[piece] = square
    return Board.of({square: piece for piece, square in where.items()})


def parse_traits(text: str) -> tuple[Trait, ...]:
    """The traits in play from a list with commas.

    >>> [trait.value for trait in parse_traits("shape,colour")]
    ['colour', 'shape']
    """
    chosen: list[Trait] = []
    known = [trait.value for trait in ALL_TRAITS]
    if not text.strip():
        raise OptionsError(f"no trait is named: name at least one of {', '.join(known)}.")
    for word in (part.strip().lower() for part in text.split(",")):
        if word not in known:
            raise OptionsError(f"{word!r} is not a trait: {hint(word, known)}")
        if Trait(word) in chosen:
            raise OptionsError(f"the trait {word} is named twice: name each one once.")
        chosen.append(Trait(word))
    return tuple(trait for trait in ALL_TRAITS if trait in chosen)


def format_traits(traits: tuple[Trait, ...]) -> str:
    """Traits as a list with commas."""
    return ",".join(trait.value for trait in traits)
