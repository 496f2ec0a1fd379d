"""Changing one key of a configuration file, with its comments, its order and its layout left as they are."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import tomlkit
from tomlkit.container import Container
from tomlkit.items import InlineTable, Table

from quarto_pi.config.section import ConfigError, KeyPath, as_toml

# --- In which line of a file a key stands: what `tomllib` does not tell -----------------------------------------------

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


# --- Changing one key of a configuration file, with its comments, its order and its layout left as they are -----------


def with_value(text: str, path: KeyPath, value: object) -> str:
    r"""The text with a key set, in the section where it belongs.

    >>> with_value("[game]\nlevel = 3  # for children\n", ("game", "level"), 2)
    '[game]\nlevel = 2  # for children\n'
    """
    wanted = tomllib.loads(text)
    keys = wanted
    for name in path[:-1]:
        keys = keys.setdefault(name, {})
        if not isinstance(keys, dict):
            raise ConfigError(f"{name} is no section in this file: change it with an editor.")
    added = path[-1] not in keys
    keys[path[-1]] = value
    if added and len(path) == 1:
        return _if_it_means(wanted, _on_top(text, f"{path[0]} = {as_toml(value)}\n"))
    document = tomlkit.parse(text)
    section: Any = document
    for name in path[:-1]:
        # Within braces everything is on one line, and so has to be a new section.
        new = tomlkit.inline_table() if isinstance(section, InlineTable) else tomlkit.table()
        section = section.setdefault(name, new)
    if added and isinstance(section, Table):
        _append(section, path[-1], value)
    else:
        section[path[-1]] = value
    return _if_it_means(wanted, tomlkit.dumps(document))


def without(text: str, path: KeyPath) -> str:
    r"""The text without a key, or without a section; a section that loses its last key stays.

    >>> without("[oled]\ncontrast = 9\n", ("oled", "contrast"))
    '[oled]\n'
    """
    wanted, document = tomllib.loads(text), tomlkit.parse(text)
    keys: list[Any] = [wanted, document]
    for name in path[:-1]:
        keys = [each[name] for each in keys]
    for each in keys:
        del each[path[-1]]
    return _if_it_means(wanted, tomlkit.dumps(document))


def _on_top(text: str, line: str) -> str:
    """The text with a line before its first section or key, and before the comment that belongs to that."""
    lines = text.splitlines(keepends=True)
    place = min(lines_of(text).values(), default=len(lines) + 1) - 1
    while place and lines[place - 1].startswith("#"):
        place -= 1
    return "".join([*lines[:place], line, *(["\n"] if lines[place:] else []), *lines[place:]])


def _append(section: Table, key: str, value: object) -> None:
    """Add a key after the last one; a comment after that belongs to the next section, and stays there."""
    body = section.value.body if isinstance(section.value, Container) else []
    after = len(body)
    while after and body[after - 1][0] is None:
        after -= 1
    rest = body[after:]
    del body[after:]
    section.append(key, value)
    body.extend(rest)


def _if_it_means(wanted: dict[str, Any], text: str) -> str:
    # Layouts are many, and this is somebody's only configuration: what was not meant to happen is not written.
    try:
        if tomllib.loads(text) == wanted:
            return text
    except tomllib.TOMLDecodeError:
        pass
    raise ConfigError("this key cannot be changed without changing others: change it with an editor.")
