"""`quarto-pi replay`: what happened in a recorded evening, or how a game of a record went."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from quarto_pi.commands.board_options import add_config, config_of
from quarto_pi.computer import Computer
from quarto_pi.referee import Tell
from quarto_pi.rules import parse_record, split_records
from quarto_pi.trace.errors import TraceError
from quarto_pi.trace.reader import read_trace
from quarto_pi.trace.replay import replay
from quarto_pi.trace.story import alignments_as_json, as_json, as_text

SUMMARY = "tell what happened in a recorded evening"


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `replay` can be asked for."""
    parser.add_argument("trace", type=Path, metavar="FILE", help="a table trace, as --record writes it")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each event")
    parser.add_argument("--game", action="store_true", help="FILE holds the records of games, not a trace")
    parser.add_argument("--foreign", action="store_true", help="tags that the trace does not name belong to no piece")
    add_config(parser, "the configuration: what the trace leaves unsaid")


def run(arguments: argparse.Namespace) -> int:
    """Replay a trace or a record."""
    text = _read(arguments.trace)
    if arguments.game:
        for record in split_records(text):
            _replay_game(record, as_lines_of_json=arguments.json)
        return 0
    config = config_of(arguments)
    defaults = config.settings
    try:
        trace = read_trace(text.splitlines(keepends=True), defaults, config.game.level, foreign=arguments.foreign)
    except TraceError as error:
        raise TraceError(f"{arguments.trace}, {error}") from error
    # Nothing is printed before all of it has been gone through: half an evening would look like a whole one.
    told = list(replay(trace, Computer(), config.sensing))
    print("".join(f"{line}\n" for line in _lines(told, as_lines_of_json=arguments.json)), end="")
    return 0


def _lines(told: Iterable[Tell], *, as_lines_of_json: bool) -> Iterable[str]:
    for tell in told:
        if as_lines_of_json:
            yield json.dumps(as_json(tell.at, tell.report), separators=(",", ":"))
        else:
            yield f"{tell.at / 1000:9.1f} s  {as_text(tell.report)}"


def _replay_game(text: str, *, as_lines_of_json: bool) -> None:
    game = parse_record(text).game
    if as_lines_of_json:
        result = game.result
        summary = {
            "event": "result",
            "winner": None if result is None or result.winner is None else result.winner.value,
            "reason": "unfinished" if result is None else result.reason.value,
            "position": str(game.position),
            "alignments": alignments_as_json(result.alignments if result else ()),
        }
        print(json.dumps(summary, separators=(",", ":")))
    else:
        print(f"{len(game.turns)} pieces placed: {game.position}")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise TraceError(f"{file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TraceError(f"{file}, line {line}: this is not text in UTF-8: is it a trace?") from error
