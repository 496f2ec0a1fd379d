"""An engine in a process of its own: started, asked for moves, and never waited for longer than it was given."""

from __future__ import annotations

import io
import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self, cast

from quarto_pi.engine.solver import Move
from quarto_pi.rules import NotationError, Options, Position, format_traits, parse_digit, parse_square

ANSWER_SECONDS = 30.0
"""How long an engine may take to answer what needs no thinking."""


class EngineFailure(RuntimeError):
    """An engine that does not answer, or not in the protocol's words."""


class EngineProcess:
    """A program that speaks the engine protocol, with a low priority so that it delays nothing else."""

    def __init__(self, command: Sequence[str], niceness: int = 10) -> None:
        self.name = " ".join(command)
        self._lines: queue.Queue[str | None] = queue.Queue()
        try:
            # Ctrl-C at the terminal is heard by who asks the engine, and who closes it then: not by the engine as well.
            self._process = subprocess.Popen(  # noqa: S603 - the engine that the user named
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
            )
        except OSError as error:
            raise EngineFailure(f"the engine '{self.name}' cannot be started: {error.strerror}.") from error
        if self._process.stdin is None or self._process.stdout is None:
            raise EngineFailure(f"the engine '{self.name}' was started without pipes.")
        # Lines go out unbuffered, so that nothing is left to be sent when the engine has ended and is closed.
        self._to_engine = self._process.stdin
        answers = io.BufferedReader(cast("io.RawIOBase", self._process.stdout))
        self._from_engine = io.TextIOWrapper(answers, encoding="utf-8", errors="replace")
        os.setpriority(os.PRIO_PROCESS, self._process.pid, niceness)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def process_id(self) -> int:
        """The number of the engine's process."""
        return self._process.pid

    def greet(self) -> None:
        """Make sure that the program speaks the protocol."""
        self.send("qep")
        while self.line(ANSWER_SECONDS) != "qepok":
            pass

    def set_rules(self, options: Options, level: int | None = None, seed: int | None = None) -> None:
        """Tell the engine the rules of the next game, and how it is to play."""
        self.send("newgame")
        self.choose_rules(options, level, seed)
        self.send("isready")
        while self.line(ANSWER_SECONDS) != "readyok":
            pass

    def choose_rules(self, options: Options, level: int | None = None, seed: int | None = None) -> None:
        """Tell the engine the rules and how it is to play, without waiting for it."""
        self.send(f"setoption name Squares value {str(options.squares).lower()}")
        self.send(f"setoption name Traits value {format_traits(options.traits)}")
        if level is not None:
            self.send(f"setoption name Level value {level}")
        if seed is not None:
            self.send(f"setoption name Seed value {seed}")

    def choose(self, position: Position, go: str = "go", seconds: float | None = None) -> Move:
        """The engine's move for a position; `seconds` is how long to wait for it at most."""
        self.send(f"position {position}")
        self.send(go)
        while True:
            line = self.line(seconds)
            if line.startswith("error"):
                raise EngineFailure(f"the engine '{self.name}' answered: {line}")
            if line.startswith("bestmove"):
                return parse_best(line)

    def send(self, line: str) -> None:
        """Send a line."""
        try:
            self._to_engine.write(f"{line}\n".encode())
        except OSError as error:
            raise EngineFailure(f"the engine '{self.name}' has ended.") from error

    def lines_so_far(self) -> list[str]:
        """The lines that the engine has said by now, without waiting for any."""
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return lines
            if line is None:
                self._lines.put(None)
                raise EngineFailure(f"the engine '{self.name}' has ended.")
            lines.append(line)

    def line(self, seconds: float | None) -> str:
        """The next line that the engine says."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise EngineFailure(f"the engine '{self.name}' has not answered for {seconds:g} seconds.") from None
        if line is None:
            self._lines.put(None)
            raise EngineFailure(f"the engine '{self.name}' has ended.")
        return line

    def kill(self) -> None:
        """End the engine without asking it."""
        self._process.kill()
        self.close()

    def close(self) -> None:
        """End the engine, politely first; may be called again."""
        if not self._to_engine.closed:
            with suppress(EngineFailure):
                self.send("quit")
            self._to_engine.close()
        try:
            self._process.wait(timeout=ANSWER_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._from_engine.close()

    def _read(self) -> None:
        for line in self._from_engine:
            self._lines.put(line.strip())
        self._lines.put(None)


def parse_best(line: str) -> Move:
    """The move in a `bestmove` line."""
    match line.split():
        case ["bestmove", square, give, *call] if call in ([], ["call"]):
            return Move(
                None if square == "-" else parse_square(square),
                None if give == "-" else parse_digit(give),
                call=bool(call),
            )
    raise NotationError(f"'{line}' is not a bestmove line: it reads 'bestmove b2 7', with '-' for what does not apply.")
