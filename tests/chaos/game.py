"""A whole evening of one seed, and whether the board judged it as it was meant."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from quarto_pi.rules import QuartoError
from tests.chaos.cast import Cast, cast_of
from tests.chaos.evening import Evening, Misjudged, Script
from tests.chaos.people import People
from tests.chaos.trouble import let_neighbours_hear, troubles
from tests.chaos.turns import play


@dataclass(slots=True)
class Verdict:
    """What an evening came to; `problems` is empty where everything was judged as it was meant."""

    seed: int
    cast: Cast
    problems: list[str] = field(default_factory=list)
    games: int = 0
    sweeps: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)


def play_evening(seed: int, say: Callable[[str], None] | None = None) -> Verdict:
    """Let people play, and compare what was told with what they meant."""
    cast = cast_of(seed)
    verdict = Verdict(seed, cast)
    evening = Evening(seed, cast.settings, cast.mode, say)
    people = People(evening, cast, random.Random(f"{seed} people"))
    let_neighbours_hear(evening, random.Random(f"{seed} air"), cast.overheard)
    if cast.faults:
        evening.spawn(troubles(evening, random.Random(f"{seed} troubles"), cast.faults))
    try:
        evening.live(_games(people, verdict))
    except Misjudged as problem:
        verdict.problems.append(f"{problem}")
        _compare(people, verdict)
    except (QuartoError, LookupError, AssertionError):
        verdict.problems.append(traceback.format_exc())
    verdict.problems += evening.problems
    verdict.counts = evening.counts
    verdict.sweeps, verdict.seconds = evening.sweeps, evening.now / 1_000
    return verdict


def _games(people: People, verdict: Verdict) -> Script:
    for number in range(people.cast.games):
        people.evening.told.story = []
        yield from play(people, number)
        _compare(people, verdict)
        if verdict.problems:
            return
        verdict.games += 1
        if number + 1 < people.cast.games and people.evening.table.resting:
            yield people.random.uniform(1_000, 4_000)
            yield from people.clear()


def _compare(people: People, verdict: Verdict) -> None:
    meant, told = people.memory.story, people.evening.told.story
    if meant:
        people.evening.counts[f"ended by {meant[-1].where}"] += 1
    if meant != told:
        first = next(
            (pair for pair in zip(meant, told, strict=False) if pair[0] != pair[1]),
            (meant[len(told) :] or None, told[len(meant) :] or None),
        )
        verdict.problems.append(f"meant {_text(first[0])}, but told {_text(first[1])}")


def _text(what: object) -> str:
    return "; ".join(str(each) for each in what) if isinstance(what, list) else str(what)
