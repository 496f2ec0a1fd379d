"""Tournaments on the hub's page: who sees a house sees its tournaments, who directs it decides in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quarto_pi.chain.messages import MOST_NUMBER
from quarto_pi.hub.login import Logins
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.store import HubStore, PageStore
from quarto_pi.hub.tournament_desk import Decide, HouseTournament, TournamentDesk
from quarto_pi.tournament import (
    Announced,
    Decision,
    DecisionRefused,
    GameCorrected,
    GameOutcome,
    MatchVerdict,
    Pairing,
    PairingSystem,
    PlayerEntered,
    PlayerRelabelled,
    PlayerWithdrawn,
    SeatGiven,
    SeatTaken,
    TablesSet,
    Tournament,
    TournamentClosed,
    VerdictGiven,
    standings_of,
)
from quarto_pi.web.requests import body_of, known, one_of, text
from quarto_pi.web.wishes import Json, RefusalReason, Refused

MOST_IN_ORDER: Final = 100
"""So many players are entered, or tables set, with one order."""
_T = TypeVar("_T")
_SYSTEMS: Final = tuple(system.value for system in PairingSystem)

_OF_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "enter": ("labels",),
    "label": ("player", "label"),
    "withdraw": ("player",),
    "tables": ("boards",),
    "draw": (),
    "seat": ("pairing", "table"),
    "unseat": ("pairing",),
    "game": ("pairing", "place", "outcome"),
    "verdict": ("pairing", "verdict"),
    "close": (),
}
"""What may be ordered, with the keys of each."""


class TournamentPages:
    """The routes of tournaments."""

    def __init__(self, store: PageStore, logins: Logins, desk: TournamentDesk) -> None:
        self._store = store
        self._logins = logins
        self._desk = desk

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/v1/tournaments", self._list),
            Route("/api/v1/tournaments", self._begin, methods=["POST"]),
            Route("/api/v1/tournaments/{number:int}", self._one),
            Route("/api/v1/tournaments/{number:int}/{order}", self._order, methods=["POST"]),
        ]

    async def _list(self, request: Request) -> Response:
        user = self._logins.who(request)
        found = await self._store.ask(self._desk.all)
        return JSONResponse({"tournaments": [_in_list(each) for each in found if user.sees(each.kept.house)]})

    async def _one(self, request: Request) -> Response:
        user = self._logins.who(request)
        return JSONResponse(tournament_as_json(await self._found(request, user), user))

    async def _begin(self, request: Request) -> Response:
        user = self._logins.who(request)
        self._logins.admit(request)
        body = await body_of(request)
        known(body, ("house", "title", "system", "best_of", "rounds"))
        house = body.get("house")
        if not isinstance(house, str) or len(house) > 60 or not house.isprintable():
            raise Refused(400, "'house' is the name of a house.")
        _check_directs(user, house)
        system = PairingSystem(one_of(body, "system", _SYSTEMS))
        announced = Announced(text(body, "title"), system, _whole(body, "best_of"), _whole(body, "rounds"))
        begun = await self._ask(lambda store: self._desk.begin(store, house, announced, user.name))
        return JSONResponse({"number": begun})

    async def _order(self, request: Request) -> Response:
        user = self._logins.who(request)
        self._logins.admit(request)
        order = request.path_params["order"]
        if order not in _OF_ORDER:
            raise Refused(404, f"there is no such order: choose one of {', '.join(_OF_ORDER)}.")
        body = await body_of(request)
        known(body, _OF_ORDER[order])
        found = await self._found(request, user)
        _check_directs(user, found.kept.house)
        number, by = found.kept.number, user.name
        if order == "draw":
            await self._ask(lambda store: self._desk.draw(store, number, by))
        else:
            decide = _ORDERS[order](body)
            await self._ask(lambda store: self._desk.decide(store, number, by, decide))
        return JSONResponse(tournament_as_json(await self._found(request, user), user))

    async def _found(self, request: Request, user: HubUser) -> HouseTournament:
        number = request.path_params["number"]
        found = None
        if number <= MOST_NUMBER:
            found = await self._ask(lambda store: self._desk.find(store, number))
        if found is None or not user.sees(found.kept.house):
            raise Refused(404, "there is no such tournament.")
        return found

    async def _ask(self, question: Callable[[HubStore], _T]) -> _T:
        try:
            return await self._store.ask(question)
        except DecisionRefused as error:
            raise Refused(409, str(error)) from error


def _check_directs(user: HubUser, house: str) -> None:
    if not user.directs(house):
        raise Refused(403, "you may look at this house's tournaments, no more.", RefusalReason.NOT_YOURS)


# --- What may be ordered ----------------------------------------------------------------------------------------------


def _always(*decisions: Decision) -> Decide:
    return lambda _: list(decisions)


def _enter(body: Json) -> Decide:
    return _always(*map(PlayerEntered, _texts(body, "labels")))


def _label(body: Json) -> Decide:
    return _always(PlayerRelabelled(_whole(body, "player"), text(body, "label")))


def _withdraw(body: Json) -> Decide:
    return _always(PlayerWithdrawn(_whole(body, "player")))


def _tables(body: Json) -> Decide:
    return _always(TablesSet(tuple(_texts(body, "boards"))))


def _seat(body: Json) -> Decide:
    """Who plays at that table now gives way, and waits for the organiser; the hub knows what stands there."""
    number, table = _whole(body, "pairing"), _whole(body, "table")

    def decide(tournament: Tournament) -> list[Decision]:
        there = tournament.at_table(table)
        away: list[Decision] = [SeatTaken(there.number)] if there is not None and there.number != number else []
        # Without a history it is asked of the board at the next look: nothing that stands there already counts.
        return [*away, SeatGiven(number, table)]

    return decide


def _unseat(body: Json) -> Decide:
    return _always(SeatTaken(_whole(body, "pairing")))


def _game(body: Json) -> Decide:
    said = body.get("outcome")
    outcome = None if said is None else GameOutcome(one_of(body, "outcome", [each.value for each in GameOutcome]))
    return _always(GameCorrected(_whole(body, "pairing"), _whole(body, "place"), outcome))


def _verdict(body: Json) -> Decide:
    said = body.get("verdict")
    verdict = None if said is None else MatchVerdict(one_of(body, "verdict", [each.value for each in MatchVerdict]))
    return _always(VerdictGiven(_whole(body, "pairing"), verdict))


def _close(_: Json) -> Decide:
    return _always(TournamentClosed())


_ORDERS: Final[Mapping[str, Callable[[Json], Decide]]] = {
    "enter": _enter,
    "label": _label,
    "withdraw": _withdraw,
    "tables": _tables,
    "seat": _seat,
    "unseat": _unseat,
    "game": _game,
    "verdict": _verdict,
    "close": _close,
}


def _whole(body: Mapping[str, object], key: str) -> int:
    value = body.get(key)
    if type(value) is not int or not 0 <= value <= MOST_NUMBER:
        raise Refused(400, f"'{key}' is a whole number from 0.")
    return value


def _texts(body: Mapping[str, object], key: str) -> list[str]:
    value = body.get(key)
    if not isinstance(value, list) or len(value) > MOST_IN_ORDER or not all(isinstance(each, str) for each in value):
        raise Refused(400, f"'{key}' is a list of at most {MOST_IN_ORDER} texts.")
    return value


# --- As JSON ----------------------------------------------------------------------------------------------------------


def _in_list(found: HouseTournament) -> Json:
    kept, tournament = found.kept, found.tournament
    return {
        "number": kept.number,
        "house": kept.house,
        "begun": kept.begun,
        "closed": kept.closed,
        "title": tournament.title,
        "system": tournament.system.value,
        "players": len(tournament.players),
        "drawn": tournament.drawn,
        "rounds": tournament.rounds_in_all,
        "played": tournament.is_played,
    }


def tournament_as_json(found: HouseTournament, user: HubUser) -> Json:
    """A tournament with all its pairings and its table; points are in halves."""
    tournament = found.tournament
    return {
        **_in_list(found),
        "best_of": tournament.best_of,
        "directs": user.directs(found.kept.house) and not tournament.is_closed,
        "tables": list(tournament.tables),
        "players": [
            {"number": player.number, "label": player.label, "left": player.has_left} for player in tournament.players
        ],
        "pairings": [_pairing_as_json(pairing) for pairing in tournament.pairings],
        "standings": [
            {
                "place": row.place,
                "player": row.player,
                "points": row.points,
                "among": row.among,
                "further": row.further,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
            }
            for row in standings_of(tournament)
        ],
    }


def _pairing_as_json(pairing: Pairing) -> Json:
    seat = pairing.seat
    return {
        "number": pairing.number,
        "round": pairing.round,
        "first": pairing.first,
        "second": pairing.second,
        "score": list(pairing.score),
        "result": None if pairing.result is None else list(pairing.result),
        "verdict": None if pairing.verdict is None else pairing.verdict.value,
        "verdict_by": pairing.verdict_by,
        "verdict_at": pairing.verdict_at,
        "table": 0 if seat is None else seat.table,
        "counts": seat is not None and bool(seat.history),
        "games": [
            {
                "outcome": None if game.outcome is None else game.outcome.value,
                "by": game.by,
                "at": game.at,
                "board": "" if game.source is None else game.source[0],
                "game": 0 if game.source is None else game.source[2],
            }
            for game in pairing.games
        ],
    }
