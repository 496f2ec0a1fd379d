"""Tournaments as an organiser runs them, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from quarto_pi.tournament import (
    Announced,
    Decision,
    GameCorrected,
    GameOutcome,
    MatchVerdict,
    PairingSystem,
    PlayerEntered,
    RoundDrawn,
    Tournament,
    TournamentEntry,
    VerdictGiven,
    fold_tournament,
    next_round,
)

OUTCOMES = (GameOutcome.FIRST, GameOutcome.SECOND, GameOutcome.DRAW)
BEGIN = 100.0
Judge = Callable[[int, int], GameOutcome]


def entries(*decisions: Decision, begin: float = BEGIN) -> list[TournamentEntry]:
    """These decisions, a second apart."""
    return [TournamentEntry(begin + index, "nora", decision) for index, decision in enumerate(decisions)]


def announced(system: PairingSystem, players: int, rounds: int = 0, best_of: int = 1) -> list[Decision]:
    """A tournament with so many players and no round yet."""
    return [Announced("Friday", system, best_of, rounds), *(PlayerEntered(f"P{n}") for n in range(1, players + 1))]


def after(decisions: Iterable[Decision]) -> Tournament:
    """What they make."""
    return fold_tournament(entries(*decisions))


def round_by_round(decisions: list[Decision], rounds: int, judge: Judge) -> list[Decision]:
    """Draw so many rounds, and have every game of each end as the judge says."""
    decisions, tournament = list(decisions), after(decisions)

    def decide(decision: Decision) -> Tournament:
        # What they make is folded on: from the beginning, the last of a large tournament would take the longest.
        decisions.append(decision)
        return fold_tournament(entries(decision, begin=BEGIN + len(decisions) - 1), tournament)

    for _ in range(rounds):
        tournament = decide(RoundDrawn(next_round(tournament)))
        for pairing in tournament.pairings:
            place = 0
            while not (now := tournament.pairings[pairing.number - 1]).is_decided:
                tournament = decide(GameCorrected(now.number, place, judge(now.first, now.second)))
                place += 1
    return decisions


def by_chance(seed: int) -> Judge:
    """Games that end anyhow."""
    chance = Random(seed)
    return lambda *_: chance.choice(OUTCOMES)


def lower_wins(first: int, second: int) -> GameOutcome:
    """The lower number wins."""
    return GameOutcome.FIRST if first < second else GameOutcome.SECOND


__all__ = ["MatchVerdict", "VerdictGiven", "after", "announced", "by_chance", "entries", "lower_wins", "round_by_round"]
