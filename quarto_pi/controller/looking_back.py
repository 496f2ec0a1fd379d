"""Looking back at a game that is over: what there is to be learnt from it, found without holding up the board.

What can be seen without looking ahead is found at once, in some milliseconds. The rest is looked for in a process of
its own, which is bounded and ended as soon as nobody wants to know any more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Final

from quarto_pi.engine.client import EngineFailure, EngineProcess, parse_best
from quarto_pi.engine.coach import Mistake, Verdict, plain_mistake, question_about
from quarto_pi.referee import LookedBack, State
from quarto_pi.referee.afterwards import hindsight_of
from quarto_pi.referee.messages import Hindsight, Slip
from quarto_pi.rules import Game, Player, QuartoError, Reason

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
