"""A configuration to start with whatever is wrong: the last good one, or else the usual values; and safe mode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.config.layers import ConfigPlace, lay, merged
from quarto_pi.config.section import ConfigError
from quarto_pi.config.sources import Source, profile_source
from quarto_pi.config.whole import PROFILE, Config
from quarto_pi.files import replace_text
from quarto_pi.referee.messages import Impairment

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
