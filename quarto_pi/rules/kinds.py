"""The kinds of value that a setting can have: bounds, how each medium writes it, and what is said of a wrong one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, Protocol, TypeVar

from quarto_pi.rules.errors import OptionsError, hint
from quarto_pi.rules.notation import format_traits, parse_traits
from quarto_pi.rules.piece import ALL_TRAITS, Trait

Plain = bool | int | float | str | list[str] | None
"""What JSON can hold of a setting; TOML knows no null."""

_MOST_DIGITS: Final = 100
"""A number with more digits is refused, be they zeros before it."""

_V = TypeVar("_V")
E = TypeVar("E", bound=Enum)


class Medium(Enum):
    """Where settings are written down; formats that exist are read for ever, so each keeps its spelling."""

    FILE = "configuration"
    JOURNAL = "journal"
    TRACE = "trace"
    PAGE = "page"
    RECORD = "record"
    ENGINE = "engine protocol"
    COMMAND = "command line"


TEXTS: Final = frozenset({Medium.RECORD, Medium.ENGINE, Medium.COMMAND})
"""The media that hold nothing but text."""


class ValueRefused(OptionsError):
    """A value that a setting cannot have.

    `allowed` is what it can have, as a noun; `todo` a clause that says what to write, for a sentence that has named key
    and value before. `complaint` says of the value what is wrong with it, and `reason` what to do about that, too.
    """

    def __init__(self, written: object, allowed: str, *, todo: str = "", complaint: str = "", reason: str = "") -> None:
        super().__init__(reason or f"{shown_plain(written)} is not {allowed}.")
        self.written = written
        self.allowed = allowed
        self.todo = reason or todo or f"write {allowed}."
        self.complaint = complaint
        self.reason = reason

    def of(self, key: str) -> str:
        """The sentence for this key: it names the key, the value and what is allowed."""
        if self.reason:
            return f"{key}: {self.reason}"
        if self.complaint:
            return f"{self.complaint}: {key} is {self.allowed}."
        return f"{key} is {self.allowed}, not {shown_plain(self.written)}."


class Kind(Protocol[_V]):
    """A kind of value. `read` takes whatever `write` gives, and raises `ValueRefused` for everything else."""

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""

    def write(self, value: _V, medium: Medium) -> Plain:
        """The value as that medium has it."""

    def read(self, written: object, medium: Medium) -> _V:
        """The value that is meant."""


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    def allowed(self, _: Medium) -> str:
        """What can be written there, as a noun."""
        return "true or false"

    def write(self, value: bool, medium: Medium) -> Plain:
        """The value as that medium has it."""
        return str(value).lower() if medium in TEXTS else value

    def read(self, written: object, medium: Medium) -> bool:
        """The value that is meant."""
        value = {"true": True, "false": False}.get(f"{written}") if medium in TEXTS else written
        if not isinstance(value, bool):
            raise ValueRefused(written, self.allowed(medium))
        return value


@dataclass(frozen=True, slots=True)
class Word(Generic[E]):
    """One of the words of an enum."""

    words: type[E]

    def allowed(self, _: Medium) -> str:
        """What can be written there, as a noun."""
        return " or ".join(self._known)

    def write(self, value: E, _: Medium) -> Plain:
        """The value as that medium has it."""
        return str(value.value)

    def read(self, written: object, medium: Medium) -> E:
        """The value that is meant."""
        if not isinstance(written, str) or written not in self._known:
            raise ValueRefused(written, self.allowed(medium), todo=hint(str(written), self._known))
        return self.words(written)

    @property
    def _known(self) -> Sequence[str]:
        return [str(word.value) for word in self.words]


@dataclass(frozen=True, slots=True)
class Name:
    """One of several names; `complaint` is said of one that is not among them, with the name behind it."""

    names: tuple[str, ...]
    complaint: str

    def allowed(self, _: Medium) -> str:
        """What can be written there, as a noun."""
        return f"one of {', '.join(self.names)}"

    def write(self, value: str, _: Medium) -> Plain:
        """The value as that medium has it."""
        return value

    def read(self, written: object, medium: Medium) -> str:
        """The value that is meant."""
        if not isinstance(written, str):
            raise ValueRefused(written, self.allowed(medium))
        if written not in self.names:
            complaint = f"{self.complaint} {shown_plain(written)}"
            raise ValueRefused(written, self.allowed(medium), todo=hint(written, self.names), complaint=complaint)
        return written


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number within bounds, both of which it may be."""

    lowest: int
    highest: int
    called: str = "a whole number"

    @property
    def range(self) -> range:
        """All that it may be."""
        return range(self.lowest, self.highest + 1)

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""
        if self.highest - self.lowest == 1:
            return f"{self.lowest} or {self.highest}"
        return f"{'a whole number' if medium in TEXTS else self.called} from {self.lowest} to {self.highest}"

    def write(self, value: int, medium: Medium) -> Plain:
        """The value as that medium has it."""
        return str(value) if medium in TEXTS else value

    def read(self, written: object, medium: Medium) -> int:
        """The value that is meant."""
        value = _number_in(written) if medium in TEXTS else written
        if isinstance(value, bool) or not isinstance(value, int) or not self.lowest <= value <= self.highest:
            raise ValueRefused(written, self.allowed(medium))
        return value


