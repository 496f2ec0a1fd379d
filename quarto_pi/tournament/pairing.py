"""The next round of a tournament: everyone meets everyone, or a Swiss one; and who plays at which table."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from quarto_pi.tournament.decisions import PairingSystem
from quarto_pi.tournament.state import Pairing, Tournament, standings_of

# --- Who can meet whom so that nobody is left over: matchings of a graph not parted in two (Edmonds' blossoms) --------

NOBODY = -1


def largest_matching(allowed: Sequence[set[int]], among: set[int], begun: Sequence[int] | None = None) -> list[int]:
    """For each of these who meets him, so that as many meet as can; `NOBODY` for the others.

    `allowed[one]` are all who may meet him, and `begun` is a matching to begin with, of which all stay who are in it.
    """
    mates = [NOBODY] * len(allowed)
    if begun is not None:
        for one in among:
            if begun[one] in among:
                mates[one] = begun[one]
    for one in sorted(among):
        if mates[one] == NOBODY:
            for other in sorted(allowed[one] & among):
                if mates[other] == NOBODY:
                    mates[one], mates[other] = other, one
                    break
    for one in sorted(among):
        if mates[one] == NOBODY:
            _lengthen(allowed, among, mates, one)
    return mates


def _lengthen(allowed: Sequence[set[int]], among: set[int], mates: list[int], root: int) -> None:
    """Find a path from somebody who is alone to another one, and have each on it meet the next one instead."""
    size = len(allowed)
    parent = [NOBODY] * size
    base = list(range(size))
    is_outer = [False] * size
    is_outer[root] = True
    queue = deque([root])
    while queue:
        one = queue.popleft()
        for other in allowed[one] & among:
            if base[one] == base[other] or mates[one] == other:
                continue
            if other == root or (mates[other] != NOBODY and parent[mates[other]] != NOBODY):
                in_circle, top = _circle(one, other, mates, parent, base)
                for each in sorted(among):
                    if base[each] in in_circle:
                        base[each] = top
                        if not is_outer[each]:
                            is_outer[each] = True
                            queue.append(each)
            elif parent[other] == NOBODY:
                parent[other] = one
                if mates[other] == NOBODY:
                    _turn_over(mates, parent, other)
                    return
                is_outer[mates[other]] = True
                queue.append(mates[other])


def _circle(one: int, other: int, mates: list[int], parent: list[int], base: list[int]) -> tuple[set[int], int]:
    """The circle of odd length that both close, which is one place from now on, and where it hangs on the tree."""
    top = _common(one, other, mates, parent, base)
    in_circle: set[int] = set()
    for start, child in ((one, other), (other, one)):
        at, below = start, child
        while base[at] != top:
            in_circle |= {base[at], base[mates[at]]}
            parent[at] = below
            below = mates[at]
            at = parent[mates[at]]
    return in_circle, top


def _common(one: int, other: int, mates: list[int], parent: list[int], base: list[int]) -> int:
    """Where the ways of both back to the root come together."""
    passed: set[int] = set()
    at = one
    while True:
        at = base[at]
        passed.add(at)
        if mates[at] == NOBODY:
            break
        at = parent[mates[at]]
    at = other
    while base[at] not in passed:
        at = parent[mates[base[at]]]
    return base[at]


def _turn_over(mates: list[int], parent: list[int], last: int) -> None:
    at = last
    while at != NOBODY:
        before = parent[at]
        after = mates[before]
        mates[at], mates[before] = before, at
        at = after


# --- Everyone meets everyone: the circle method, with the starters of the tables of Berger ----------------------------


def round_robin(players: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """All rounds for players 1 to n: of each pair the first gives first, and who is paired with 0 plays free.

    Everyone meets everyone once, and is first in as many as he is second, or in one more or less.

    >>> round_robin(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    if players < 2:
        return ()
    seats = players + players % 2
    return tuple(_round(number, seats, players) for number in range(seats - 1))


def _round(number: int, seats: int, players: int) -> tuple[tuple[int, int], ...]:
    """One turn of the circle of all but the last, who stays where he is."""
    turning = seats - 1
    pairs: list[tuple[int, int]] = []
    free: list[tuple[int, int]] = []
    # The player who meets the last one in this round; the others meet at the same distance to both sides of him.
    middle = number * seats // 2 % turning
    for distance in range(seats // 2):
        one = (middle + distance) % turning + 1
        other = (middle - distance) % turning + 1 if distance else seats
        if other > players:
            free.append((one, 0))
        else:
            pairs.append(_in_order(one, other, seats))
    return (*pairs, *free)


def _in_order(one: int, other: int, seats: int) -> tuple[int, int]:
    """Who of both gives first."""
    small, large = min(one, other), max(one, other)
    is_small = small <= seats // 2 if large == seats else (small + large) % 2 == 1
    return (small, large) if is_small else (large, small)


# --- A Swiss round: who has as much as who meets him, nobody twice while that can be ----------------------------------


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


# --- The next round of a tournament, and who plays at which table -----------------------------------------------------


def next_round(tournament: Tournament) -> tuple[tuple[int, int], ...]:
    """The pairs of the round that is drawn next."""
    if tournament.system is PairingSystem.ROUND_ROBIN:
        rounds = round_robin(len(tournament.players))
        return rounds[tournament.drawn] if tournament.drawn < len(rounds) else ()
    played: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in tournament.pairings:
        played[pairing.first].append(pairing)
        played[pairing.second].append(pairing)
    return swiss_round(
        [
            _before_round(row.player, row.points, played[row.player])
            for row in standings_of(tournament)
            if not tournament.players[row.player - 1].has_left
        ]
    )


def seats_to_give(tournament: Tournament) -> tuple[tuple[int, int], ...]:
    """Which pairings can begin at which tables: the next that wait, at tables that are free, by their numbers."""
    seated = tournament.seated()
    taken = {pairing.seat.table for pairing in seated if pairing.seat is not None}
    free = [table for table in range(1, len(tournament.tables) + 1) if table not in taken]
    busy = {player for pairing in seated for player in (pairing.first, pairing.second)}
    given: list[tuple[int, int]] = []
    for pairing in tournament.pairings:
        if len(given) == len(free):
            break
        if pairing.is_decided or pairing.is_held or pairing.seat is not None or busy & {pairing.first, pairing.second}:
            continue
        busy |= {pairing.first, pairing.second}
        given.append((pairing.number, free[len(given)]))
    return tuple(given)


def _before_round(player: int, points: int, played: list[Pairing]) -> SwissPlayer:
    met = [pairing for pairing in played if not pairing.is_free]
    first = sum(pairing.first == player for pairing in met)
    return SwissPlayer(
        player,
        points,
        tuple(pairing.second if pairing.first == player else pairing.first for pairing in met),
        len(played) - len(met),
        first,
        len(met) - first,
        was_first=bool(met) and met[-1].first == player,
    )
