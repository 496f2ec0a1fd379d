"""`quarto-pi replay`: what happened in a recorded evening, or how a game of a record went.

What people at the board were told are lines for programs that play in their place: what display, voice and lights tell.
Nothing in them depends on whether an alignment is open (D8): all comes from the referee's view, lamps and messages.
"""

from __future__ import annotations

import argparse
import json
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import BinaryIO, Final

from quarto_pi.commands.options import Command, add_config, config_of
from quarto_pi.controller.computer import Computer
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Effect, Light, Show, Speak, Tell, View
from quarto_pi.referee.messages import Message, Question, ShuttingDown, WhatStands
from quarto_pi.referee.view import Attention, Lights, Mark
from quarto_pi.rules import Alignment, Game, Piece, QuartoError, Square, parse_record, split_records
from quarto_pi.sensing.readings import CELLS, SensingTimes
from quarto_pi.trace.format import Trace, TraceError, TraceReader
from quarto_pi.trace.replay import Replay, ReplayStep, replay
from quarto_pi.trace.story import alignments_as_json, as_json, as_text
from quarto_pi.words import Words

ShownJson = dict[str, object]


class ShownLines:
    """Makes an object of what people are told, whenever that changes."""

    def __init__(self) -> None:
        self._view: View | None = None
        self._lights = Lights()
        self._words = Words()
        self._last: ShownJson | None = None

    def after(self, at: int, effects: Iterable[Effect]) -> ShownJson | None:
        """What is told once these effects of one moment are carried out; None if that is the same as before."""
        spoken: list[Message] = []
        stands: list[WhatStands] = []
        for effect in effects:
            match effect:
                case Show(view):
                    self._know(view)
                case Light(lights):
                    self._lights = lights
                case Speak(message):
                    if isinstance(message, WhatStands):
                        stands.append(message)
                    else:
                        spoken.append(message)
                case _:
                    pass
        if self._view is None:
            return None
        told = self._told(self._view, spoken, stands)
        if told == self._last and not spoken and not stands:
            return None
        self._last = told
        return {"t": at, "event": "shown", **told}

    def _know(self, view: View) -> None:
        self._view = view
        if view.settings.language != self._words.language:
            self._words = Words(view.settings.language)

    def _told(self, view: View, spoken: Iterable[Message], stands: Iterable[WhatStands]) -> ShownJson:
        words, seats = self._words, view.settings.seats
        messages: list[Message] = []
        prompt, headline, shown = type(view.prompt).__name__, "", ""
        if view.menu is not None and not isinstance(view.prompt, ShuttingDown):
            headline, value = words.menu(view.menu, seats)
            prompt, shown = "Menu", " ".join((value, words.menu_help(view.menu.stage))).strip()
        elif not view.asleep:
            headline = words.headline(view.title, seats)
            messages = [message for message in (view.notice, view.prompt) if message is not None]
        # The voice also tells what is covered on the display by something else.
        messages = [*dict.fromkeys(message for message in spoken if message not in messages), *messages]
        texts = [words.say(message, seats) for message in (*stands, *messages)]
        # What is to be done comes first: hands read no further than to the first one.
        named = messages[::-1]
        cells = [
            *(cell for message in named for cell in cells_in(message)),
            *(cell for cell, mark in self._lights.squares if mark is not Mark.SEEN),
        ]
        return {
            "prompt": prompt,
            "headline": headline,
            "text": " ".join(part for part in (*texts, shown) if part),
            "question": self._lights.attention is Attention.ASKED and view.menu is None,
            "pieces": list(dict.fromkeys(piece for message in named for piece in pieces_in(message))),
            "squares": list(dict.fromkeys(cells)),
            "lights": {**_lights_as_json(self._lights), **_clock_as_json(view)},
        }


def pieces_in(message: Message) -> Iterator[str]:
    """The pieces that a message names."""
    return (value.letters for value in _values_in(message) if isinstance(value, Piece))


def cells_in(message: Message) -> Iterator[str]:
    """The squares that a message names, and the give place."""
    for value in _values_in(message):
        match value:
            case Square():
                yield value.name
            case Alignment():
                yield from (square.name for square in value.squares)
            case str() if value in CELLS:
                yield value


