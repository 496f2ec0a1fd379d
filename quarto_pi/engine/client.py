"""A program that speaks the engine protocol, asked from Python; `python -m quarto_pi.engine.client` asks it once."""

from __future__ import annotations

import argparse
import io
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self, cast

from quarto_pi.engine.protocol import bounded_lines
from quarto_pi.engine.solver import Move
from quarto_pi.rules import (
    NotationError,
    Options,
    Position,
    QuartoError,
    format_traits,
    parse_digit,
    parse_position,
    parse_square,
)

OUR_ENGINE: Final = (sys.executable, "-m", "quarto_pi", "engine")
"""How to start this package's engine in a process of its own."""

ANSWER_SECONDS = 30.0
"""How long an engine may take to answer what needs no thinking."""


class EngineFailure(RuntimeError):
    """An engine that does not answer, or not in the protocol's words."""


class EngineProcess:
    """A program that speaks the engine protocol, with a low priority so that it delays nothing else.

    `options` has the names of the options that it told of in its greeting; None before that, when none is known to be
    missing. Whatever talks to the program raises `EngineFailure` where that has ended or says what it should not.
    """

    def __init__(self, command: Sequence[str], niceness: int = 10) -> None:
        self.name = " ".join(command)
        self.options: frozenset[str] | None = None
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
        """Make sure that the program speaks the protocol, and take down its options."""
        self.send("qep")
        known: set[str] = set()
        while (line := self.line(ANSWER_SECONDS)) != "qepok":
            match line.split():
                case ["option", "name", name, *_]:
                    known.add(name)
        self.options = frozenset(known)

    def set_rules(self, options: Options, level: int | None = None, seed: int | None = None) -> None:
        """Tell the engine the rules of the next game, and how it is to play; on return it is ready."""
        self.send("newgame")
        self.choose_rules(options, level, seed)
        self.send("isready")
        while (line := self.line(ANSWER_SECONDS)) != "readyok":
            self._refuse_error(line)

    def choose_rules(self, options: Options, level: int | None = None, seed: int | None = None) -> None:
        """Tell the engine the rules and how it is to play, without waiting for it; a seed only where it takes one."""
        traits = format_traits(options.traits)
        usual = Options()
        self._set("Squares", str(options.squares).lower(), is_needed=options.squares != usual.squares)
        self._set("Traits", traits, is_needed=options.traits != usual.traits)
        if level is not None:
            self._set("Level", f"{level}", is_needed=True)
        if seed is not None:
            self._set("Seed", f"{seed}", is_needed=False)

    def choose(self, position: Position, go: str = "go", seconds: float | None = None) -> Move:
        """The engine's move for a position; `seconds` is how long to wait at most for each line that it says."""
        *_, best = self.lines_about(position, go, seconds)
        return parse_best(best)

    def lines_about(self, position: Position, go: str = "go", seconds: float | None = None) -> Iterator[str]:
        """What the engine says about a position as it says it, the `bestmove` line last."""
        self.send(f"position {position}")
        self.send(go)
        while True:
            line = self.line(seconds)
            self._refuse_error(line)
            yield line
            if line.startswith("bestmove"):
                return

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

    def end_input(self) -> None:
        """Say no more; what it still says can be read."""
        self._to_engine.close()

    def wait(self, seconds: float) -> int:
        """The exit code of an engine that ends by itself."""
        try:
            return self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise EngineFailure(f"the engine '{self.name}' has not ended for {seconds:g} seconds.") from None

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

    def _set(self, name: str, value: str, *, is_needed: bool) -> None:
        if self.options is None or name in self.options:
            self.send(f"setoption name {name} value {value}")
        elif is_needed:
            raise EngineFailure(f"the engine '{self.name}' has no option {name}, and so cannot be set to {value}.")

    def _refuse_error(self, line: str) -> None:
        if line.startswith("error"):
            raise EngineFailure(f"the engine '{self.name}' answered: {line}")

    def _read(self) -> None:
        for line in bounded_lines(self._from_engine.readline):
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


def ask_once(arguments: Sequence[str] | None = None) -> int:
    """Ask an engine about one position, print what it says, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m quarto_pi.engine.client", description="Ask an engine about one position."
    )
    parser.add_argument("position", help="four ranks and the piece in hand, such as '..../.7../..../.... c'")
    parser.add_argument("command", nargs="*", help="how to start the engine (default: quarto-pi engine)")
    parser.add_argument("--go", default="", metavar="LIMITS", help="such as 'movetime 1000' (default: none)")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION", help="such as 'Level 5'")
    asked = parser.parse_args(arguments)
    try:
        position = parse_position(asked.position)
        with EngineProcess(asked.command or OUR_ENGINE) as engine:
            engine.greet()
            for option in asked.set:
                name, _, value = option.partition(" ")
                engine.send(f"setoption name {name} value {value}")
            for line in engine.lines_about(position, f"go {asked.go}"):
                print(line, flush=True)
    except (EngineFailure, QuartoError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1 if isinstance(error, EngineFailure) else 2
    return 0


if __name__ == "__main__":
    sys.exit(ask_once())
