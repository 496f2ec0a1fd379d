"""Boards as they tell of themselves, for tests of what the hub makes of it."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.chain.messages import Ailment, BoardStatus, Doing, SettledAction
from quarto_pi.hub.fleet import Fleet, ListedBoard

HISTORY = "a1b2c3"
DEAD_READER = Ailment("reader b2", "no answer", "look at its wires")

IDLE = BoardStatus("1.0", HISTORY, Doing.WAITING, since=50.0)
PLAYS = replace(
    IDLE,
    doing=Doing.PLAYING,
    since=900.0,
    game=7,
    position="..../..../.5../...a 3",
    seats=("person", "computer 3"),
    to_act=1,
)
ILL = replace(IDLE, ailments=(DEAD_READER,))


def settled(number: int, event: str, game: int = 7, history: str = HISTORY, **fields: object) -> SettledAction:
    """One settled action."""
    return SettledAction(history, game, number, 0, {"event": event, **fields})


def fleet_of(*names: str, house: str = "centre", now: float = 0.0) -> Fleet:
    """A fleet whose boards were heard before, with the hub at its broker."""
    fleet = Fleet([ListedBoard(name, house, ever_heard=True) for name in names], now)
    fleet.link(now)
    return fleet


def here(fleet: Fleet, name: str, status: BoardStatus = IDLE, now: float = 1.0) -> None:
    """A board comes to the broker and tells its state."""
    fleet.presence(name, here=True, now=now)
    fleet.status(name, status, now)
