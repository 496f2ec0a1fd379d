"""All that the guide remembers, what comes in, and what it wants to be done."""

from __future__ import annotations

from dataclasses import dataclass, field

from quarto_pi.enrolment.ballots import Ballots
from quarto_pi.enrolment.fingers import Gesture
from quarto_pi.enrolment.messages import Message, Notice, Prompt
from quarto_pi.enrolment.roll import Roll
from quarto_pi.referee import Button, Light, Patience
from quarto_pi.referee.buttons import Presses
from quarto_pi.referee.view import Mark
from quarto_pi.rules import Piece
from quarto_pi.sensing.sweep import Sweep
from quarto_pi.sensing.tags import TagTable


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
class Told:
    """A notice, and until when it is shown; None: as long as it is true."""

    notice: Notice
    until: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The guide between two inputs.

    `before` are the tags that were heard when the present question was asked: they do not answer it. `lying` is where
    pieces that are known lie. `offered` is the new tag that `ReplacePiece` asks about. `unstored`: what was enrolled
    is not stored yet; `failing`: that was tried in vain, and is tried again at `retry_at`.
    """

    task: Task
    cells: tuple[str, ...]
    roll: Roll
    language: str
    prompt: Prompt
    patience: Patience = field(default_factory=Patience)
    now: int = 0
    asked_at: int = 0
    ballots: Ballots = field(default_factory=dict)
    before: frozenset[str] = frozenset()
    lying: tuple[tuple[str, Piece], ...] = ()
    presses: Presses = ()
    told: Told | None = None
    offered: str = ""
    unstored: bool = False
    failing: bool = False
    retry_at: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody has pressed or held, elsewhere than at the board's own button."""

    at: int
    gesture: Gesture


@dataclass(frozen=True, slots=True)
class Stored:
    """The tags have been stored, or could not be."""

    at: int
    well: bool


Input = Sweep | Button | Moved | Stored


@dataclass(frozen=True, slots=True)
class GuideView:
    """All that people see of the guide at one moment; `lying` is where pieces lie that have a tag."""

    prompt: Prompt
    notice: Notice | None
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

    message: Message
    language: str


@dataclass(frozen=True, slots=True)
class Store:
    """Store these tags, and answer whether that went well."""

    table: TagTable


Effect = ShowGuide | SpeakGuide | Light | Store
