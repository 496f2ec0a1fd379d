"""`quarto-pi config`: show, change and check the configuration without an editor."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from quarto_pi.commands.board_options import add_config, place_of
from quarto_pi.commands.config_change import ASK, set_key, unset_key
from quarto_pi.commands.keep_options import journal_folder
from quarto_pi.commands.refusal import refusal_of
from quarto_pi.config import Config
from quarto_pi.config.layers import Setting, lay
from quarto_pi.config.places import Place
from quarto_pi.config.play import chosen_keys
from quarto_pi.config.problems import problems
from quarto_pi.config.profiles import profile_names, profile_summary
from quarto_pi.config.section import as_toml
from quarto_pi.config.sources import changed_at_the_table
from quarto_pi.config.values import choose_settings, dotted, shown_value
from quarto_pi.journal.errors import JournalError
from quarto_pi.journal.journal import wishes
from quarto_pi.journal.opening import reading
from quarto_pi.journal.place import FILE

SUMMARY = "show, change and check the configuration"
COMMENT_COLUMN = 40


def options(parser: argparse.ArgumentParser) -> None:
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
    change.add_argument("value", metavar="VALUE", help=f"the value; of a list, with commas; {ASK}: it is asked for")
    back = action("unset", "take a key or a section out of the file, so that the usual value counts again")
    back.add_argument("name", metavar="SECTION[.KEY]", help="the key or section")
    for editing in (change, back):
        editing.add_argument("--file", type=Path, metavar="FILE", help="change this file, one of those in conf.d")
    validate = action("validate", "say everything that is wrong, one sentence each")
    validate.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file (default: the one that counts)")
    action("path", "the file that counts, be it there or not")
    action("profiles", "the wiring profiles that come with the program")


def run(arguments: argparse.Namespace) -> int:
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
            return _validate(place if arguments.file is None else Place(arguments.file))
        case _:
            print(place.file)
    return 0


def _show(place: Place, name: str | None, *, as_json: bool) -> None:
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
        if not (folder / FILE).is_file():
            return {}
        with reading(folder) as connection:
            return chosen_keys(wishes(connection, file), file)
    except (JournalError, OSError) as error:
        why = refusal_of(error) if isinstance(error, OSError) else error
        print(f"quarto-pi config: what was changed at the table is not known: {why}", file=sys.stderr)
        return {}


def _as_json(setting: Setting) -> str:
    shown = {
        "key": dotted(setting.path),
        "value": shown_value(setting),
        "origin": str(setting.origin),
        "usual": setting.usual,
    }
    return json.dumps(shown, ensure_ascii=False)


def _as_file(settings: Sequence[Setting]) -> Iterator[str]:
    """The settings as they would stand in a file, but for what is secret."""
    for section, keys in groupby(settings, key=lambda setting: setting.path[:-1]):
        if section:
            yield f"\n[{dotted(section)}]"
        for setting in keys:
            yield f"{f'{setting.path[-1]} = {as_toml(shown_value(setting))}':{COMMENT_COLUMN - 1}} # {setting.origin}"


def _validate(place: Place) -> int:
    files = place.files()
    wrong = list(problems(files))
    for problem in wrong:
        print(f"quarto-pi config: {problem}", file=sys.stderr)
    if not wrong:
        names = ", ".join(map(str, files)) or f"{place.file} is not there: the usual values"
        print(f"{names}: nothing is wrong")
    return 2 if wrong else 0
