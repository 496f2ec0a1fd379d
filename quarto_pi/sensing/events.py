"""What leaves the sensing layer: what has happened on the board, and its photograph."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.rules import Piece

Thing = Piece | str
"""What can stand on a cell: a piece, or a foreign tag, told by its UID."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """The whole board: which piece is on which cell, and what keeps the picture from being a position."""

    pieces: tuple[tuple[str, Piece], ...] = ()
    foreign: tuple[tuple[str, str], ...] = ()
    two_tags: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    def piece_on(self, cell: str) -> Piece | None:
        """The piece that rests on a cell, None if none does."""
        return next((piece for where, piece in self.pieces if where == cell), None)

    def cell_of(self, piece: Piece) -> str | None:
        """The cell on which a piece rests, None if it is off the board."""
        return next((where for where, what in self.pieces if what == piece), None)


@dataclass(frozen=True, slots=True)
class Found:
    """A piece was there already when the readers began to look."""

    cell: str
    piece: Piece
    at: int


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """A piece rests on a cell, and has been heard there since a moment before."""

    cell: str
    piece: Piece
    at: int
    since: int


@dataclass(frozen=True, slots=True)
class PieceLifted:
    """A piece has left its cell, and was missed there first at a moment before."""

    cell: str
    piece: Piece
    at: int
    since: int


@dataclass(frozen=True, slots=True)
class PieceMoved:
    """A piece has left one cell and rests on another, without having been off the board for long.

    It was missed on the one at `missed`, and has been heard on the other one since `since`.
    """

    origin: str
    cell: str
    piece: Piece
    at: int
    since: int
    missed: int


@dataclass(frozen=True, slots=True)
class ForeignTag:
    """A tag that belongs to no piece rests on a cell."""

    cell: str
    uid: str
    at: int


@dataclass(frozen=True, slots=True)
class ForeignTagGone:
    """A foreign tag has left its cell."""

    cell: str
    uid: str
    at: int


@dataclass(frozen=True, slots=True)
class TwoTags:
    """Two or more tags are on one cell; those that could be told apart are named."""

    cell: str
    things: tuple[Thing, ...]
    at: int


@dataclass(frozen=True, slots=True)
class TwoTagsGone:
    """A cell on which there were several tags has at most one again."""

    cell: str
    at: int


@dataclass(frozen=True, slots=True)
class ReaderFailed:
    """A cell's reader has failed for so long that nothing is known of the cell any more."""

    cell: str
    at: int


@dataclass(frozen=True, slots=True)
class ReaderRecovered:
    """A lost reader works again."""

    cell: str
    at: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing on the board is in doubt, and this is what stands where."""

    photograph: Photograph
    at: int


BoardEvent = (
    Found
    | PiecePlaced
    | PieceLifted
    | PieceMoved
    | ForeignTag
    | ForeignTagGone
    | TwoTags
    | TwoTagsGone
    | ReaderFailed
    | ReaderRecovered
    | Settled
)
