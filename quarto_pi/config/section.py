"""A section of the configuration: every key taken once and by its type, and none left that nobody took."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.rules import QuartoError, hint
from quarto_pi.rules.kinds import ValueRefused

_T = TypeVar("_T", bool, int, str)


HIDDEN: Final = "..."
"""What is shown instead of a secret."""

LARGEST: Final = 1e9
"""No number of a board is larger; and what TOML calls `inf` and `nan` is none."""

KeyPath = tuple[str, ...]
"""Where a key stands: its sections from the outside, and its name."""


class ConfigError(QuartoError, ValueError):
    """A configuration that no board can work with; the text names file, section and key, and `at` is the key."""

    def __init__(self, text: str, at: KeyPath = ()) -> None:
        super().__init__(text)
        self.at = at


@dataclass(frozen=True, slots=True)
class Taken:
    """A key that was asked for: its usual value and the one that it has, as they stand in a file."""

    path: KeyPath
    usual: object
    value: object
    secret: bool = False


class Section:
    """The keys of a section, each taken once and by its type; `close` finds those that nobody took."""

    def __init__(self, name: str, keys: Mapping[str, object]) -> None:
        self.name = name
        self._keys = dict(keys)
        self._taken: dict[str, Taken] = {}
        self._platform: dict[str, Section] = {}

    def take(self, key: str, default: _T) -> _T:
        """The value of a key, which has to be of its default's type."""
        value = self._pop(key, default)
        # A truth value is a whole number to Python, but not to the writer of a file.
        if not isinstance(value, type(default)) or isinstance(value, bool) is not isinstance(default, bool):
            raise self.wrong(key, value, f"write {_AS_WORDS[type(default)]}, such as {as_toml(default)}")
        return value

    def secret(self, key: str, default: str) -> str:
        """A text that is nobody's business who reads a message over a shoulder, or in the log."""
        value = self._pop(key, default, secret=True)
        if not isinstance(value, str):
            raise self.wrong(key, HIDDEN, "write it in quotes")
        return value

    def word(self, key: str, words: type[Enum], default: Enum) -> str:
        """The value of a key that has to be one of an enum's words."""
        value = self.take(key, str(default.value))
        known = [str(word.value) for word in words]
        if value not in known:
            raise self.wrong(key, value, hint(value, known).rstrip(".?"))
        return value

    def number(self, key: str, default: float) -> float:
        """The value of a key that may have a fraction."""
        value = self._pop(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
            raise self.wrong(key, value, f"write a number, such as {default:g}")
        return float(value)

    def pins(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of as many pins as the default has."""
        value = self._pop(key, list(default))
        whole = isinstance(value, list) and all(type(pin) is int for pin in value)
        if not isinstance(value, list) or not whole or len(value) != len(default):
            raise self.wrong(key, value, f"write a list of {len(default)} pins, such as {list(default)}")
        return tuple(value)

    def like(self, key: str, default: object) -> object:
        """The value of a key that is of its default's kind, whatever that is."""
        match default:
            case Enum():
                return type(default)(self.word(key, type(default), default))
            case bool():
                return self.take(key, default)
            case int():
                return self.take(key, default)
            case str():
                return self.take(key, default)
            case float():
                return self.number(key, default)
            case tuple() if default and isinstance(default[0], int):
                return self.pins(key, default)
            case _:
                return self.words(key, default)

    def words(self, key: str, default: object) -> tuple[str, ...]:
        """A list of texts."""
        value = self._pop(key, list(default) if isinstance(default, tuple) else default)
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(key, value, "write a list of names in quotes")
        return tuple(value)

    def subsection(self, key: str) -> Section:
        """A section below this one."""
        value = self._keys.pop(key, {})
        self._platform[key] = Section(f"{self.name}.{key}", value if isinstance(value, dict) else {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, f"write a section [{self.name}.{key}]")
        return self._platform[key]

    def wrong(self, key: str, value: object, todo: str) -> ConfigError:
        """The error of a key."""
        return ConfigError(f"[{self.name}] {key} is {as_toml(value)}: {todo}.", self._path(key))

    def refused(self, key: str, error: ValueRefused) -> ConfigError:
        """The error of a key whose value the table of settings refuses."""
        return self.wrong(key, error.written, error.todo.rstrip(".?"))

    def close(self) -> None:
        """Make sure that every key was taken."""
        known = (*self._taken, *self._platform)
        for key in self._keys:
            raise ConfigError(f"[{self.name}] {key} is not a key of this section: {hint(key, known)}", self._path(key))

    def taken(self) -> Iterator[Taken]:
        """Every key that was asked for, those of the sections below as well, in the order of asking."""
        yield from self._taken.values()
        for section in self._platform.values():
            yield from section.taken()

    def _pop(self, key: str, usual: object, *, secret: bool = False) -> object:
        value = self._keys.pop(key, usual)
        self._taken[key] = Taken(self._path(key), usual, value, secret)
        return value

    def _path(self, key: str) -> KeyPath:
        # A single pin of a list may be at fault, but it is the list that has a place in a file.
        return (*self.name.split("."), key.partition("[")[0])


def as_toml(value: object) -> str:
    """A value as it is written in a file."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False)
        case int():
            return hex(value) if value.bit_length() > LONG_BITS else str(value)
        case list() | tuple():
            return f"[{', '.join(map(as_toml, value))}]"
        case _:
            return str(value)


LONG_BITS: Final = 64
"""Python does not write numbers of any length in decimal."""
_AS_WORDS: Final = {bool: "true or false", int: "a whole number", str: "a text"}
