"""In which line of a file a key stands: what `tomllib` does not tell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from quarto_pi.config.section import KeyPath

CLOSING: Final = ("]", "}", '"""', "'''")
"""What ends a value of several lines: only a line with one of these can be its last."""


@lru_cache(maxsize=16)
def lines_of(text: str) -> Mapping[KeyPath, int]:
    r"""The line of every key and of every section's header, in a text that is TOML.

    >>> lines_of("[game]\nlanguage = 'fr'\n")
    mappingproxy({('game',): 1, ('game', 'language'): 2})
    """
    found: dict[KeyPath, int] = {}
    section: KeyPath = ()
    for number, statement in _statements(text):
        paths = list(_paths(tomllib.loads(statement)))
        if statement.lstrip().startswith("["):
            section = paths[0]
            found.setdefault(section, number)
        else:
            found.update({(*section, *path): number for path in paths})
    return MappingProxyType(found)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Every statement with the number of its first line: as many lines as it takes until they are TOML alone."""
    pending = ""
    first = 0
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if not pending:
            first = number
        pending += line
        if not pending.strip() or pending.lstrip().startswith("#"):
            pending = ""
        elif (number == first or any(end in line for end in CLOSING)) and _is_toml(pending):
            yield first, pending
            pending = ""


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _paths(keys: Mapping[str, object]) -> Iterator[KeyPath]:
    """The paths of all values, and of sections without any."""
    for key, value in keys.items():
        if isinstance(value, dict) and value:
            yield from ((key, *path) for path in _paths(value))
        else:
            yield (key,)
