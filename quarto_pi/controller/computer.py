"""The computer at the board: what it answers to the referee's questions, and what it finds looking back at a game.

The seed of an answer is the moment of its question, so that games differ and a replay repeats them.

Of a game that is over, what can be seen without looking ahead is found at once, in some milliseconds. The rest is
looked for in a process of its own, which is bounded and ended as soon as nobody wants to know any more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Final

from quarto_pi.engine.client import EngineFailure, EngineProcess, parse_best
from quarto_pi.engine.coach import Mistake, Verdict, plain_mistake, question_about
from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Budget, Move, Solver
from quarto_pi.engine.temptation import MOVE_NODES
from quarto_pi.referee import Answer, Ask, LookedBack, Plan, State
from quarto_pi.referee.between_games import hindsight_of
from quarto_pi.referee.messages import Hindsight, Slip
from quarto_pi.rules import Game, NotationError, Options, Player, QuartoError, Reason

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


# --- Looking back at a game that is over: what there is to be learnt from it, found without holding up the board ------

_POLITE: Final = 15


def start_looking() -> EngineProcess:
    """The process that looks ahead from each move of a game."""
    return EngineProcess([sys.executable, "-m", "quarto_pi.engine.coach"], _POLITE)


class LookingBack:
    """Looked in on at each turn of the loop; each game is looked back at once, and only once it is over (D8)."""

    def __init__(self, start: Callable[[], EngineProcess] = start_looking) -> None:
        self._start = start
        self._ended_at: tuple[int, int] | None = None
        self._process: EngineProcess | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing is being looked for."""
        return self._process is None

    def answer(self, state: State, now: int) -> LookedBack | None:
        """What there is to be learnt from the game that is over, once that is known."""
        end = state.end
        if end is None or not state.settings.hindsight:
            if self._ended_at is not None:
                self.close()
            return None
        hindsight: Hindsight | None
        if self._ended_at != (state.number, end.at):
            self.close()
            self._ended_at = (state.number, end.at)
            hindsight = self._begin(state)
        else:
            hindsight = self._look_in(state.game)
        return None if hindsight is None else LookedBack(now, state.number, hindsight)

    def close(self) -> None:
        """Want to know no more of the last game; may be called again."""
        process, self._process, self._ended_at = self._process, None, None
        if process is not None:
            process.kill()

    def _begin(self, state: State) -> Hindsight | None:
        game, people = state.game, state.settings.people
        if game.result is None or game.result.reason not in (Reason.CALL, Reason.AUTO, Reason.DRAW):
            return None
        mistake = plain_mistake(game, people)
        if mistake is not None:
            return _told(game, mistake)
        if any(player is not game.result.winner for player in people):
            try:
                self._process = self._start()
                self._process.send(question_about(game, people))
            except EngineFailure:
                self._end()
        return None

    def _look_in(self, game: Game) -> Hindsight | None:
        if self._process is None:
            return None
        try:
            lines = self._process.lines_so_far()
            if not lines:
                return None
            mistake = mistake_in(lines[0])
        except (EngineFailure, QuartoError, ValueError):
            # What cannot be found is not told.
            self._end()
            return None
        self._end()
        if mistake is not None:
            return _told(game, mistake)
        # What the other side has overlooked is nothing to learn from, but neither was it well played by both.
        is_clean = game.result is not None and game.result.winner is None and plain_mistake(game, tuple(Player)) is None
        return Hindsight(Slip.NOTHING) if is_clean else None

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()


def mistake_in(line: str) -> Mistake | None:
    """The mistake in an answer of the process; raises `ValueError` or `QuartoError` where it is none."""
    told = json.loads(line)
    if told is None:
        return None
    return Mistake(told["move"], Verdict(told["verdict"]), better=parse_best(f"bestmove {told['better']}"))


def _told(game: Game, mistake: Mistake) -> Hindsight:
    better = mistake.better
    if better is None:
        return hindsight_of(game, Slip(mistake.verdict.value), mistake.move, mistake.square)
    return hindsight_of(game, Slip(mistake.verdict.value), mistake.move, better.square, better.give)
