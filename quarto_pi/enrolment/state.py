"""All that the guide remembers, what comes in, what it wants to be done, and what it asks for and tells."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from quarto_pi.enrolment.judging import Ballots, Gesture
from quarto_pi.referee import Button, Light, Patience
from quarto_pi.referee.inputs import Presses
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.tags import TagTable


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """Choose the language of the board; this one is offered."""

    language: str


@dataclass(frozen=True, slots=True)
class CheckReaders:
    """The readers are looked at, or have been: so many there are, and these do not answer."""

    count: int
    failing: tuple[str, ...] = ()
    looked: bool = False


@dataclass(frozen=True, slots=True)
class PutPiece:
    """Put this piece on any square; so many of so many have a tag by now."""

    piece: Piece
    number: int
    count: int


@dataclass(frozen=True, slots=True)
class ReplacePiece:
    """A new tag lies on a cell: ask whether it is to be this piece's from now on."""

    piece: Piece
    cell: str


@dataclass(frozen=True, slots=True)
class AllKnown:
    """Every piece has a tag; so many of them are seen on the board."""

    seen: int


@dataclass(frozen=True, slots=True)
class StartOver:
    """Ask whether every piece is really to be enrolled again."""


@dataclass(frozen=True, slots=True)
class NotStored:
    """Every piece has a tag, and the tags cannot be stored."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Every piece has a tag, and the tags are stored."""


GuidePrompt = ChooseLanguage | CheckReaders | PutPiece | ReplacePiece | AllKnown | StartOver | NotStored | Ready
"""What the guide waits for."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """This piece has a tag now, and lies there."""

    piece: Piece
    cell: str


@dataclass(frozen=True, slots=True)
class KnownAlready:
    """The tag on this cell belongs to a piece already."""

    piece: Piece
    cell: str


@dataclass(frozen=True, slots=True)
class SameTagTwice:
    """The same tag lies on two cells: one piece has a copy of the other's."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeveralTags:
    """On this cell there is more than one tag."""

    cell: str


@dataclass(frozen=True, slots=True)
class SeveralPieces:
    """New tags lie on several cells."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnclearTag:
    """On this cell it is not clear which tag it is."""

    cell: str


@dataclass(frozen=True, slots=True)
class StoringFails:
    """What was enrolled so far cannot be stored; it is tried again."""


TagTrouble = KnownAlready | SameTagTwice | SeveralTags | SeveralPieces | UnclearTag
"""What hands have to put right before anything is enrolled."""

GuideNotice = Enrolled | TagTrouble | StoringFails
"""What is told besides."""

GuideMessage = GuidePrompt | GuideNotice


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
