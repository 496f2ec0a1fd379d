"""`quarto-pi first-start`: what the owner has said on the card, or with a phone, becomes what the board starts with."""

from __future__ import annotations

import argparse
import grp
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from quarto_pi.commands.options import Command, add_config, place_of, refusal_of
from quarto_pi.config import Config, ConfigError, state_folder
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.files import put_whole
from quarto_pi.first_start.mistakes import CHAIN_MISTAKES, SettingsMistake
from quarto_pi.first_start.owner_settings import ANSWERS_FILE
from quarto_pi.first_start.settings_text import as_windows_text, settings_template
from quarto_pi.first_start.taking_over import TakenOver, TakingPlaces, take_over_settings
from quarto_pi.notices import NOTICES_FOLDER, set_notice
from quarto_pi.referee.messages import Impairment
from quarto_pi.words import Words

CARD_FOLDER: Final = Path("/boot/quarto-pi")
"""Where the card's first partition is, which every computer can read."""
NETWORKS_FOLDER: Final = Path("/etc/NetworkManager/system-connections")
SAYS_FILE: Final = "quarto-pi-says.txt"
BOARD_GROUP: Final = "quarto-pi"
BOARD_USER: Final = "quarto-pi"
REGULATORY_SECONDS: Final = 10


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `first-start` can be asked for."""
    parser.add_argument(
        "--card", type=Path, default=CARD_FOLDER, metavar="FOLDER", help=f"where quarto-pi.txt is ({CARD_FOLDER})"
    )
    parser.add_argument(
        "--networks", type=Path, default=NETWORKS_FOLDER, metavar="FOLDER", help=f"NetworkManager's ({NETWORKS_FOLDER})"
    )
    parser.add_argument(
        "--notices", type=Path, default=NOTICES_FOLDER, metavar="FOLDER", help=f"what the board says ({NOTICES_FOLDER})"
    )
    parser.add_argument("--print", action="store_true", help="print a quarto-pi.txt that says nothing yet, no more")
    add_config(parser, "the configuration beside which it writes")


def _run(arguments: argparse.Namespace) -> int:
    """Take over what was said; what is wrong with it is told by the board, and is no failure of this command."""
    if arguments.print:
        sys.stdout.buffer.write(settings_template({}))
        return 0
    place = place_of(arguments)
    places = TakingPlaces(
        arguments.card,
        place.file.parent,
        arguments.networks,
        state_folder(os.environ) / ANSWERS_FILE,
        _group_of_board(),
        _user_of_board(),
        place.file.name,
    )
    try:
        taken = take_over_settings(places)
        config = _config(place)
        if arguments.card.is_dir():
            _say_beside(arguments.card / SAYS_FILE, _told(config, taken))
    except OSError as error:
        set_notice(arguments.notices, Impairment.CARD_FAILS, refusal_of(error))
        raise
    set_notice(arguments.notices, Impairment.CARD_FAILS, None)
    of_chain = [mistake for mistake in taken.mistakes if mistake.what in CHAIN_MISTAKES]
    of_file = [mistake for mistake in taken.mistakes if mistake.what not in CHAIN_MISTAKES]
    set_notice(arguments.notices, Impairment.SETTINGS_FILE, _for_log(of_file))
    set_notice(arguments.notices, Impairment.CHAIN_FOLDER, _for_log(of_chain))
    if config.network is not None and config.network.country:
        _use_radio_rules(config.network.country)
    for name in taken.news:
        print(f"+ {name}: {taken.said.get(name, 'as the card says')}")
    for line in Words().settings_file(taken.mistakes).splitlines() if taken.mistakes else ():
        print(f"! {line}", file=sys.stderr)
    return 0


def _config(place: ConfigPlace) -> Config:
    """The configuration as it is now; where something else in it is wrong, the board says so when it starts."""
    with suppress(ConfigError, OSError):
        return lay(place.sources()).config
    return Config()


def _told(config: Config, taken: TakenOver) -> str:
    chain = None if config.chain is None else (config.chain.board, config.chain.broker)
    return Words(config.game.language).settings_file(taken.mistakes, chain)


def _for_log(mistakes: Sequence[SettingsMistake]) -> str | None:
    return " ".join(Words().mistake(mistake) for mistake in mistakes) or None


def _say_beside(file: Path, told: str) -> None:
    content = as_windows_text(told)
    if not file.exists() or file.read_bytes() != content:
        put_whole(file, content)


def _group_of_board() -> int | None:
    try:
        return grp.getgrnam(BOARD_GROUP).gr_gid
    except KeyError:
        return None


def _user_of_board() -> int | None:
    try:
        return pwd.getpwnam(BOARD_USER).pw_uid
    except KeyError:
        return None


def _use_radio_rules(country: str) -> None:
    """Tell the kernel in which country the radio is; it forgets it when it is switched off."""
    program = shutil.which("iw")
    if program is None:
        print("The country's radio rules are not set: iw is not installed.", file=sys.stderr)
        return
    try:
        subprocess.run(  # noqa: S603 - two letters that were checked
            [program, "reg", "set", country], check=True, capture_output=True, timeout=REGULATORY_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as error:
        print(f"The country's radio rules are not set: {error}.", file=sys.stderr)


FIRST_START_COMMAND: Final = Command(
    "first-start",
    "take over what the owner says in the card's quarto-pi.txt and folder chain, and on the phone",
    _options,
    _run,
)
