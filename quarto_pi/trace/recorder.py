"""Recording: every sweep and every button's movement as a line of a table trace, as soon as it has happened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Self

from quarto_pi.referee import Begin, Button
from quarto_pi.sensing.sweep import Sweep, TraceValue, to_trace
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.header import header_of


class Recorder:
    """Writes FILE, and FILE with a number where a game begins by other rules: a trace has one header.

    A game that is given up ends its file, and so its replay at that moment; the next game has a new one.

    A disk that is full or gone ends the recording, not the game; `failure` then tells why.
    """

    def __init__(self, file: Path, tags: TagTable) -> None:
        self._file = file
        self._tags = tags
        self._stream: IO[str] | None = None
        self._header: Mapping[str, object] | None = None
        self._parts = 0
        self._cells: dict[str, TraceValue] = {}
        self._at = 0
        self.failure: str | None = None

    def begin(self, game: Begin) -> None:
        """Go on with a new game, in a new file where its header is another."""
        header = header_of(game.settings, self._tags, game.starter.value)
        if header == self._header or self.failure is not None:
            return
        self.close()
        self._header = header
        self._parts += 1
        name = self._file if self._parts == 1 else self._file.with_stem(f"{self._file.stem}-{self._parts}")
        try:
            self._stream = name.open("w", encoding="utf-8")
        except OSError as error:
            self.failure = f"{name} cannot be written: {error.strerror}."
            return
        self._write(header)
        if self._parts > 1:
            standing = {cell: value for cell, value in self._cells.items() if value is not None}
            self._write({"t": self._at, "sweep": standing})

    def interrupt(self) -> None:
        """End the file; the next game begins a new one."""
        self.close()
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
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: Mapping[str, object] | Iterable[object]) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(f"{json.dumps(line, separators=(',', ':'))}\n")
            self._stream.flush()
        except OSError as error:
            self.failure = f"{self._file} cannot be written any more: {error.strerror}."
            self.close()
