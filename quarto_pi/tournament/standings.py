"""Who stands where.

More points are better. Of equal points: who has more from the games among them, if all of them have met; then
Sonneborn-Berger (round robin: the points of all whom one has beaten, and half of those with whom one has drawn) or
Buchholz (Swiss: the points of all whom one has met; a round played free counts as one against somebody with one's
own); then more pairings won. Who is equal in all of it shares a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from quarto_pi.tournament.decisions import PairingSystem
from quarto_pi.tournament.state import HALF_POINT, POINT, Entrant, Tournament


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's line in the table; points and what decides between equal ones are in halves, `further` in quarters."""

    place: int
    player: int
    points: int
    among: int
    further: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class _Met:
    """A decided pairing as one of both sees it."""

    other: int
    points: int


def standings_of(tournament: Tournament) -> tuple[StandingRow, ...]:
    """The table, the best first."""
    met: dict[int, list[_Met]] = {player.number: [] for player in tournament.players}
    points = dict.fromkeys(met, 0)
    is_swiss = tournament.system is PairingSystem.SWISS
    for pairing in tournament.pairings:
        result = pairing.result
        if result is None or (pairing.is_free and not is_swiss):
            continue
        for one, other, has in ((pairing.first, pairing.second, result[0]), (pairing.second, pairing.first, result[1])):
            if one:
                met[one].append(_Met(other, has))
                points[one] += has
    further = {one: (_buchholz if is_swiss else _sonneborn_berger)(one, met[one], points) for one in met}
    rows: list[tuple[tuple[int, ...], Entrant]] = []
    by_points = sorted(tournament.players, key=lambda player: -points[player.number])
    for _, group in groupby(by_points, key=lambda player: points[player.number]):
        equal = list(group)
        among = _among({player.number for player in equal}, met)
        for player in equal:
            number = player.number
            won = sum(each.points == POINT for each in met[number] if each.other)
            rows.append(((points[number], among[number], further[number], won), player))
    rows.sort(key=lambda row: ([-value for value in row[0]], row[1].number))
    return tuple(_placed_rows(rows, met))


def _placed_rows(rows: Sequence[tuple[tuple[int, ...], Entrant]], met: dict[int, list[_Met]]) -> Iterable[StandingRow]:
    place, before = 0, None
    for index, (values, player) in enumerate(rows, start=1):
        if values != before:
            place, before = index, values
        mine = [each for each in met[player.number] if each.other]
        drawn, lost = (sum(each.points == points for each in mine) for points in (HALF_POINT, 0))
        yield StandingRow(place, player.number, values[0], values[1], values[2], values[3], drawn, lost)


def _among(equal: set[int], met: dict[int, list[_Met]]) -> dict[int, int]:
    """What each has from the pairings among these, if all of them have met; else nobody anything."""
    mine = {one: [each for each in met[one] if each.other in equal] for one in equal}
    have_all_met = all({each.other for each in mine[one]} == equal - {one} for one in equal)
    return {one: sum(each.points for each in mine[one]) if have_all_met else 0 for one in equal}


def _sonneborn_berger(_: int, met: Iterable[_Met], points: dict[int, int]) -> int:
    return sum(each.points * points[each.other] for each in met)


def _buchholz(one: int, met: Iterable[_Met], points: dict[int, int]) -> int:
    return 2 * sum(points[each.other or one] for each in met)
