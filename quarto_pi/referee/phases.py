"""The phases of an evening at the board, and the one table of how they follow each other.

`referee.step` looks every change of phase up here: what is not in the table cannot happen. docs/referee.md shows the
table as a diagram that `diagram` draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from quarto_pi.rules import Game, IllegalAction


class Phase(Enum):
    """What the board is waiting for."""

    ATTRACT = "attract"
    SET_UP = "set up"
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


class NoSuchTransition(IllegalAction):
    """A change of phase that the table does not know: a fault of the program, not of the players."""


_IN_HAND: Final = {
    Occurrence.GIVEN: Phase.GIVEN,
    Occurrence.GIVEN_TO_COMPUTER: Phase.WAITING,
    Occurrence.PLACED: Phase.PLACED,
    Occurrence.UNDONE: Phase.PLACED,
    Occurrence.UNDONE_TO_START: Phase.CHOOSE,
    Occurrence.ENDED: Phase.OVER,
}

TRANSITIONS: Final[Mapping[Phase, Mapping[Occurrence, Phase]]] = {
    Phase.ATTRACT: {Occurrence.TOUCHED: Phase.CHOOSE},
    Phase.SET_UP: {Occurrence.CLEARED: Phase.CHOOSE, Occurrence.PLAYED_ON: Phase.CHOOSE},
    Phase.CHOOSE: {
        Occurrence.LITTERED: Phase.SET_UP,
        Occurrence.LEFT_ALONE: Phase.ATTRACT,
        Occurrence.GIVEN: Phase.GIVEN,
        Occurrence.GIVEN_TO_COMPUTER: Phase.WAITING,
    },
    Phase.GIVEN: _IN_HAND,
    Phase.WAITING: _IN_HAND,
    Phase.PLACED: {
        Occurrence.GIVEN: Phase.GIVEN,
        Occurrence.GIVEN_TO_COMPUTER: Phase.WAITING,
        Occurrence.UNDONE: Phase.PLACED,
        Occurrence.UNDONE_TO_START: Phase.CHOOSE,
        Occurrence.ENDED: Phase.OVER,
    },
    Phase.OVER: {
        Occurrence.CLEARED: Phase.CHOOSE,
        Occurrence.PLAYED_ON: Phase.CHOOSE,
        Occurrence.LEFT_ALONE: Phase.SET_UP,
    },
}
"""Where each occurrence leads from each phase."""


IDLE: Final = frozenset({Phase.ATTRACT, Phase.SET_UP})
"""The phases in which nobody plays; all others follow from the game and from who sits at the board."""


def phase_of(game: Game, *, is_for_computer: bool) -> Phase:
    """The phase of a game on the table; whether the piece that is given is the computer's to place is said."""
    if game.over:
        return Phase.OVER
    if game.hand is not None:
        return Phase.WAITING if is_for_computer else Phase.GIVEN
    return Phase.PLACED if game.board.count else Phase.CHOOSE


def follow(phase: Phase, occurrence: Occurrence) -> Phase:
    """The phase after an occurrence."""
    try:
        return TRANSITIONS[phase][occurrence]
    except KeyError:
        raise NoSuchTransition(f"in the phase '{phase.value}' it cannot be that {occurrence.value}.") from None


def diagram() -> str:
    """The table as a state diagram in the language of Mermaid."""
    names = {phase: phase.name.lower() for phase in Phase}
    lines = ["stateDiagram-v2", f"    [*] --> {names[Phase.CHOOSE]}"]
    lines += [f'    state "{phase.value}" as {names[phase]}' for phase in Phase]
    for phase, ways in TRANSITIONS.items():
        lines += [f"    {names[phase]} --> {names[to]}: {occurrence.value}" for occurrence, to in ways.items()]
    return "\n".join(lines) + "\n"
