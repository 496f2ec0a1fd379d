"""What people see of the guide: its question, what is told besides, and the lamps that go with it."""

from __future__ import annotations

from quarto_pi.enrolment.messages import (
    CheckReaders,
    Enrolled,
    KnownAlready,
    NotStored,
    Ready,
    ReplacePiece,
    SameTagTwice,
    SeveralPieces,
    SeveralTags,
    UnclearTag,
)
from quarto_pi.enrolment.state import GuideView, State
from quarto_pi.referee.lights import Attention, Lights
from quarto_pi.referee.view import Mark


def view_of(state: State) -> GuideView:
    """The view of the guide as it is now."""
    notice = None if state.told is None else state.told.notice
    return GuideView(state.prompt, notice, state.language, _marks(state), state.lying)


def lights_of(view: GuideView) -> Lights:
    """The lamps: the squares that are pointed at, and whether something is asked or wrong."""
    return Lights(attention=_attention(view), squares=view.marks)


def _attention(view: GuideView) -> Attention:
    match view.prompt, view.notice:
        case Ready(), _:
            return Attention.WON
        case (NotStored(), _) | (CheckReaders(failing=(_, *_)), _):
            return Attention.FAULT
        case _, None:
            return Attention.ASKED
        case _, Enrolled():
            return Attention.TOLD
        case _:
            return Attention.MISMATCH


def _marks(state: State) -> tuple[tuple[str, Mark], ...]:
    notice = None if state.told is None else state.told.notice
    match notice:
        case Enrolled(cell=cell):
            return ((cell, Mark.WON),)
        case KnownAlready(cell=cell) | SeveralTags(cell=cell):
            return ((cell, Mark.TAKE),)
        case SameTagTwice(cells=cells) | SeveralPieces(cells=cells):
            return tuple((cell, Mark.TAKE) for cell in cells)
        case UnclearTag(cell=cell):
            return ((cell, Mark.UNSEEN),)
    match state.prompt:
        case CheckReaders(failing=failing):
            return tuple((cell, Mark.UNSEEN) for cell in failing)
        case ReplacePiece(cell=cell):
            return ((cell, Mark.TARGET),)
        case _:
            return ()
