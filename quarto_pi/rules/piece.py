"""The sixteen pieces and their four two-valued traits (R1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

# --- The two players --------------------------------------------------------------------------------------------------


class Player(Enum):
    """One of the two players; the number is the one used in traces and records."""

    A = 0
    B = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.B if self is Player.A else Player.A


# --- The sixteen pieces and their four two-valued traits (R1) ---------------------------------------------------------


class Trait(Enum):
    """One of the four ways in which pieces differ."""

    COLOUR = "colour"
    HEIGHT = "height"
    SHAPE = "shape"
    TOP = "top"

    @property
    def bit(self) -> int:
        """The bit that this trait occupies in a piece's number."""
        return _BIT[self]

    @property
    def values(self) -> tuple[TraitValue, TraitValue]:
        """The two values of this trait, the one whose bit is clear first."""
        return _VALUES[self]


class TraitValue(Enum):
    """One of the two values that a trait can have, with its letter in the notation."""

    LIGHT = "L"
    DARK = "D"
    TALL = "T"
    SHORT = "S"
    ROUND = "R"
    SQUARE = "Q"
    SOLID = "F"
    HOLLOW = "H"

    @property
    def letter(self) -> str:
        """The letter for this value in a piece's code."""
        return self.value

    @property
    def word(self) -> str:
        """The value as an English word."""
        return self.name.lower()

    @property
    def trait(self) -> Trait:
        """The trait that this is a value of."""
        return _TRAIT_OF[self]


_BIT = {Trait.COLOUR: 8, Trait.HEIGHT: 4, Trait.SHAPE: 2, Trait.TOP: 1}
_VALUES = {
    Trait.COLOUR: (TraitValue.LIGHT, TraitValue.DARK),
    Trait.HEIGHT: (TraitValue.TALL, TraitValue.SHORT),
    Trait.SHAPE: (TraitValue.ROUND, TraitValue.SQUARE),
    Trait.TOP: (TraitValue.SOLID, TraitValue.HOLLOW),
}
_TRAIT_OF = {value: trait for trait, values in _VALUES.items() for value in values}

ALL_TRAITS = tuple(Trait)


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A piece, told by its number: 8 if dark + 4 if short + 2 if square + 1 if hollow.

    >>> Piece(0).letters, Piece(0).words
    ('LTRF', ('light', 'tall', 'round', 'solid'))
    >>> Piece.of(TraitValue.DARK, TraitValue.SHORT, TraitValue.SQUARE, TraitValue.HOLLOW)
    Piece(number=15)
    """

    number: int

    def __post_init__(self) -> None:
        if not 0 <= self.number <= 15:
            raise ValueError(f"piece number {self.number} does not exist: pieces are numbered 0 to 15.")

    @classmethod
    def of(cls, *values: TraitValue) -> Piece:
        """The piece that has these four values, one for each trait."""
        if len(values) != 4 or {value.trait for value in values} != set(Trait):
            raise ValueError("a piece takes exactly one value for each of the four traits.")
        return PIECES[sum(value.trait.bit for value in values if value is value.trait.values[1])]

    def value(self, trait: Trait) -> TraitValue:
        """This piece's value of one trait."""
        return trait.values[1 if self.number & trait.bit else 0]

    @property
    def values(self) -> tuple[TraitValue, ...]:
        """The four values, in the order colour, height, shape, top."""
        return tuple(self.value(trait) for trait in ALL_TRAITS)

    @property
    def letters(self) -> str:
        """The piece's code of four letters, such as `LTRF`."""
        return "".join(value.letter for value in self.values)

    @property
    def digit(self) -> str:
        """The piece's number as one hex digit, as it stands in a position."""
        return f"{self.number:x}"

    @property
    def words(self) -> tuple[str, ...]:
        """The four values as English words."""
        return tuple(value.word for value in self.values)

    def __str__(self) -> str:
        return self.letters


PIECES = tuple(Piece(number) for number in range(16))
