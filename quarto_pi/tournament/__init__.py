"""Tournaments of a house: pure, from what was decided to pairings, results and standings.

| module | what |
|---|---|
| `decisions` | all that may be decided, one after the other; the same as JSON, as it is kept |
| `state` | what follows from the decisions: players, tables, pairings, results; points, and who stands where |
| `folding` | one decision after the other, each held against what came before it |
| `pairing` | who meets whom in the next round, round robin or Swiss, and at which table |
"""

from quarto_pi.tournament.decisions import (
    Announced,
    Decision,
    DecisionUnreadable,
    GameAtTable,
    GameCorrected,
    GameOutcome,
    MatchVerdict,
    PairingSystem,
    PlayerEntered,
    PlayerRelabelled,
    PlayerWithdrawn,
    RoundDrawn,
    SeatGiven,
    SeatTaken,
    TablesSet,
    TournamentClosed,
    TournamentEntry,
    VerdictGiven,
    decision_as_json,
    decision_of,
)
from quarto_pi.tournament.folding import DecisionRefused, after_decision, fold_tournament
from quarto_pi.tournament.pairing import next_round, seats_to_give
from quarto_pi.tournament.state import Entrant, MatchGame, Pairing, StandingRow, TableSeat, Tournament, standings_of

__all__ = [
    "Announced",
    "Decision",
    "DecisionRefused",
    "DecisionUnreadable",
    "Entrant",
    "GameAtTable",
    "GameCorrected",
    "GameOutcome",
    "MatchGame",
    "MatchVerdict",
    "Pairing",
    "PairingSystem",
    "PlayerEntered",
    "PlayerRelabelled",
    "PlayerWithdrawn",
    "RoundDrawn",
    "SeatGiven",
    "SeatTaken",
    "StandingRow",
    "TableSeat",
    "TablesSet",
    "Tournament",
    "TournamentClosed",
    "TournamentEntry",
    "VerdictGiven",
    "after_decision",
    "decision_as_json",
    "decision_of",
    "fold_tournament",
    "next_round",
    "seats_to_give",
    "standings_of",
]
