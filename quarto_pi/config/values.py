"""Keys and values as they are written on a command line."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from quarto_pi.config.layers import ConfigSetting, lay
from quarto_pi.config.section import HIDDEN, ConfigError, KeyPath
from quarto_pi.config.sources import Source, read_source

# --- Everything that is wrong with a configuration, not only the first of it ------------------------------------------


def problems(files: Sequence[Path]) -> Iterator[str]:
    """One sentence for each thing that is wrong in these files together."""
    sources = []
    for file in files:
        try:
            sources.append(read_source(file))
        except ConfigError as error:
            yield str(error)
    yield from _problems_of(sources)


def _problems_of(sources: list[Source]) -> Iterator[str]:
    """Tell the first problem, take away what is to blame for it, and look again."""
    told = False
    while True:
        try:
            lay(sources)
        except ConfigError as error:
            path = _written(sources, error.at)
            # What nobody has written is wrong only because of what was taken away before.
            if path or not told:
                yield str(error)
            if not path:
                return
            told = True
            to_blame = [source for source in sources if source.has(path)][-1]
            sources = [_without(source, path) if source is to_blame else source for source in sources]
        else:
            return


def _written(sources: Sequence[Source], path: KeyPath) -> KeyPath:
    """As much of a path as somebody has written: the key, or else its section, for it is wrong beside the others."""
    while path and not any(source.has(path) for source in sources):
        path = path[:-1]
    return path


def _without(source: Source, path: KeyPath) -> Source:
    return replace(source, keys=_dropped(source.keys, path))


def _dropped(keys: object, path: KeyPath) -> dict[str, object]:
    whole = dict(keys) if isinstance(keys, dict) else {}
    name, *platform = path
    if not platform:
        del whole[name]
    else:
        whole[name] = _dropped(whole[name], tuple(platform))
    return whole


# --- Keys and values as they are written on a command line ------------------------------------------------------------


def dotted(path: KeyPath) -> str:
    """A key as it is named on a command line."""
    return ".".join(path)


def find_setting(settings: Sequence[ConfigSetting], name: str) -> ConfigSetting:
    """The setting of this name."""
    for setting in settings:
        if dotted(setting.path) == name:
            return setting
    raise unknown("a key", name, [dotted(setting.path) for setting in settings])


def choose_settings(settings: Sequence[ConfigSetting], name: str) -> list[ConfigSetting]:
    """The setting of this name, or those of the section of this name."""
    chosen = [each for each in settings if f"{dotted(each.path)}.".startswith(f"{name}.")]
    if not chosen:
        known = {dotted(each.path[:length]) for each in settings for length in range(1, len(each.path) + 1)}
        raise unknown("a section or key", name, sorted(known))
    return chosen


def shown_value(setting: ConfigSetting) -> object:
    """The value as everybody may see it."""
    return HIDDEN if setting.secret and setting.value else setting.value


def unknown(what: str, name: str, known: Collection[str]) -> ConfigError:
    """The error of a name that nobody knows; all that there are would be too many to list."""
    # A key is often written without its section, and then nothing else in the name may differ.
    nearest = [each for each in known if each.endswith(f".{name}")] or get_close_matches(name, known, n=1)
    todo = f"did you mean '{nearest[0]}'?" if nearest else "'quarto-pi config show' lists them all."
    return ConfigError(f"{name} is not {what}: {todo}")


def parse_value(text: str, usual: object) -> object:
    """A value of the kind of the usual one; what is of another kind stays a text, for the section to complain about.

    >>> parse_value("0x3D", 60), parse_value("d1, c1", ["a1"]), parse_value("many", 3)
    (61, ['d1', 'c1'], 'many')
    """
    try:
        match usual:
            case bool():
                return {"true": True, "false": False}[text.lower()]
            case int():
                return int(text, base=0)
            case float():
                return float(text)
            case list():
                return _parse_list(text, usual)
            case _:
                return text
    except (ValueError, KeyError, RecursionError):
        return text


def _parse_list(text: str, usual: list[object]) -> object:
    if text.startswith("["):
        return tomllib.loads(f"list = {text}")["list"]
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [parse_value(word, usual[0]) for word in words] if usual else words
