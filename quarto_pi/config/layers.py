"""Sources laid one upon the other: a later one wins key by key, and every value knows where it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from quarto_pi.config.profiles import profile_source
from quarto_pi.config.section import ConfigError, KeyPath
from quarto_pi.config.sections import PROFILE, read_sections
from quarto_pi.config.sources import Source, told
from quarto_pi.config.whole import Config


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value is from: the source, and the key or section in it that says so."""

    source: Source
    path: KeyPath = ()

    def __str__(self) -> str:
        line = self.source.line_of(self.path)
        return self.source.name if line is None else f"{self.source.name}:{line}"


USUAL: Final = Origin(Source("usual value", {}))


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the configuration with the value that counts, its usual value, and where it is from."""

    path: KeyPath
    value: object
    usual: object
    origin: Origin
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Layered:
    """What some sources make together."""

    config: Config
    settings: tuple[Setting, ...]


def lay(sources: Sequence[Source]) -> Layered:
    """The configuration that these sources make, the last one uppermost; an error names the source to blame."""
    layers = _above_their_profile(sources)
    whole = merged(layers)
    try:
        config, taken = read_sections(whole)
    except ConfigError as error:
        raise ConfigError(f"{told(_to_blame(layers, error.at))}{error}", error.at) from error
    settings = [Setting(key.path, key.value, key.usual, _origin(layers, key.path), key.secret) for key in taken]
    profile = Setting((PROFILE,), whole.get(PROFILE, ""), "", _origin(layers, (PROFILE,)))
    return Layered(config, (profile, *settings))


def merged(layers: Sequence[Source]) -> dict[str, object]:
    """The keys of all layers."""
    whole: dict[str, object] = {}
    for layer in layers:
        whole = _merge(whole, layer.keys)
    return whole


def _merge(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    whole = dict(below)
    for key, value in above.items():
        old = whole.get(key)
        whole[key] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return whole


def _above_their_profile(sources: Sequence[Source]) -> list[Source]:
    whole = merged(sources)
    if PROFILE not in whole:
        return list(sources)
    try:
        return [profile_source(whole[PROFILE]), *sources]
    except ConfigError as error:
        raise ConfigError(f"{told(_to_blame(sources, error.at))}{error}", error.at) from error


def _origin(layers: Sequence[Source], path: KeyPath) -> Origin:
    # A device is there once its section is: that is where its `present` is from if it is not written out.
    written = (path, path[:-1]) if path[-1] == "present" else (path,)
    for place in written:
        for layer in reversed(layers):
            if layer.has(place):
                return Origin(layer, place)
    return USUAL


def _to_blame(layers: Sequence[Source], path: KeyPath) -> str:
    """The uppermost source with this key, or else with its section, or else the uppermost of all."""
    for length in range(len(path), -1, -1):
        for layer in reversed(layers):
            if layer.has(path[:length]):
                return layer.name
    return ""
