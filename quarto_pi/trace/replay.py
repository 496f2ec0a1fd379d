"""A trace run through the sensing layer, the referee and the rules, on the trace's own clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from quarto_pi.referee import (
    Answer,
    Ask,
    Button,
    Closed,
    Effect,
    Input,
    Patience,
    Seen,
    State,
    Tell,
    fold,
    start,
)
from quarto_pi.sensing.board import Sensing, Sweep, doubts_of, touched_on
from quarto_pi.sensing.readings import DEFAULT_TIMES, SensingTimes
from quarto_pi.trace.format import Header, Trace

ComputerAnswer = Callable[[Ask], Answer]
"""Answers a question of the referee at once; the same question always in the same way."""

ReplayStep = tuple[int, tuple[Effect, ...]]
"""What the referee wants done at one moment."""


def replay(trace: Trace, computer: ComputerAnswer, times: SensingTimes = DEFAULT_TIMES) -> Iterator[Tell]:
    """All that is told of the evening, as it happens."""
    for effect in effects_of(trace, computer, times):
        if isinstance(effect, Tell):
            yield effect


def effects_of(
    trace: Trace, computer: ComputerAnswer, times: SensingTimes = DEFAULT_TIMES, patience: Patience | None = None
) -> Iterator[Effect]:
    """Everything that the referee wants done in the course of the evening."""
    evening = Replay(trace.header, computer, times, patience)
    outcome: Iterable[ReplayStep] = ()
    for line in trace.lines:
        for _, effects in outcome:
            yield from effects
        outcome = evening.take(line)
    for _, effects in (*outcome, *evening.close()):
        yield from effects


class Replay:
    """An evening on its way through the sensing layer, the referee and the rules, line by line.

    The computer answers so many milliseconds of the trace's time after it was asked: while no line has come that is as
    late as that, it thinks.
    """

    def __init__(
        self,
        header: Header,
        computer: ComputerAnswer,
        times: SensingTimes = DEFAULT_TIMES,
        patience: Patience | None = None,
        thinks_ms: int = 0,
    ) -> None:
        self._settings = header.settings
        self._computer = computer
        self._patience = patience
        self._thinks_ms = thinks_ms
        self._sensing = Sensing(header.tags, times)
        self._board = self._sensing.start_empty()
        self._state: State | None = None
        self._asked: list[Ask] = []
        self._at = 0

    def take(self, line: Sweep | Button) -> list[ReplayStep]:
        """What the referee wants done as time passes to a line of the trace, and upon it."""
        outcomes: list[ReplayStep] = []
        state = self._state
        if state is None:
            state, effects = start(self._settings, line.at, self._patience)
            self._note(line.at, effects, outcomes)
        state = self._answered(state, line.at, outcomes)
        self._at = line.at
        received: Input = self._seen(line) if isinstance(line, Sweep) else line
        state, effects = fold(state, received)
        self._note(line.at, effects, outcomes)
        self._state = self._answered(state, line.at, outcomes)
        return outcomes

    def close(self) -> list[ReplayStep]:
        """What the referee wants done at the end of the trace."""
        outcomes: list[ReplayStep] = []
        state = self._state
        if state is None:
            state, effects = start(self._settings, self._at, self._patience)
            self._note(self._at, effects, outcomes)
            state = self._answered(state, self._at, outcomes)
        self._state, effects = fold(state, Closed(self._at))
        outcomes.append((self._at, effects))
        return outcomes

    def _seen(self, sweep: Sweep) -> Seen:
        self._board, events = self._sensing.fold(self._board, sweep)
        return Seen(sweep.at, events, doubts_of(self._board), touched_on(self._board))

    def _answered(self, state: State, now: int, outcomes: list[ReplayStep]) -> State:
        """The state after all that the computer has decided by now."""
        while self._asked and self._asked[0].at + self._thinks_ms <= now:
            answer = self._computer(self._asked.pop(0))
            at = answer.at + self._thinks_ms
            state, effects = fold(state, replace(answer, at=at))
            self._note(at, effects, outcomes)
        return state

    def _note(self, at: int, effects: tuple[Effect, ...], outcomes: list[ReplayStep]) -> None:
        outcomes.append((at, effects))
        self._asked += [effect for effect in effects if isinstance(effect, Ask)]