def _values_in(message: Message | Question) -> Iterator[object]:
    for each in fields(message):
        value = getattr(message, each.name)
        if isinstance(value, Question):
            yield from _values_in(value)
            continue
        yield from value if isinstance(value, tuple) and not isinstance(value, Piece | Square) else (value,)


def _lights_as_json(lights: Lights) -> ShownJson:
    return {
        "players": [lamp.value for lamp in lights.players],
        "attention": lights.attention.value,
        "squares": {cell: mark.value for cell, mark in lights.squares},
        "thinking": bool(lights.thinking),
        "celebrates": lights.celebrates,
    }


def _clock_as_json(view: View) -> ShownJson:
    """The clock in the corner of the display, where one is to be seen."""
    clock = view.clock
    if clock is None or view.asleep:
        return {}
    return {"clock": {"player": clock.player.value, "seconds": clock.seconds, "stands": clock.stands}}


NO_TEXT: Final = "this is not text in UTF-8: is it a trace?"
UTF_16: Final = "this is text in UTF-16: save it as UTF-8 and try again."


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
    parser.add_argument(
        "--foreign",
        action="store_true",
        help="tags that the trace does not name belong to no piece, also where it leaves pieces out",
    )
    add_config(parser, "the configuration: what the trace leaves unsaid")


def _run(arguments: argparse.Namespace) -> int:
    """Replay a trace or a record."""
    _check(arguments)
    file: Path = arguments.trace
    if arguments.game:
        _replay_games(file, as_lines_of_json=arguments.json)
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
    if arguments.foreign and arguments.game:
        raise TraceError("--foreign is about the tags of a trace: leave it out with --game.")
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
            yield _decoded(line, "line 1") if number == 1 else line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TraceError(f"line {number}: {NO_TEXT}") from error


def _replay_games(file: Path, *, as_lines_of_json: bool) -> None:
    records = split_records(_text_of(file))
    if not records:
        raise TraceError(f"{_name_of(file)}: no game stands there: 'quarto-pi export' writes the games of a board.")
    told: list[str] = []
    for number, record in enumerate(records, 1):
        try:
            game = parse_record(record).game
        except QuartoError as error:
            which = f", game {number}" if len(records) > 1 else ""
            raise TraceError(f"{_name_of(file)}{which}: {error}") from error
        told.append(_end_as_json(game) if as_lines_of_json else f"{len(game.turns)} pieces placed: {game.position}")
    # Nothing is printed before all of them have been read, as with an evening.
    print("".join([f"{line}\n" for line in told]), end="")


def _end_as_json(game: Game) -> str:
    result = game.result
    return _as_object(
        {
            "event": "result",
            "winner": None if result is None or result.winner is None else result.winner.value,
            "reason": "unfinished" if result is None else result.reason.value,
            "position": str(game.position),
            "alignments": alignments_as_json(result.alignments if result else ()),
        }
    )


def _text_of(file: Path) -> str:
    try:
        data = _standard_input().read() if file == STANDARD_INPUT else file.read_bytes()
        return _decoded(data, _name_of(file)).replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise TraceError(f"{_name_of(file)} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TraceError(f"{_name_of(file)}, line {line}: {NO_TEXT}") from error


def _decoded(data: bytes, where: str) -> str:
    """Text in UTF-8, without the mark that editors on Windows begin it with; their UTF-16 is told by its name."""
    # Where UTF-16 has no mark either, every letter of a trace has a null byte beside it.
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in data[:2]:
        raise TraceError(f"{where}: {UTF_16}")
    return data.removeprefix(BOM_UTF8).decode("utf-8")


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise TraceError("standard input is closed: name a file instead of -, or write the trace into it.")
    return sys.stdin.buffer


def _name_of(file: Path) -> str:
    return "standard input" if file == STANDARD_INPUT else f"{file}"


REPLAY_COMMAND: Final = Command("replay", "tell what happened in a recorded evening", _options, _run)
