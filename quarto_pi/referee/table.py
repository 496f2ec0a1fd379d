"""The table as the sensing layer tells of it, and how it differs from the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from quarto_pi.referee.inputs import Seen
from quarto_pi.rules import SQUARES, Board, Piece, Square
from quarto_pi.sensing import events as sensed
from quarto_pi.sensing.board import NO_DOUBTS, Doubt
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import OFFER

_T = TypeVar("_T")

SQUARE_OF: Mapping[str, Square] = {square.name: square for square in SQUARES}
"""The square under each of the board's cells; the give place is none."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece that rests on a cell, and since when."""

    piece: Piece
    since: int


@dataclass(frozen=True, slots=True)
class Left:
    """The cell that a piece was on, when it was missed there first, and when it was believed to be gone."""

    cell: str
    since: int
    at: int


@dataclass(frozen=True, slots=True)
class Stay:
    """A piece that lay on the give place, from one moment to another."""

    piece: Piece
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Table:
    """What stands where, and what keeps that from being certain.

    `left` tells when a piece left its last cell, `recovered` when a reader came back; `foreign` and `crowds` are
    what is no piece or more than one. `offered` holds the pieces that were seen on the give place, and when last;
    `laid` those of them that rested there, and were not merely carried over it; `stay` is the last time that one of
    them did which has been taken up since. `silent` are the pieces that nobody hears and that people have said to stand
    on their squares (D15).
    """

    standing: Mapping[str, Standing] = field(default_factory=dict)
    left: Mapping[Piece, Left] = field(default_factory=dict)
    offered: Mapping[Piece, int] = field(default_factory=dict)
    laid: Mapping[Piece, int] = field(default_factory=dict)
    stay: Stay | None = None
    silent: frozenset[Piece] = frozenset()
    lost: frozenset[str] = frozenset()
    recovered: Mapping[str, int] = field(default_factory=dict)
    foreign: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    crowds: Mapping[str, tuple[tuple[Thing, ...], int]] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = NO_DOUBTS

    def after(self, seen: Seen, rest: int) -> Table:
        """The table after one more sweep; what lies somewhere for `rest` milliseconds rests there."""
        offered = {doubt.piece for doubt in seen.doubts if doubt.cell == OFFER and doubt.arriving}
        table = self
        if seen.doubts != self.doubts:
            table = replace(self, doubts=seen.doubts)
        if offered:
            table = replace(table, offered={**table.offered, **dict.fromkeys(offered, seen.at)})
        for event in seen.events:
            table = table.changed(event)
        for doubt in self.doubts:
            if doubt.cell == OFFER and doubt.arriving and doubt.piece not in offered:
                table = _taken_up(table, doubt, rest)
        return table

    def piece_on(self, cell: str) -> Piece | None:
        """The piece that rests on a cell."""
        standing = self.standing.get(cell)
        return None if standing is None else standing.piece

    def cell_of(self, piece: Piece) -> str | None:
        """The cell on which a piece rests."""
        return next((cell for cell, standing in self.standing.items() if standing.piece == piece), None)

    def is_heard(self, piece: Piece) -> bool:
        """Whether a piece answers somewhere, believed or not."""
        coming = any(doubt.piece == piece and doubt.arriving for doubt in self.doubts)
        return coming or self.cell_of(piece) is not None

    def lay_there(self, piece: Piece, at: int) -> bool:
        """Whether a piece lay on the give place at a moment."""
        offered, stay = self.standing.get(OFFER), self.stay
        if offered is not None and offered.piece == piece and offered.since <= at:
            return True
        return stay is not None and stay.piece == piece and stay.since <= at <= stay.until

    @property
    def pieces_on_squares(self) -> Iterator[tuple[str, Standing]]:
        """What rests on the board's squares."""
        return ((cell, standing) for cell, standing in self.standing.items() if cell != OFFER)

    @property
    def is_cleared(self) -> bool:
        """Whether nothing stands on any square that can be seen."""
        return (
            all(cell in self.lost for cell, _ in self.pieces_on_squares)
            and not any(cell != OFFER for cell in (*self.foreign, *self.crowds))
            and not any(doubt.cell != OFFER and doubt.arriving for doubt in self.doubts)
        )

    def changed(self, event: sensed.BoardEvent) -> Table:  # noqa: C901 - one case for each event
        """The table after something has happened on it."""
        match event:
            case sensed.Found(cell, piece, at):
                return self._put(cell, Standing(piece, at))
            case sensed.PiecePlaced(cell, piece, _, since):
                return self._put(cell, Standing(piece, since))
            case sensed.PieceMoved(origin, cell, piece, at, since, missed):
                return self._taken(origin, piece, Left(origin, missed, at)).changed(
                    sensed.PiecePlaced(cell, piece, at, since)
                )
            case sensed.PieceLifted(cell, piece, at, since):
                return self._taken(cell, piece, Left(cell, since, at))
            case sensed.ForeignTag(cell, uid, at):
                return replace(self, foreign={**self.foreign, cell: (uid, at)})
            case sensed.ForeignTagGone(cell):
                return replace(self, foreign=_without(self.foreign, cell))
            case sensed.TwoTags(cell, things, at):
                return replace(self, crowds={**self.crowds, cell: (things, at)})
            case sensed.TwoTagsGone(cell):
                return replace(self, crowds=_without(self.crowds, cell))
            case sensed.ReaderFailed(cell):
                return replace(self, lost=self.lost | {cell})
            case sensed.ReaderRecovered(cell, at):
                return replace(self, lost=self.lost - {cell}, recovered={**self.recovered, cell: at})
        return self

    def _put(self, cell: str, standing: Standing) -> Table:
        silent = self.silent - {standing.piece} if self.silent else self.silent
        table = replace(self, standing={**self.standing, cell: standing}, silent=silent)
        return _laid(table, standing.piece, standing.since) if cell == OFFER else table

    def _taken(self, cell: str, piece: Piece, left: Left) -> Table:
        standing = self.standing.get(cell)
        # Two swapped pieces are two moves, the first of which has put its piece on the other's cell already.
        rest = _without(self.standing, cell) if standing and standing.piece == piece else self.standing
        table = replace(self, standing=rest, left={**self.left, piece: left})
        if cell != OFFER or standing is None:
            return table
        return replace(_laid(table, piece, left.since), stay=Stay(piece, standing.since, left.since))


