"""A whole evening of one seed, and whether the board judged it as it was meant."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from quarto_pi.referee import Starter
from quarto_pi.rules import Player, QuartoError
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


def play_evening(seed: int, say: Callable[[str], None] | None = None, *, chips: bool = True) -> Verdict:
    """Let people play, and compare what was told with what they meant; without `chips` much faster."""
    cast = cast_of(seed)
    verdict = Verdict(seed, cast)
    evening = Evening(seed, cast.settings, cast.mode if chips else None, say)
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
    number, games = 0, people.cast.games
    while number < games:
        people.evening.told.story = []
        yield from play(people, number)
        _compare(people, verdict)
        if verdict.problems:
            return
        verdict.games += 1
        # Whoever orders a new game plays it.
        games += people.gives_again is not None
        evening_is_on = number + 1 < games
        if evening_is_on and people.evening.table.resting:
            yield people.random.uniform(1_000, 4_000)
            yield from _clear_up(people, number + 1)
        if evening_is_on:
            people.evening.renew_tags()
        number += 1


def _clear_up(people: People, number: int) -> Script:
    """Clear the board for the next game; some give its first piece at once, or leave something standing."""
    settings, evening = people.settings, people.evening
    starter = {Starter.A: Player.A, Starter.B: Player.B}.get(settings.starter, Player(number % 2))
    unhurried = not people.senses_giving or settings.seat(starter).is_computer or settings.rules.clock_ms is not None
    evening.memory = None
    if people.gives_again is not None and not unhurried and not people.unseen:
        yield people.random.uniform(1, 2_500)
        people.goes_on_at_once = True
        return
    people.gives_again = None
    if unhurried or people.unseen or people.chance(0.4):
        yield from people.clear()
        return
    standing = len(evening.table.resting)
    yield from people.clear(leaving=people.random.choice((0, 0, 1, 2)) if standing > 4 else 0)
    yield people.random.uniform(1, 2_500)
    people.goes_on_at_once = True


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
