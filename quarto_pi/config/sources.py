"""What a configuration comes from: files, a wiring profile below them, and what people changed; and its lines.

In which line of a file a key stands `tomllib` does not tell, and every complaint has to.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from quarto_pi.config.section import ConfigError, KeyPath
from quarto_pi.config.whole import PROFILE
from quarto_pi.rules import hint

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


@dataclass(frozen=True, slots=True)
class Source:
    """A part of the configuration: its name as people are told it, its keys, and the text in which they stand."""

    name: str
    keys: Mapping[str, object]
    text: str = ""

    def line_of(self, path: KeyPath) -> int | None:
        """The line in which a key or a section stands, if there are lines."""
        return lines_of(self.text).get(path)

    def has(self, path: KeyPath) -> bool:
        """Whether this key or section is written here."""
        keys: object = self.keys
        for key in path:
            if not isinstance(keys, dict) or key not in keys:
                return False
            keys = keys[key]
        return True


def changed_at_the_table(game: Mapping[str, object]) -> Source:
    """What people chose in the menu, as keys of the section `[game]`."""
    return Source("changed at the table", {"game": dict(game)} if game else {})


def parse_source(text: str, name: str = "") -> Source:
    """The source that is written in a text."""
    try:
        keys = tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{told(name)}this is too deeply nested: no key needs more than a list.") from error
    except ValueError as error:  # not TOML, or a number of thousands of digits
        raise ConfigError(f"{told(name)}this is not TOML: {error}.") from error
    return Source(name, keys, text)


def read_source(file: Path) -> Source:
    """The source that is written in a file."""
    try:
        text = file.read_text(encoding="utf-8")
    except PermissionError as error:
        raise ConfigError(f"{file}: the configuration cannot be read ({error.strerror}); use sudo.") from error
    except OSError as error:
        raise ConfigError(f"{file}: the configuration cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: the configuration is not UTF-8 text (byte {error.start}).") from error
    return parse_source(text, str(file))


def told(name: str) -> str:
    """How an error's sentence begins that is about the source of this name."""
    return f"{name}: " if name else ""


# --- The wiring profiles that come with the program: whole wirings by name, below what the file itself says -----------

PROFILES_FOLDER: Final = Path(__file__).parent / "profiles"


def profile_names() -> tuple[str, ...]:
    """The names of all profiles."""
    return tuple(sorted(file.stem for file in PROFILES_FOLDER.glob("*.toml")))


def profile_source(name: object) -> Source:
    """The keys of a profile."""
    known = profile_names()
    if not isinstance(name, str):
        raise ConfigError(f'{PROFILE} is {name}: write the name of one in quotes, such as "{known[0]}".', (PROFILE,))
    if name not in known:
        raise ConfigError(f'{PROFILE} is "{name}": {hint(name, known)}', (PROFILE,))
    # Nobody looks for a line in a file of the program: its name says enough.
    return Source(
        f"wiring profile {name}", parse_source((PROFILES_FOLDER / f"{name}.toml").read_text(encoding="utf-8")).keys
    )


def profile_summary(name: str) -> str:
    """What a profile is for: the comment with which its file begins."""
    return (PROFILES_FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
