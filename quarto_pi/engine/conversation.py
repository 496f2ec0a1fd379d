"""The engine in conversation: lines are answered while a thread searches; and a process that is asked so."""

from __future__ import annotations

import io
import os
import queue
import random
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self, cast

from quarto_pi import __version__
from quarto_pi.engine.opponent import Leisure, Opponent
from quarto_pi.engine.protocol import (
    GREETING,
    EngineCommand,
    EngineSettings,
    Go,
    Hello,
    IsReady,
    Limits,
    NewGame,
    ProtocolError,
    Quit,
    SetOption,
    SetPosition,
    Stop,
    change_settings,
    format_best,
    format_progress,
    parse_command,
)
from quarto_pi.engine.retrieval import GameValue
from quarto_pi.engine.solver import NO_LIMIT, Budget, Move, Progress, Solver
from quarto_pi.rules import NotationError, Options, Position, QuartoError, format_traits, parse_digit, parse_square

LEISURE_NODES = 1_000_000
"""What a search without limits may spend on choosing among perfect moves."""


class Conversation:
    """One engine and the program that talks to it; `send` takes the lines that it answers."""

    def __init__(self, send: Callable[[str], None], new_solver: Callable[[Options], Solver]) -> None:
        self._send_line = send
        self._new_solver = new_solver
        self._sending = threading.Lock()
        self._settings = EngineSettings()
        self._drawn_seed = random.getrandbits(32)
        self._solver: Solver | None = None
        self._position = Position()
        self._stop = threading.Event()
        self._search: threading.Thread | None = None
        self._searching = False

    def hear(self, line: str) -> bool:
        """Answer one line; False once the conversation is over."""
        if not line.strip():
            return True
        try:
            return self._obey(parse_command(line))
        except QuartoError as error:
            self._send(f"error {error}")
            return True

    def finish(self) -> None:
        """Let a search that is under way come to its end."""
        if self._search is not None:
            self._search.join()
            self._search = None

    def close(self) -> None:
        """End a search that is under way; it still gives its answer."""
        self._stop.set()
        self.finish()

    def _obey(self, command: EngineCommand) -> bool:
        match command:
            case Quit():
                self.close()
                return False
            case Stop():
                self.close()
            case Hello():
                for line in (f"id name quarto-pi {__version__}", *GREETING):
                    self._send(line)
            case IsReady():
                self._send("readyok")
            case _:
                self._change(command)
        return True

    def _change(self, command: EngineCommand) -> None:
        """Carry out what has to wait until no search is under way."""
        if self._searching:
            raise ProtocolError("a search is under way: send 'stop' first, or wait for its bestmove.")
        match command:
            case NewGame():
                self._solver = None
                self._drawn_seed = random.getrandbits(32)
            case SetOption():
                settings = change_settings(self._settings, command)
                if settings.options != self._settings.options:
                    self._solver = None
                self._settings = settings
            case SetPosition(position):
                self._position = position
            case Go(limits):
                self._begin(limits)

    def _begin(self, limits: Limits) -> None:
        if self._position.board.count == 16:
            raise ProtocolError("all sixteen pieces are placed: there is no move to be found.")
        self._stop.clear()
        # The clock starts with the command: what is set up for the search is part of its time.
        started = time.monotonic()
        self.finish()
        self._searching = True
        self._search = threading.Thread(target=self._think, args=(limits, started), daemon=True)
        self._search.start()

    def _think(self, limits: Limits, started: float) -> None:
        try:
            move = self._find(limits, started)
        except Exception as error:  # noqa: BLE001 - the engine stays alive and tells, whatever happens to a search
            answer = f"error the search failed ({type(error).__name__}: {error}); please report this position."
        else:
            answer = format_best(move)
        # Whoever reads the answer may send the next command at once: the search is over before it is told.
        self._searching = False
        # A client that has gone is met again by the thread that hears the next line, or the end of them.
        with suppress(BrokenPipeError):
            self._send(answer)

    def _find(self, limits: Limits, started: float) -> Move:
        if self._solver is None:
            self._solver = self._new_solver(self._settings.options)
        solver, position, before = self._solver, self._position, self._solver.nodes
        deadline = None if limits.movetime_ms is None else started + limits.movetime_ms / 1000

        def over() -> bool:
            return self._stop.is_set() or (deadline is not None and time.monotonic() >= deadline)

        def report(value: GameValue | None, move: Move) -> None:
            milliseconds = int((time.monotonic() - started) * 1000)
            depth = 16 - position.board.count
            self._send(format_progress(Progress(depth, solver.nodes - before, milliseconds, value, (move,))))

        budget = Budget(limits.nodes or NO_LIMIT, over)
        leisure = Leisure(Budget(LEISURE_NODES, over) if limits == Limits() else budget, patient=deadline is not None)
        seed = self._drawn_seed if self._settings.seed is None else self._settings.seed
        return Opponent(self._settings.level, solver, seed).choose(position, budget, leisure, report)

    def _send(self, line: str) -> None:
        with self._sending:
            self._send_line(line)


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
