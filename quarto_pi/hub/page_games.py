"""Finished games of all boards on the hub's page: lists, one of them with the coach, what is counted, files to keep."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from quarto_pi.chain.messages import MOST_NUMBER
from quarto_pi.hub.login import Logins
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.replaying import replay_actions
from quarto_pi.hub.store import (
    BoardFigures,
    ChainGame,
    CountedBy,
    GamePlace,
    GameSearch,
    HubStore,
    PageStore,
    place_of_game,
)
from quarto_pi.referee.settings import LIKE_ME, SEAT_LEVELS
from quarto_pi.rules import Game, Player, Record
from quarto_pi.web.games import Judges, player_as_json, reviewed_game_as_json
from quarto_pi.web.snapshot import known_language
from quarto_pi.web.statistics import statistics_of
from quarto_pi.web.streams import EndedGame, Levels
from quarto_pi.web.wishes import Json, RefusalReason, Refused, shown
from quarto_pi.words import Words

GAMES_A_LIST: Final = 50
GAMES_COUNTED: Final = 200
"""Pictures are drawn of the newest so many games: each is replayed for it."""
COUNTED_SECONDS: Final = 60.0
MOST_COUNTED: Final = 200
LONGEST_NAME: Final = 60


class GamePages:
    """The routes of the finished games."""

    def __init__(self, store: PageStore, logins: Logins, now: Callable[[], float]) -> None:
        self._store = store
        self._logins = logins
        self._now = now
        self._judges = Judges()
        self._counted: dict[tuple[str | None, str | None], tuple[float, Json]] = {}
        self._counting = asyncio.Lock()

    def routes(self) -> list[Route]:
        """All of them."""
        one = "/api/v1/games/{board}/{history}/{number:int}"
        return [
            Route("/api/v1/games", self._list),
            Route("/api/v1/statistics", self._statistics),
            Route("/api/v1/figures", self._figures),
            Route(one, self._one),
            Route(f"{one}/record", self._record),
        ]

    async def close(self) -> None:
        """Ask the coach nothing more."""
        await self._judges.close()

    async def _list(self, request: Request) -> Response:
        user, words = self._logins.who(request), _words_of(request)
        wanted = search_of(request, user)
        found = await self._store.ask(lambda store: store.games(wanted))
        more = list(place_of_game(found[-1])) if len(found) == wanted.most else None
        return JSONResponse({"games": [_row(game, words) for game in found], "more": more})

    async def _one(self, request: Request) -> Response:
        kept, game = await self._found(request)
        told = reviewed_game_as_json(
            EndedGame(kept.game, game, levels_of_seats(kept.seats)), self._judges, _words_of(request)
        )
        return JSONResponse({**told, **_whose(kept)})

    async def _record(self, request: Request) -> Response:
        kept, game = await self._found(request)
        headers = {"content-disposition": f'attachment; filename="{kept.board}-{kept.game}.txt"'}
        return PlainTextResponse(str(Record(game)), headers=headers)

    async def _statistics(self, request: Request) -> Response:
        wanted = search_of(request, self._logins.who(request), GAMES_COUNTED)
        key = wanted.house, wanted.board
        async with self._counting:
            counted = self._counted.get(key)
            if counted is None or self._now() - counted[0] > COUNTED_SECONDS:
                counted = self._now(), await self._store.ask(lambda store: _counted(store, wanted))
                self._counted.pop(key, None)
                self._counted[key] = counted
                while len(self._counted) > MOST_COUNTED:
                    del self._counted[next(iter(self._counted))]
        return JSONResponse(counted[1])

    async def _figures(self, request: Request) -> Response:
        wanted = search_of(request, self._logins.who(request))
        counted = await self._store.ask(lambda store: {by: store.figures(wanted, by) for by in CountedBy})
        told = {by: [_figures_as_json(figures) for figures in found] for by, found in counted.items()}
        return JSONResponse(
            {
                "boards": told[CountedBy.BOARD],
                "houses": told[CountedBy.HOUSE],
                "all": next(iter(told[CountedBy.ALL]), None),
            }
        )

    async def _found(self, request: Request) -> tuple[ChainGame, Game]:
        user, asked = self._logins.who(request), request.path_params
        key = asked["board"], asked["history"], asked["number"]
        if asked["number"] < MOST_NUMBER and is_name(asked["board"]) and is_name(asked["history"]):
            kept, game = await self._store.ask(lambda store: (store.game(key), _replayed(store, key)))
            if kept is not None and game is not None and user.sees(kept.house):
                return kept, game
        raise Refused(404, f"there is no game {asked['number']} of {shown(asked['board'])}, or it is not over.")


def search_of(request: Request, user: HubUser, most: int = GAMES_A_LIST) -> GameSearch:
    """Which finished games are asked for, none but those that somebody may see."""
    asked = request.query_params
    house, board, before = asked.get("house") or None, asked.get("board") or None, asked.get("before") or None
    if not is_name(house or "") or not is_name(board or ""):
        raise Refused(400, "'house' and 'board' are names.")
    if house is not None and not user.sees(house):
        raise Refused(403, "you do not look after that house.", RefusalReason.NOT_YOURS)
    only = user.only_house
    place = None if before is None else _place(before)
    return GameSearch(house if only is None else only, board, live=False, before=place, most=most)


def _place(text: str) -> GamePlace:
    try:
        received, board, history, game = json.loads(text[:200])
        is_place = isinstance(received, int | float) and is_name(board) and is_name(history) and type(game) is int
        if is_place and 0 <= received <= MOST_NUMBER and 0 <= game <= MOST_NUMBER:
            return float(received), board, history, game
    except (ValueError, TypeError):
        pass
    raise Refused(400, "'before' is the place that the last answer named as 'more'.")


def is_name(value: object) -> bool:
    """Whether something may be looked for in a database as a name."""
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()


def _counted(store: HubStore, wanted: GameSearch) -> Json:
    games = (_replayed(store, game.key) for game in store.games(wanted) if game.fault is None)
    return statistics_of([game for game in games if game is not None])


def _replayed(store: HubStore, key: tuple[str, str, int]) -> Game | None:
    """A game that is over; None where it goes on, or cannot have been played as its board has told it."""
    game = replay_actions(store.actions(key)).game
    return None if game is None or game.result is None else game


def _words_of(request: Request) -> Words:
    return _words(known_language(request.query_params.get("language", "en")))


@cache
def _words(language: str) -> Words:
    return Words(language)


def levels_of_seats(seats: tuple[str, ...]) -> Levels:
    """The computer's level on each side, None for a person or another board.

    >>> levels_of_seats(("person", "computer 3"))
    (None, 3)
    """
    first, second = (_LEVEL_OF.get(seat) for seat in (*seats, "", "")[:2])
    return first, second


_LEVEL_OF: Final = {f"computer {'like me' if level == LIKE_ME else level}": level for level in SEAT_LEVELS}


def _whose(kept: ChainGame) -> Json:
    return {
        "board": kept.board,
        "house": kept.house,
        "other": kept.other,
        "history": kept.history,
        "begun": kept.begun,
        "ended": kept.ended,
        "received": kept.received,
        "seats": list(kept.seats),
    }


def _row(kept: ChainGame, words: Words) -> Json:
    """A game as it stands in a list."""
    levels = levels_of_seats(kept.seats)
    return {
        "number": kept.game,
        "players": [player_as_json(player, levels, words) for player in Player],
        "winner": kept.winner,
        "reason": kept.reason,
        "moves": kept.moves,
        "missed": kept.missed,
        "position": kept.position,
        "whole": kept.fault is None,
        **_whose(kept),
    }


def _figures_as_json(figures: BoardFigures) -> Json:
    return {
        "board": figures.board,
        "house": figures.house,
        "games": figures.games,
        "won": [figures.first_won, figures.second_won],
        "draws": figures.draws,
        "unfinished": figures.unfinished,
        "against_computer": figures.against_computer,
        "missed": figures.missed,
        "moves": figures.moves,
        "seconds": figures.seconds,
        "timed": figures.timed_games,
        "last": figures.last_played,
    }
