"""A section of the configuration: every key taken once and by its type, and none left that nobody took."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.rules import QuartoError, hint

_T = TypeVar("_T", bool, int, str)


class ConfigError(QuartoError, ValueError):
    """A configuration that no board can work with; the text names file, section and key."""


class Section:
    """The keys of a section, each taken once and by its type; `close` finds those that nobody took."""

    def __init__(self, name: str, keys: Mapping[str, object]) -> None:
        self.name = name
        self._keys = dict(keys)
        self._known: list[str] = []

    def take(self, key: str, default: _T) -> _T:
        """The value of a key, which has to be of its default's type."""
        self._known.append(key)
        value = self._keys.pop(key, default)
        # A truth value is a whole number to Python, but not to the writer of a file.
        if not isinstance(value, type(default)) or isinstance(value, bool) is not isinstance(default, bool):
            raise self.wrong(key, value, f"write {_AS_WORDS[type(default)]}, such as {_as_toml(default)}")
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
        self._known.append(key)
        value = self._keys.pop(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, value, f"write a number, such as {default:g}")
        return float(value)

    def pins(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of as many pins as the default has."""
        self._known.append(key)
        value = self._keys.pop(key, list(default))
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
        self._known.append(key)
        value = self._keys.pop(key, list(default) if isinstance(default, tuple) else default)
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(key, value, "write a list of names in quotes")
        return tuple(value)

    def subsection(self, key: str) -> Mapping[str, object]:
        """The keys of a section below this one."""
        self._known.append(key)
        value = self._keys.pop(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, f"write a section [{self.name}.{key}]")
        return value

    def wrong(self, key: str, value: object, todo: str) -> ConfigError:
        """The error of a key."""
        return ConfigError(f"[{self.name}] {key} is {_as_toml(value)}: {todo}.")

    def close(self) -> None:
        """Make sure that every key was taken."""
        for key in self._keys:
            raise ConfigError(f"[{self.name}] {key} is not a key of this section: {hint(key, tuple(self._known))}")


_AS_WORDS: Final = {bool: "true or false", int: "a whole number", str: "a text"}


def _as_toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
