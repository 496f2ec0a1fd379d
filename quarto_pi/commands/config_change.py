"""`quarto-pi config set` and `unset`: one key changed, and the whole checked before anything is written."""

from __future__ import annotations

import stat
import sys
from contextlib import suppress
from getpass import getpass
from pathlib import Path

from quarto_pi.below import not_installed
from quarto_pi.config import ConfigError
from quarto_pi.config.layers import Layered, lay
from quarto_pi.config.places import Place, is_there
from quarto_pi.config.section import as_toml
from quarto_pi.config.sources import parse_source, read_source
from quarto_pi.config.values import choose_settings, dotted, find_setting, parse_value, shown_value
from quarto_pi.files import replace_text

ASK = "-"
"""Given as the value of a key, it is asked for: what is secret should not stay in the history of a shell."""


def set_key(place: Place, file: Path, name: str, value: str) -> None:
    """Set a key in one of the files of a place, and tell what counts now."""
    try:
        from quarto_pi.config.edit import with_value
    except ImportError as error:
        raise not_installed(error) from error
    known = find_setting(lay([]).settings, name)
    given = _asked_for(name) if value == ASK else value
    text = with_value(_text_of(file), known.path, parse_value(given, known.usual))
    now = find_setting(_write(place, file, text).settings, name)
    if now.origin.source.name == str(file):
        print(f"{now.origin}: {name} is now {as_toml(shown_value(now))}")
    else:
        print(f"{file}: {name} is written, but {now.origin} wins: it is {as_toml(shown_value(now))}", file=sys.stderr)
    if now.secret and file.stat().st_mode & stat.S_IROTH:
        todo = f"sudo chgrp quarto-pi {file} && sudo chmod 640 {file}"
        print(f"{file}: everybody on this computer can read it; leave it to the service: {todo}", file=sys.stderr)


def unset_key(place: Place, file: Path, name: str) -> None:
    """Take a key or a section out of one of the files of a place, and tell what counts now."""
    try:
        from quarto_pi.config.edit import without
    except ImportError as error:
        raise not_installed(error) from error
    path = tuple(name.split("."))
    text = _text_of(file)
    if not parse_source(text).has(path):
        choose_settings(lay([]).settings, name)
        others = [part for part in place.files() if part != file and read_source(part).has(path)]
        elsewhere = f" It is in {others[-1]}: name that with --file." if others else ""
        raise ConfigError(f"{file}: {name} is not written there.{elsewhere}")
    settings = _write(place, file, without(text, path)).settings
    print(f"{file}: {name} is taken out")
    for setting in settings:
        if setting.path == path:
            print(f"{setting.origin}: {dotted(path)} is now {as_toml(shown_value(setting))}")


def _asked_for(name: str) -> str:
    line = ""
    if sys.stdin is not None and sys.stdin.isatty():
        with suppress(EOFError):
            return getpass(f"{name}: ")
    elif sys.stdin is not None:
        line = sys.stdin.readline()
    if not line:
        raise ConfigError(f"{name}: nothing was given, so it stays as it is: type the value, or hand it on as a line.")
    return line.rstrip("\n")


def _text_of(file: Path) -> str:
    if not is_there(file):
        return ""
    read_source(file)  # what cannot be read, or is no TOML, is told of here
    return file.read_text(encoding="utf-8")


def _write(place: Place, file: Path, text: str) -> Layered:
    """Write a file of a place anew, if all of them together are a configuration then."""
    source = parse_source(text, str(file))
    layered = lay([source if part == file else read_source(part) for part in place.files(new=file)])
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_text(file, text)
    except PermissionError as error:
        raise ConfigError(f"{file}: the configuration cannot be written ({error.strerror}); use sudo.") from error
    return layered
