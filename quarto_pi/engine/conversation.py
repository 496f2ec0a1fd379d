"""The engine in conversation: answers lines while a thread of its own searches, so that `stop` is heard at once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress

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
from quarto_pi.rules import Options, Position, QuartoError

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
