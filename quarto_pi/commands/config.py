"""`quarto-pi config`: show, change and check the configuration without an editor."""

from __future__ import annotations

import argparse
import json
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from getpass import getpass
from itertools import groupby
from pathlib import Path
from typing import Final

from quarto_pi.commands.options import Command, add_config, journal_folder, place_of, refusal_of
from quarto_pi.config import Config, ConfigError
from quarto_pi.config.layers import (
    ConfigPlace,
    ConfigSetting,
    Layered,
    choose_settings,
    dotted,
    find_setting,
    is_there,
    lay,
    parse_value,
    problems,
    shown_value,
)
from quarto_pi.config.section import as_toml
from quarto_pi.config.sources import changed_at_the_table, parse_source, profile_names, profile_summary, read_source
from quarto_pi.config.whole import chosen_keys
from quarto_pi.files import replace_text
from quarto_pi.journal.journal import JOURNAL_FILE, JournalError, wishes
from quarto_pi.journal.repair import reading
from quarto_pi.wiring.platform import not_installed

# --- `quarto-pi config set` and `unset`: one key changed, and the whole checked before anything is written ------------

ASKED_FOR = "-"
"""Given as the value of a key, it is asked for: what is secret should not stay in the history of a shell."""


def set_key(place: ConfigPlace, file: Path, name: str, value: str) -> None:
    """Set a key in one of the files of a place, and tell what counts now."""
    try:
        from quarto_pi.config.edit import with_value
    except ImportError as error:
        raise not_installed(error) from error
    known = find_setting(lay([]).settings, name)
    given = _asked_for(name) if value == ASKED_FOR else value
    text = with_value(_text_of(file), known.path, parse_value(given, known.usual))
    now = find_setting(_write(place, file, text).settings, name)
    if now.origin.source.name == str(file):
        print(f"{now.origin}: {name} is now {as_toml(shown_value(now))}")
    else:
        print(f"{file}: {name} is written, but {now.origin} wins: it is {as_toml(shown_value(now))}", file=sys.stderr)
    if now.secret and file.stat().st_mode & stat.S_IROTH:
        todo = f"sudo chgrp quarto-pi {file} && sudo chmod 640 {file}"
        print(f"{file}: everybody on this computer can read it; leave it to the service: {todo}", file=sys.stderr)


def unset_key(place: ConfigPlace, file: Path, name: str) -> None:
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
    new = without(text, path)
    left = _left_wrong(place, file, new)
    _put(file, new)
    print(f"{file}: {name} is taken out")
    for problem in left:
        print(f"quarto-pi config: still wrong: {problem}", file=sys.stderr)
    for setting in () if left else lay(place.sources()).settings:
        if setting.path == path:
            print(f"{setting.origin}: {dotted(path)} is now {as_toml(shown_value(setting))}")


def _left_wrong(place: ConfigPlace, file: Path, text: str) -> list[str]:
    """What is wrong with this text in the file, if all of it was wrong before; one fault is mended after the other."""
    before = list(problems(place.files()))
    left = list(problems(place.files(new=file), {file: parse_source(text, str(file))}))
    for problem in left:
        if problem not in before:
            raise ConfigError(problem)
    return left


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


def _write(place: ConfigPlace, file: Path, text: str) -> Layered:
    """Write a file of a place anew, if all of them together are a configuration then."""
    source = parse_source(text, str(file))
    layered = lay([source if part == file else read_source(part) for part in place.files(new=file)])
    _put(file, text)
    return layered


