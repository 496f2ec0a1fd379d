"""What is wanted of many boards at once: who may want it, of which boards, and what becomes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quarto_pi.chain.hub_messages import BoardOrder, OrderOutcome, pack_outcome, read_order
from quarto_pi.chain.topics import orders_for
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.watching import Watching
from tests.hub.page_of_hub import TestedHub, served_hub, tell_some

PAGE = Path(__file__).parents[2] / "docs" / "hub-page.md"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TestedHub]:
    with served_hub(tmp_path) as hub:
        tell_some(hub.watch)
        hub.log_in("anna")
        yield hub


def told(hub: TestedHub) -> dict[str, object]:
    return {order["board"]: order["wanted"] for order in hub.read("orders")["orders"]}


def test_an_owner_orders_all_boards_a_house_or_some(hub: TestedHub) -> None:
    assert hub.post("orders", {"settings": {"language": "de"}}) == 200
    assert hub.post("orders", {"hours": "17:00-23:00", "house": "north"}) == 200
    assert hub.post("orders", {"settings": {"coach": True}, "boards": ["south-1"]}) == 200
    assert told(hub) == {
        "north-1": {"language": "de", "hours": "17:00-23:00"},
        "north-2": {"language": "de", "hours": "17:00-23:00"},
        "south-1": {"language": "de", "coach": True},
    }


def test_the_order_that_the_documentation_shows_is_taken(hub: TestedHub) -> None:
    (shown,) = re.findall(r'`(\{"settings": .*?\]\})`', PAGE.read_text(encoding="utf-8"))
    assert hub.post("orders", json.loads(shown)) == 200
    assert told(hub) == {"north-1": json.loads(shown)["settings"]}


def test_a_house_orders_its_own_boards_and_sees_no_others(hub: TestedHub) -> None:
    hub.post("orders", {"settings": {"language": "de"}})
    hub.log_in("nora")
    assert hub.post("orders", {"settings": {"language": "fr"}}) == 200
    assert told(hub) == {"north-1": {"language": "fr"}, "north-2": {"language": "fr"}}
    assert hub.post("orders", {"settings": {"language": "fr"}, "boards": ["south-1"]}) == 403
    assert hub.post("orders", {"settings": {"language": "fr"}, "house": "south"}) == 403
    hub.log_in("anna")
    assert told(hub)["south-1"] == {"language": "de"}


def test_an_onlooker_orders_nothing(hub: TestedHub) -> None:
    hub.log_in("otto")
    assert hub.post("orders", {"settings": {"language": "fr"}}) == 403
    assert hub.read("orders")["orders"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"settings": {}},
        {"settings": []},
        {"settings": {"nonsense": 1}},
        {"settings": {"language": {}}},
        {"hours": "whenever"},
        {"hours": 3},
        {"hours": "x" * 500},
        {"settings": {"language": "de"}, "boards": "north-1"},
        {"settings": {"language": "de"}, "boards": [3]},
        {"settings": {"language": "de"}, "house": 3},
        {"settings": {"language": "de"}, "more": 3},
    ],
)
def test_an_order_that_is_none_is_refused(body: dict[str, object], hub: TestedHub) -> None:
    assert hub.post("orders", body) == 400
    assert told(hub) == {}


def test_orders_are_said_once_again_to_each_broker_and_outcomes_are_shown(hub: TestedHub) -> None:
    store = open_sqlite(hub.folder / "hub.sqlite")
    for board, house in (("north-1", "north"), ("north-2", "north"), ("south-1", "south")):
        store.put_board(board, house, 0)
    sent: list[tuple[str, BoardOrder]] = []
    watching = Watching(
        hub.watch,
        lambda: open_sqlite(hub.folder / "hub.sqlite"),
        lambda _: None,
        hub.clock,
        lambda topic, payload: sent.append((topic, read_order(payload))),
    )
    hub.post("orders", {"settings": {"language": "de"}, "boards": ["north-1"]})
    watching.look()
    watching.look()
    assert sent == [(orders_for("north-1"), BoardOrder(1, {"language": "de"}))]
    hub.watch.link(linked=False)
    watching.look()
    hub.watch.link(linked=True)
    watching.look()
    assert len(sent) == 2, "the broker may have forgotten it"
    hub.watch.outcome("north-1", pack_outcome(OrderOutcome(1, (), (("language", "not here."),))))
    hub.watch.outcome("north-2", pack_outcome(OrderOutcome(1, ("language",))))
    hub.watch.outcome("north-1", b"nonsense")
    watching.look()
    (order,) = hub.read("orders")["orders"]
    assert (order["taken"], order["refused"]) == ([], [{"part": "language", "why": "not here."}])
    hub.post("orders", {"settings": {"language": "fr"}, "boards": ["north-1"]})
    hub.watch.outcome("north-1", pack_outcome(OrderOutcome(1, ("language",))))
    watching.look()
    assert hub.read("orders")["orders"][0]["taken"] is None, "that was about the one before"
    assert sent[-1] == (orders_for("north-1"), BoardOrder(2, {"language": "fr"}))
    watching.close()
    store.close()
