"""The roll of pieces: which of them have a tag already, and which is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.tags import TagTable


@dataclass(frozen=True, slots=True)
class Roll:
    """The tags so far, and the pieces in the order in which they were enrolled, as far as that is remembered."""

    table: TagTable
    done: tuple[Piece, ...] = ()

    @classmethod
    def of(cls, table: TagTable) -> Self:
        """The roll that goes on from these tags."""
        return cls(table, tuple(piece for piece in PIECES if table.uids_of(piece)))

    @property
    def complete(self) -> bool:
        """Whether every piece has a tag."""
        return not self.table.missing

    def next_after(self, piece: Piece | None) -> Piece | None:
        """The piece without a tag that is asked for after this one; those that were passed over come round again."""
        missing = self.table.missing
        start = -1 if piece is None else piece.number
        return next((each for each in missing if each.number > start), missing[0] if missing else None)

    def with_tag(self, piece: Piece, uid: str) -> Roll:
        """The roll in which this tag, and no other one, belongs to the piece."""
        others = {each: owner for each, owner in self.table.pieces.items() if owner != piece and each != uid}
        done = (*(each for each in self.done if each != piece), piece)
        return Roll(TagTable({**others, uid: piece}), done)

    def one_back(self) -> Roll:
        """The roll without the piece that was enrolled last."""
        if not self.done:
            return self
        last = self.done[-1]
        others = {each: owner for each, owner in self.table.pieces.items() if owner != last}
        return replace(self, table=TagTable(others), done=self.done[:-1])
