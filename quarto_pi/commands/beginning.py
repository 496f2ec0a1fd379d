"""How `run` begins: with the owner's configuration, or with another one if that is wrong and it is to start anyway."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quarto_pi.chain.credentials import CredentialsRefused
from quarto_pi.commands.options import config_of, journal_for, kept_in, place_of, without_node
from quarto_pi.config import ChainConfig, JournalConfig, state_folder
from quarto_pi.config.layers import ConfigPlace, lay, merged
from quarto_pi.config.section import ConfigError
from quarto_pi.config.sources import Source, profile_source
from quarto_pi.config.whole import PROFILE, Config
from quarto_pi.files import replace_text
from quarto_pi.first_start.owner_settings import AnswersInFolder
from quarto_pi.first_start.set_up import RadioFails
from quarto_pi.first_start.taking_over import is_set_up
from quarto_pi.journal.writer import OpenJournal
from quarto_pi.known_time import KnownTime, time_of_machine
from quarto_pi.notices import NOTICES_FOLDER, NetworkWatch, notices_in
from quarto_pi.referee.messages import Impairment
from quarto_pi.service import Watchdog
from quarto_pi.updates import CardUpdates
from quarto_pi.web.serving import own_address
from quarto_pi.wiring.board import is_held
from quarto_pi.wiring.platform import HardwareMissing, Platform, not_installed, real_hardware, simulated_hardware

if TYPE_CHECKING:
    from quarto_pi.simulation.board import SimulatedBoard
    from quarto_pi.wiring.chain import OpenChain
    from quarto_pi.wiring.page import OpenPage


# --- A configuration to start with whatever is wrong: the last good one, or else the usual values; and safe mode ------

LAST_GOOD_FILE: Final = "last-good-configuration.json"
"""Its name in the folder of the board's state."""
USUAL_PROFILE: Final = "pi"
"""The wiring of a board of which nothing else is known: the one that the build guide begins with."""
CHOSEN_BY_OWNER: Final = frozenset({"game", "sensing", "engine", "speech", "kiosk"})
"""The sections that safe mode leaves out; what is left is how the board is wired, its page and its journal."""
_BUTTONS: Final = "buttons"


@dataclass(frozen=True, slots=True)
class StartingConfig:
    """A configuration with which the board can start, why it is not the owner's, and what is wrong in one sentence."""

    config: Config
    impaired: Impairment | None = None
    why: str = ""


def starting_config(place: ConfigPlace, folder: Path) -> StartingConfig:
    """The owner's configuration; where it is wrong or missing the last good one of this folder, or the usual values."""
    try:
        if _is_empty(place.file):
            raise ConfigError(f"{place.file} is empty: write it again, or copy it from a backup.")
        return StartingConfig(lay(place.sources()).config)
    except (ConfigError, OSError) as error:
        why = f"{error}"
    try:
        return StartingConfig(_last_good(folder), Impairment.LAST_GOOD, why)
    except (ConfigError, OSError, ValueError):
        usual = Source("usual value", {"page": {"present": True}})
        return StartingConfig(lay([profile_source(USUAL_PROFILE), usual]).config, Impairment.USUAL, why)


def remember_good(place: ConfigPlace, folder: Path) -> None:
    """Keep the owner's configuration for a day on which it is wrong; it is written only when it has changed."""
    text = json.dumps(merged(place.sources()), sort_keys=True) + "\n"
    file = folder / LAST_GOOD_FILE
    try:
        if file.read_text(encoding="utf-8") == text:
            return
    except (OSError, ValueError):
        pass
    folder.mkdir(parents=True, exist_ok=True)
    # It may hold the PIN: nobody but the board reads it from the beginning.
    file.touch(mode=0o600)
    replace_text(file, text)


def safe_config(place: ConfigPlace, config: Config) -> Config:
    """What a board has in safe mode: its wiring, page and journal as they are configured, all else as usual."""
    try:
        whole = merged(place.sources())
        kept: dict[str, object] = {key: value for key, value in whole.items() if key not in CHOSEN_BY_OWNER}
        # How many buttons there are is a matter of wiring, wherever it is written.
        game = whole.get("game")
        if isinstance(game, Mapping) and _BUTTONS in game:
            kept["game"] = {_BUTTONS: game[_BUTTONS]}
        return lay([Source("safe mode", kept)]).config
    except (ConfigError, OSError):
        return config


def _is_empty(file: Path) -> bool:
    return file.is_file() and file.stat().st_size == 0


def _last_good(folder: Path) -> Config:
    keys = json.loads((folder / LAST_GOOD_FILE).read_text(encoding="utf-8"))
    if not isinstance(keys, dict):
        raise ConfigError(f"{folder / LAST_GOOD_FILE} holds no configuration.", (PROFILE,))
    return lay([Source("last good configuration", keys)]).config


