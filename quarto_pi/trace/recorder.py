"""Recording: every sweep and every button's movement as a line of a table trace, as soon as it has happened."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Thread
from typing import IO, Final, Self

from quarto_pi.referee import Begin, Button
from quarto_pi.sensing.board import Sweep, TraceValue, to_trace
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.format import header_of

# --- A recording that is begun and ended while the board runs, kept in memory -----------------------------------------

MOST_CHARACTERS: Final = 4_000_000
"""An evening of many hours; a tape that is full goes on to run and takes nothing more."""


class Tape:
    """Takes down sweeps and buttons from `start` to `stop`; what stands on the board then is its first sweep.

    A trace has one header: where a game begins by other rules, the tape begins anew with that game. A game that is
    given up ends the trace, and so its replay; the tape begins anew with the next one.
    """

    def __init__(self, tags: TagTable) -> None:
        self._tags = tags
        self._header: Mapping[str, object] | None = None
        self._cells: dict[str, TraceValue] = {}
        self._at = 0
        self._lines: list[str] | None = None
        self._length = 0
        self._interrupted = False

    @property
    def running(self) -> bool:
        """Whether it takes down what is seen."""
        return self._lines is not None

    def start(self) -> None:
        """Begin to record, or begin anew."""
        self._lines, self._length, self._interrupted = [], 0, False
        if self._header is not None:
            self._write(self._header)
            self._write(
                {"t": self._at, "sweep": {cell: seen for cell, seen in self._cells.items() if seen is not None}}
            )

    def stop(self) -> str:
        """End, and return what was recorded."""
        lines, self._lines = self._lines or [], None
        return "".join(lines)

    def begin(self, game: Begin) -> None:
        """Know the rules of the game that begins."""
        header = header_of(game.settings, self._tags, game.starter.value)
        if header != self._header or self._interrupted:
            self._header = header
            if self.running:
                self.start()
            self._interrupted = False

    def interrupt(self) -> None:
        """Take nothing more down until the next game begins."""
        self._interrupted = True

    def sweep(self, sweep: Sweep) -> None:
        """Take down what one sweep saw anew."""
        changed: dict[str, TraceValue] = {}
        for reading in sweep.readings:
            value = to_trace(reading)
            if self._cells.get(reading.cell) != value:
                self._cells[reading.cell] = changed[reading.cell] = value
        self._at = sweep.at
        if self.running:
            self._write({"t": sweep.at, "sweep": changed})

    def button(self, button: Button) -> None:
        """Take down that a button has moved."""
        if self.running:
            self._write({"t": button.at, "button": button.name.value, "down": button.down})

    def _write(self, line: Mapping[str, object]) -> None:
        if self._lines is None or self._interrupted or self._length > MOST_CHARACTERS:
            return
        text = f"{json.dumps(line, separators=(',', ':'))}\n"
        self._length += len(text)
        self._lines.append(text)


# --- Recording: every sweep and every button's movement as a line of a table trace, as soon as it has happened --------

TAPE_CLOSE_SECONDS: Final = 2.0
"""How long closing waits until it has been said why nothing more is recorded."""


class Recorder:
    """Writes FILE, and FILE with a number where a game begins by other rules: a trace has one header.

    A game that is given up ends its file, and so its replay at that moment; the next game has a new one. A recording
    that is there already is kept: the new one has the next number that is free.

    A disk that is full or gone ends the recording, not the game. `say` tells why, once, and which file is written
    instead of one that is kept, in threads of its own: the game does not wait for whoever reads it.
    """

    def __init__(self, file: Path, tags: TagTable, say: Callable[[str], None]) -> None:
        self._file = self._part = file
        self._tags = tags
        self._say = say
        self._stream: IO[str] | None = None
        self._header: Mapping[str, object] | None = None
        self._number = 0
        self._cells: dict[str, TraceValue] = {}
        self._at = 0
        self._has_failed = False
        self._saying: list[Thread] = []

    def begin(self, game: Begin) -> None:
        """Go on with a new game, in a new file where its header is another."""
        header = header_of(game.settings, self._tags, game.starter.value)
        if header == self._header:
            return
        self._end_file()
        if self._has_failed:
            return
        self._header = header
        is_first = self._number == 0
        try:
            self._stream = self._open_next()
        except OSError as error:
            self._fail(error)
            return
        self._write(header)
        if not is_first:
            standing = {cell: value for cell, value in self._cells.items() if value is not None}
            self._write({"t": self._at, "sweep": standing})

    def interrupt(self) -> None:
        """End the file; the next game begins a new one."""
        self._end_file()
        self._header = None

    def sweep(self, sweep: Sweep) -> None:
        """Write down what one sweep saw anew."""
        changed: dict[str, TraceValue] = {}
        for reading in sweep.readings:
            value = to_trace(reading)
            if self._cells.get(reading.cell) != value:
                self._cells[reading.cell] = changed[reading.cell] = value
        self._at = sweep.at
        self._write({"t": sweep.at, "sweep": changed})

    def button(self, button: Button) -> None:
        """Write down that a button has moved."""
        self._write({"t": button.at, "button": button.name.value, "down": button.down})

    def close(self) -> None:
        """End the file; a second call does nothing."""
        self._end_file()
        for saying in self._saying:
            saying.join(TAPE_CLOSE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open_next(self) -> IO[str]:
        """The next file: none that holds a recording already."""
        kept: Path | None = None
        while True:
            self._number += 1
            if self._number > 1:
                self._part = self._file.with_stem(f"{self._file.stem}-{self._number}")
            try:
                stream = self._part.open("x", encoding="utf-8")
            except FileExistsError:
                if self._part.is_file() and self._part.stat().st_size:
                    kept = kept or self._part
                    continue
                # Nothing is lost in an empty file, or in what is none, such as a pipe.
                stream = self._part.open("w", encoding="utf-8")
            if kept is not None:
                self._say_beside(f"{kept} is kept as it was: what the sensors see is recorded in {self._part}.")
            return stream

    def _write(self, line: Mapping[str, object] | Iterable[object]) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(f"{json.dumps(line, separators=(',', ':'))}\n")
            self._stream.flush()
        except OSError as error:
            self._fail(error)
            self._end_file()

    def _end_file(self) -> None:
        stream, self._stream = self._stream, None
        if stream is None:
            return
        try:
            stream.close()
        except OSError as error:
            # Closing writes what could not be written before, and fails again.
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        if self._has_failed:
            return
        self._has_failed = True
        self._say_beside(
            f"nothing more is recorded, but the game goes on: {self._part} cannot be written ({error.strerror})."
        )

    def _say_beside(self, sentence: str) -> None:
        saying = Thread(target=self._say, args=(sentence,), name="recorder", daemon=True)
        self._saying.append(saying)
        saying.start()
