"""Tournaments as the hub runs them: what people decide, and what games at the tables decide by themselves.

The page and the watching thread ask it, each with its own database; what one has decided the other finds there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from quarto_pi.chain.messages import ToldMatch, ToldStanding, TournamentTold
from quarto_pi.hub.fleet import FleetRow
from quarto_pi.hub.store import ChainGame, GameSearch, HubStore
from quarto_pi.hub.tournament_table import KeptTournament
from quarto_pi.hub.watch import Watch
from quarto_pi.rules import Reason
from quarto_pi.tournament import (
    Announced,
    Decision,
    DecisionRefused,
    DecisionUnreadable,
    GameAtTable,
    GameOutcome,
    PairingSystem,
    RoundDrawn,
    SeatGiven,
    TablesSet,
    Tournament,
    TournamentEntry,
    after_decision,
    fold_tournament,
    next_round,
    seats_to_give,
    standings_of,
)

MOST_OPEN: Final = 10
"""So many tournaments of one house go on at once."""
MOST_DECISIONS: Final = 20_000
MOST_TRIES: Final = 5
GAMES_LOOKED_AT: Final = 50
"""The newest so many games of a table's board may be of the pairing that plays there."""
THE_HUB: Final = ""
"""Who has decided what follows by itself."""

_COUNTS: Final = frozenset(reason.value for reason in (Reason.CALL, Reason.AUTO, Reason.FORFEIT, Reason.DRAW))
_PEOPLE: Final = ("person", "person")

Decide = Callable[[Tournament], "list[Decision]"]


@dataclass(frozen=True, slots=True)
class HouseTournament:
    """A tournament, and which one it is."""

    kept: KeptTournament
    tournament: Tournament


class TournamentDesk:
    """All tournaments of a hub; it may be asked from any thread, with that thread's database."""

    def __init__(self, watch: Watch, wall: Callable[[], float] = time.time) -> None:
        self._watch = watch
        self._wall = wall
        self._lock = threading.RLock()
        self._known: dict[int, tuple[int, Tournament]] = {}

    # -- what there is -------------------------------------------------------------------------------------------------

    def all(self, store: HubStore, *, closed: bool = True) -> list[HouseTournament]:
        """The newest tournaments, the newest first; none of which a newer version has decided something."""
        found: list[HouseTournament] = []
        for kept in store.tournaments.all(closed=closed):
            with suppress(DecisionUnreadable):
                found.append(HouseTournament(kept, self._state(store, kept.number)[1]))
        return found

    def find(self, store: HubStore, number: int) -> HouseTournament | None:
        """One by number."""
        kept = store.tournaments.find(number)
        return None if kept is None else HouseTournament(kept, self._state(store, number)[1])

    def _state(self, store: HubStore, number: int) -> tuple[int, Tournament]:
        """How many decisions there are, and what they make."""
        with self._lock:
            known = self._known.get(number)
            count = 0 if known is None else known[0]
            fresh = store.tournaments.entries(number, count)
            if known is None or fresh:
                tournament = fold_tournament(fresh, None if known is None else known[1])
                known = self._known[number] = count + len(fresh), tournament
            return known

    # -- what people decide --------------------------------------------------------------------------------------------

    def begin(self, store: HubStore, house: str, announced: Announced, by: str) -> int:
        """Announce a tournament of a house; its number."""
        entry = TournamentEntry(self._wall(), by, announced)
        after_decision(None, entry)
        with self._lock:
            if sum(kept.house == house for kept in store.tournaments.all(closed=False)) >= MOST_OPEN:
                raise DecisionRefused(f"{MOST_OPEN} tournaments of a house go on at most: close one first.")
            number = store.tournaments.begin(house, entry)
        self._watch.note_tournaments()
        return number

    def decide(self, store: HubStore, number: int, by: str, decide: Decide) -> Tournament:
        """Decide something, with what follows from it by itself; `DecisionRefused` says why it cannot be."""
        with self._lock:
            for _ in range(MOST_TRIES):
                count, before = self._state(store, number)
                entries = [TournamentEntry(self._wall(), by, decision) for decision in decide(before)]
                after = fold_tournament(entries, before)
                for entry in entries:
                    if isinstance(entry.decision, TablesSet):
                        self._check_tables(store, number, entry.decision)
                following = self._seats(store, after)
                entries += following
                if count + len(entries) > MOST_DECISIONS:
                    raise DecisionRefused(f"more than {MOST_DECISIONS} decisions are no tournament: begin another one.")
                if not entries:
                    return before
                if store.tournaments.append(number, count, entries):
                    self._known[number] = count + len(entries), fold_tournament(following, after)
                    self._watch.note_tournaments()
                    return self._known[number][1]
        raise DecisionRefused("somebody else decides at the same time: try again.")

    def draw(self, store: HubStore, number: int, by: str) -> Tournament:
        """Draw the next round; where everyone meets everyone all that are left, for nothing has to be waited for."""
        return self.decide(store, number, by, _rounds_to_draw)

    def _check_tables(self, store: HubStore, number: int, decision: TablesSet) -> None:
        kept = store.tournaments.find(number)
        house = "" if kept is None else kept.house
        theirs = {row.name for row in self._watch.rows() if row.house == house}
        for board in decision.boards:
            if board and board not in theirs:
                raise DecisionRefused(f"there is no board {board} in this house.")
        for other in self.all(store, closed=False):
            taken = {board for board in decision.boards if board} & set(other.tournament.tables)
            if other.kept.number != number and taken:
                raise DecisionRefused(
                    f"{min(taken)} is a table of '{other.tournament.title}': take it from there first."
                )

    # -- what follows by itself ----------------------------------------------------------------------------------------

    def look(self, store: HubStore) -> None:
        """Enter the games that were settled at the tables, and give tables to those who can play."""
        for each in self.all(store, closed=False):
            if any(pairing.seat is not None for pairing in each.tournament.pairings):
                # What somebody decides at the same moment may leave nothing to enter; the next look sees it.
                with suppress(DecisionRefused):
                    self.decide(store, each.kept.number, THE_HUB, lambda tournament: self._settled(store, tournament))

    def _settled(self, store: HubStore, tournament: Tournament) -> list[Decision]:
        decisions: list[Decision] = []
        for pairing in tournament.seated():
            seat = pairing.seat
            if seat is None or not seat.board:
                continue
            if not seat.history:
                # The board was not there when they were called to it; from now on its games count.
                history, game = self._marker(store, seat.board)
                decisions += [SeatGiven(pairing.number, seat.table, history, game)] if history else []
                continue
            games = store.games(GameSearch(board=seat.board, live=False, most=GAMES_LOOKED_AT))
            now = pairing
            for game_there in sorted(games, key=lambda game: (game.received, game.game)):
                outcome = outcome_at_table(game_there)
                is_new = game_there.key not in tournament.taken
                counts = seat.counts(game_there.history, game_there.game, game_there.received)
                if outcome is None or not is_new or not counts or now.is_decided:
                    continue
                decision = GameAtTable(pairing.number, *game_there.key, outcome)
                decisions.append(decision)
                entries = [TournamentEntry(self._wall(), THE_HUB, each) for each in decisions]
                now = fold_tournament(entries, tournament).pairings[pairing.number - 1]
        return decisions

    def _seats(self, store: HubStore, tournament: Tournament) -> list[TournamentEntry]:
        if tournament.is_closed:
            return []
        given: list[TournamentEntry] = []
        for pairing, table in seats_to_give(tournament):
            board = tournament.tables[table - 1]
            history, game = self._marker(store, board) if board else ("", 0)
            given.append(TournamentEntry(self._wall(), THE_HUB, SeatGiven(pairing, table, history, game)))
        return given

    def _marker(self, store: HubStore, board: str) -> tuple[str, int]:
        """The history that a board writes now, and the last game that was begun there; none while nobody knows."""
        row = self._watch.row(board)
        status = None if row is None or not row.here else row.status
        if status is None or not status.history or (status.queued and not status.game):
            return "", 0
        kept = store.games(GameSearch(board=board, most=GAMES_LOOKED_AT))
        return status.history, max([status.game, *(game.game for game in kept if game.history == status.history)])

    # -- what boards are told ------------------------------------------------------------------------------------------

    def told(self, store: HubStore) -> dict[str, TournamentTold]:
        """What each board of a house that has a tournament is told: the one in which it has a table, or the newest."""
        rows = self._watch.rows()
        told: dict[str, TournamentTold] = {}
        for each in reversed(self.all(store, closed=False)):
            plain = _plain(each.tournament)
            for row in rows:
                if row.house == each.kept.house:
                    self._tell(told, row, each.tournament, plain)
        return told

    @staticmethod
    def _tell(told: dict[str, TournamentTold], row: FleetRow, tournament: Tournament, plain: TournamentTold) -> None:
        if row.name in tournament.tables:
            told[row.name] = at_table(tournament, plain, tournament.tables.index(row.name) + 1)
        elif row.name not in told or not told[row.name].table:
            told[row.name] = plain


