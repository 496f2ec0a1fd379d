"""Sources laid one upon the other, a later one winning key by key; and their keys and values on a command line.

Every value knows where it is from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Final

from quarto_pi.config.section import HIDDEN, ConfigError, KeyPath
from quarto_pi.config.sources import Source, profile_source, read_source, told
from quarto_pi.config.whole import PROFILE, Config, read_sections


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
class ConfigSetting:
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
    settings: tuple[ConfigSetting, ...]


def lay(sources: Sequence[Source]) -> Layered:
    """The configuration that these sources make, the last one uppermost; an error names the source to blame."""
    layers = _above_their_profile(sources)
    whole = merged(layers)
    try:
        config, taken = read_sections(whole)
    except ConfigError as error:
        raise ConfigError(f"{told(_to_blame(layers, error.at))}{error}", error.at) from error
    settings = [ConfigSetting(key.path, key.value, key.usual, _origin(layers, key.path), key.secret) for key in taken]
    profile = ConfigSetting((PROFILE,), whole.get(PROFILE, ""), "", _origin(layers, (PROFILE,)))
    return Layered(config, (profile, *settings))


def merged(layers: Sequence[Source]) -> dict[str, object]:
    """The keys of all layers."""
    whole: dict[str, object] = {}
    for layer in layers:
        whole = _merge(whole, layer.keys)
    return whole


def _merge(platform: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    whole = dict(platform)
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


# --- Where the configuration stands -----------------------------------------------------------------------------------
#
# Beside a file may be a folder `conf.d`: what stands there in `*.toml` counts as well, in the order of the names, and
# wins over the file.

VARIABLE: Final = "QUARTO_PI_CONFIG"
"""The environment variable that names the file."""
SYSTEM_FILE: Final = Path("/etc/quarto-pi/quarto-pi.toml")
DROP_INS: Final = "conf.d"


@dataclass(frozen=True, slots=True)
class ConfigPlace:
    """A configuration file with its drop-ins; one that was `named` has to be there."""

    file: Path
    named: bool = True

    @property
    def folder(self) -> Path:
        """Where drop-ins stand, if there are any."""
        return self.file.parent / DROP_INS

    def files(self, new: Path | None = None) -> list[Path]:
        """The files that count, in their order, and among them one that is only about to be written."""
        above = sorted({*self._drop_ins(), *([new] if new is not None and new != self.file else [])})
        return [self.file, *above] if self.named or new == self.file or is_there(self.file) else above

    def sources(self) -> list[Source]:
        """What the files say."""
        return [read_source(part) for part in self.files()]

    def part(self, file: Path) -> Path:
        """The file of this place that is meant by a path, which may be another path to it."""
        if file.resolve() == self.file.resolve():
            return self.file
        if file.resolve().parent == self.folder.resolve() and file.suffix == ".toml":
            return self.folder / file.name
        raise ConfigError(f"{file} does not count: name {self.file}, or a .toml file in {self.folder}.")

    def _drop_ins(self) -> list[Path]:
        try:
            return [part for part in self.folder.iterdir() if part.suffix == ".toml"]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ConfigError(
                f"{self.folder}: the configuration cannot be read ({error.strerror}); use sudo."
            ) from error


def find_place(named: Path | None, environ: Mapping[str, str], system_file: Path = SYSTEM_FILE) -> ConfigPlace:
    """The place that counts: the one on the command line, else the environment's, else the system's."""
    if named is None and not environ.get(VARIABLE):
        return ConfigPlace(system_file, named=False)
    return ConfigPlace(Path(environ[VARIABLE]) if named is None else named)


def find_config(named: Path | None, environ: Mapping[str, str], system_file: Path = SYSTEM_FILE) -> Config:
    """The configuration with which a command works; without any file the usual values."""
    return lay(find_place(named, environ, system_file).sources()).config


def read_config(file: Path) -> Config:
    """The configuration in a file, and in what drops into it."""
    return lay(ConfigPlace(file).sources()).config


def is_there(file: Path) -> bool:
    """Whether there is such a file, which not everybody may be allowed to know."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _not_readable(file, error) from error
    return True


def _not_readable(file: Path, error: OSError) -> ConfigError:
    return ConfigError(f"{file}: the configuration cannot be read ({error.strerror}); use sudo.")


# --- Everything that is wrong with a configuration, not only the first of it ------------------------------------------


def problems(files: Sequence[Path], instead: Mapping[Path, Source] = MappingProxyType({})) -> Iterator[str]:
    """One sentence for each thing that is wrong in these files together, with other content `instead` of some."""
    sources = []
    for file in files:
        try:
            sources.append(instead[file] if file in instead else read_source(file))
        except ConfigError as error:
            yield str(error)
    yield from problems_of(sources)


def problems_of(sources: Sequence[Source]) -> Iterator[str]:
    """One sentence for each thing that is wrong in these sources together."""
    # The first problem is told, what is to blame for it is taken away, and then it is looked again.
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
