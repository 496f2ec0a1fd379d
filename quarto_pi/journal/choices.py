"""What people have chosen at the table, as it is written down: a value for each key, and what the file said then.

A choice wins over the configuration's `[game]` until the file says something else for that key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from quarto_pi.referee import Settings
from quarto_pi.referee.all_settings import IN_JOURNAL
from quarto_pi.rules import QuartoError
from quarto_pi.rules.kinds import Medium, Plain


def as_keys(settings: Settings) -> dict[str, Plain]:
    """Settings as plain values, one for each key."""
    return {row.name(Medium.JOURNAL): row.write(settings, Medium.JOURNAL) for row in IN_JOURNAL}


def as_settings(keys: Mapping[str, object], like: Settings) -> Settings:
    """These values, on a board with the wiring of `like`; what they leave out, or what no longer makes sense, too."""
    settings = like
    try:
        for row in IN_JOURNAL:
            name = row.name(Medium.JOURNAL)
            if name in keys:
                settings = row.read(settings, keys[name], Medium.JOURNAL)
    except QuartoError:
        # A value that another version knew: rather the file's settings than none.
        return like
    return settings


def chosen(rows: Mapping[str, tuple[str, str]], file: Settings) -> Settings:
    """The settings of a start: what people chose, for each key of which the file says the same as it did then."""
    now = as_keys(file)
    standing = {
        key: json.loads(choice) for key, (choice, said) in rows.items() if key in now and json.loads(said) == now[key]
    }
    return as_settings(standing, file)
