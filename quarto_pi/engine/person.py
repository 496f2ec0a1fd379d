"""How people see a board: which alignments somebody overlooks in a turn.

People look along the edges first, and at colour before anything else. The levels err by this, and the strongest level
reckons with it in the person whom it plays against.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quarto_pi.engine.threats import Threat, threats_on
from quarto_pi.rules import Board, Line, Options, Trait, lines_in_play
from quarto_pi.rules.board import COLUMNS, DIAGONALS, ROWS

# How much harder than a row or column of one colour an alignment is to see.
_HARDER_LINE = {**dict.fromkeys(ROWS + COLUMNS, 1.0), **dict.fromkeys(DIAGONALS, 1.7)}
_HARDER_BLOCK = 1.4
_HARDER_TRAIT = {Trait.COLOUR: 0.7, Trait.HEIGHT: 0.9, Trait.SHAPE: 1.0, Trait.TOP: 1.4}
_NEVER_BLINDER = 0.97


def chance_to_overlook(blindness: float, line: Line, trait: Trait) -> float:
    """The chance that one trait on one line is overlooked for a turn by somebody of this blindness, from 0 to 1."""
    return min(blindness * _HARDER_LINE.get(line, _HARDER_BLOCK) * _HARDER_TRAIT[trait], _NEVER_BLINDER)


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen during one turn: `overlooked` has the bits of the traits that are missed on each line."""

    options: Options
    overlooked: dict[Line, int]

    @classmethod
    def drawn(cls, blindness: float, options: Options, random: Random) -> Sight:
        """What somebody of this blindness happens to see this time."""
        lines = lines_in_play(options.squares)
        return cls(options, {line: _overlooked(blindness, line, options, random) for line in lines})

    def threats(self, board: Board) -> tuple[Threat, ...]:
        """The threats on a board that are seen."""
        seen = (threat.without(self.overlooked.get(threat.line, 0)) for threat in threats_on(board, self.options))
        return tuple(threat for threat in seen if threat is not None)

    def sees(self, line: Line, traits: tuple[Trait, ...]) -> bool:
        """Whether an alignment on a line is seen by at least one of the traits that it shares."""
        overlooked = self.overlooked.get(line, 0)
        return any(not trait.bit & overlooked for trait in traits)


def _overlooked(blindness: float, line: Line, options: Options, random: Random) -> int:
    """The bits of the traits that are missed on one line."""
    missed = (t.bit for t in options.traits if random.random() < chance_to_overlook(blindness, line, t))
    return sum(missed)
