"""What the hub of a chain wants of a board, taken as the board's own page takes it: part by part, or refused."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from quarto_pi.chain.hub_messages import (
    HOURS,
    BoardOrder,
    OrderedValue,
    OrderOutcome,
    pack_outcome,
    read_order,
    read_outcome,
)
from quarto_pi.chain.messages import MessageRefused
from quarto_pi.config.service import Hours, HoursError, door_of, parse_hours
from quarto_pi.controller.loop import Loop
from quarto_pi.files import put_whole
from quarto_pi.referee import Choose, Settings
from quarto_pi.referee.all_settings import BUILT
from quarto_pi.rules import OptionsError
from quarto_pi.web.wishes import KEYS, Refused, with_wishes

ORDER_FILE: Final = "chain-order.json"
NOT_ORDERED: Final = BUILT | {"levels"}
"""How a board is built nobody can choose; who plays is the guests' matter."""


class BoardOrders:
    """The newest order of the hub, and the hours that it has set; both outlive a new start where games are kept.

    `heard` is called in the chain's thread, `door` in the loop's.
    """

    def __init__(self, say: Callable[[bytes], None]) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._loop: Loop | None = None
        self._settings: Settings | None = None
        self._folder: Path | None = None
        self._waiting: BoardOrder | None = None
        self._outcome: OrderOutcome | None = None
        self._hours: Hours | None = None
        self._hours_text = ""

    def recall(self, folder: Path | None) -> None:
        """Know again what was ordered before the last stop."""
        with self._lock:
            self._folder = folder
            if folder is None or self._outcome is not None:
                return
            with suppress(OSError, ValueError, KeyError, TypeError, MessageRefused, HoursError):
                kept = json.loads((folder / ORDER_FILE).read_text(encoding="utf-8"))
                outcome, text = read_outcome(str(kept["outcome"]).encode()), str(kept["hours"])
                self._hours, self._hours_text = parse_hours(text) if text else None, text
                self._outcome = outcome

    def serve(self, loop: Loop, settings: Settings) -> None:
        """Take orders for this loop, which begins with these settings; first the one that has waited."""
        with self._lock:
            self._loop, self._settings = loop, settings
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._take(waiting)

    def heard(self, _topic: str, payload: bytes) -> None:
        """The hub wants something; what is none of ours is passed over."""
        if not payload:
            return
        try:
            self._take(read_order(payload))
        except MessageRefused:
            return

    def door(self, own: Hours | None, wall: Callable[[], datetime | None]) -> Callable[[], bool | None]:
        """Whether the house is open by the hours that were ordered, else by its own; None where it keeps none."""

        def is_open() -> bool | None:
            hours = self._hours or own
            return None if hours is None else door_of(hours, wall)()

        return is_open

    def _take(self, order: BoardOrder) -> None:
        with self._lock:
            if self._outcome is not None and order.number <= self._outcome.number:
                outcome = self._outcome
            elif self._loop is None or self._settings is None:
                # The board has just started, or learns its pieces.
                self._waiting = order
                return
            else:
                state = self._loop.state
                outcome = self._taken(order, self._loop, self._settings if state is None else state.wishes)
                self._outcome = outcome
                self._keep(outcome)
        self._say(pack_outcome(outcome))

    def _taken(self, order: BoardOrder, loop: Loop, wishes: Settings) -> OrderOutcome:
        taken: list[str] = []
        refused: list[tuple[str, str]] = []
        for key, value in order.settings.items():
            try:
                wishes = _with_wish(wishes, {key: value})
            except (Refused, OptionsError) as error:
                refused.append((key, error.sentence if isinstance(error, Refused) else str(error)))
            else:
                taken.append(key)
        if taken:
            chosen = wishes
            loop.post(lambda at: Choose(at, chosen))
        if order.hours is not None:
            try:
                self._hours = parse_hours(order.hours) if order.hours else None
            except HoursError as error:
                refused.append((HOURS, f"{error}."))
            else:
                self._hours_text = order.hours
                taken.append(HOURS)
        return OrderOutcome(order.number, tuple(taken), tuple(refused))

    def _keep(self, outcome: OrderOutcome) -> None:
        if self._folder is None:
            return
        told = {"outcome": pack_outcome(outcome).decode(), "hours": self._hours_text}
        # What cannot be kept is ordered again by the hub after the next start.
        with suppress(OSError):
            put_whole(self._folder / ORDER_FILE, json.dumps(told).encode())


def _with_wish(wishes: Settings, wish: Mapping[str, OrderedValue]) -> Settings:
    for key in wish:
        if key in NOT_ORDERED and key in KEYS:
            raise Refused(409, f"'{key}' is for who sits at the board to choose.")
    return with_wishes(wishes, wish)