@dataclass(frozen=True, slots=True)
class TraitList:
    """At least one trait, each once: a list in a trace and on the page, otherwise a text with commas."""

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""
        if medium in (Medium.TRACE, Medium.PAGE):
            return 'a list such as ["colour","height"]'
        return f"any of {format_traits(ALL_TRAITS)}"

    def write(self, value: tuple[Trait, ...], medium: Medium) -> Plain:
        """The value as that medium has it."""
        in_list = medium in (Medium.TRACE, Medium.PAGE)
        return [trait.value for trait in value] if in_list else format_traits(value)

    def read(self, written: object, medium: Medium) -> tuple[Trait, ...]:
        """The value that is meant."""
        if medium not in (Medium.TRACE, Medium.PAGE):
            text = written
        elif isinstance(written, list) and all(isinstance(trait, str) for trait in written):
            text = ",".join(written)
        else:
            text = None
        if not isinstance(text, str):
            raise ValueRefused(written, self.allowed(medium))
        try:
            return parse_traits(text)
        except OptionsError as error:
            raise ValueRefused(written, self.allowed(medium), reason=str(error)) from error


@dataclass(frozen=True, slots=True)
class MoveTime:
    """How many milliseconds a move may take, or None for no clock: seconds wherever people read or write it.

    A trace may have a fraction of a second; the others have whole ones, rounded down where a trace began it.
    """

    longest_seconds: int

    def holds(self, milliseconds: int | None) -> bool:
        """Whether a clock can run for so long, or there is none."""
        return milliseconds is None or 1 <= milliseconds <= 1000 * self.longest_seconds

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""
        match medium:
            case Medium.JOURNAL:
                return f"1 to {1000 * self.longest_seconds}, or null for none"
            case Medium.TRACE:
                return f"seconds above 0 and up to {self.longest_seconds}, or null for no clock"
            case Medium.PAGE:
                return f"null for no clock, or 1 to {self.longest_seconds}"
            case _:
                return f"1 to {self.longest_seconds}, or 0 for none"

    def write(self, value: int | None, medium: Medium) -> Plain:
        """The value as that medium has it."""
        if value is None:
            without = None if medium in (Medium.JOURNAL, Medium.TRACE, Medium.PAGE) else 0
            return "0" if medium in TEXTS else without
        if medium is Medium.JOURNAL:
            return value
        if medium is Medium.TRACE and value % 1000:
            return value / 1000
        seconds = max(1, value // 1000)
        return str(seconds) if medium in TEXTS else seconds

    def read(self, written: object, medium: Medium) -> int | None:
        """The value that is meant."""
        value = _number_in(written) if medium in TEXTS else written
        knows_null = medium in (Medium.JOURNAL, Medium.TRACE, Medium.PAGE)
        if (written is None and knows_null) or (value == 0 and type(value) is int and not knows_null):
            return None
        is_number = isinstance(value, int) or (isinstance(value, float) and medium is Medium.TRACE)
        if isinstance(value, bool) or not isinstance(value, int | float) or not is_number:
            raise ValueRefused(written, self.allowed(medium))
        unit = 1 if medium is Medium.JOURNAL else 1000
        if not 0 < value <= self.longest_seconds * 1000 // unit:
            raise ValueRefused(written, self.allowed(medium))
        return max(1, round(value * unit))


def _number_in(text: object) -> int | None:
    """The whole number that a text is; None for any other. The length first: Python reads no endless ones."""
    if not isinstance(text, str) or len(text) > _MOST_DIGITS or not (text.isascii() and text.isdigit()):
        return None
    return int(text)


def shown_plain(written: object) -> str:
    """A value as it is quoted in a sentence."""
    try:
        text = f"'{written}'" if isinstance(written, str) else json.dumps(written, default=str)
    except ValueError:
        # Python does not write numbers of any length in decimal.
        return "so long a number"
    return text if len(text) <= 40 else f"{text[:39]}…"
