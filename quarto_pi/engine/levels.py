"""The ten levels of the opponent, and what each of them fails to see.

A level errs as people do: for a turn it overlooks a line, a trait, a diagonal, a square of four; what it does see it
plays sensibly. Whether it works a position out exactly depends on how many squares are still empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quarto_pi.engine.threats import Threat, threats_on
from quarto_pi.rules import Board, Line, Options, Trait
from quarto_pi.rules.board import COLUMNS, DIAGONALS, ROWS
from quarto_pi.rules.options import LEVEL


@dataclass(frozen=True, slots=True)
class Level:
    """How well an opponent plays.

    `blindness` is the chance to overlook an ordinary alignment for a turn; `horizon` the number of empty squares from
    which on it works the game out to the end; `slip` the chance that it does not bother to, in a turn.
    """

    number: int
    blindness: float
    horizon: int
    slip: float


LEVELS = {
    level.number: level
    for level in (
        Level(1, blindness=0.6, horizon=0, slip=0.0),
        Level(2, blindness=0.42, horizon=0, slip=0.0),
        Level(3, blindness=0.26, horizon=0, slip=0.0),
        Level(4, blindness=0.15, horizon=3, slip=0.3),
        Level(5, blindness=0.07, horizon=5, slip=0.3),
        Level(6, blindness=0.04, horizon=7, slip=0.3),
        Level(7, blindness=0.02, horizon=8, slip=0.3),
        Level(8, blindness=0.01, horizon=9, slip=0.3),
        Level(9, blindness=0.0, horizon=9, slip=0.0),
        Level(10, blindness=0.0, horizon=16, slip=0.0),
    )
}
"""The ladder, each step found by playing it against the one below (`make ladder`)."""

STRONGEST = LEVEL.highest

# How much harder than a row or column of one colour an alignment is to see: people look along the edges first, and at
# colour before anything else.
_HARDER_LINE = {**dict.fromkeys(ROWS + COLUMNS, 1.0), **dict.fromkeys(DIAGONALS, 1.7)}
_HARDER_BLOCK = 1.4
_HARDER_TRAIT = {Trait.COLOUR: 0.7, Trait.HEIGHT: 0.9, Trait.SHAPE: 1.0, Trait.TOP: 1.4}
_NEVER_BLINDER = 0.9


@dataclass(frozen=True, slots=True)
class Sight:
    """What an opponent sees during one turn: `overlooked` has the bits of the traits that it misses on each line."""

    options: Options
    overlooked: dict[Line, int]

    @classmethod
    def drawn(cls, level: Level, options: Options, lines: tuple[Line, ...], random: Random) -> Sight:
        """What a level happens to see this time."""
        return cls(options, {line: _overlooked(level, line, options, random) for line in lines})

    def threats(self, board: Board) -> tuple[Threat, ...]:
        """The threats on a board that are seen."""
        seen = (threat.without(self.overlooked.get(threat.line, 0)) for threat in threats_on(board, self.options))
        return tuple(threat for threat in seen if threat is not None)

    def sees(self, line: Line, traits: tuple[Trait, ...]) -> bool:
        """Whether an alignment on a line is seen by at least one of the traits that it shares."""
        overlooked = self.overlooked.get(line, 0)
        return any(not trait.bit & overlooked for trait in traits)


def _overlooked(level: Level, line: Line, options: Options, random: Random) -> int:
    """The bits of the traits that are missed on one line."""
    bits = 0
    for trait in options.traits:
        chance = level.blindness * _HARDER_LINE.get(line, _HARDER_BLOCK) * _HARDER_TRAIT[trait]
        if random.random() < min(chance, _NEVER_BLINDER):
            bits |= trait.bit
    return bits
