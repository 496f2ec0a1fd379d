"""What the guide asks for and tells; `quarto_pi.words` has the sentences."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.rules import Piece


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
