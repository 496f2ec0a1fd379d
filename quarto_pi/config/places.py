"""Where the configuration stands: the file that was named, or the one that the system has, and what drops into it.

Beside a file may be a folder `conf.d`: what stands there in `*.toml` counts as well, in the order of the names, and
wins over the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from quarto_pi.config.layers import lay
from quarto_pi.config.section import ConfigError
from quarto_pi.config.sources import Source, read_source
from quarto_pi.config.whole import Config

VARIABLE: Final = "QUARTO_PI_CONFIG"
"""The environment variable that names the file."""
SYSTEM_FILE: Final = Path("/etc/quarto-pi/quarto-pi.toml")
DROP_INS: Final = "conf.d"


def config_file(named: Path | None, environ: Mapping[str, str], system_file: Path = SYSTEM_FILE) -> Path:
    """The file that counts: the one on the command line, else the environment's, else the system's."""
    if named is not None:
        return named
    return Path(environ[VARIABLE]) if environ.get(VARIABLE) else system_file


def find_sources(named: Path | None, environ: Mapping[str, str], system_file: Path = SYSTEM_FILE) -> list[Source]:
    """The file that counts and what drops into it; only the system's file need not be there."""
    file = config_file(named, environ, system_file)
    if file == system_file and not _is_there(file):
        return [read_source(part) for part in drop_ins(file)]
    return [read_source(part) for part in (file, *drop_ins(file))]


def find_config(named: Path | None, environ: Mapping[str, str], system_file: Path = SYSTEM_FILE) -> Config:
    """The configuration with which a command works; without any file the usual values."""
    return lay(find_sources(named, environ, system_file)).config


def read_config(file: Path) -> Config:
    """The configuration in a file, and in what drops into it."""
    return lay(find_sources(file, {})).config


def drop_ins(file: Path) -> Sequence[Path]:
    """What drops into a file, in the order in which it counts."""
    folder = file.parent / DROP_INS
    try:
        return sorted(part for part in folder.iterdir() if part.suffix == ".toml")
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise ConfigError(f"{folder}: the configuration cannot be read ({error.strerror}); use sudo.") from error


def _is_there(file: Path) -> bool:
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise ConfigError(f"{file}: the configuration cannot be read ({error.strerror}); use sudo.") from error
    return True
