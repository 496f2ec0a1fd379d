"""Changing one key of a configuration file, with its comments, its order and its layout left as they are."""

from __future__ import annotations

import tomllib
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.items import InlineTable, Table

from quarto_pi.config.section import ConfigError, KeyPath, as_toml
from quarto_pi.config.sources import lines_of


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
