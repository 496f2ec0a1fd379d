"""The phases of an evening at the board, and the one table of how they follow each other.

`referee.step` looks every change of phase up here: what is not in the table cannot happen. docs/referee.md shows the
table as a diagram. Whatever else goes on in stages has such a table as well, in stages.py. A stage that is None means
that it is not going on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar

from quarto_pi.referee.settings import Settings
from quarto_pi.rules import Game, IllegalAction

# --- Tables of transitions: where an occurrence leads from each stage that something may be in ------------------------

StageT = TypeVar("StageT", bound=Enum | None)
OccurrenceT = TypeVar("OccurrenceT", bound=Enum)


class NoSuchTransition(IllegalAction):
    """A transition that the table does not know: a fault of the program, not of the players."""


@dataclass(frozen=True, slots=True)
class Transitions(Generic[StageT, OccurrenceT]):
    """Where each occurrence leads from each stage of what is called `name`; it begins in the stage `first`."""

    name: str
    first: StageT
    ways: Mapping[StageT, Mapping[OccurrenceT, StageT]]

    def follow(self, stage: StageT, occurrence: OccurrenceT) -> StageT:
        """The stage after an occurrence; `NoSuchTransition` where it cannot happen in this stage."""
        try:
            return self.ways[stage][occurrence]
        except KeyError:
            now = "while there is none" if stage is None else f"'{stage.value}'"
            raise NoSuchTransition(f"in the {self.name} {now} it cannot be that {occurrence.value}.") from None

    def lead(self, stage: StageT, occurrence: OccurrenceT, to: StageT) -> None:
        """Make sure that an occurrence leads from one stage to another; `NoSuchTransition` where it does not."""
        if self.follow(stage, occurrence) is not to:
            there = "none" if to is None else f"'{to.value}'"
            raise NoSuchTransition(f"in the {self.name} it does not lead to {there} that {occurrence.value}.")

    def diagram(self) -> str:
        """The table as a state diagram in the language of Mermaid."""
        stages = [stage for stage in self.ways if stage is not None]
        lines = ["stateDiagram-v2"]
        if self.first is not None:
            lines.append(f"    [*] --> {_node(self.first)}")
        lines += [f'    state "{stage.value}" as {_node(stage)}' for stage in stages]
        for stage, ways in self.ways.items():
            lines += [f"    {_node(stage)} --> {_node(to)}: {occurrence.value}" for occurrence, to in ways.items()]
        return "\n".join(lines) + "\n"


def _node(stage: Enum | None) -> str:
    return "[*]" if stage is None else stage.name.lower()


# --- The phases of an evening at the board, and the one table of how they follow each other ---------------------------


class RefereePhase(Enum):
    """What the board is waiting for."""

    ATTRACT = "attract"
    SET_UP = "set up"
    LESSON = "lesson"
    CHOOSE = "choose"
    GIVEN = "given"
    WAITING = "waiting for the computer's piece"
    PLACED = "placed"
    OVER = "over"


class Occurrence(Enum):
    """What may lead from one phase to another."""

    TOUCHED = "somebody touches the board"
    LEFT_ALONE = "nobody touches it for long"
    LITTERED = "pieces of no game stand on it"
    LESSON_WANTED = "somebody wants a lesson"
    LESSON_ENDED = "the lesson is over"
    CLEARED = "the board is cleared"
    PLAYED_ON = "the next game is begun over what is left of the last"
    GIVEN = "a piece is given to a person"
    GIVEN_TO_COMPUTER = "a piece is given to the computer"
    PLACED = "the piece is placed"
    UNDONE = "the last placement is taken back"
    UNDONE_TO_START = "the only placement is taken back"
    ENDED = "call, draw, forfeit or abandoned"


class Overlay(Enum):
    """What may lie over any phase, the most pressing first."""

    PAUSED = "paused"
    MISMATCH = "mismatch"
    READER_FAULT = "reader fault"


_FROM_HAND: Final = {
    Occurrence.PLACED: RefereePhase.PLACED,
    Occurrence.UNDONE: RefereePhase.PLACED,
    Occurrence.UNDONE_TO_START: RefereePhase.CHOOSE,
    Occurrence.ENDED: RefereePhase.OVER,
}

PHASES: Final[Transitions[RefereePhase, Occurrence]] = Transitions(
    "phase",
    RefereePhase.CHOOSE,
    {
        RefereePhase.ATTRACT: {
            Occurrence.TOUCHED: RefereePhase.CHOOSE,
            Occurrence.LESSON_WANTED: RefereePhase.LESSON,
        },
        RefereePhase.SET_UP: {
            Occurrence.CLEARED: RefereePhase.CHOOSE,
            Occurrence.PLAYED_ON: RefereePhase.CHOOSE,
            Occurrence.LESSON_WANTED: RefereePhase.LESSON,
        },
        RefereePhase.LESSON: {Occurrence.LESSON_ENDED: RefereePhase.CHOOSE},
        RefereePhase.CHOOSE: {
            Occurrence.LITTERED: RefereePhase.SET_UP,
            Occurrence.LEFT_ALONE: RefereePhase.ATTRACT,
            Occurrence.LESSON_WANTED: RefereePhase.LESSON,
            Occurrence.GIVEN: RefereePhase.GIVEN,
            Occurrence.GIVEN_TO_COMPUTER: RefereePhase.WAITING,
            Occurrence.ENDED: RefereePhase.OVER,
        },
        RefereePhase.GIVEN: {Occurrence.GIVEN: RefereePhase.GIVEN, **_FROM_HAND},
        RefereePhase.WAITING: {Occurrence.GIVEN_TO_COMPUTER: RefereePhase.WAITING, **_FROM_HAND},
        RefereePhase.PLACED: {
            Occurrence.GIVEN: RefereePhase.GIVEN,
            Occurrence.GIVEN_TO_COMPUTER: RefereePhase.WAITING,
            Occurrence.UNDONE: RefereePhase.PLACED,
            Occurrence.UNDONE_TO_START: RefereePhase.CHOOSE,
            Occurrence.ENDED: RefereePhase.OVER,
        },
        RefereePhase.OVER: {
            Occurrence.CLEARED: RefereePhase.CHOOSE,
            Occurrence.PLAYED_ON: RefereePhase.CHOOSE,
            Occurrence.LEFT_ALONE: RefereePhase.SET_UP,
        },
    },
)
"""Where each occurrence leads from each phase."""


IDLE: Final = frozenset({RefereePhase.ATTRACT, RefereePhase.SET_UP, RefereePhase.LESSON})
"""The phases in which nobody plays; all others follow from the game and from who sits at the board."""


def phase_of(game: Game, settings: Settings) -> RefereePhase:
    """The phase of a game on the table, which depends on who is to place the piece that is given."""
    if game.over:
        return RefereePhase.OVER
    if game.hand is not None:
        return RefereePhase.GIVEN if settings.seat(game.receiver).is_person else RefereePhase.WAITING
    return RefereePhase.PLACED if game.board.count else RefereePhase.CHOOSE
