"""A view for every screen of the guide, with its name."""

from collections.abc import Iterator

from quarto_pi.enrolment import GuideView
from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    ChooseLanguage,
    Enrolled,
    GuideMessage,
    GuideNotice,
    GuidePrompt,
    KnownAlready,
    NotStored,
    PutPiece,
    Ready,
    ReplacePiece,
    SameTagTwice,
    SeveralPieces,
    SeveralTags,
    StartOver,
    StoringFails,
    UnclearTag,
)
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES

LONG = PIECES[15]
LYING = tuple((square, piece) for square, piece in zip(SQUARE_NAMES, PIECES, strict=True) if piece != LONG)

PROMPTS: dict[str, GuidePrompt] = {
    "guide language": ChooseLanguage("lt"),
    "guide checking": CheckReaders(17),
    "guide well": CheckReaders(17, (), looked=True),
    "guide readers": CheckReaders(17, ("a1", "b3", "d4", "offer"), looked=True),
    "guide many readers": CheckReaders(17, CELLS, looked=True),
    "guide put": PutPiece(LONG, 16, 16),
    "guide put the new": PutPiece(LONG, 1, 1),
    "guide replace": ReplacePiece(LONG, "d4"),
    "guide all known": AllKnown(15),
    "guide all again": StartOver(),
    "guide not stored": NotStored(),
    "guide ready": Ready(),
}
NOTICES: dict[str, tuple[GuideNotice, tuple[str, ...]]] = {
    "guide enrolled": (Enrolled(PIECES[0], "b3"), ("b3",)),
    "guide known": (KnownAlready(LONG, "b3"), ("b3",)),
    "guide same tag": (SameTagTwice(("a1", "d4")), ("a1", "d4")),
    "guide tags": (SeveralTags("offer"), ("offer",)),
    "guide pieces": (SeveralPieces(("a1", "d4")), ("a1", "d4")),
    "guide unclear": (UnclearTag("offer"), ("offer",)),
    "guide storing": (StoringFails(), ()),
}
MESSAGES: tuple[GuideMessage, ...] = (
    *PROMPTS.values(),
    *(notice for notice, _ in NOTICES.values()),
    *(PutPiece(piece, 9, 16) for piece in PIECES),
    *(ReplacePiece(piece, "offer") for piece in PIECES),
    *(KnownAlready(piece, "offer") for piece in PIECES),
    *(CheckReaders(17, CELLS[:count], looked=True) for count in range(18)),
)
"""Every message of the guide, with the pieces and cells that make the longest sentences."""


def guide_examples(language: str) -> Iterator[tuple[str, GuideView]]:
    """Every screen of the guide, with its name."""
    for name, prompt in PROMPTS.items():
        marks: tuple[tuple[str, Mark], ...] = (("d4", Mark.TARGET),) if isinstance(prompt, ReplacePiece) else ()
        if isinstance(prompt, CheckReaders):
            marks = tuple((cell, Mark.UNSEEN) for cell in prompt.failing)
        lying = LYING if isinstance(prompt, AllKnown | ReplacePiece) else ()
        yield name, GuideView(prompt, None, language, marks, lying)
    for name, (notice, cells) in NOTICES.items():
        mark = Mark.WON if isinstance(notice, Enrolled) else Mark.TAKE
        yield name, GuideView(PutPiece(LONG, 2, 16), notice, language, tuple((cell, mark) for cell in cells))
