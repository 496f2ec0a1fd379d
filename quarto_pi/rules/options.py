"""What players may choose before a game: variants, calling, clock and penalties."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.rules.errors import OptionsError
from quarto_pi.rules.piece import ALL_TRAITS, Trait

CALL_WAIT_MS = 10_000
"""How long a latched call (D1) and the last chance to call (D3) last, unless set otherwise."""


class Calling(Enum):
    """Who says that there is an alignment: the players, or the board itself (D7)."""

    BUTTON = "button"
    AUTO = "auto"


class FalseCall(Enum):
    """What follows a false call (D2)."""

    REFUSE = "refuse"
    FORFEIT = "forfeit"


class TimeOut(Enum):
    """What follows when a move takes too long (D4)."""

    SHOW = "show"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Options:
    """The rules that a game is played by.

    All windows of time are half open: one that begins at 0 and lasts 10,000 ms contains 9,999 and not 10,000.
    Where giving is not sensed (D11), a give is known when its piece is placed: apply both together, at that moment.
    """

    squares: bool = False
    traits: tuple[Trait, ...] = ALL_TRAITS
    calling: Calling = Calling.BUTTON
    false_call: FalseCall = FalseCall.REFUSE
    time_out: TimeOut = TimeOut.SHOW
    clock_ms: int | None = None
    latch_ms: int = CALL_WAIT_MS
    final_call_ms: int = CALL_WAIT_MS
    giving_sensed: bool = True

    def __post_init__(self) -> None:
        if not self.traits:
            raise OptionsError("no trait is in play: choose at least one of colour, height, shape, top.")
        strange = [trait for trait in self.traits if not isinstance(trait, Trait)]
        if strange:
            raise OptionsError(f"{strange[0]!r} is not a Trait: parse_traits reads names such as 'colour,height'.")
        ordered = tuple(trait for trait in ALL_TRAITS if trait in self.traits)
        if len(ordered) != len(self.traits):
            raise OptionsError("a trait is chosen twice: name each one once.")
        object.__setattr__(self, "traits", ordered)
        if self.clock_ms is not None and self.clock_ms <= 0:
            raise OptionsError(f"a clock of {self.clock_ms} ms cannot run: set a time above 0, or no clock.")
        for name in ("latch_ms", "final_call_ms"):
            if getattr(self, name) < 0:
                raise OptionsError(f"{name} is {getattr(self, name)}: a time cannot be negative.")