def _put(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_text(file, text)
    except PermissionError as error:
        raise ConfigError(f"{file}: the configuration cannot be written ({error.strerror}); use sudo.") from error


# --- `quarto-pi config`: show, change and check the configuration without an editor -----------------------------------

COMMENT_COLUMN = 40


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `config` can be asked for."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        described = actions.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
        if name != "profiles":
            add_config(described)
        return described

    show = action("show", "every value, and where it is from")
    show.add_argument("name", nargs="?", metavar="SECTION[.KEY]", help="only this section or key")
    show.add_argument("--json", action="store_true", help="print one JSON object for each key")
    change = action("set", "change a key; comments and layout stay as they are")
    change.add_argument("name", metavar="SECTION.KEY", help="the key, or 'profile'")
    change.add_argument(
        "value", metavar="VALUE", help=f"the value; of a list, with commas; {ASKED_FOR}: it is asked for"
    )
    back = action("unset", "take a key or a section out of the file, so that the usual value counts again")
    back.add_argument("name", metavar="SECTION[.KEY]", help="the key or section")
    for editing in (change, back):
        editing.add_argument("--file", type=Path, metavar="FILE", help="change this file, one of those in conf.d")
    validate = action("validate", "say everything that is wrong, one sentence each")
    validate.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file (default: the one that counts)")
    action("path", "the file that counts, be it there or not")
    action("profiles", "the wiring profiles that come with the program")


def _run(arguments: argparse.Namespace) -> int:
    """Do what was asked for; 2 where the configuration is wrong."""
    if arguments.action == "profiles":
        width = max(map(len, profile_names()))
        for name in profile_names():
            print(f"{name:{width}}  {profile_summary(name)}")
        return 0
    place = place_of(arguments)
    match arguments.action:
        case "show":
            _show(place, arguments.name, as_json=arguments.json)
        case "set":
            set_key(place, place.part(arguments.file or place.file), arguments.name, arguments.value)
        case "unset":
            unset_key(place, place.part(arguments.file or place.file), arguments.name)
        case "validate":
            return _validate(place if arguments.file is None else ConfigPlace(arguments.file))
        case _:
            print(place.file)
    return 0


def _show(place: ConfigPlace, name: str | None, *, as_json: bool) -> None:
    sources = place.sources()
    chosen_in_menu = changed_at_the_table(_chosen_in_menu(lay(sources).config))
    settings = lay([*sources, chosen_in_menu]).settings
    chosen = settings if name is None else choose_settings(settings, name)
    for line in map(_as_json, chosen) if as_json else _as_file(chosen):
        print(line)


def _chosen_in_menu(config: Config) -> Mapping[str, object]:
    """What people chose in the menu, as keys of `[game]`; nothing where the journal has not begun yet."""
    if config.journal is None:
        return {}
    folder = journal_folder(config.journal)
    file = config.settings
    try:
        if not (folder / JOURNAL_FILE).is_file():
            return {}
        with reading(folder) as connection:
            return chosen_keys(wishes(connection, file), file)
    except (JournalError, OSError) as error:
        why = refusal_of(error) if isinstance(error, OSError) else error
        print(f"quarto-pi config: what was changed at the table is not known: {why}", file=sys.stderr)
        return {}


def _as_json(setting: ConfigSetting) -> str:
    shown = {
        "key": dotted(setting.path),
        "value": shown_value(setting),
        "origin": str(setting.origin),
        "usual": setting.usual,
    }
    return json.dumps(shown, ensure_ascii=False)


def _as_file(settings: Sequence[ConfigSetting]) -> Iterator[str]:
    """The settings as they would stand in a file, but for what is secret."""
    for section, keys in groupby(settings, key=lambda setting: setting.path[:-1]):
        if section:
            yield f"\n[{dotted(section)}]"
        for setting in keys:
            yield f"{f'{setting.path[-1]} = {as_toml(shown_value(setting))}':{COMMENT_COLUMN - 1}} # {setting.origin}"


def _validate(place: ConfigPlace) -> int:
    files = place.files()
    wrong = list(problems(files))
    for problem in wrong:
        print(f"quarto-pi config: {problem}", file=sys.stderr)
    if not wrong:
        names = ", ".join(map(str, files)) or f"{place.file} is not there: the usual values"
        print(f"{names}: nothing is wrong")
    return 2 if wrong else 0


CONFIG_COMMAND: Final = Command("config", "show, change and check the configuration", _options, _run)
