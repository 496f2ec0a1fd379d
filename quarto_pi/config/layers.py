"""Sources laid one upon the other: a later one wins key by key, and every value knows where it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.config.section import ConfigError, KeyPath
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
