"""The hub's page: who sees what, who may do what, and what is kept from whom."""

from __future__ import annotations

import csv
import io
import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Self

import pytest

from quarto_pi.hub.alarms import HOLD_SECONDS, IMPOSSIBLE, causes_told
from quarto_pi.hub.people import PersonRefused, Role
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.languages import LANGUAGES
from quarto_pi.web.streams import STILL_HERE
from tests.hub.boards import PLAYS
from tests.hub.page_of_hub import CHOSEN, TestedHub, finished_game, served_hub, tell_some
from tests.hub.served import served_fleet
from tests.hub.wire import GUARD


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TestedHub]:
    with served_hub(tmp_path) as hub:
        tell_some(hub.watch)
        yield hub


@pytest.fixture
def played(hub: TestedHub) -> TestedHub:
    """Three games were played: two in the north, one in the south."""
    store = open_sqlite(hub.folder / "hub.sqlite")
    for board, house in (("north-1", "north"), ("north-2", "north"), ("south-1", "south")):
        store.put_board(board, house, 0)
    for number, board in enumerate(("north-1", "north-2", "south-1"), 1):
        store.keep(finished_game(board, number, number * 1_000))
    store.close()
    return hub


GUARDED = (
    "boards", "stream", "alarms", "people", "games", "games.csv", "games.jsonl", "statistics", "figures",
    "games/north-1/a1b2c3/1", "games/north-1/a1b2c3/1/record",
)  # fmt: skip


class OpenPage:
    """A page that is open in a browser of its own: a cookie, and a stream of what is told."""

    def __init__(self, address: str, name: str, password: str) -> None:
        self._address = address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.post("session", {"name": name, "password": password})
        self._stream = self._opener.open(f"{address}api/v1/stream", timeout=GUARD)
        self.told_until("event: boards")

    def post(self, path: str, body: dict[str, object]) -> None:
        request = urllib.request.Request(  # noqa: S310 - our own page
            f"{self._address}api/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with self._opener.open(request, timeout=GUARD):
            pass

    def told_until(self, text: str) -> str:
        """What the stream tells up to a line with this text; all of it where there is none."""
        told = ""
        for line in self._stream:
            told += line.decode()
            if text in told:
                break
        return told

    def told_to_the_end(self) -> str:
        """All that is told until the stream ends; one that is cut raises an error."""
        return bytes(self._stream.read()).decode()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


@pytest.mark.parametrize("path", GUARDED)
def test_who_is_not_logged_in_sees_nothing_of_any_board(path: str, hub: TestedHub) -> None:
    answer = hub.client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["reason"]) == (401, "log in")
    assert "north" not in answer.text


@pytest.mark.parametrize("path", ["alarms/1/seen", "alarms/1/aside", "people", "people/remove", "password"])
def test_who_is_not_logged_in_changes_nothing(path: str, hub: TestedHub) -> None:
    assert hub.post(path, {"name": "anna"}) == 401
    assert len(hub.people.all()) == 3


def test_the_page_and_its_words_are_there_for_everybody_and_name_no_board(hub: TestedHub) -> None:
    for path in ("/", "/static/hub/app.js", "/static/page.css", *(f"/api/v1/words/{each}" for each in LANGUAGES)):
        answer = hub.client.get(path)
        assert answer.status_code == 200, path
        assert "north-1" not in answer.text
    assert hub.read("")["user"] is None


def test_an_owner_sees_all_boards_and_a_house_its_own(hub: TestedHub) -> None:
    seen = {}
    for name in ("anna", "nora", "otto"):
        assert hub.log_in(name) == 200
        seen[name] = [board["name"] for board in hub.read("boards")["boards"]]
    assert seen == {
        "anna": ["north-1", "north-2", "south-1"],
        "nora": ["north-1", "north-2"],
        "otto": ["north-1", "north-2", "south-1"],
    }


