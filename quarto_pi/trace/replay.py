"""A trace run through the sensing layer, the referee and the rules, on the trace's own clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quarto_pi.referee import Answer, Ask, Closed, Effect, Input, Patience, Seen, Tell, fold, start
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.doubts import doubts_of
from quarto_pi.sensing.sweep import Sweep
from quarto_pi.sensing.times import DEFAULT_TIMES, SensingTimes
from quarto_pi.trace.reader import Trace

Computer = Callable[[Ask], Answer]
"""Answers a question of the referee at once; the same question always in the same way."""


def replay(trace: Trace, computer: Computer, times: SensingTimes = DEFAULT_TIMES) -> Iterator[Tell]:
    """All that is told of the evening, as it happens."""
    for effect in effects_of(trace, computer, times):
        if isinstance(effect, Tell):
            yield effect


def effects_of(
    trace: Trace, computer: Computer, times: SensingTimes = DEFAULT_TIMES, patience: Patience | None = None
) -> Iterator[Effect]:
    """Everything that the referee wants done in the course of the evening."""
    begin = trace.lines[0].at if trace.lines else 0
    sensing = Sensing(trace.header.tags, times)
    board = sensing.start_empty()
    state, effects = start(trace.header.settings, begin, patience)
    waiting: list[Input] = []
    for line in trace.lines:
        yield from effects
        waiting += _answers(effects, computer)
        while waiting:
            state, effects = fold(state, waiting.pop(0))
            yield from effects
            waiting += _answers(effects, computer)
        if isinstance(line, Sweep):
            board, events = sensing.fold(board, line)
            state, effects = fold(state, Seen(line.at, events, doubts_of(board)))
        else:
            state, effects = fold(state, line)
    yield from effects
    end = trace.lines[-1].at if trace.lines else 0
    for answer in _answers(effects, computer):
        state, effects = fold(state, answer)
        yield from effects
    _, effects = fold(state, Closed(end))
    yield from effects


def _answers(effects: tuple[Effect, ...], computer: Computer) -> list[Input]:
    return [computer(effect) for effect in effects if isinstance(effect, Ask)]
