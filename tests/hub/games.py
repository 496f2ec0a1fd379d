"""Games as boards tell them: the actions that the rules' own news make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from quarto_pi.chain.messages import SettledAction
from quarto_pi.hub.store import ReceivedAction
from quarto_pi.referee import Settings
from quarto_pi.referee.all_settings import IN_TRACE_RULES, PLAYERS
from quarto_pi.referee.effects import GameFinished, Report
from quarto_pi.rules import (
    Action,
    Call,
    Clear,
    Ended,
    Game,
    Give,
    Options,
    Place,
    Player,
    apply,
    parse_piece,
    parse_square,
)
from quarto_pi.rules.kinds import Medium
from quarto_pi.trace.story import DURABLE_EVENTS, as_json

HISTORY = "5f0c1d2e"
BEGAN = 1_795_000_000.0

WON: tuple[Action, ...] = (
    *(
        action
        for piece, square in (("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1"))
        for action in (Give(parse_piece(piece)), Place(parse_square(square)))
    ),
    Call(Player.A),
)
"""Four solid pieces in a row, and a call."""
UNFINISHED: tuple[Action, ...] = (*WON[:4], Clear())


def events_of(actions: Iterable[Action], settings: Settings | None = None) -> Iterator[dict[str, object]]:
    """What a board tells of a game, from its beginning."""
    settings = settings or Settings()
    yield {
        "event": "begun",
        "rules": {row.key: row.write(settings, Medium.TRACE) for row in IN_TRACE_RULES},
        "players": [row.write(settings, Medium.TRACE) for row in PLAYERS],
        "starter": 0,
        "offer_reader": settings.offer_reader,
    }
    game = Game(replace(settings.rules, giving_sensed=settings.offer_reader))
    for action in actions:
        game = apply(game, action)
        for news in game.news:
            report = GameFinished(news.result, game.position) if isinstance(news, Ended) else news
            told = as_json(0, report)  # type: ignore[arg-type]
            if told.pop("t") == 0 and told["event"] in DURABLE_EVENTS:
                yield told


def settled(
    actions: Iterable[Action] = WON, game: int = 1, history: str = HISTORY, settings: Settings | None = None
) -> list[SettledAction]:
    """The settled actions of a game; a second lies between two of them."""
    return [
        SettledAction(history, game, number, BEGAN + number, event)
        for number, event in enumerate(events_of(actions, settings), start=1)
    ]


def received(board: str, actions: Iterable[SettledAction], at: float = BEGAN) -> list[ReceivedAction]:
    """These actions as they come in from a board."""
    return [ReceivedAction(board, action, at) for action in actions]


__all__ = ["BEGAN", "HISTORY", "UNFINISHED", "WON", "Options", "Report", "events_of", "received", "settled"]