def _laid(table: Table, piece: Piece, at: int) -> Table:
    return replace(table, offered={**table.offered, piece: at}, laid={**table.laid, piece: at})


def _taken_up(table: Table, doubt: Doubt, rest: int) -> Table:
    """The table after a piece was taken up from the give place that was heard there and never believed (D12)."""
    until = doubt.since + rest
    if table.piece_on(OFFER) == doubt.piece or table.offered.get(doubt.piece, 0) < until:
        return table
    return replace(table, laid={**table.laid, doubt.piece: until}, stay=Stay(doubt.piece, doubt.since, until))


def _without(mapping: Mapping[str, _T], key: str) -> Mapping[str, _T]:
    return {name: value for name, value in mapping.items() if name != key}


@dataclass(frozen=True, slots=True)
class Difference:
    """Where table and board differ: pieces of the game that are not on their squares, and cells with other pieces."""

    missing: tuple[tuple[Square, Piece], ...] = ()
    extra: tuple[tuple[str, Standing], ...] = ()

    def extra_cell(self, piece: Piece) -> tuple[str, Standing] | None:
        """Where a piece stands that the board does not have there."""
        return next(((cell, standing) for cell, standing in self.extra if standing.piece == piece), None)


AGREED = Difference()


def _is_taken_to_stand(table: Table, square: Square, piece: Piece) -> bool:
    """Whether a piece that is not heard on its square may be there all the same: nobody would see or hear it."""
    if piece in table.silent:
        return table.piece_on(square.name) is None
    return square.name in table.lost and table.cell_of(piece) is None


def compare(table: Table, board: Board, remains: frozenset[Piece] = frozenset()) -> Difference:
    """How the squares of the table differ from a board; what cannot be seen or heard is taken to be right.

    What `remains` of the game before is no difference.
    """
    missing = tuple(
        (square, piece)
        for square, piece in board.pieces.items()
        if table.piece_on(square.name) != piece and not _is_taken_to_stand(table, square, piece)
    )
    extra = tuple(
        (cell, standing)
        for cell, standing in table.pieces_on_squares
        if board[SQUARE_OF[cell]] != standing.piece and cell not in table.lost and standing.piece not in remains
    )
    return Difference(missing, extra) if missing or extra else AGREED