def test_a_board_is_told_with_its_state_its_game_and_what_to_do(hub: TestedHub) -> None:
    hub.log_in("anna")
    plays, gone, ill = hub.read("boards")["boards"]
    assert (plays["condition"], plays["game"]["position"]) == ("playing", "..../..../.5../...a 3")
    assert (gone["condition"], gone["game"]) == ("gone", None)
    assert ill["to_do"] == [{"device": "reader b2", "detail": "no answer", "fix": "look at its wires"}]


def test_the_cookie_is_for_this_page_alone(tmp_path: Path) -> None:
    with served_hub(tmp_path) as hub:
        answer = hub.client.post("/api/v1/session", json={"name": "anna", "password": CHOSEN})
        said = answer.headers["set-cookie"].lower()
        assert "httponly" in said
        assert "samesite=strict" in said
        assert "secure" not in said
    with served_hub(tmp_path, encrypted=True) as hub:
        answer = hub.client.post("/api/v1/session", json={"name": "anna", "password": CHOSEN})
        assert answer.headers["set-cookie"].startswith("__Host-quarto-hub=")
        assert "secure" in answer.headers["set-cookie"].lower()


def test_who_logs_out_is_out_also_with_the_old_cookie(hub: TestedHub) -> None:
    hub.log_in("anna")
    cookies = dict(hub.client.cookies)
    assert hub.post("session/end") == 200
    assert hub.status("boards") == 401
    hub.client.cookies.update(cookies)
    assert hub.status("boards") == 401


def test_who_is_removed_is_out_at_once(hub: TestedHub) -> None:
    hub.log_in("nora")
    assert hub.status("boards") == 200
    hub.people.remove("nora")
    assert hub.status("boards") == 401


def test_a_page_is_told_at_once_that_its_session_is_over_and_goes_on_where_the_password_was_chosen() -> None:
    with served_fleet(3, 1) as fleet, ExitStack() as stack:
        chooses, elsewhere, leaves, is_removed = (
            stack.enter_context(OpenPage(fleet.address, name, CHOSEN)) for name in ("anna", "anna", "otto", "nora")
        )
        leaves.post("session/end", {})
        assert STILL_HERE not in leaves.told_until("event: over")
        chooses.post("people/remove", {"name": "nora"})
        assert STILL_HERE not in is_removed.told_until("event: over")
        chooses.post("password", {"old": CHOSEN, "new": "another password"})
        assert STILL_HERE not in elsewhere.told_until("event: over")
        fleet.watch.link(linked=False)
        assert "event: over" not in chooses.told_until('"linked":false')


def test_a_page_that_is_open_is_let_go_when_the_hub_ends() -> None:
    with ExitStack() as stack:
        with served_fleet(3, 1) as fleet:
            page = stack.enter_context(OpenPage(fleet.address, "otto", CHOSEN))
        assert "event: over" not in page.told_to_the_end(), "it comes back to the next hub by itself"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_site_changes_nothing(headers: dict[str, str], hub: TestedHub) -> None:
    hub.log_in("anna")
    assert hub.post("people", {"name": "eve", "role": "owner"}, **headers) == 403
    assert hub.post("people/remove", {"name": "nora"}, **headers) == 403
    assert hub.post("session", {"name": "anna", "password": CHOSEN}, **headers) == 403
    assert len(hub.people.all()) == 3


def test_a_form_of_another_site_is_no_json(hub: TestedHub) -> None:
    hub.log_in("anna")
    answer = hub.client.post("/api/v1/people/remove", data={"name": "nora"})
    assert answer.status_code == 415


def test_who_guesses_waits_longer_each_time_and_others_get_in(hub: TestedHub) -> None:
    assert [hub.log_in("anna", f"guess {number}") for number in range(5)] == [403] * 5
    assert hub.log_in("anna") == 429, "also with the right one"
    hub.now += 61
    assert hub.log_in("anna", "guess") == 403
    hub.now += 61
    assert hub.log_in("anna") == 429, "twice as long"
    hub.now += 61
    assert hub.log_in("anna") == 200


