"""Tournaments of a house: pure, from what was decided to pairings, results and standings.

| module | what |
|---|---|
| `decisions` | all that may be decided, one after the other |
| `decision_json` | the same as JSON, as it is kept |
| `state` | what follows from the decisions: players, tables, pairings, results |
| `folding` | one decision after the other, each held against what came before it |
| `round_robin` | everyone meets everyone |
| `swiss` | who has as much as who meets him, nobody twice |
| `matching` | who meets whom, so that nobody is left over |
| `drawing` | the next round of either, and who plays at which table |
| `standings` | points, and who stands where |
"""

from quarto_pi.tournament.decision_json import DecisionUnreadable, decision_as_json, decision_of
from quarto_pi.tournament.decisions import (
    Announced,
    Decision,
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
)
from quarto_pi.tournament.drawing import next_round, seats_to_give
from quarto_pi.tournament.folding import DecisionRefused, after_decision, fold_tournament
from quarto_pi.tournament.standings import StandingRow, standings_of
from quarto_pi.tournament.state import Entrant, MatchGame, Pairing, TableSeat, Tournament

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
