"""Evenings as the referee hears of them, and whether passing over sweeps changes anything in them."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache

from quarto_pi.referee import (
    Answer,
    Ask,
    Before,
    Closed,
    Input,
    Interrupted,
    Patience,
    Seen,
    Settings,
    State,
    fold,
    start,
)
from quarto_pi.referee.effects import Effect
from quarto_pi.rules import Game, Give, Place, apply, parse_piece, parse_square
from quarto_pi.sensing.board import Sensing, Sweep, doubts_of, touched_on
from quarto_pi.trace.format import read_trace
from tests.games.evening import HERE, read_evening
from tests.games.performance import LEVEL, Memory, Performance


@dataclass(frozen=True)
class Heard:
    """An evening as the referee hears of it, after the sensing layer, and the computer's answers."""

    settings: Settings
    patience: Patience
    inputs: tuple[Input, ...]
    computer: Callable[[Ask], Answer]
    before: Before | None = None


def heard(name: str) -> Heard:
    """What the referee hears of an evening in tests/games, with a computer that has answered nothing yet."""
    performed, memory = _performed(name)
    return replace(performed, computer=Memory(memory.laid_down, memory.computer))


@cache
def _performed(name: str) -> tuple[Heard, Memory]:
    evening = read_evening(HERE / f"{name}.game")
    performance = Performance(evening)
    performance.play()
    kiosk = evening.kiosk
    trace = read_trace(io.StringIO(performance.trace()), Settings(languages=kiosk.languages), LEVEL, foreign=True)
    sensing = Sensing(trace.header.tags)
    board = sensing.start_empty()
    inputs: list[Input] = []
    for line in trace.lines:
        if isinstance(line, Sweep):
            board, events = sensing.fold(board, line)
            inputs.append(Seen(line.at, events, doubts_of(board), touched_on(board)))
        else:
            inputs.append(line)
    inputs = sorted([*inputs, *performance.doors], key=lambda received: received.at)
    memory = Memory(evening.answers, performance.memory.computer)
    return Heard(trace.header.settings, kiosk.patience, tuple(inputs), memory), memory


def told(evening: Heard, *, is_gated: bool) -> Iterator[tuple[int, tuple[Effect, ...], State]]:
    """When the referee wants what done, and its state then; with every sweep folded, or passed over where it may be."""

    def folded(state: State, received: Input) -> tuple[State, tuple[Effect, ...]]:
        return fold(state if is_gated else replace(state, quiet=None), received)

    last = evening.inputs[-1].at
    state, effects = start(evening.settings, evening.inputs[0].at, evening.patience, evening.before)
    asked = [effect for effect in effects if isinstance(effect, Ask)]
    for received in (*evening.inputs, Closed(last)):
        while asked:
            state, further = folded(state, evening.computer(asked.pop(0)))
            effects += further
            asked += [effect for effect in further if isinstance(effect, Ask)]
        state, further = folded(state, received)
        asked += [effect for effect in further if isinstance(effect, Ask)]
        yield received.at, effects + further, state
        effects = ()


def first_difference(evening: Heard) -> str | None:
    """What is done otherwise, or is otherwise at the end, when every sweep is folded; None where nothing is."""
    ended: tuple[State, ...] = ()
    both = zip(told(evening, is_gated=True), told(evening, is_gated=False), strict=True)
    for (at, effects, gated), (_, others, thorough) in both:
        if effects != others:
            return f"{at} ms: {[type(each).__name__ for each in effects]}, {[type(each).__name__ for each in others]}"
        ended = gated, thorough
    one, other = (replace(state, quiet=None) for state in ended)
    names = [each.name for each in fields(State) if getattr(one, each.name) != getattr(other, each.name)]
    return f"at the end: {names}" if names else None


def odd(patience: Patience, seed: int) -> Patience:
    """The same patience with odd lengths, none of which is a multiple of another or of a second."""
    rng = random.Random(seed)
    primes = (
        11,
        13,
        17,
        19,
        23,
        29,
        31,
        37,
        41,
        43,
        47,
        53,
        59,
        61,
        67,
        71,
        73,
        79,
        83,
        89,
        97,
        101,
        103,
        107,
        109,
        113,
    )
    lengths = {each.name: getattr(patience, each.name) for each in fields(patience)}
    # What is 0 never happens.
    return replace(patience, **{name: length + rng.choice(primes) for name, length in lengths.items() if length})


def resumed() -> Heard:
    """A game that was stopped with a piece given, and goes on at a board from which the placed one is missing."""
    game = apply(apply(Game(), Give(parse_piece("LTRF"))), Place(parse_square("a1")))
    game = apply(game, Give(parse_piece("DSQH")))
    before = Before(1, last=Interrupted(game, Settings()))
    sweeps = tuple(Seen(at) for at in range(0, 12_000, 110))
    return Heard(Settings(), Patience(), sweeps, Memory(), before)
