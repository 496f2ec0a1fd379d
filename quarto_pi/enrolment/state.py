"""All that the guide remembers, what comes in, and what it wants to be done."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from quarto_pi.enrolment.judging import Ballots, Gesture
from quarto_pi.enrolment.messages import GuideMessage, GuideNotice, GuidePrompt
from quarto_pi.referee import Button, Light, Patience
from quarto_pi.referee.inputs import Presses
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.sweep import Sweep
from quarto_pi.sensing.tags import TagTable

# --- The roll of pieces: which of them have a tag already, and which is asked for -------------------------------------


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


# --- All that the guide remembers, what comes in, and what it wants to be done ----------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """What the guide is to do: ask for the language first, replace one piece, wait at the end for a press.

    `current` are the tags that count until every piece is enrolled anew; who goes back far enough keeps them.
    """

    language: bool = False
    replace: Piece | None = None
    waits: bool = False
    current: TagTable | None = None


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A notice, and until when it is shown; None: as long as it is true."""

    notice: GuideNotice
    until: int | None = None


@dataclass(frozen=True, slots=True)
class GuideState:
    """The guide between two inputs.

    `before` are the tags that were heard when the present question was asked: they do not answer it. `lying` is where
    pieces that are known lie. `offered` is the new tag that `ReplacePiece` asks about. `unstored`: what was enrolled
    is not stored yet; `failing`: that was tried in vain, and is tried again at `retry_at`.
    """

    task: Task
    cells: tuple[str, ...]
    roll: Roll
    language: str
    prompt: GuidePrompt
    patience: Patience = field(default_factory=Patience)
    now: int = 0
    asked_at: int = 0
    ballots: Ballots = field(default_factory=dict)
    before: frozenset[str] = frozenset()
    lying: tuple[tuple[str, Piece], ...] = ()
    presses: Presses = ()
    told: ShownNotice | None = None
    offered: str = ""
    unstored: bool = False
    failing: bool = False
    retry_at: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Gestured:
    """Somebody has pressed or held, elsewhere than at the board's own button."""

    at: int
    gesture: Gesture


@dataclass(frozen=True, slots=True)
class TagsStored:
    """The tags have been stored, or could not be."""

    at: int
    well: bool


GuideInput = Sweep | Button | Gestured | TagsStored


@dataclass(frozen=True, slots=True)
class GuideView:
    """All that people see of the guide at one moment; `lying` is where pieces lie that have a tag."""

    prompt: GuidePrompt
    notice: GuideNotice | None
    language: str
    marks: tuple[tuple[str, Mark], ...] = ()
    lying: tuple[tuple[str, Piece], ...] = ()


@dataclass(frozen=True, slots=True)
class ShowGuide:
    """Show this instead of what was shown before."""

    view: GuideView


@dataclass(frozen=True, slots=True)
class SpeakGuide:
    """Say this aloud, in this language."""

    message: GuideMessage
    language: str


@dataclass(frozen=True, slots=True)
class Store:
    """Store these tags, and answer whether that went well."""

    table: TagTable


GuideEffect = ShowGuide | SpeakGuide | Light | Store
