"""What players may choose before a game: variants, calling, clock and penalties."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from quarto_pi.rules.errors import OptionsError
from quarto_pi.rules.kinds import MoveTime, TraitList, Truth, WholeNumber, Word
from quarto_pi.rules.piece import ALL_TRAITS, Trait
from quarto_pi.rules.setting import Row, Setting, pick

CALL_WAIT_MS = 10_000
"""How long a latched call (D1) and the last chance to call (D3) last, unless set otherwise."""

LONGEST_SECONDS: Final = 86_400
"""No time of a game is longer than a day (R11 leaves the length of a move's time open)."""

LEVEL: Final = WholeNumber(1, 10, "a level")
"""How well a computer plays, wherever one is chosen."""

MOVE_TIME: Final = MoveTime(LONGEST_SECONDS)
CALL_WAIT: Final = WholeNumber(0, 1000 * LONGEST_SECONDS, "a time in milliseconds")


class Calling(Enum):
    """Who says that there is an alignment: the players, or the board itself (D7)."""

    BUTTON = "button"
    AUTO = "auto"


class FalseCallRule(Enum):
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
    false_call: FalseCallRule = FalseCallRule.REFUSE
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
        if not MOVE_TIME.holds(self.clock_ms):
            longest = f"{1000 * LONGEST_SECONDS}"
            raise OptionsError(f"a clock of {self.clock_ms} ms cannot run: set 1 to {longest} ms, or no clock.")
        for name in ("latch_ms", "final_call_ms"):
            if getattr(self, name) not in CALL_WAIT.range:
                raise OptionsError(f"{name} is {getattr(self, name)}: it can be 0 to {CALL_WAIT.highest}.")


RULES: Final[tuple[Row[Options], ...]] = (
    Setting[Options, bool](
        "squares",
        "the nine 2x2 squares count as well",
        Truth(),
        lambda rules: rules.squares,
        lambda rules, value: replace(rules, squares=value),
    ),
    Setting[Options, tuple[Trait, ...]](
        "traits",
        "only these traits are in play",
        TraitList(),
        lambda rules: rules.traits,
        lambda rules, value: replace(rules, traits=value),
    ),
    Setting[Options, Calling](
        "calling",
        "who says that there is an alignment",
        Word(Calling),
        lambda rules: rules.calling,
        lambda rules, value: replace(rules, calling=value),
    ),
    Setting[Options, FalseCallRule](
        "false_call",
        "what follows a false call",
        Word(FalseCallRule),
        lambda rules: rules.false_call,
        lambda rules, value: replace(rules, false_call=value),
    ),
    Setting[Options, TimeOut](
        "time_out",
        "what follows when a move takes too long",
        Word(TimeOut),
        lambda rules: rules.time_out,
        lambda rules, value: replace(rules, time_out=value),
    ),
    Setting[Options, int | None](
        "clock_seconds",
        "a move's time",
        MOVE_TIME,
        lambda rules: rules.clock_ms,
        lambda rules, value: replace(rules, clock_ms=value),
        in_journal="clock_ms",
    ),
    Setting[Options, int](
        "latch_ms",
        "how long a call waits for its placement",
        CALL_WAIT,
        lambda rules: rules.latch_ms,
        lambda rules, value: replace(rules, latch_ms=value),
    ),
    Setting[Options, int](
        "final_call_ms",
        "how long the last chance to call lasts",
        CALL_WAIT,
        lambda rules: rules.final_call_ms,
        lambda rules, value: replace(rules, final_call_ms=value),
    ),
    Setting[Options, bool](
        "giving_sensed",
        "a give is seen when it happens",
        Truth(),
        lambda rules: rules.giving_sensed,
        lambda rules, value: replace(rules, giving_sensed=value),
    ),
)
"""The settings that are of the game itself."""

IN_RECORD: Final = pick(RULES, "squares traits calling false_call giving_sensed")
"""Those that a record has as headers, in their order; it has no times."""

VARIANTS: Final = pick(RULES, "squares traits")
"""Those that decide what an alignment is: the engine and the commands that search take no others (R5, R6)."""
