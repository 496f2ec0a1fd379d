"""The other end of the pipe: a table whose pieces this program moves, line by line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from threading import Thread
from types import TracebackType
from typing import Any, Self

from quarto_pi.cli import main
from quarto_pi.rules import PIECES

Json = dict[str, Any]

UIDS = {piece.letters: f"04{piece.number:02X}A1B2C3D480" for piece in PIECES}
SWEEP_MS = 100


def header(**changes: object) -> Json:
    """The first line of a trace."""
    return {
        "trace": 1,
        "tags": {uid: piece for piece, uid in UIDS.items()},
        "players": ["human", "human"],
        "starter": 0,
        "offer_reader": True,
        **changes,
    }


class InThisProcess:
    """A command in a thread of this process, between two pipes: quicker by the start of a Python and its imports.

    It has what is used here of `subprocess.Popen`; nobody else may print while it runs.
    """

    def __init__(self, arguments: list[str]) -> None:
        taken, given = os.pipe()
        read, told = os.pipe()
        self.stdin, self.stdout = os.fdopen(given, "w"), os.fdopen(read)
        self.returncode: int | None = None
        self._complaint = io.StringIO()
        self._kept = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(taken), os.fdopen(told, "w"), self._complaint
        self._thread = Thread(target=self._run, args=(arguments,))
        self._thread.start()

    def communicate(self) -> tuple[str, str]:
        """Close its input: what it still says, and what it has complained of."""
        self.stdin.close()
        out = "" if self.stdout.closed else self.stdout.read()
        self._thread.join()
        self.stdout.close()
        return out, self._complaint.getvalue()

    def poll(self) -> int | None:
        """The code with which it has ended, if it has."""
        return self.returncode

    def kill(self) -> None:
        """End its input, at which it ends."""
        self.stdin.close()

    def send_signal(self, number: int) -> None:
        """Refuse: a signal is for a process of its own."""
        raise AssertionError(f"signal {number} needs a process of its own")

    def _run(self, arguments: list[str]) -> None:
        taken, told = sys.stdin, sys.stdout
        try:
            self.returncode = main(arguments)
        finally:
            sys.stdin, sys.stdout, sys.stderr = self._kept
            taken.close()
            told.close()


def _process_of(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - the tests' own command
        [sys.executable, "-m", "quarto_pi", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class PipedTable:
    """A table trace that is written line by line, each one after the one before has been answered."""

    def __init__(self, first: Json | str, *arguments: str, own_process: bool = False) -> None:
        command = ["replay", "-", "--json", "--shown", *arguments]
        self._process = _process_of(command) if own_process else InThisProcess(command)
        self.now = 0
        self.where: dict[str, str] = {}
        self.events: list[Json] = []
        self.shown: Json = {}
        self.send(first)

    def send(self, line: Json | str) -> list[Json]:
        """Write a line, and take in all that is answered until it counts as read, or the program has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line if isinstance(line, str) else json.dumps(line)}\n")
        self._process.stdin.flush()
        answers: list[Json] = []
        for text in iter(self._process.stdout.readline, ""):
            answers.append(json.loads(text))
            if answers[-1]["event"] == "read":
                break
        self._take_in(answers)
        return answers

    def sweep(self, **cells: str | None) -> list[Json]:
        """One more sweep, with the pieces that are seen otherwise than before."""
        self.now += SWEEP_MS
        seen = {cell: None if piece is None else UIDS[piece] for cell, piece in cells.items()}
        return self.send({"t": self.now, "sweep": seen})

    def wait(self, milliseconds: int) -> list[Json]:
        """Let time pass: only lines move it."""
        return [answer for _ in range(0, milliseconds, SWEEP_MS) for answer in self.sweep()]

    def put(self, piece: str, cell: str) -> list[Json]:
        """Put a piece on a cell, from wherever it is."""
        answers = self.lift(piece) if piece in self.where else []
        self.where[piece] = cell
        return answers + self.sweep(**{cell: piece})

    def lift(self, piece: str) -> list[Json]:
        """Take a piece off the table."""
        return self.sweep(**{self.where.pop(piece): None})

    def press(self) -> list[Json]:
        """Press the button for a moment."""
        down = self.send({"t": self.now, "button": "call", "down": True})
        self.now += 120
        return down + self.send({"t": self.now, "button": "call", "down": False})

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    def end(self) -> tuple[list[Json], int | None, str]:
        """End the trace: what is still answered, the exit code, and what was complained of."""
        out, err = self._process.communicate()
        answers = [json.loads(line) for line in out.splitlines()]
        self._take_in(answers)
        return answers, self._process.returncode, err

    def _take_in(self, answers: list[Json]) -> None:
        self.events += [answer for answer in answers if answer["event"] not in ("read", "shown")]
        self.shown = next((answer for answer in reversed(answers) if answer["event"] == "shown"), self.shown)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()