# --- How `run` begins -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beginning:
    """A board about to run: its configuration, what lies below it, and why it is not as the owner wants it."""

    config: Config
    platform: Platform
    board: SimulatedBoard | None
    place: ConfigPlace
    keep: Path | None
    anyway: bool
    impaired: Impairment | None
    notices: Path = NOTICES_FOLDER
    known_time: KnownTime = field(default_factory=KnownTime)
    watch: NetworkWatch = field(default_factory=lambda: NetworkWatch(lambda: bool(own_address())))

    @property
    def folder(self) -> Path | None:
        """Where it keeps its games, if it does."""
        return kept_in(self.config, self.keep, simulated=self.board is not None)

    @property
    def stick(self) -> str:
        """Where a USB stick is."""
        return (self.config.journal or JournalConfig()).stick

    def journal(self, stack: ExitStack) -> OpenJournal | None:
        """The journal; in safe mode without what people have chosen, for that may be what is to be got rid of."""
        journal = journal_for(self.config, self.keep, stack, self.known_time, simulated=self.board is not None)
        if journal is None or self.impaired is not Impairment.SAFE:
            return journal
        return replace(journal, remembered=replace(journal.remembered, wishes=self.config.settings))

    def page(self, stack: ExitStack) -> OpenPage | None:
        """The page, where there is one to be served."""
        if self.config.page is None:
            return None
        # What the page stands on is needed by boards that have one; and its drivers' packages are in place only now.
        try:
            from quarto_pi.web.serving import PortTaken
            from quarto_pi.wiring.page import OpenPage
        except ImportError as error:
            raise not_installed(error) from error
        try:
            return OpenPage(self.config, self.config.page, stack)
        except PortTaken as error:
            if not self.anyway:
                raise
            tell_impaired(f"{error}")
            return None

    def chain(self, stack: ExitStack) -> OpenChain | None:
        """The board's chain, where it is on one; whatever is wrong with that, the board plays without it."""
        return None if self.config.chain is None else open_chain(self.config.chain, stack, self.known_time)

    def set_up(self, goes_on: Callable[[], bool], watchdog: Watchdog) -> bool:
        """Have a new board that has no network set up with a phone; whether it has to start anew for what was said."""
        if self.config.network is None or not self.anyway or self.impaired is not None:
            return False
        answers = AnswersInFolder(state_folder(os.environ))
        if is_set_up(self.place.file):
            answers.forget()
            return False
        try:
            has_network = self.platform.radio.knows_network()
        except RadioFails as error:
            tell_impaired(f"{error}")
            return False
        if answers.believe_tried(has_network=has_network):
            return True
        return not has_network and self._ask_phone(goes_on, watchdog)

    def _ask_phone(self, goes_on: Callable[[], bool], watchdog: Watchdog) -> bool:
        try:
            from quarto_pi.wiring.first_start import set_up_by_phone
        except ImportError as error:
            raise not_installed(error) from error
        wiring = merged(self.place.sources()).get(PROFILE, USUAL_PROFILE)
        folder = state_folder(os.environ)
        return set_up_by_phone(self.config, self.platform, folder, self.known_time, f"{wiring}", goes_on, watchdog)

    def hampered(self) -> Impairment | None:
        """What is wrong around the board at this moment, for the board to say."""
        if not self.anyway:
            return None
        told = next((why for why, _ in notices_in(self.notices)), None)
        network = self.config.network
        if told is None and network is not None and network.expected and self.watch.is_missing():
            return Impairment.NO_NETWORK
        return told

    def remember(self) -> None:
        """Keep a configuration with which the board has started, for a day on which it is wrong."""
        if not self.anyway or self.impaired is not None:
            return
        try:
            remember_good(self.place, state_folder(os.environ))
        except OSError as error:
            print(f"The configuration could not be kept as the last good one: {error}", file=sys.stderr)


def beginning_of(arguments: argparse.Namespace) -> Beginning:
    """Find out what there is to begin with."""
    place, anyway, impaired = place_of(arguments), arguments.start_anyway, None
    if anyway:
        starting = starting_config(place, state_folder(os.environ))
        config, impaired = starting.config, starting.impaired
        if starting.why:
            tell_impaired(starting.why)
    else:
        config = config_of(arguments)
    if arguments.simulated:
        without_node(config)
    elif arguments.speed != 1:
        raise ConfigError("--speed is for a simulated board: say --simulated as well, or leave it out.")
    # The table of the simulated board is empty: a game begins on an empty board.
    platform, board = (
        simulated_hardware(paced=True, speed=arguments.speed, config=config)
        if arguments.simulated
        else (real_hardware(), None)
    )
    if anyway:
        platform = replace(platform, missing=tell_impaired)
        if is_held(config, platform):
            config, impaired = safe_config(place, config), Impairment.SAFE
    known_time = time_of_machine(os.environ, config.kiosk.time_zone)
    return Beginning(config, platform, board, place, arguments.keep, anyway, impaired, arguments.notices, known_time)


def open_chain(config: ChainConfig, stack: ExitStack, known_time: KnownTime) -> OpenChain | None:
    """A board's chain, closed with the stack; where it cannot be opened the log says why, and the board plays."""
    # What speaks to a broker is needed by boards of a chain only.
    try:
        from quarto_pi.wiring.chain import OpenChain
    except ImportError as error:
        tell_impaired(not_installed(error))
        return None
    runtime = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]

    def say(sentence: str) -> None:
        # In one piece: other threads print as well.
        print(f"quarto-pi: {sentence}\n", end="", file=sys.stderr, flush=True)

    try:
        updates = CardUpdates(state_folder(os.environ))
        chain = OpenChain(config, say, known_time.stamp, Path(runtime) if runtime else None, updates)
    except CredentialsRefused as error:
        tell_impaired(f"{error}")
        return None
    stack.callback(chain.close)
    return chain


def tell_impaired(why: HardwareMissing | str) -> None:
    """Say into the log what the board has to start without."""
    print(f"quarto-pi run: {why} The board starts without; 'quarto-pi check' tells more.", file=sys.stderr)
