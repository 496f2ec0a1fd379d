"""What follows from the decisions of a tournament, and who stands where.

Who stands where: more points are better. Of equal points: who has more from the games among them, if all of them have
met; then Sonneborn-Berger (round robin: the points of all whom one has beaten, and half of those with whom one has
drawn) or Buchholz (Swiss: the points of all whom one has met; a round played free counts as one against somebody with
one's own); then more pairings won. Who is equal in all of it shares a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from quarto_pi.tournament.decisions import GameOutcome, MatchVerdict, PairingSystem

POINT: Final = 2
"""Points are counted in halves: a win is 1, a draw 1/2."""
HALF_POINT: Final = 1

_POINTS: Final = {
    GameOutcome.FIRST: (POINT, 0),
    GameOutcome.SECOND: (0, POINT),
    GameOutcome.DRAW: (HALF_POINT, HALF_POINT),
}
_POINTS_OF_VERDICT: Final = {
    MatchVerdict.FIRST: (POINT, 0),
    MatchVerdict.SECOND: (0, POINT),
    MatchVerdict.DRAW: (HALF_POINT, HALF_POINT),
    MatchVerdict.FIRST_ABSENT: (0, POINT),
    MatchVerdict.SECOND_ABSENT: (POINT, 0),
    MatchVerdict.BOTH_ABSENT: (0, 0),
}


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part."""

    number: int
    label: str
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a pairing; `source` is the board's game that it was, None where somebody entered it."""

    outcome: GameOutcome | None
    source: tuple[str, str, int] | None
    by: str
    at: float


@dataclass(frozen=True, slots=True)
class TableSeat:
    """Where a pairing plays, and which games of the table's board count for it."""

    table: int
    board: str
    history: str
    after_game: int
    since: float

    def counts(self, history: str, game: int, received: float) -> bool:
        """Whether a game of the board was begun after the pairing was given the table."""
        if not self.history or not self.board:
            return False
        return game > self.after_game if history == self.history else received > self.since


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet: the first is player 1 at the table. A second of 0 is nobody."""

    number: int
    round: int
    first: int
    second: int
    best_of: int
    games: tuple[MatchGame, ...] = ()
    verdict: MatchVerdict | None = None
    verdict_by: str = ""
    verdict_at: float = 0.0
    seat: TableSeat | None = None
    is_held: bool = False
    """Whether the organiser has taken it from its table, and will say when it goes on."""

    @property
    def is_free(self) -> bool:
        """Whether the first has nobody to play with."""
        return self.second == 0

    @property
    def counted(self) -> tuple[GameOutcome, ...]:
        """The games that count: until one has more than half of all points, or all are played."""
        counted: list[GameOutcome] = []
        first = second = 0
        for game in self.games:
            if game.outcome is None:
                continue
            if max(first, second) > self.best_of or len(counted) == self.best_of:
                break
            counted.append(game.outcome)
            one, other = _POINTS[game.outcome]
            first, second = first + one, second + other
        return tuple(counted)

    @property
    def score(self) -> tuple[int, int]:
        """Points of both from the games that count, in halves."""
        points = [_POINTS[outcome] for outcome in self.counted]
        return sum(one for one, _ in points), sum(other for _, other in points)

    @property
    def result(self) -> tuple[int, int] | None:
        """What both have of it, in halves of a point; None while it is not decided."""
        if self.is_free:
            return POINT, 0
        if self.verdict is not None:
            return _POINTS_OF_VERDICT[self.verdict]
        first, second = self.score
        if max(first, second) <= self.best_of and len(self.counted) < self.best_of:
            return None
        if first == second:
            return HALF_POINT, HALF_POINT
        return (POINT, 0) if first > second else (0, POINT)

    @property
    def is_decided(self) -> bool:
        """Whether nothing more is to be played."""
        return self.result is not None

    def has(self, player: int) -> bool:
        """Whether this player is one of the two."""
        return player in (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after some decisions."""

    title: str
    system: PairingSystem
    best_of: int
    rounds: int
    players: tuple[Entrant, ...] = ()
    tables: tuple[str, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    drawn: int = 0
    taken: frozenset[tuple[str, str, int]] = frozenset()
    """The boards' games that were entered by themselves, also those that were struck."""
    is_closed: bool = False

    @property
    def rounds_in_all(self) -> int:
        """How many rounds there are when all are drawn."""
        if self.system is PairingSystem.SWISS:
            return self.rounds
        count = len(self.players)
        return max(0, count - 1 if count % 2 == 0 else count)

    @property
    def is_played(self) -> bool:
        """Whether all rounds are drawn and decided."""
        return 0 < self.rounds_in_all <= self.drawn and all(pairing.is_decided for pairing in self.pairings)

    def player(self, number: int) -> Entrant | None:
        """A player by number."""
        return self.players[number - 1] if 0 < number <= len(self.players) else None

    def pairing(self, number: int) -> Pairing | None:
        """A pairing by number."""
        return self.pairings[number - 1] if 0 < number <= len(self.pairings) else None

    def at_table(self, table: int) -> Pairing | None:
        """Who plays at a table."""
        return next((each for each in self.pairings if each.seat is not None and each.seat.table == table), None)

    def seated(self) -> tuple[Pairing, ...]:
        """The pairings that play at a table."""
        return tuple(each for each in self.pairings if each.seat is not None)


# --- Who stands where -------------------------------------------------------------------------------------------------


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
