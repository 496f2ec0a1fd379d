"""A recording that is begun and ended while the board runs, kept in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from quarto_pi.referee import Begin, Button
from quarto_pi.sensing.sweep import Sweep, TraceValue, to_trace
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.header import header_of

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
