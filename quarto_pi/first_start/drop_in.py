"""The part of the configuration that is written from what was said without a keyboard."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from quarto_pi.config.section import KeyPath, as_toml
from quarto_pi.first_start.owner_settings import OWNER_SETTINGS

SaidValue = str | bool | int
"""What may stand behind a key."""
DROP_IN: Final = "first-start.toml"
"""Its name in `conf.d`."""
EXPECTED: Final[KeyPath] = ("network", "expected")
CHAIN_SECTION: Final = "chain"
_HEADER: Final = (
    "# Written by 'quarto-pi first-start', from the card's quarto-pi.txt and the phone's page: change it there.\n"
)


def as_toml_file(values: Mapping[KeyPath, SaidValue]) -> bytes:
    """Values as a part of the configuration."""
    lines = [_HEADER.rstrip("\n")]
    section: KeyPath = ()
    for *above, key in sorted(values, key=lambda path: (len(path), path)):
        if tuple(above) != section:
            section = tuple(above)
            lines += ["", f"[{'.'.join(section)}]"]
        lines.append(f"{key} = {as_toml(values[*above, key])}")
    return ("\n".join(lines) + "\n").encode()


def read_drop_in(file: Path) -> dict[KeyPath, SaidValue]:
    """What was written before; what nobody can read is as good as not there."""
    try:
        keys = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    values: dict[KeyPath, SaidValue] = {}
    for row in OWNER_SETTINGS:
        found: object = keys
        for key in row.path:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, str):
            values[row.path] = found
    network = keys.get(EXPECTED[0])
    if isinstance(network, dict) and network.get(EXPECTED[1]) is True:
        values[EXPECTED] = True
    chain = keys.get(CHAIN_SECTION)
    for key, value in chain.items() if isinstance(chain, dict) else ():
        if isinstance(value, str | int):
            values[CHAIN_SECTION, key] = value
    return values
