"""A chain that was taken over: its files beside the configuration, and its section in it.

The files of each chain have a folder of their own. It is whole before the configuration names it, and the one before is
there until no configuration names it any more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from quarto_pi.chain.credentials import CA_FILE, CREDENTIALS_FILE
from quarto_pi.config import ConfigError
from quarto_pi.config.layers import ConfigPlace, problems_of
from quarto_pi.config.section import KeyPath
from quarto_pi.config.sources import Source, parse_source, read_source
from quarto_pi.files import put_whole, sync_folder
from quarto_pi.first_start.chain_folder import CHAIN_FOLDER, ChainSaid
from quarto_pi.first_start.drop_in import CHAIN_SECTION, SaidValue, as_toml_file

CHAIN_PRESENT: Final[KeyPath] = (CHAIN_SECTION, "present")
_KEPT: Final = re.compile(r"[0-9a-f]{16}")
_FOR_BOARD: Final = 0o600
_FOLDER: Final = 0o755


def values_with_chain(values: Mapping[KeyPath, SaidValue], said: ChainSaid, config: Path) -> dict[KeyPath, SaidValue]:
    """The values with those of a chain in the place of another one's."""
    folder = _folder(config, said)
    keys: dict[str, SaidValue] = {**said.section, "present": True, "credentials": f"{folder / CREDENTIALS_FILE}"}
    keys["ca"] = f"{folder / CA_FILE}" if said.authority else ""
    return values_without_chain(values) | {(CHAIN_SECTION, key): value for key, value in keys.items()}


def values_off_chain(values: Mapping[KeyPath, SaidValue]) -> dict[KeyPath, SaidValue]:
    """The values of a board that is on no chain, whatever another file says of one."""
    return {**values_without_chain(values), CHAIN_PRESENT: False}


def values_without_chain(values: Mapping[KeyPath, SaidValue]) -> dict[KeyPath, SaidValue]:
    """The values without any of a chain."""
    return {path: value for path, value in values.items() if path[0] != CHAIN_SECTION}


def is_right_after(
    main: Path, drop_in: Path, before: Mapping[KeyPath, SaidValue], after: Mapping[KeyPath, SaidValue]
) -> bool:
    """Whether the configuration in `main` has nothing wrong after a change of its `drop_in` that it did not have."""

    def wrong(values: Mapping[KeyPath, SaidValue]) -> set[str]:
        sources: list[Source] = []
        with suppress(ConfigError):
            for file in ConfigPlace(main, named=False).files(drop_in):
                with suppress(ConfigError):
                    own = file == drop_in
                    sources.append(parse_source(as_toml_file(values).decode(), f"{file}") if own else read_source(file))
        return set(problems_of(sources))

    return not wrong(after) - wrong(before)


def keep_chain_files(config: Path, said: ChainSaid, owner: int | None) -> None:
    """Put the files where the section names them; the credentials are for the board's user alone."""
    folder = _folder(config, said)
    for each in (folder.parent, folder):
        if not each.is_dir():
            each.mkdir(parents=True)
            each.chmod(_FOLDER)
            sync_folder(each.parent)
    if said.authority:
        put_whole(folder / CA_FILE, said.authority)
    put_whole(folder / CREDENTIALS_FILE, said.credentials, _FOR_BOARD, owner=owner)


def forget_other_chains(config: Path, values: Mapping[KeyPath, SaidValue]) -> None:
    """Remove the files of chains that were taken over and that the section no longer names."""
    place = config.absolute() / CHAIN_FOLDER
    named = Path(f"{values.get((CHAIN_SECTION, 'credentials'), '')}").parent
    for folder in sorted(place.iterdir()) if place.is_dir() else ():
        if _KEPT.fullmatch(folder.name) and folder.is_dir() and folder != named:
            for file in sorted(folder.iterdir(), reverse=True):
                file.unlink()
            folder.rmdir()
            sync_folder(place)


def _folder(config: Path, said: ChainSaid) -> Path:
    return config.absolute() / CHAIN_FOLDER / said.name
