"""A setting that nobody foresaw, asked for in every medium; to be run where the table has a row for it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from quarto_pi.commands.options import add_variants, variants_of
from quarto_pi.config import parse_config
from quarto_pi.config.whole import chosen_keys
from quarto_pi.engine.protocol import GREETING, EngineSettings, SetOption, change_settings
from quarto_pi.journal.records import as_keys, as_settings
from quarto_pi.referee import Settings
from quarto_pi.rules import Game, QuartoError, Record, parse_record
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.format import header_of, read_header
from quarto_pi.web.wishes import settings_as_json, with_wishes

TAGS = TagTable.from_codes({"04A1B2C3": "LTRF"})


def main() -> None:
    """Print what each medium makes of `handicap = 7`, and what each says of 10."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_variants(parser)
    plain = Settings()
    chosen = parse_config("[game]\nhandicap = 7\n").settings
    line = json.loads(json.dumps(header_of(chosen, TAGS, 0)))
    read: dict[str, Any] = {
        "configuration": chosen.rules,
        "journal": as_settings(json.loads(json.dumps(as_keys(chosen))), plain).rules,
        "trace": read_header(line, plain, 3).settings.rules,
        "page": with_wishes(plain, {"handicap": settings_as_json(chosen)["handicap"]}).rules,
        "record": parse_record(str(Record(Game(options=chosen.rules)))).game.options,
        "engine protocol": change_settings(EngineSettings(), SetOption("Handicap", "7")).options,
        "command line": variants_of(parser.parse_args(["--handicap", "7"])),
        "what was changed": parse_config(f"[game]\nhandicap = {chosen_keys(chosen, plain)['handicap']}").settings.rules,
    }
    said = {}
    asked: dict[str, Callable[[], object]] = {
        "configuration": lambda: parse_config("[game]\nhandicap = 10\n"),
        "trace": lambda: read_header({**line, "rules": {"handicap": 10}}, plain, 3),
        "page": lambda: with_wishes(plain, {"handicap": 10}),
        "record": lambda: parse_record('[Handicap "10"]\n\n1. 7'),
        "engine protocol": lambda: change_settings(EngineSettings(), SetOption("Handicap", "10")),
        "command line": lambda: parser.parse_args(["--handicap", "10"]),
    }
    for medium, ask in asked.items():
        try:
            ask()
        except (QuartoError, argparse.ArgumentError) as error:
            said[medium] = str(error)
    handicaps = {medium: rules.handicap for medium, rules in read.items()}
    told = [option for option in GREETING if "Handicap" in option]
    print(json.dumps({"read": handicaps, "said": said, "told": told}))


if __name__ == "__main__":
    main()
