"""What players may choose before a game: variants, calling, clock and penalties, each a row of a table.

`RULES` has the rows that are of the game, `quarto_pi.referee.all_settings` those and the ones that are of the table. A
row has a key, what it means, its kind, and which field of which settings it is. Every medium reads and writes through
them: what a setting is called and may be is written nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Generic, Protocol, TypeVar

from quarto_pi.rules.errors import OptionsError
from quarto_pi.rules.kinds import Kind, Medium, MoveTime, Plain, TraitList, Truth, WholeNumber, Word
from quarto_pi.rules.piece import ALL_TRAITS, Trait

O = TypeVar("O")  # noqa: E741 - the settings that own the field
I = TypeVar("I")  # noqa: E741 - the settings within them that own it
_V = TypeVar("_V")


class Row(Protocol[O]):
    """A row, whatever its value is; all that its readers need."""

    @property
    def key(self) -> str:
        """What the setting is called."""

    @property
    def meaning(self) -> str:
        """What it means, as half a sentence."""

    @property
    def kind(self) -> object:
        """The kind of its value."""

    def name(self, medium: Medium) -> str:
        """What it is called there."""

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""

    def write(self, of: O, medium: Medium) -> Plain:
        """The value that these settings have, as that medium has it."""

    def read(self, of: O, written: object, medium: Medium) -> O:
        """These settings with what is written there; `ValueRefused` is raised where that cannot be."""


@dataclass(frozen=True)
class Setting(Generic[O, _V]):
    """A row for a field; its default is the one that the field has."""

    key: str
    meaning: str
    kind: Kind[_V]
    get: Callable[[O], _V]
    put: Callable[[O, _V], O]
    in_journal: str = ""

    def name(self, medium: Medium) -> str:
        """What it is called there: `false_call`, in a record `FalseCall`, on a command line `false-call`."""
        match medium:
            case Medium.JOURNAL:
                return self.in_journal or self.key
            case Medium.RECORD | Medium.ENGINE:
                return "".join(word.capitalize() for word in self.key.split("_"))
            case Medium.COMMAND:
                return self.key.replace("_", "-")
            case _:
                return self.key

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""
        return self.kind.allowed(medium)

    def write(self, of: O, medium: Medium) -> Plain:
        """The value that these settings have, as that medium has it."""
        return self.kind.write(self.get(of), medium)

    def read(self, of: O, written: object, medium: Medium) -> O:
        """These settings with what is written there; `ValueRefused` is raised where that cannot be."""
        return self.put(of, self.kind.read(written, medium))


@dataclass(frozen=True)
class Within(Generic[O, I]):
    """A row of settings that are a field of others, as a row of those."""

    row: Row[I]
    get: Callable[[O], I]
    put: Callable[[O, I], O]

    @property
    def key(self) -> str:
        """What the setting is called."""
        return self.row.key

    @property
    def meaning(self) -> str:
        """What it means, as half a sentence."""
        return self.row.meaning

    @property
    def kind(self) -> object:
        """The kind of its value."""
        return self.row.kind

    def name(self, medium: Medium) -> str:
        """What it is called there."""
        return self.row.name(medium)

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""
        return self.row.allowed(medium)

    def write(self, of: O, medium: Medium) -> Plain:
        """The value that these settings have, as that medium has it."""
        return self.row.write(self.get(of), medium)

    def read(self, of: O, written: object, medium: Medium) -> O:
        """These settings with what is written there; `ValueRefused` is raised where that cannot be."""
        return self.put(of, self.row.read(self.get(of), written, medium))


def pick(rows: Iterable[Row[O]], keys: str) -> tuple[Row[O], ...]:
    """The rows of these keys, in this order; `KeyError` for one that the table does not have."""
    table = {row.key: row for row in rows}
    return tuple(table[key] for key in keys.split())


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
