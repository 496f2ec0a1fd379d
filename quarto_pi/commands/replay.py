"""`quarto-pi replay`: what happened in a recorded evening, or how a game of a record went."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

from quarto_pi.commands.command import Command
from quarto_pi.commands.options import add_config, config_of
from quarto_pi.commands.shown_lines import ShownLines
from quarto_pi.controller.computer import Computer
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Tell
from quarto_pi.rules import parse_record, split_records
from quarto_pi.sensing.times import SensingTimes
from quarto_pi.trace.header import TraceError
from quarto_pi.trace.reader import Trace, TraceReader
from quarto_pi.trace.replay import Replay, ReplayStep, replay
from quarto_pi.trace.story import alignments_as_json, as_json, as_text

NO_TEXT: Final = "this is not text in UTF-8: is it a trace?"


THINKS_MS: Final = 500
"""How long the computer thinks where people are shown what it does: no hands are faster than that."""

STANDARD_INPUT: Final = Path("-")


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `replay` can be asked for."""
    parser.add_argument(
        "trace", type=Path, metavar="FILE", help="a table trace, as --record writes it; - reads it from standard input"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each event")
    parser.add_argument(
        "--shown",
        action="store_true",
        help="with --json: print also what people are told, and an object after each line; each line of standard input "
        "is answered before the next one is read, so that a program can play",
    )
    parser.add_argument(
        "--language", metavar="LANG", help=f"with --shown: the language of what is told ({', '.join(LANGUAGES)})"
    )
    parser.add_argument("--game", action="store_true", help="FILE holds the records of games, not a trace")
    parser.add_argument("--foreign", action="store_true", help="tags that the trace does not name belong to no piece")
    add_config(parser, "the configuration: what the trace leaves unsaid")


def _run(arguments: argparse.Namespace) -> int:
    """Replay a trace or a record."""
    _check(arguments)
    file: Path = arguments.trace
    if arguments.game:
        for record in split_records(_text_of(file)):
            _replay_game(record, as_lines_of_json=arguments.json)
        return 0
    config = config_of(arguments)
    settings = config.settings
    if arguments.language is not None:
        settings = replace(settings, language=arguments.language)
    reader = TraceReader(settings, config.game.level, foreign=arguments.foreign)
    is_live = arguments.shown and file == STANDARD_INPUT
    lines = _lines_of_standard_input() if is_live else _text_of(file).splitlines(keepends=True)
    told = (
        _told_and_shown(reader, lines, config.sensing)
        if arguments.shown
        else _told(reader, lines, config.sensing, as_lines_of_json=arguments.json)
    )
    try:
        if is_live:
            for line in told:
                print(line, flush=True)
        else:
            # Nothing is printed before all of it has been gone through: half an evening would look like a whole one.
            print("".join([f"{line}\n" for line in told]), end="")
    except TraceError as error:
        raise TraceError(f"{_name_of(file)}, {error}") from error
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Make sure that nothing is asked for that would have no effect."""
    if arguments.shown and (arguments.game or not arguments.json):
        raise TraceError("--shown prints objects of a trace: write --json with it, and no --game.")
    if arguments.language is not None and not arguments.shown:
        raise TraceError("--language is that of what people are told: write --shown --json with it.")


def _told(reader: TraceReader, lines: Iterable[str], times: SensingTimes, *, as_lines_of_json: bool) -> Iterator[str]:
    received = tuple(line for line in map(reader.read, lines) if line is not None)
    for tell in replay(Trace(reader.header, received), Computer(), times):
        yield (
            _as_object(as_json(tell.at, tell.report))
            if as_lines_of_json
            else f"{tell.at / 1000:9.1f} s  {as_text(tell.report)}"
        )


def _told_and_shown(reader: TraceReader, lines: Iterable[str], times: SensingTimes) -> Iterator[str]:
    """What is told and shown, line by line: all of a line's answers come before the next line is asked for."""
    evening: Replay | None = None
    shown = ShownLines()
    at = 0
    for text in lines:
        received = reader.read(text)
        if received is not None:
            evening = evening or Replay(reader.header, Computer(), times, thinks_ms=THINKS_MS)
            at = received.at
            for outcome in evening.take(received):
                yield from _of_outcome(outcome, shown)
        yield _as_object({"t": at, "event": "read"})
    evening = evening or Replay(reader.header, Computer(), times, thinks_ms=THINKS_MS)
    for outcome in evening.close():
        yield from _of_outcome(outcome, shown)


def _of_outcome(outcome: ReplayStep, shown: ShownLines) -> Iterator[str]:
    at, effects = outcome
    for effect in effects:
        if isinstance(effect, Tell):
            yield _as_object(as_json(effect.at, effect.report))
    told = shown.after(at, effects)
    if told is not None:
        yield _as_object(told)


def _as_object(told: Mapping[str, object]) -> str:
    return json.dumps(told, separators=(",", ":"))


def _lines_of_standard_input() -> Iterator[str]:
    for number, line in enumerate(_standard_input(), 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TraceError(f"line {number}: {NO_TEXT}") from error


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


def _text_of(file: Path) -> str:
    try:
        data = _standard_input().read() if file == STANDARD_INPUT else file.read_bytes()
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise TraceError(f"{_name_of(file)} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TraceError(f"{_name_of(file)}, line {line}: {NO_TEXT}") from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise TraceError("standard input is closed: name a file instead of -, or write the trace into it.")
    return sys.stdin.buffer


def _name_of(file: Path) -> str:
    return "standard input" if file == STANDARD_INPUT else f"{file}"


REPLAY_COMMAND: Final = Command("replay", "tell what happened in a recorded evening", _options, _run)