def outcome_at_table(game: ChainGame) -> GameOutcome | None:
    """How a game counts for two people who play at one board; None where it does not.

    Player 1 at the board is the first of the pairing. A game over two boards would have its outcome here as well.
    """
    if not game.is_over or game.fault is not None or game.seats != _PEOPLE or game.reason not in _COUNTS:
        return None
    if game.winner is None:
        return GameOutcome.DRAW
    return GameOutcome.FIRST if game.winner == 0 else GameOutcome.SECOND


def at_table(tournament: Tournament, plain: TournamentTold, table: int) -> TournamentTold:
    """What the board of a table is told."""
    pairing = tournament.at_table(table)
    match = None
    if pairing is not None:
        match = ToldMatch(pairing.first, pairing.second, pairing.score, pairing.best_of)
    return TournamentTold(plain.title, plain.round, plain.rounds, table, match, plain.standings, plain.over)


def _plain(tournament: Tournament) -> TournamentTold:
    """What every board of the house is told: numbers, and nobody's name."""
    rows = standings_of(tournament)
    waiting = [pairing.round for pairing in tournament.pairings if not pairing.is_decided]
    return TournamentTold(
        tournament.title,
        min(waiting, default=tournament.drawn),
        tournament.rounds_in_all,
        standings=tuple(
            ToldStanding(row.place, row.player, row.points, row.won + row.drawn + row.lost) for row in rows
        ),
        over=tournament.is_played,
    )


def _rounds_to_draw(tournament: Tournament) -> list[Decision]:
    if tournament.system is PairingSystem.SWISS:
        return [RoundDrawn(next_round(tournament))]
    drawn: list[Decision] = []
    now = tournament
    while not drawn or now.drawn < now.rounds_in_all:
        drawn.append(RoundDrawn(next_round(now)))
        now = after_decision(now, TournamentEntry(0.0, THE_HUB, drawn[-1]))
    return drawn