def test_a_name_that_nobody_has_is_refused_in_the_same_words(hub: TestedHub) -> None:
    answers = [
        hub.client.post("/api/v1/session", json={"name": name, "password": "wrong"}).json()
        for name in ("anna", "nobody", "' or 1=1", "")
    ]
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize(
    "body", [{}, {"name": "anna"}, {"name": 3, "password": CHOSEN}, {"name": "anna", "password": None}, {"x": 1}]
)
def test_a_login_that_is_none_is_refused(body: dict[str, object], hub: TestedHub) -> None:
    assert hub.post("session", body) == 400


# --- Alarms -----------------------------------------------------------------------------------------------------------


def raised(hub: TestedHub) -> list[dict[str, object]]:
    hub.watch.tick()
    hub.now += HOLD_SECONDS
    hub.watch.tick()
    hub.log_in("anna")
    return list(hub.read("alarms")["alarms"])


def test_an_alarm_is_seen_by_whom_it_concerns_and_acknowledged_by_who_may(hub: TestedHub) -> None:
    (alarm,) = raised(hub)
    assert (alarm["where"], alarm["device"], alarm["house"]) == ("south-1", "reader b2", "south")
    path = f"alarms/{alarm['number']}/seen"
    hub.log_in("nora")
    assert hub.read("alarms")["alarms"] == []
    assert hub.post(path) == 404, "another house's"
    hub.log_in("otto")
    assert len(hub.read("alarms")["alarms"]) == 1
    assert hub.post(path) == 403
    hub.log_in("anna")
    assert hub.post(path) == 200
    assert hub.read("alarms")["alarms"][0]["acknowledged_by"] == "anna"


def test_what_a_board_told_wrongly_is_put_aside_by_who_directs_its_house(hub: TestedHub) -> None:
    store = open_sqlite(hub.folder / "hub.sqlite")
    store.raise_alarm("north-1", IMPOSSIBLE, "Game 3 cannot have been played like this.", 900.0)
    hub.watch.know_told(causes_told(store.alarms()), 0)
    ill, told = sorted(raised(hub), key=lambda alarm: str(alarm["kind"]))
    assert [each["kind"] for each in (ill, told)] == ["ill", "impossible"]
    assert [each["may_be_put_aside"] for each in (ill, told)] == [False, True]
    path = f"alarms/{told['number']}/aside"
    assert hub.post(f"alarms/{ill['number']}/aside") == 409
    hub.log_in("otto")
    assert hub.post(path) == 403
    hub.log_in("nora")
    assert hub.post(path) == 200
    assert hub.post(path) == 404
    assert hub.read("alarms")["alarms"] == []
    (ended,) = store.alarms(ended=True)
    assert (ended.ended_by, ended.ended is None) == ("nora", False)
    store.close()


# --- People -----------------------------------------------------------------------------------------------------------


def test_only_owners_enter_and_remove_people(hub: TestedHub) -> None:
    for name in ("nora", "otto"):
        hub.log_in(name)
        assert hub.status("people") == 403
        assert hub.post("people", {"name": "eve", "role": "owner"}) == 403
        assert hub.post("people/remove", {"name": "anna"}) == 403
    hub.log_in("anna")
    answer = hub.client.post("/api/v1/people", json={"name": "eve", "role": "house", "house": "south"})
    assert [user["name"] for user in hub.read("people")["people"]] == ["anna", "eve", "nora", "otto"]
    assert "password" not in json.dumps(hub.read("people"))
    assert hub.log_in("eve", answer.json()["password"]) == 200


def test_what_cannot_be_entered_is_refused_in_its_sentence(hub: TestedHub) -> None:
    hub.log_in("anna")
    answer = hub.client.post("/api/v1/people", json={"name": "eve", "role": "house"})
    assert (answer.status_code, "--house" in answer.json()["error"]) == (400, True)


def test_somebody_chooses_another_password_with_the_old_one(hub: TestedHub) -> None:
    hub.log_in("nora")
    assert hub.post("password", {"old": "wrong", "new": "another password"}) == 403
    assert hub.post("password", {"old": CHOSEN, "new": "short"}) == 400
    assert hub.post("password", {"old": CHOSEN, "new": "another password"}) == 200
    assert hub.status("boards") == 200, "who has chosen it stays logged in"
    assert hub.log_in("nora", "another password") == 200
    assert hub.log_in("nora") == 403


