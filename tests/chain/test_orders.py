"""Orders and outcomes over the wire, and what a board makes of an order."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import pytest

from quarto_pi.chain.hub_messages import (
    MOST_SETTINGS,
    BoardOrder,
    OrderedValue,
    OrderOutcome,
    pack_order,
    pack_outcome,
    read_order,
    read_outcome,
)
from quarto_pi.chain.messages import MOST_BYTES_OF_MESSAGE, MessageRefused
from quarto_pi.config.service import parse_hours
from quarto_pi.referee import Choose, Input, Settings
from quarto_pi.wiring.orders import ORDER_FILE, BoardOrders
from tests.chain.test_schema import judge

NOON = datetime(2027, 3, 3, 12, 0)  # noqa: DTZ001 - what a wall clock shows has no zone


def test_orders_and_outcomes_are_read_as_they_were_written() -> None:
    order = BoardOrder(
        7, {"language": "de", "voice": None, "clock": 60, "coach": True, "traits": ["top"]}, "10:00-23:00"
    )
    outcome = OrderOutcome(7, ("language",), (("voice", "this board has none."),))
    assert read_order(pack_order(order)) == order
    assert read_outcome(pack_outcome(outcome)) == outcome


def test_orders_and_outcomes_are_what_the_schema_says() -> None:
    order = BoardOrder(7, {"language": "de", "voice": None, "clock": 60, "traits": ["top"]})
    judge("order", pack_order(order))
    judge("outcome", pack_outcome(OrderOutcome(7, ("language",), (("voice", "this board has none."),))))


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"number": 0, "settings": {}},
        {"number": 1},
        {"number": 1, "settings": []},
        {"number": 1, "settings": {"x": {}}},
        {"number": 1, "settings": {"x": 1.5}},
        {"number": 1, "settings": {"x": "y" * 201}},
        {"number": 1, "settings": {"x": "a\nb"}},
        {"number": 1, "settings": {"": 1}},
        {"number": 1, "settings": {f"{number}": 1 for number in range(MOST_SETTINGS + 1)}},
        {"number": 1, "settings": {}, "hours": 3},
        {"number": 1, "settings": {}, "hours": "x" * 401},
    ],
)
def test_an_order_that_is_none_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(MessageRefused):
        read_order(json.dumps({"v": 1, **body}).encode())


@dataclass
class StandIn:
    """As much of a running game as orders need: what is posted to it counts from then on."""

    wishes: Settings = field(default_factory=Settings)

    @property
    def state(self) -> StandIn:
        return self

    def post(self, make: Callable[[int], Input]) -> None:
        chosen = make(0)
        assert isinstance(chosen, Choose)
        self.wishes = chosen.settings


@dataclass
class Ordered:
    """A board's orders, the game that it plays, and what it has answered."""

    orders: BoardOrders
    loop: StandIn
    said: list[bytes]

    def hear(self, order: BoardOrder) -> OrderOutcome:
        self.orders.heard("", pack_order(order))
        return read_outcome(self.said[-1])


def ordered(folder: Path | None = None, loop: StandIn | None = None) -> Ordered:
    said: list[bytes] = []
    orders, loop = BoardOrders(said.append), loop or StandIn()
    orders.recall(folder)
    orders.serve(cast("Any", loop), loop.wishes)
    return Ordered(orders, loop, said)


def test_each_part_is_taken_or_refused_by_itself_in_one_sentence() -> None:
    board = ordered()
    wanted: dict[str, OrderedValue] = {
        "language": "de",
        "coach": True,
        "voice": True,
        "buttons": 1,
        "levels": None,
        "nonsense": 1,
        "clock": "x",
    }
    outcome = board.hear(BoardOrder(1, wanted, "10:00-23:00"))
    assert outcome.taken == ("language", "coach", "hours")
    assert [part for part, _ in outcome.refused] == ["voice", "buttons", "levels", "nonsense", "clock"]
    assert all(why.endswith((".", "?")) and "\n" not in why for _, why in outcome.refused)
    assert (board.loop.wishes.language, board.loop.wishes.coach) == ("de", True)


def test_an_order_that_comes_again_is_answered_and_not_taken_again() -> None:
    board = ordered()
    first = board.hear(BoardOrder(3, {"language": "de"}))
    board.loop.wishes = Settings()
    assert board.hear(BoardOrder(3, {"language": "de"})) == first
    assert board.hear(BoardOrder(2, {"language": "fr"})) == first
    assert board.loop.wishes.language == "en"
    assert board.hear(BoardOrder(4, {"language": "fr"})).taken == ("language",)


def test_an_order_waits_for_the_game() -> None:
    said: list[bytes] = []
    orders, loop = BoardOrders(said.append), StandIn()
    orders.heard("", pack_order(BoardOrder(1, {"language": "de"})))
    assert said == []
    orders.serve(cast("Any", loop), loop.wishes)
    assert loop.wishes.language == "de"
    assert read_outcome(said[0]).taken == ("language",)


@pytest.mark.parametrize(
    "payload", [b"", b"x", b"{}", b"[" * 1000, b'{"v":2,"number":1,"settings":{}}', b"0" * (MOST_BYTES_OF_MESSAGE + 1)]
)
def test_what_is_no_order_is_passed_over(payload: bytes) -> None:
    board = ordered()
    board.orders.heard("", payload)
    assert board.said == []


def test_ordered_hours_count_instead_of_the_boards_own_until_they_are_taken_back() -> None:
    board, wall = ordered(), lambda: NOON
    own = parse_hours("11:00-13:00")
    with_own, without = board.orders.door(own, wall), board.orders.door(None, wall)
    assert (with_own(), without()) == (True, None)
    board.hear(BoardOrder(1, hours="17:00-23:00"))
    assert (with_own(), without()) == (False, False)
    refused = board.hear(BoardOrder(2, hours="whenever"))
    assert [part for part, _ in refused.refused] == ["hours"]
    assert with_own() is False
    board.hear(BoardOrder(3, hours=""))
    assert (with_own(), without()) == (True, None)


def test_what_was_ordered_is_known_after_a_new_start(tmp_path: Path) -> None:
    before = ordered(tmp_path)
    outcome = before.hear(BoardOrder(5, {"language": "de"}, "17:00-23:00"))
    after = ordered(tmp_path)
    assert after.orders.door(None, lambda: NOON)() is False
    assert after.hear(BoardOrder(5, {"language": "de"}, "17:00-23:00")) == outcome
    assert after.loop.wishes.language == "en", "the journal keeps what was chosen since"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"outcome": 3, "hours": 4}', '{"outcome": "x", "hours": ""}'])
def test_a_damaged_file_orders_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / ORDER_FILE).write_text(text, encoding="utf-8")
    board = ordered(tmp_path)
    assert board.orders.door(None, lambda: NOON)() is None
    assert board.hear(BoardOrder(1, {"language": "de"})).taken == ("language",)
