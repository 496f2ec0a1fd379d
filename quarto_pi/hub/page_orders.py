"""What is wanted of many boards at once: settings, language and opening hours; and what each has made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quarto_pi.chain.hub_messages import LONGEST_HOURS, BoardOrder, OrderedValue, ordered_settings
from quarto_pi.chain.messages import MessageRefused
from quarto_pi.config.service import HoursError, parse_hours
from quarto_pi.hub.alarm_table import GivenOrder
from quarto_pi.hub.login import Logins
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.store import HubStore, PageStore
from quarto_pi.hub.watch import Watch
from quarto_pi.rules import hint
from quarto_pi.web.requests import body_of, known
from quarto_pi.web.wishes import KEYS, Json, RefusalReason, Refused, shown

MOST_ORDERED: Final = 2_000


class OrderPages:
    """The routes of the orders."""

    def __init__(self, watch: Watch, store: PageStore, logins: Logins, wall: Callable[[], float]) -> None:
        self._watch = watch
        self._store = store
        self._logins = logins
        self._wall = wall

    def routes(self) -> list[Route]:
        """Both of them."""
        return [
            Route("/api/v1/orders", self._list),
            Route("/api/v1/orders", self._give, methods=["POST"]),
        ]

    async def _list(self, request: Request) -> Response:
        user = self._logins.who(request)
        there = {row.name for row in self._watch.rows() if user.sees(row.house)}
        found = await self._store.ask(lambda store: store.watched.orders())
        return JSONResponse({"orders": [_order_as_json(given) for given in found if given.board in there]})

    async def _give(self, request: Request) -> Response:
        user = self._logins.who(request)
        self._logins.admit(request)
        body = await body_of(request)
        known(body, ("boards", "house", "settings", "hours"))
        settings, hours = _settings(body), _hours(body)
        if not settings and hours is None:
            raise Refused(400, "nothing is wanted: name 'settings' or 'hours'.")
        boards = self._boards(user, body)
        at = self._wall()

        def give(store: HubStore) -> None:
            table = store.watched
            before = {given.board: given.order for given in table.orders()}
            for number, board in enumerate(boards, table.newest_order() + 1):
                # What was wanted before and is not named now is wanted still: a board that was away has heard neither.
                last = before.get(board, BoardOrder(1))
                order = BoardOrder(number, {**last.settings, **settings}, last.hours if hours is None else hours)
                table.give_order(GivenOrder(board, order, user.name, at))

        await self._store.ask(give)
        return JSONResponse({"boards": boards})

    def _boards(self, user: HubUser, body: Json) -> list[str]:
        """The boards that are meant: those that are named, or all of a house; without either all that one directs."""
        named, house = body.get("boards"), body.get("house")
        if house is not None and not isinstance(house, str):
            raise Refused(400, "'house' is the name of a house.")
        directed = {row.name: row.house for row in self._watch.rows() if user.directs(row.house)}
        if named is None:
            found = sorted(name for name, its in directed.items() if house in (None, its))
        elif isinstance(named, list) and len(named) <= MOST_ORDERED and all(isinstance(each, str) for each in named):
            found = sorted(set(named))
        else:
            raise Refused(400, f"'boards' is a list of at most {MOST_ORDERED} names of boards.")
        for name in found:
            if name not in directed:
                raise Refused(403, f"'{shown(name)}' is no board of yours.", RefusalReason.NOT_YOURS)
        if not found:
            raise Refused(403, "there is no board of yours to be told.", RefusalReason.NOT_YOURS)
        return found


def _settings(body: Json) -> dict[str, OrderedValue]:
    wanted = body.get("settings", {})
    if not isinstance(wanted, dict):
        raise Refused(400, "'settings' is an object of settings and what they are to be.")
    for key in wanted:
        if key not in KEYS:
            raise Refused(400, f"'{shown(key)}' is no setting: {hint(shown(key), KEYS)}")
    try:
        return ordered_settings(wanted)
    except MessageRefused as error:
        raise Refused(400, str(error)) from error


def _hours(body: Json) -> str | None:
    hours = body.get("hours")
    if hours is None:
        return None
    if not isinstance(hours, str) or len(hours) > LONGEST_HOURS or not hours.isprintable():
        raise Refused(400, f"'hours' is a text of at most {LONGEST_HOURS} letters.")
    try:
        if hours:
            parse_hours(hours)
    except HoursError as error:
        raise Refused(400, f"{error}.") from error
    return hours


def _order_as_json(given: GivenOrder) -> Json:
    outcome = given.outcome
    return {
        "board": given.board,
        "number": given.order.number,
        "wanted": {**given.order.settings, **({} if given.order.hours is None else {"hours": given.order.hours})},
        "by": given.by,
        "at": given.at,
        "taken": None if outcome is None else list(outcome.taken),
        "refused": None if outcome is None else [{"part": part, "why": why} for part, why in outcome.refused],
    }