@pytest.mark.parametrize("name", ["anna", "nora", "otto"])
def test_another_password_ends_all_other_sessions_of_that_person_and_no_others(name: str, hub: TestedHub) -> None:
    tokens = []
    for who in (name, name, "anna" if name != "anna" else "otto"):
        assert hub.log_in(who) == 200
        tokens.append(hub.client.cookies["quarto-hub"])
    hub.client.cookies.clear()
    first, own, somebody_else = ({"cookie": f"quarto-hub={token}"} for token in tokens)
    answer = hub.client.post("/api/v1/password", json={"old": CHOSEN, "new": "another password"}, headers=own)
    assert answer.status_code == 200
    fresh = {"cookie": f"quarto-hub={answer.cookies['quarto-hub']}"}
    hub.client.cookies.clear()
    found = [hub.client.get("/api/v1/boards", headers=each).status_code for each in (first, own, fresh, somebody_else)]
    assert found == [401, 401, 200, 200]


def test_who_guesses_an_old_password_waits_as_at_the_login(hub: TestedHub) -> None:
    hub.log_in("otto")
    answers = [hub.post("password", {"old": f"guess {number}", "new": "another password"}) for number in range(30)]
    assert answers[0] == 403
    assert answers[-1] == 429
    assert hub.post("password", {"old": CHOSEN, "new": "another password"}) == 429
    assert hub.log_in("otto", "another password") == 429


def test_role_that_was_changed_meanwhile_is_kept_with_another_password(hub: TestedHub) -> None:
    hub.people.add("nora", Role.ONLOOKER, "", CHOSEN)
    user = hub.people.change_password("nora", "another password")
    assert (user.role, user.house) == (Role.ONLOOKER, "")
    assert hub.people.admitted("nora", "another password") == user
    with pytest.raises(PersonRefused, match="nobody here"):
        hub.people.change_password("eve", "another password")


# --- Games ------------------------------------------------------------------------------------------------------------


def test_finished_games_are_listed_for_whom_they_are(played: TestedHub) -> None:
    played.log_in("anna")
    listed = played.read("games")["games"]
    assert [(game["board"], game["number"], game["winner"]) for game in listed] == [
        ("south-1", 3, 0), ("north-2", 2, 0), ("north-1", 1, 0),
    ]  # fmt: skip
    assert [game["board"] for game in played.read("games?house=north")["games"]] == ["north-2", "north-1"]
    played.log_in("nora")
    assert [game["board"] for game in played.read("games")["games"]] == ["north-2", "north-1"]
    assert played.status("games?house=south") == 403
    assert played.read("games?board=south-1")["games"] == []
    assert played.status("games/south-1/a1b2c3/3") == 404
    assert played.status("games/south-1/a1b2c3/3/record") == 404
    assert [board["board"] for board in played.read("figures")["boards"]] == ["north-1", "north-2"]
    assert played.read("statistics")["games"] == 2


def test_one_game_is_told_move_by_move_with_its_record(played: TestedHub) -> None:
    played.log_in("anna")
    told = played.read("games/north-1/a1b2c3/1?language=de")
    assert told["positions"][-1] == "..../..../..../024c -" or told["reason"] == "call"
    assert told["players"][1]["computer"] == 3
    record = played.client.get("/api/v1/games/north-1/a1b2c3/1/record")
    assert 'Reason "call"' in record.text
    assert "north-1-1.txt" in record.headers["content-disposition"]


def test_games_come_page_by_page(played: TestedHub) -> None:
    store = open_sqlite(played.folder / "hub.sqlite")
    for number in range(10, 80):
        store.keep(finished_game("north-1", number, number * 1_000))
    store.close()
    played.log_in("anna")
    first = played.read("games")
    assert len(first["games"]) == 50
    second = played.client.get("/api/v1/games", params={"before": json.dumps(first["more"])}).json()
    assert (len(second["games"]), second["more"]) == (23, None)
    numbers = [(game["board"], game["number"]) for game in first["games"] + second["games"]]
    assert len(set(numbers)) == 73


