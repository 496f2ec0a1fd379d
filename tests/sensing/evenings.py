"""Whole evenings of random hands, and how the events of the sensing layer are held against them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import BoardState, Sensing, Sweep
from quarto_pi.sensing.events import BoardEvent, Found, PieceLifted, PieceMoved, PiecePlaced, Settled
from quarto_pi.sensing.readings import CELLS
from tests.sensing.hands import APPROACH_MS, Hands, Noise, touching

GAPS_MS = (300, 700, 1_500, 3_000)


def random_hands(seed: int, actions: int) -> tuple[Hands, int]:
    """Hands that put, lift, slide, swap, carry and hover at random; and when they are done."""
    rng = random.Random(seed)
    hands = Hands()
    at = 2_000
    for _ in range(actions):
        at = _act(hands, rng, at) + rng.choice(GAPS_MS)
    return hands, at


def _act(hands: Hands, rng: random.Random, at: int) -> int:
    standing = [piece for piece in PIECES if hands.where(piece)]
    off = [piece for piece in PIECES if not hands.where(piece)]
    free = [cell for cell in CELLS if cell not in hands.occupied()]
    action = rng.random()
    if len(standing) < 2 or (action < 0.4 and len(standing) < 12):
        return hands.put(rng.choice(off), rng.choice(free), at, rng.choice((60, APPROACH_MS, 200)))
    piece, other = rng.sample(standing, 2)
    if action < 0.6:
        if rng.random() < 0.3:
            hands.lift(other, at)
        return hands.lift(piece, at)
    if action < 0.75:
        near = [cell for cell in touching(str(hands.where(piece))) if cell in free] or free
        return hands.slide(piece, rng.choice(near), at)
    if action < 0.85:
        places = str(hands.where(piece)), str(hands.where(other))
        up = max(hands.lift(piece, at), hands.lift(other, at + 50)) + 100
        return max(hands.put(piece, places[1], up), hands.put(other, places[0], up + 50))
    if action < 0.93:
        return hands.put(piece, rng.choice(free), hands.lift(piece, at) + rng.choice((50, 400)))
    return hands.hover(rng.choice(off), rng.choice(free), at, rng.choice((100, 200)), rng.choice((0.3, 0.5, 0.8)))


def random_noise(seed: int, level: float) -> Noise:
    """Noise with weak pieces, errors, cross-reads and garbled UIDs; level 1 is a badly built board."""
    rng = random.Random(seed)
    pairs = [(cell, other) for cell in CELLS for other in touching(cell)]
    return Noise(
        weak=frozenset(rng.sample(PIECES, round(4 * level))),
        miss=0.01 * level,
        error=0.05 * level,
        echoing=frozenset(rng.sample(pairs, round(len(pairs) * 0.2 * level))),
        echo=0.4,
        garble=0.1,
        partial=0.6 * level,
    )


@dataclass
class Verdict:
    """What was wrong or slow: false events, delays from resting or leaving to the event, and rests never reported."""

    false: list[BoardEvent] = field(default_factory=list)
    delays: list[int] = field(default_factory=list)
    lift_delays: list[int] = field(default_factory=list)
    unreported: list[str] = field(default_factory=list)


def watch(
    sensing: Sensing, sweeps: Iterable[Sweep], state: BoardState | None = None
) -> tuple[BoardState, list[BoardEvent]]:
    """Fold all sweeps and return the last state and every event."""
    state = sensing.start() if state is None else state
    happened: list[BoardEvent] = []
    for sweep in sweeps:
        state, events = sensing.fold(state, sweep)
        happened += events
    return state, happened


def hold_against(hands: Hands, events: list[BoardEvent], bound: int, removal: int, until: int) -> Verdict:
    """Compare events with what the hands did; a rest that lasted longer than the bound has to be reported in it."""
    verdict = Verdict()
    reported: dict[int, int] = {}
    for event in events:
        match event:
            case PiecePlaced() | Found() | PieceMoved():
                number = _rest_behind(hands, event)
                if number is None:
                    verdict.false.append(event)
                else:
                    reported.setdefault(number, event.at)
            case PieceLifted():
                _hold_lift_against(hands, event, verdict)
            case Settled():
                pass
            case _:
                verdict.false.append(event)
    for index, rest in enumerate(hands.rests):
        lasted = (until if rest.end is None else rest.end) - rest.start
        if index in reported:
            verdict.delays.append(max(0, reported[index] - rest.start))
        elif lasted > bound and not _stands_from_before(hands, index, removal):
            verdict.unreported.append(f"{rest.piece} on {rest.cell} from {rest.start} to {rest.end}")
    return verdict


def _rest_behind(hands: Hands, event: PiecePlaced | Found | PieceMoved) -> int | None:
    rests = enumerate(hands.rests)
    return next(
        (
            index
            for index, rest in rests
            if (rest.piece, rest.cell) == (event.piece, event.cell) and rest.covers(event.at, APPROACH_MS, APPROACH_MS)
        ),
        None,
    )


def _hold_lift_against(hands: Hands, event: PieceLifted, verdict: Verdict) -> None:
    stood = [rest for rest in hands.rests if (rest.piece, rest.cell) == (event.piece, event.cell)]
    if any(rest.covers(event.since) and rest.covers(event.at) for rest in stood):
        verdict.false.append(event)
    verdict.lift_delays += [event.at - rest.end for rest in stood if rest.end is not None and rest.end <= event.at][-1:]


def _stands_from_before(hands: Hands, index: int, removal: int) -> bool:
    """Whether the piece stood there a moment before: put back within an instant, it has never been away."""
    rest = hands.rests[index]
    return any(
        (other.piece, other.cell) == (rest.piece, rest.cell)
        and other.end is not None
        and 0 <= rest.start - other.end < removal
        for other in hands.rests
    )
