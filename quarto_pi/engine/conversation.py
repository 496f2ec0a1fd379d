"""The engine in conversation: lines are answered while a thread searches."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from quarto_pi import __version__
from quarto_pi.engine.book import GameValue
from quarto_pi.engine.opponent import Opponent
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
from quarto_pi.engine.solver import NO_LIMIT, Budget, Move, Progress, Solver
from quarto_pi.engine.temptation import MOVE_NODES
from quarto_pi.engine.threats import candidates, threats_on, winning_squares
from quarto_pi.rules import Options, Position, QuartoError

FIRST_SECONDS: Final = 0.25
"""A search whose input has ended still gets so much CPU time, so that there is an answer to what was piped in."""

LAST_WORD_SECONDS: Final = 0.01
"""A search that has to end has so long for its own last word; then the best that it has told of is its answer."""


class Conversation:
    """One engine and the program that talks to it; `send` takes the lines that it answers.

    The thread that calls `hear` and `close` calls it, and those that search, never two at a time. What it raises there,
    those raise; a search ends quietly when its client has gone.
    """

    def __init__(self, send: Callable[[str], None], new_solver: Callable[[Options], Solver]) -> None:
        self._send_line = send
        self._new_solver = new_solver
        self._sending = threading.RLock()
        self._settings = EngineSettings()
        self._drawn_seed = random.getrandbits(32)
        self._position = Position()
        self._solver: Solver | None = None
        self._begins_anew = False
        self._search: _Search | None = None

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
        """End a search that is under way as nothing more will be heard, once its answer is worth something."""
        if self._search is not None:
            self._search.let_end()
            self._search.join()

    def close(self) -> None:
        """End a search that is under way; it still gives its answer."""
        if self._search is not None:
            try:
                self._search.conclude()
            finally:
                self._search.join()

    def _obey(self, command: EngineCommand) -> bool:
        match command:
            case Quit():
                self.close()
                return False
            case Stop():
                if self._search is not None:
                    self._search.conclude()
            case Hello():
                for line in (f"id name quarto-pi {__version__}", *GREETING):
                    self._send(line)
            case IsReady():
                if not self._is_searching:
                    self._get_ready(self._settings.options, self._search)
                self._send("readyok")
            case _:
                self._change(command)
        return True

    @property
    def _is_searching(self) -> bool:
        return self._search is not None and not self._search.answered.is_set()

    def _change(self, command: EngineCommand) -> None:
        """Carry out what has to wait until no search is under way."""
        if self._is_searching:
            raise ProtocolError("a search is under way: send 'stop' first, or wait for its bestmove.")
        match command:
            case NewGame():
                self._begins_anew = True
                self._position = Position()
                self._drawn_seed = random.getrandbits(32)
            case SetOption():
                self._settings = change_settings(self._settings, command)
            case SetPosition(position):
                self._position = position
            case Go(limits):
                self._begin(limits)

    def _begin(self, limits: Limits) -> None:
        if self._position.board.count == 16:
            raise ProtocolError("all sixteen pieces are placed: there is no move to be found.")
        position, settings, before = self._position, self._settings, self._search
        seed = self._drawn_seed if settings.seed is None else settings.seed
        search = _Search(self._send_line, self._sending, lambda: plain_move(position, settings.options))

        def think() -> Move:
            solver = self._get_ready(settings.options, before)
            return _chosen(search, Opponent(settings.level, solver, seed), solver, position, limits)

        self._search = search
        search.begin(think, limits)

    def _get_ready(self, options: Options, before: _Search | None) -> Solver:
        """The solver for these rules, once the search before has left it; it has forgotten an earlier game."""
        if before is not None:
            before.join()
        if self._solver is None or self._solver.rules != options:
            self._solver = self._new_solver(options)
        elif self._begins_anew:
            self._solver.forget()
        self._begins_anew = False
        return self._solver

    def _send(self, line: str) -> None:
        with self._sending:
            self._send_line(line)


class _Search:
    """A search from `go` to its answer, which is said once: by its thread, or by whoever cannot wait for that."""

    def __init__(self, send: Callable[[str], None], sending: threading.RLock, at_once: Callable[[], Move]) -> None:
        # The clock starts with the command: what is set up for the search is part of its time.
        self._started = time.monotonic()
        self.answered = threading.Event()
        self._is_to_end = threading.Event()
        self._least_seconds = 0.0
        self._send = send
        self._sending = sending
        self._at_once = at_once
        self._best: Move | None = None
        self._thread: threading.Thread | None = None
        self._alarm: threading.Timer | None = None

    def begin(self, think: Callable[[], Move], limits: Limits) -> None:
        """Have a thread think, and answer with what it has found."""
        if limits.movetime_ms is not None:
            seconds = min(limits.movetime_ms / 1000, threading.TIMEOUT_MAX)
            self._alarm = threading.Timer(seconds, self._ring)
            self._alarm.daemon = True
            self._alarm.start()
        self._thread = threading.Thread(target=self._run, args=(think, limits.infinite), daemon=True)
        self._thread.start()

    @property
    def milliseconds(self) -> int:
        """How long it has taken so far."""
        return int((time.monotonic() - self._started) * 1000)

    def report(self, progress: Progress) -> None:
        """Tell how far it has come, unless the answer has been said by now."""
        with self._sending:
            if not self.answered.is_set():
                self._best = progress.line[0]
                self._send(format_progress(progress))

    def is_over(self, seconds: float) -> bool:
        """Whether it is to end now that it has had so much CPU time."""
        return self._is_to_end.is_set() and seconds >= self._least_seconds

    def let_end(self) -> None:
        """Have it end when it has had its first seconds."""
        self._least_seconds = FIRST_SECONDS
        self._is_to_end.set()

    def conclude(self) -> None:
        """Have it end at once; on return the answer has been said."""
        self._least_seconds = 0.0
        self._is_to_end.set()
        self.answered.wait(LAST_WORD_SECONDS)
        self._answer(format_best(self._best or self._at_once()))

    def join(self) -> None:
        """Wait until its thread has ended."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _answer(self, line: str) -> None:
        with self._sending:
            if self.answered.is_set():
                return
            # Whoever reads the answer may send the next command at once: the search is over before it is told.
            self.answered.set()
            if self._alarm is not None:
                self._alarm.cancel()
            self._send(line)

    def _run(self, think: Callable[[], Move], is_infinite: bool) -> None:
        # A client that has gone is met again by the thread that hears the next line, or the end of them.
        with suppress(BrokenPipeError):
            try:
                answer = format_best(think())
            except BrokenPipeError:
                raise
            except Exception as error:  # noqa: BLE001 - the engine stays alive and tells, whatever happens to a search
                answer = f"error the search failed ({type(error).__name__}: {error}); please report this position."
            if is_infinite:
                self._is_to_end.wait()
            self._answer(answer)

    def _ring(self) -> None:
        with suppress(BrokenPipeError):
            self.conclude()


def _chosen(search: _Search, opponent: Opponent, solver: Solver, position: Position, limits: Limits) -> Move:
    """The opponent's move, with each better one reported on the way."""
    before, begun = solver.nodes, time.process_time()

    def report(value: GameValue | None, move: Move) -> None:
        depth, nodes = 16 - position.board.count, solver.nodes - before
        search.report(Progress(depth, nodes, search.milliseconds, value, (move,)))

    def over() -> bool:
        return search.is_over(time.process_time() - begun)

    nodes = MOVE_NODES if limits == Limits() else limits.nodes or NO_LIMIT
    return opponent.choose(position, Budget(nodes, over), report)


def plain_move(position: Position, options: Options) -> Move:
    """A move that takes no search: a win in hand, else the first that gives none away, else the first of all."""
    if position.hand is not None:
        wins = winning_squares(threats_on(position.board, options), position.hand)
        if wins:
            return Move(wins[0], None, call=True)
    moves = candidates(position)
    for candidate in moves:
        give = candidate.move.give
        if give is None or not winning_squares(threats_on(candidate.left.board, options), give):
            return candidate.move
    return moves[0].move
