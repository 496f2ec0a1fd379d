"""Hands, fingers and faults at a simulated board, asked for over the interface."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Final, Protocol, TypeVar

from quarto_pi.rules import parse_piece
from quarto_pi.sensing.readings import CELLS
from quarto_pi.web.requests import known, one_of, text, truth
from quarto_pi.web.wishes import Json, RefusalReason, Refused

BUTTONS: Final = ("call", "call0", "call1", "menu")
HANDS_SECONDS: Final = 5.0
_T = TypeVar("_T")


class PageHands(Protocol):
    """What can be done at a simulated board; pieces are named by their numbers."""

    def put(self, piece: int, cell: str) -> None:
        """Put a piece down, or slide it."""

    def lift(self, piece: int) -> None:
        """Take a piece off the board."""

    def clear(self) -> None:
        """Take all pieces off."""

    def press(self, button: str, *, down: bool) -> None:
        """Press a button, or let go of it."""

    def break_reader(self, cell: str, *, dead: bool) -> None:
        """Let a reader die, or repair it."""

    def disturb(self, share: float) -> None:
        """Disturb this share of all exchanges."""

    def cross_talk(self, *, on: bool) -> None:
        """Let neighbours hear each other's pieces."""

    def cut_power(self) -> None:
        """Let the supply go and come back."""

    def repair(self) -> None:
        """End all trouble."""


class PageTape(Protocol):
    """Records what the sensors see."""

    def start(self) -> None:
        """Begin to record."""

    def stop(self) -> str:
        """End, and return the trace."""


class AtTheTable:
    """Has it done in the thread of the game, and waits for that."""

    def __init__(self, hands: PageHands, tape: PageTape, ask: Callable[[Callable[[], object]], Future[object]]) -> None:
        self._hands = hands
        self._tape = tape
        self._ask = ask

    async def move(self, body: Mapping[str, object]) -> Json:
        """`{"do": "put", "piece": "LTRF", "cell": "b2"}`, lift, clear."""
        known(body, ("do", "piece", "cell"))
        hands = self._hands
        match one_of(body, "do", ("put", "lift", "clear")):
            case "clear":
                await self._done(hands.clear)
            case "lift":
                piece = _piece(body)
                await self._done(lambda: hands.lift(piece))
            case _:
                piece, cell = _piece(body), one_of(body, "cell", CELLS)
                await self._done(lambda: hands.put(piece, cell), RefusalReason.SQUARE_TAKEN)
        return {}

    async def press(self, body: Mapping[str, object]) -> Json:
        """`{"button": "call", "down": true}`."""
        known(body, ("button", "down"))
        button, down = one_of(body, "button", BUTTONS), truth(body, "down")
        await self._done(lambda: self._hands.press(button, down=down))
        return {}

    async def trouble(self, body: Mapping[str, object]) -> Json:
        """`{"reader": "b2", "dead": true}`, noise, cross_talk, power, repair."""
        known(body, ("reader", "dead", "noise", "cross_talk", "power", "repair"))
        made = [do for do in (self._reader(body), self._noise(body), *self._switches(body)) if do is not None]
        if not made:
            raise Refused(400, "name a fault: reader and dead, noise, cross_talk, power or repair.")
        for do in made:
            await self._done(do)
        return {}

    async def record(self, body: Mapping[str, object]) -> Json:
        """`{"on": true}` starts a trace, `{"on": false}` ends and returns it."""
        known(body, ("on",))
        if truth(body, "on"):
            await self._done(self._tape.start)
            return {}
        return {"trace": await self._done(self._tape.stop)}

    def _reader(self, body: Mapping[str, object]) -> Callable[[], None] | None:
        if "reader" not in body and "dead" not in body:
            return None
        cell, dead = one_of(body, "reader", CELLS), truth(body, "dead")
        return lambda: self._hands.break_reader(cell, dead=dead)

    def _noise(self, body: Mapping[str, object]) -> Callable[[], None] | None:
        if "noise" not in body:
            return None
        share = body["noise"]
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise Refused(400, "'noise' is the share of exchanges that are disturbed, 0 to 1.")
        return lambda: self._hands.disturb(float(share))

    def _switches(self, body: Mapping[str, object]) -> list[Callable[[], None]]:
        hands = self._hands
        made: list[Callable[[], None]] = []
        if "cross_talk" in body:
            on = truth(body, "cross_talk")
            made.append(lambda: hands.cross_talk(on=on))
        if "power" in body:
            one_of(body, "power", ("cut",))
            made.append(hands.cut_power)
        if "repair" in body and truth(body, "repair"):
            made.append(hands.repair)
        return made

    async def _done(self, do: Callable[[], _T], impossible: RefusalReason | None = None) -> _T:
        try:
            outcome = self._ask(do)
        except RuntimeError as error:
            raise Refused(503, "the board has too much to do: ask again in a moment.", RefusalReason.BUSY) from error
        try:
            done = await asyncio.wait_for(asyncio.wrap_future(outcome), HANDS_SECONDS)
        except ValueError as error:
            raise Refused(409, str(error), impossible) from error
        except TimeoutError as error:
            raise Refused(503, "the board does not answer: is it still running?", RefusalReason.BUSY) from error
        return done  # type: ignore[return-value] # what `do` returns is what comes out


def _piece(body: Mapping[str, object]) -> int:
    return parse_piece(text(body, "piece")).number
