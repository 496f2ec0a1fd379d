"""The next round of a tournament, and who plays at which table."""

from __future__ import annotations

from collections import defaultdict

from quarto_pi.tournament.decisions import PairingSystem
from quarto_pi.tournament.round_robin import round_robin
from quarto_pi.tournament.standings import standings_of
from quarto_pi.tournament.state import Pairing, Tournament
from quarto_pi.tournament.swiss import SwissPlayer, swiss_round


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
