"""A Swiss round: who has as much as who meets him, nobody twice while that can be, and who plays free is fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from quarto_pi.tournament.matching import NOBODY, largest_matching


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """A player before a round, in the order of the standings: points in halves, and how he fared in rounds so far."""

    number: int
    points: int
    met: tuple[int, ...] = ()
    free: int = 0
    first: int = 0
    second: int = 0
    was_first: bool = False


def swiss_round(players: Sequence[SwissPlayer]) -> tuple[tuple[int, int], ...]:
    """The pairs of the next round, the best first; of each pair the first gives first, and 0 is nobody.

    With an odd number the last of those who have played free least often does. Nobody meets anybody again where all
    can be paired otherwise; where they cannot, those meet again who have met least often. From the top everyone meets
    the nearest one in the standings, of his own points in the order of the halves of those, that leaves a pairing for
    all who come after him.
    """
    if len(players) < 2:
        return tuple((player.number, 0) for player in players)
    met = [Counter(player.met) for player in players]
    for again in range(max((max(each.values(), default=0) for each in met), default=0) + 1):
        allowed = [
            {other for other, opponent in enumerate(players) if other != one and met[one][opponent.number] <= again}
            for one in range(len(players))
        ]
        found = _paired(players, allowed, met)
        if found is not None:
            return found
    raise AssertionError("who may meet everybody again can be paired")


def _paired(
    players: Sequence[SwissPlayer], allowed: Sequence[set[int]], met: Sequence[Counter[int]]
) -> tuple[tuple[int, int], ...] | None:
    everybody = set(range(len(players)))
    for free in _may_be_free(players):
        among = everybody - ({free} if free is not None else set())
        mates = largest_matching(allowed, among)
        if any(mates[each] == NOBODY for each in among):
            continue
        pairs = [_in_turn(players[one], players[other]) for one, other in _from_the_top(players, allowed, met, mates)]
        return (*pairs, *([(players[free].number, 0)] if free is not None else []))
    return None


def _may_be_free(players: Sequence[SwissPlayer]) -> list[int | None]:
    """Who may play free, the last first: those only who have least often."""
    if len(players) % 2 == 0:
        return [None]
    fewest = min(player.free for player in players)
    return [index for index in reversed(range(len(players))) if players[index].free == fewest]


def _from_the_top(
    players: Sequence[SwissPlayer], allowed: Sequence[set[int]], met: Sequence[Counter[int]], mates: list[int]
) -> list[tuple[int, int]]:
    """One after the other gets the opponent that he should have most, while the others can still be paired."""
    left = {index for index in range(len(players)) if mates[index] != NOBODY}
    pairs: list[tuple[int, int]] = []
    while left:
        one = min(left)
        for other in _wished(players, one, left, met):
            if other not in allowed[one]:
                continue
            rest = left - {one, other}
            kept = largest_matching(allowed, rest, mates)
            if all(kept[each] != NOBODY for each in rest):
                pairs.append((one, other))
                left, mates = rest, kept
                break
    return pairs


def _wished(players: Sequence[SwissPlayer], one: int, left: set[int], met: Sequence[Counter[int]]) -> list[int]:
    """All others in the order in which somebody should meet them: of his own points first, the upper half the lower."""
    others = sorted(left - {one})
    like = [other for other in others if players[other].points == players[one].points]
    middle = len(like) // 2
    half = {other: abs(place - middle) for place, other in enumerate(like)}
    return sorted(
        others,
        key=lambda other: (
            met[one][players[other].number],
            players[one].points - players[other].points,
            half.get(other, 0),
            other,
        ),
    )


def _in_turn(one: SwissPlayer, other: SwissPlayer) -> tuple[int, int]:
    """Who of both gives first: who has less often, else who has not the last time, else the better one."""
    due = (one.first - one.second, one.was_first), (other.first - other.second, other.was_first)
    return (one.number, other.number) if due[0] <= due[1] else (other.number, one.number)