@pytest.mark.parametrize(
    "before", ["x", "[]", "[1,2,3,4]", '["1","a","b",1]', '[1,"a","b",-1]', "[NaN,1,1,1]", "9" * 300]
)
def test_a_place_that_is_none_is_refused(before: str, hub: TestedHub) -> None:
    hub.log_in("anna")
    assert hub.client.get("/api/v1/games", params={"before": before}).status_code == 400


@pytest.mark.parametrize("name", ["\x00", "x" * 100, "a\nb"])
def test_a_name_that_no_board_can_have_is_not_looked_for(name: str, hub: TestedHub) -> None:
    hub.log_in("anna")
    assert hub.client.get("/api/v1/games", params={"board": name}).status_code == 400


def test_all_games_are_a_table_and_lines_of_json_of_what_somebody_may_see(played: TestedHub) -> None:
    played.log_in("nora")
    rows = list(csv.DictReader(io.StringIO(played.client.get("/api/v1/games.csv").text)))
    assert [row["board"] for row in rows] == ["north-2", "north-1"]
    lines = [json.loads(line) for line in played.client.get("/api/v1/games.jsonl").text.splitlines()]
    assert [line["board"] for line in lines] == ["north-2", "north-1"]


def test_a_game_under_way_is_neither_listed_nor_told(played: TestedHub) -> None:
    store = open_sqlite(played.folder / "hub.sqlite")
    store.keep(finished_game("north-1", 9, 90_000)[:7])
    store.close()
    played.log_in("anna")
    assert 9 not in [game["number"] for game in played.read("games")["games"]]
    assert played.status("games/north-1/a1b2c3/9") == 404
    assert played.status("games/north-1/a1b2c3/9/record") == 404


# --- The whole service ------------------------------------------------------------------------------------------------


def test_every_answer_has_the_headers_that_keep_other_sites_out(hub: TestedHub) -> None:
    for path in ("/", "/api/v1/boards", "/metrics", "/nothing"):
        headers = hub.client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_a_strange_host_is_not_answered_and_one_that_was_set_is(tmp_path: Path) -> None:
    with served_hub(tmp_path, names=("hub.example.org",)) as hub:
        assert hub.client.get("/", headers={"host": "hub.example.org"}).status_code == 200
        assert hub.client.get("/", headers={"host": "evil.example"}).status_code == 421


def test_who_asks_too_much_is_told_to_wait(hub: TestedHub) -> None:
    assert 429 in [hub.client.get("/api/v1/").status_code for _ in range(101)]


@pytest.mark.parametrize("path", ["boards", "games", "figures", "statistics", "alarms"])
def test_nothing_depends_on_whether_there_is_an_alignment_to_call(path: str, hub: TestedHub) -> None:
    """D8: a live game with an open alignment is told as the same game with another last piece."""
    aligned = finished_game("north-1", 9, 90_000)[:9]
    events = [dict(each.action.event) for each in aligned]
    told = []
    for last in ("DTRF", "DSQH"):
        changed = [{**event, "piece": last} if event.get("piece") == "DTRF" else event for event in events]
        actions = [replace(each.action, event=event) for each, event in zip(aligned, changed, strict=True)]
        store = open_sqlite(hub.folder / f"{last}.sqlite")
        store.keep([replace(each, action=action) for each, action in zip(aligned, actions, strict=True)])
        store.close()
        (hub.folder / "hub.sqlite").unlink(missing_ok=True)
        with served_hub(hub.folder, open_store=partial(open_sqlite, hub.folder / f"{last}.sqlite")) as other:
            tell_some(other.watch)
            other.watch.status("north-1", replace(PLAYS, game=9, position="..../..../..../.... -"))
            for action in actions:
                other.watch.settled("north-1", action)
            other.watch.tick()
            other.log_in("anna")
            told.append(json.dumps(other.read(path)).replace("0248 -", "ROW").replace("024f -", "ROW"))
    assert told[0] == told[1]
    assert "ROW" in told[0] or path != "boards"
