"""Tournaments on the hub's page: who sees them, who decides, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hub.page_of_hub import TestedHub, served_hub, tell_some


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TestedHub]:
    with served_hub(tmp_path) as hub:
        tell_some(hub.watch)
        yield hub


FRIDAY: dict[str, object] = {
    "house": "north", "title": "Friday", "system": "round robin", "best_of": 1, "rounds": 0,
}  # fmt: skip


@pytest.fixture
def friday(hub: TestedHub) -> TestedHub:
    """Three players at north-1, drawn; nora of the north is logged in."""
    hub.log_in("nora")
    assert hub.post("tournaments", FRIDAY) == 200
    assert hub.post("tournaments/1/enter", {"labels": ["Ada", "", "Cem"]}) == 200
    assert hub.post("tournaments/1/tables", {"boards": ["north-1"]}) == 200
    assert hub.post("tournaments/1/draw") == 200
    return hub


@pytest.mark.parametrize("path", ["tournaments", "tournaments/1"])
def test_who_is_not_logged_in_sees_no_tournament(path: str, friday: TestedHub) -> None:
    friday.client.cookies.clear()
    assert friday.status(path) == 401
    assert friday.post("tournaments/1/close") == 401


def test_a_tournament_is_told_with_its_players_pairings_and_table(friday: TestedHub) -> None:
    told = friday.read("tournaments/1")
    assert (told["title"], told["system"], told["rounds"], told["drawn"]) == ("Friday", "round robin", 3, 3)
    assert [player["label"] for player in told["players"]] == ["Ada", "", "Cem"]
    played = [pairing for pairing in told["pairings"] if pairing["second"]]
    assert len(played) == 3
    assert played[0]["table"] == 1
    assert [row["points"] for row in told["standings"]] == [0, 0, 0]
    assert told["directs"]


def test_a_result_is_entered_corrected_and_taken_back(friday: TestedHub) -> None:
    number = next(each["number"] for each in friday.read("tournaments/1")["pairings"] if each["table"])
    assert friday.post("tournaments/1/game", {"pairing": number, "place": 0, "outcome": "first"}) == 200
    assert friday.read("tournaments/1")["pairings"][number - 1]["result"] == [2, 0]
    assert friday.post("tournaments/1/game", {"pairing": number, "place": 0, "outcome": "draw"}) == 200
    pairing = friday.read("tournaments/1")["pairings"][number - 1]
    assert (pairing["result"], pairing["games"][0]["by"]) == ([1, 1], "nora")
    assert friday.post("tournaments/1/verdict", {"pairing": number, "verdict": "both absent"}) == 200
    assert friday.read("tournaments/1")["pairings"][number - 1]["result"] == [0, 0]
    assert friday.post("tournaments/1/verdict", {"pairing": number, "verdict": None}) == 200
    assert friday.post("tournaments/1/game", {"pairing": number, "place": 0, "outcome": None}) == 200
    assert friday.read("tournaments/1")["pairings"][number - 1]["result"] is None


def test_an_onlooker_looks_and_another_house_does_not_see(friday: TestedHub, hub: TestedHub) -> None:
    hub.log_in("otto")
    assert not friday.read("tournaments/1")["directs"]
    assert friday.post("tournaments/1/draw") == 403
    assert friday.post("tournaments", FRIDAY) == 403
    hub.log_in("anna")
    assert hub.post("tournaments", {**FRIDAY, "house": "south", "title": "Sunday"}) == 200
    hub.log_in("nora")
    assert hub.status("tournaments/2") == 404
    assert [each["title"] for each in hub.read("tournaments")["tournaments"]] == ["Friday"]
    assert hub.post("tournaments/2/close") == 404
    assert hub.post("tournaments", {**FRIDAY, "house": "south"}) == 403


def test_pairings_change_tables_by_order(friday: TestedHub) -> None:
    waiting = next(e["number"] for e in friday.read("tournaments/1")["pairings"] if e["second"] and not e["table"])
    assert friday.post("tournaments/1/seat", {"pairing": waiting, "table": 1}) == 200
    assert friday.read("tournaments/1")["pairings"][waiting - 1]["table"] == 1
    assert friday.post("tournaments/1/unseat", {"pairing": waiting}) == 200
    assert friday.read("tournaments/1")["pairings"][waiting - 1]["table"] == 0


def test_players_are_labelled_and_leave(friday: TestedHub) -> None:
    assert friday.post("tournaments/1/label", {"player": 2, "label": "Bo"}) == 200
    assert friday.post("tournaments/1/withdraw", {"player": 1}) == 200
    told = friday.read("tournaments/1")
    assert (told["players"][1]["label"], told["players"][0]["left"]) == ("Bo", True)
    assert all(each["result"] for each in told["pairings"] if 1 in (each["first"], each["second"]) and each["second"])


def test_a_closed_tournament_stays_to_be_looked_at(friday: TestedHub) -> None:
    assert friday.post("tournaments/1/close") == 200
    told = friday.read("tournaments/1")
    assert (told["closed"], told["directs"], len(told["pairings"])) == (True, False, 6)
    assert friday.post("tournaments/1/draw") == 409


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("tournaments", {**FRIDAY, "title": ""}, 400),
        ("tournaments", {**FRIDAY, "system": "knockout"}, 400),
        ("tournaments", {**FRIDAY, "best_of": True}, 400),
        ("tournaments", {**FRIDAY, "prize": 7}, 400),
        ("tournaments/9/draw", {}, 404),
        ("tournaments/99999999999999999999/draw", {}, 404),
        ("tournaments/1/dance", {}, 404),
        ("tournaments/1/enter", {"labels": "Ada"}, 400),
        ("tournaments/1/enter", {"labels": ["x" * 21]}, 409),
        ("tournaments/1/tables", {"boards": ["south-1"]}, 409),
        ("tournaments/1/game", {"pairing": 1, "place": 0, "outcome": "win"}, 400),
        ("tournaments/1/game", {"pairing": -1, "place": 0, "outcome": None}, 400),
        ("tournaments/1/verdict", {"pairing": 99, "verdict": None}, 409),
        ("tournaments/1/draw", {}, 409),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    path: str, body: dict[str, object], status: int, friday: TestedHub
) -> None:
    before = friday.read("tournaments/1")
    answer = friday.client.post(f"/api/v1/{path}", json=body)
    # What is wrong with a name is refused where tournaments are announced, as any other decision.
    assert answer.status_code in (status, 409 if status == 400 and path == "tournaments" else status)
    assert answer.json()["error"].endswith((".", "?"))
    assert friday.read("tournaments/1") == before
