"""The computer at the board: what it answers to the referee's questions.

The seed of an answer is the moment of its question, so that games differ and a replay repeats them.
"""

from __future__ import annotations

from collections.abc import Callable

from quarto_pi.engine.client import EngineFailure, EngineProcess, parse_best
from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Budget, Move, Solver
from quarto_pi.engine.temptation import MOVE_NODES
from quarto_pi.referee import Answer, Ask, Plan
from quarto_pi.rules import NotationError, Options

SMALL_TABLE_MB = 16


class Computer:
    """Answers at once, in this process: for replays, and for whatever is not in a hurry."""

    def __init__(self, table_mb: int = SMALL_TABLE_MB) -> None:
        self._table_mb = table_mb
        self._solver: tuple[tuple[object, ...], Solver] | None = None

    def __call__(self, ask: Ask) -> Answer:
        """The answer to a question."""
        opponent = Opponent(ask.level, self._solver_for(ask.rules), seed=ask.at)
        calls = notices(opponent, ask)
        if calls or ask.position.board.count == 16:
            return Answer(ask.at, ask.number, Plan(), calls)
        move = opponent.choose(ask.position, Budget(MOVE_NODES))
        return Answer(ask.at, ask.number, plan_of(move))

    def _solver_for(self, rules: Options) -> Solver:
        lines = (rules.squares, rules.traits)
        if self._solver is None or self._solver[0] != lines:
            self._solver = (lines, Solver(rules, table_mb=self._table_mb))
        return self._solver[1]


def notices(opponent: Opponent, ask: Ask) -> bool:
    """Whether the computer calls what the other player has left uncalled (D10)."""
    return bool(ask.uncalled) and opponent.calls(ask.position, ask.uncalled)


def plan_of(move: Move) -> Plan:
    """An engine's move as the referee understands it."""
    return Plan(move.square, move.give, move.call)


class ThinkingComputer:
    """Thinks in a process of its own, so that the board goes on seeing; asked and then looked in on.

    An engine that fails is started again with the question it failed on; one that keeps failing is done without, and
    the first legal move that comes to mind is made instead: a game never waits for ever.
    """

    MOST_FAILURES = 3

    def __init__(self, start: Callable[[], EngineProcess]) -> None:
        self._start = start
        self._engine: EngineProcess | None = None
        self._asked: Ask | None = None
        self._is_plain = False
        self._failures = 0
        self._unwanted = 0

    def ask(self, ask: Ask) -> None:
        """Begin to think; an older question that is still open is dropped."""
        is_unwanted = self._asked is not None and not self._is_plain
        # Once for each question: the loop looks in on it many times a second.
        self._asked, self._is_plain = ask, _needs_no_thought(ask)
        if self._is_plain:
            return
        try:
            if is_unwanted and self._engine is not None:
                # It still says what it would have done; that is nobody's answer any more.
                self._engine.send("stop")
                self._unwanted += 1
            self._send(ask)
        except EngineFailure:
            self._fail()

    def answer(self) -> Answer | None:
        """The answer, once there is one."""
        ask = self._asked
        if ask is None:
            return None
        if self._is_plain or self._failures >= self.MOST_FAILURES:
            self._asked = None
            return self._at_once(ask)
        try:
            for line in self._engine.lines_so_far() if self._engine is not None else ():
                if line.startswith("bestmove") and self._unwanted:
                    self._unwanted -= 1
                elif line.startswith("bestmove"):
                    plan = plan_of(parse_best(line))
                    self._asked, self._failures = None, 0
                    return Answer(ask.at, ask.number, plan)
                if line.startswith("error"):
                    raise EngineFailure(line)
        except (EngineFailure, NotationError):
            self._fail()
        return None

    def close(self) -> None:
        """End the engine's process; a second call does nothing."""
        engine, self._engine, self._asked = self._engine, None, None
        if engine is not None:
            engine.close()

    def _at_once(self, ask: Ask) -> Answer:
        if self._is_plain:
            return Answer(ask.at, ask.number, Plan(), calls=_notices(ask))
        left = [piece for piece in ask.position.board.pieces_left if piece != ask.position.hand]
        give = left[0] if left else None
        square = ask.position.board.empty_squares[0] if ask.position.hand is not None else None
        return Answer(ask.at, ask.number, Plan(square, give))

    def _send(self, ask: Ask) -> None:
        if self._engine is None:
            self._engine = self._start()
        self._engine.choose_rules(ask.rules, ask.level, ask.at)
        self._engine.send(f"position {ask.position}")
        self._engine.send("go")

    def _fail(self) -> None:
        """Start again with the question, unless that has failed too often."""
        self._failures += 1
        self._end()
        if self._asked is not None and self._failures < self.MOST_FAILURES:
            try:
                self._send(self._asked)
            except EngineFailure:
                self._fail()

    def _end(self) -> None:
        engine, self._engine, self._unwanted = self._engine, None, 0
        if engine is not None:
            engine.kill()


def _needs_no_thought(ask: Ask) -> bool:
    """Whether the computer only has to see that there is something to call, or it is too late for a move."""
    return ask.position.board.count == 16 or _notices(ask)


def _notices(ask: Ask) -> bool:
    # A solver is much to set up where there is nothing to notice.
    return bool(ask.uncalled) and notices(
        Opponent(ask.level, Solver(ask.rules, table_mb=1, use_book=False), seed=ask.at), ask
    )
