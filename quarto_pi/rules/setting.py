"""A row of a table of settings: its key, what it means, its kind, and which field of which settings it is.

`options.RULES` has the rows that are of the game, `quarto_pi.referee.all_settings` those and the ones that are of the
table. Every medium reads and writes through them: what a setting is called and may be is written nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from quarto_pi.rules.kinds import Kind, Medium, Plain

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
