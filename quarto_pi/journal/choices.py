"""What people have chosen at the table, as it is written down: a value for each key, and what the file said then.

A choice wins over the configuration's `[game]` until the file says something else for that key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from quarto_pi.referee import Seat, Settings, Starter
from quarto_pi.rules import Calling, FalseCall, Options, QuartoError, TimeOut, format_traits, parse_traits

Keys = dict[str, Any]

CABLED: Final = ("offer_reader", "buttons")
"""What is a matter of wiring, and never of choice."""


def as_keys(settings: Settings) -> Keys:
    """Settings as plain values, one for each key."""
    rules = settings.rules
    return {
        "squares": rules.squares,
        "traits": format_traits(rules.traits),
        "calling": rules.calling.value,
        "false_call": rules.false_call.value,
        "time_out": rules.time_out.value,
        "clock_ms": rules.clock_ms,
        "latch_ms": rules.latch_ms,
        "final_call_ms": rules.final_call_ms,
        "player_1": settings.seats[0].level,
        "player_2": settings.seats[1].level,
        "starter": settings.starter.value,
        "undo": settings.undo,
        "coach": settings.coach,
        "voice": settings.voice,
        "language": settings.language,
    }


def as_settings(keys: Mapping[str, Any], like: Settings) -> Settings:
    """These values, on a board with the wiring of `like`; what they leave out, or what no longer makes sense, too."""
    keys = {**as_keys(like), **keys}
    try:
        rules = Options(
            squares=bool(keys["squares"]),
            traits=parse_traits(keys["traits"]),
            calling=Calling(keys["calling"]),
            false_call=FalseCall(keys["false_call"]),
            time_out=TimeOut(keys["time_out"]),
            clock_ms=keys["clock_ms"],
            latch_ms=keys["latch_ms"],
            final_call_ms=keys["final_call_ms"],
            giving_sensed=like.rules.giving_sensed,
        )
        return replace(
            like,
            rules=rules,
            seats=(Seat(keys["player_1"]), Seat(keys["player_2"])),
            starter=Starter(keys["starter"]),
            undo=bool(keys["undo"]),
            coach=bool(keys["coach"]),
            voice=None if like.voice is None else keys["voice"] is not False,
            language=str(keys["language"]),
        )
    except (QuartoError, ValueError, TypeError):
        # A value that another version knew: rather the file's settings than none.
        return like


def chosen(rows: Mapping[str, tuple[str, str]], file: Settings) -> Settings:
    """The settings of a start: what people chose, for each key of which the file says the same as it did then."""
    now = as_keys(file)
    standing = {
        key: json.loads(choice) for key, (choice, said) in rows.items() if key in now and json.loads(said) == now[key]
    }
    return as_settings(standing, file)
