"""One decision after the other, each held against what came before it: the same decisions make the same tournament."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from quarto_pi.rules import QuartoError
from quarto_pi.tournament.decisions import (
    LONGEST_LABEL,
    LONGEST_TITLE,
    MOST_BEST_OF,
    MOST_OF_ROUND_ROBIN,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_TABLES,
    Announced,
    Decision,
    GameAtTable,
    GameCorrected,
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
from quarto_pi.tournament.state import Entrant, MatchGame, Pairing, TableSeat, Tournament

MOST_GAMES_OF_PAIRING: Final = 4 * MOST_BEST_OF
"""Struck games included."""


class DecisionRefused(QuartoError, ValueError):
    """A decision that cannot follow what came before it; the text says why and what to do."""


def fold_tournament(entries: Iterable[TournamentEntry], so_far: Tournament | None = None) -> Tournament:
    """What these decisions make, in their order."""
    tournament = so_far
    for entry in entries:
        tournament = after_decision(tournament, entry)
    if tournament is None:
        raise DecisionRefused("there is no tournament before one is announced.")
    return tournament


def after_decision(tournament: Tournament | None, entry: TournamentEntry) -> Tournament:
    """The tournament after one more decision; `DecisionRefused` where it cannot be."""
    decision = entry.decision
    if isinstance(decision, Announced):
        if tournament is not None:
            raise DecisionRefused("this tournament is announced already.")
        return _announced(decision)
    if tournament is None:
        raise DecisionRefused("there is no tournament before one is announced.")
    if tournament.is_closed:
        raise DecisionRefused("this tournament is closed: begin another one.")
    return _decided(tournament, decision, entry)


def _decided(  # noqa: C901 - one case for each kind
    tournament: Tournament, decision: Decision, entry: TournamentEntry
) -> Tournament:
    match decision:
        case PlayerEntered():
            return _entered(tournament, decision.label)
        case PlayerRelabelled():
            return _relabelled(tournament, decision)
        case PlayerWithdrawn():
            return _withdrawn(tournament, decision.player, entry)
        case TablesSet():
            return _with_tables(tournament, decision.boards)
        case RoundDrawn():
            return _with_round(tournament, decision.pairs, entry)
        case SeatGiven():
            return _seated(tournament, decision, entry.at)
        case SeatTaken():
            return _put(tournament, replace(_pairing(tournament, decision.pairing), seat=None, is_held=True))
        case GameAtTable():
            return _played_at_table(tournament, decision, entry)
        case GameCorrected():
            return _corrected(tournament, decision, entry)
        case VerdictGiven():
            return _judged(tournament, decision, entry)
        case TournamentClosed():
            return replace(_without_seats(tournament), is_closed=True)
        case Announced():
            return tournament


def _announced(decision: Announced) -> Tournament:
    title = decision.title
    if not title.strip() or len(title) > LONGEST_TITLE or not title.isprintable():
        raise DecisionRefused(f"a tournament's name has 1 to {LONGEST_TITLE} letters: choose another one.")
    if not 1 <= decision.best_of <= MOST_BEST_OF:
        raise DecisionRefused(f"a pairing is the best of 1 to {MOST_BEST_OF} games.")
    if decision.system is PairingSystem.SWISS and not 1 <= decision.rounds <= MOST_ROUNDS:
        raise DecisionRefused(f"a Swiss tournament has 1 to {MOST_ROUNDS} rounds.")
    rounds = decision.rounds if decision.system is PairingSystem.SWISS else 0
    return Tournament(title, decision.system, decision.best_of, rounds)


# --- Players and tables -----------------------------------------------------------------------------------------------


def _entered(tournament: Tournament, label: str) -> Tournament:
    most = MOST_PLAYERS
    if tournament.system is PairingSystem.ROUND_ROBIN:
        if tournament.drawn:
            raise DecisionRefused("where everyone meets everyone, nobody can come in after the first round is drawn.")
        most = MOST_OF_ROUND_ROBIN
    if len(tournament.players) >= most:
        raise DecisionRefused(f"{most} players are the most of such a tournament.")
    entrant = Entrant(len(tournament.players) + 1, _label(label))
    return replace(tournament, players=(*tournament.players, entrant))


def _relabelled(tournament: Tournament, decision: PlayerRelabelled) -> Tournament:
    return _with_player(tournament, replace(_player(tournament, decision.player), label=_label(decision.label)))


def _withdrawn(tournament: Tournament, number: int, entry: TournamentEntry) -> Tournament:
    gone = replace(_player(tournament, number), has_left=True)
    return _without_absent(_with_player(tournament, gone), entry)


def _without_absent(tournament: Tournament, entry: TournamentEntry) -> Tournament:
    """What is not decided of those who have left the others have won."""
    gone = {player.number for player in tournament.players if player.has_left}
    if not gone:
        return tournament
    for pairing in tournament.pairings:
        absent = (pairing.first in gone, pairing.second in gone)
        if not pairing.is_decided and any(absent):
            verdict = {
                (True, False): MatchVerdict.FIRST_ABSENT,
                (False, True): MatchVerdict.SECOND_ABSENT,
                (True, True): MatchVerdict.BOTH_ABSENT,
            }[absent]
            judged = replace(pairing, verdict=verdict, verdict_by=entry.by, verdict_at=entry.at)
            tournament = _put(tournament, judged)
    return tournament


def _with_tables(tournament: Tournament, boards: tuple[str, ...]) -> Tournament:
    if len(boards) > MOST_TABLES:
        raise DecisionRefused(f"{MOST_TABLES} tables are the most.")
    named = [board for board in boards if board]
    if len(set(named)) < len(named):
        raise DecisionRefused("a board can stand at one table only.")
    for pairing in tournament.seated():
        seat = pairing.seat
        if seat is not None and boards[seat.table - 1 : seat.table] != (seat.board,):
            raise DecisionRefused(f"pairing {pairing.number} plays at table {seat.table}: take it from there first.")
    return replace(tournament, tables=boards)


# --- Rounds and seats -------------------------------------------------------------------------------------------------


def _with_round(tournament: Tournament, pairs: tuple[tuple[int, int], ...], entry: TournamentEntry) -> Tournament:
    is_swiss = tournament.system is PairingSystem.SWISS
    if sum(not player.has_left for player in tournament.players) < 2:
        raise DecisionRefused("a round needs two players at least: enter them first.")
    if tournament.drawn >= tournament.rounds_in_all:
        raise DecisionRefused(f"all {tournament.rounds_in_all} rounds are drawn.")
    if is_swiss and not all(pairing.is_decided for pairing in tournament.pairings):
        raise DecisionRefused("a pairing of this round is not decided yet: enter its result first.")
    numbers = [number for pair in pairs for number in pair if number]
    if not pairs or len(set(numbers)) < len(numbers) or not all(pair[0] for pair in pairs):
        raise DecisionRefused("a round has each player once, and nobody alone but who plays free.")
    for number in numbers:
        _player(tournament, number)
    begin = len(tournament.pairings) + 1
    fresh = tuple(
        Pairing(number, tournament.drawn + 1, first, second, tournament.best_of)
        for number, (first, second) in enumerate(pairs, start=begin)
    )
    drawn = replace(tournament, pairings=tournament.pairings + fresh, drawn=tournament.drawn + 1)
    return _without_absent(drawn, entry)


def _seated(tournament: Tournament, decision: SeatGiven, at: float) -> Tournament:
    pairing = _pairing(tournament, decision.pairing)
    if pairing.is_decided:
        raise DecisionRefused(f"pairing {pairing.number} is decided: it needs no table.")
    if not 1 <= decision.table <= len(tournament.tables):
        raise DecisionRefused(f"there is no table {decision.table}.")
    for other in tournament.seated():
        seat = other.seat
        if other.number == pairing.number or seat is None:
            continue
        if seat.table == decision.table:
            raise DecisionRefused(f"pairing {other.number} plays at table {seat.table}.")
        if other.has(pairing.first) or other.has(pairing.second):
            raise DecisionRefused(f"one of both plays at table {seat.table}.")
    board = tournament.tables[decision.table - 1]
    seat = TableSeat(decision.table, board, decision.history, decision.after_game, at)
    return _put(tournament, replace(pairing, seat=seat, is_held=False))


# --- Results ----------------------------------------------------------------------------------------------------------


def _played_at_table(tournament: Tournament, decision: GameAtTable, entry: TournamentEntry) -> Tournament:
    pairing = _pairing(tournament, decision.pairing)
    source = decision.board, decision.history, decision.game
    if pairing.seat is None or pairing.seat.board != decision.board or pairing.is_decided:
        raise DecisionRefused(f"pairing {pairing.number} does not play at board {decision.board}.")
    if source in tournament.taken:
        raise DecisionRefused(f"game {decision.game} of {decision.board} is entered already.")
    game = MatchGame(decision.outcome, source, entry.by, entry.at)
    tournament = replace(tournament, taken=tournament.taken | {source})
    return _put(tournament, replace(pairing, games=(*pairing.games, game)))


def _corrected(tournament: Tournament, decision: GameCorrected, entry: TournamentEntry) -> Tournament:
    pairing = _pairing(tournament, decision.pairing)
    games = list(pairing.games)
    if not 0 <= decision.place <= len(games) or len(games) >= MOST_GAMES_OF_PAIRING:
        raise DecisionRefused(f"pairing {pairing.number} has {len(games)} games.")
    if decision.place == len(games):
        if pairing.is_decided:
            raise DecisionRefused(f"pairing {pairing.number} is decided: correct one of its games.")
        games.append(MatchGame(decision.outcome, None, entry.by, entry.at))
    else:
        source = games[decision.place].source
        games[decision.place] = MatchGame(decision.outcome, source, entry.by, entry.at)
    return _put(tournament, replace(pairing, games=tuple(games)))


def _judged(tournament: Tournament, decision: VerdictGiven, entry: TournamentEntry) -> Tournament:
    pairing = _pairing(tournament, decision.pairing)
    judged = replace(pairing, verdict=decision.verdict, verdict_by=entry.by, verdict_at=entry.at)
    return _put(tournament, judged)


# --- Parts of it ------------------------------------------------------------------------------------------------------


def _label(text: str) -> str:
    label = text.strip()
    if len(label) > LONGEST_LABEL or not label.isprintable():
        raise DecisionRefused(f"a label has up to {LONGEST_LABEL} letters: shorten it.")
    return label


def _player(tournament: Tournament, number: int) -> Entrant:
    player = tournament.player(number)
    if player is None:
        raise DecisionRefused(f"there is no player {number}.")
    return player


def _with_player(tournament: Tournament, player: Entrant) -> Tournament:
    players = list(tournament.players)
    players[player.number - 1] = player
    return replace(tournament, players=tuple(players))


def _pairing(tournament: Tournament, number: int) -> Pairing:
    pairing = tournament.pairing(number)
    if pairing is None:
        raise DecisionRefused(f"there is no pairing {number}.")
    if pairing.is_free:
        raise DecisionRefused(f"pairing {number} is a free round: there is nothing to play.")
    return pairing


def _put(tournament: Tournament, pairing: Pairing) -> Tournament:
    """The tournament with this pairing, which leaves its table when it is decided."""
    pairings = list(tournament.pairings)
    pairings[pairing.number - 1] = replace(pairing, seat=None) if pairing.seat and pairing.is_decided else pairing
    return replace(tournament, pairings=tuple(pairings))


def _without_seats(tournament: Tournament) -> Tournament:
    for pairing in tournament.seated():
        tournament = _put(tournament, replace(pairing, seat=None))
    return tournament
