"""Who may do what on the page, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from starlette.testclient import TestClient

from quarto_pi.known_time import EARLIEST_KNOWN, KnownTime
from quarto_pi.referee import Choose, Input
from quarto_pi.referee.menu import Item
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.web.service import ServedBoard, service
from tests.web.visit import LOCAL, feed_with, moment

PIN = "open sesame"


@dataclass
class RealBoard:
    """The page of a board without hands, a clock to be moved, and what reached the game."""

    client: TestClient
    now: float = 0.0
    posted: list[Input] = field(default_factory=list)

    def order(self, pin: str | None = None, **headers: str) -> tuple[int, str]:
        if pin is not None:
            headers["X-Pin"] = pin
        answer = self.client.post("/api/v1/order", json={"order": "pause"}, headers=headers)
        return answer.status_code, answer.json().get("error", "")


@contextmanager
def real_board(pin: str = PIN) -> Iterator[RealBoard]:
    board: RealBoard
    given = ServedBoard(feed_with(moment(phase=RefereePhase.GIVEN)), lambda make: board.posted.append(make(7)), pin=pin)
    with TestClient(service(given, lambda: board.now), base_url=LOCAL) as client:
        board = RealBoard(client)
        yield board


@pytest.fixture
def board() -> Iterator[RealBoard]:
    with real_board() as board:
        yield board


def test_nobody_changes_anything_where_the_owner_has_set_no_pin() -> None:
    with real_board(pin="") as board:
        assert board.client.get("/api/v1/").json()["writing"] == "no"
        for pin in ("", "123456", None):
            assert board.order(pin) == (403, "this board is only to be looked at: its owner has set no PIN.")
        assert board.posted == []


def test_owner_changes_things_with_the_pin(board: RealBoard) -> None:
    assert board.client.get("/api/v1/").json()["writing"] == "pin"
    assert board.order(PIN) == (200, "")
    answer = board.client.post("/api/v1/settings", json={"language": "de"}, headers={"X-Pin": PIN})
    assert answer.status_code == 200
    order, choose = board.posted
    assert getattr(order, "item", None) is Item.PAUSE
    assert isinstance(choose, Choose)
    assert (choose.at, choose.settings.language) == (7, "de")


def test_a_pin_that_is_missing_is_not_called_wrong(board: RealBoard) -> None:
    for headers, reason in (({}, "pin missing"), ({"X-Pin": ""}, "pin missing"), ({"X-Pin": "open"}, "pin wrong")):
        answer = board.client.post("/api/v1/order", json={"order": "pause"}, headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (403, reason)
    for _ in range(20):
        assert board.order()[0] == 403
    assert board.order(PIN) == (200, ""), "who has given no PIN has guessed none"


@pytest.mark.parametrize("pin", ["", "open", "open sesame ", "OPEN SESAME", "\xff"])
def test_wrong_pin_is_refused(board: RealBoard, pin: str) -> None:
    headers = {b"X-Pin": pin.encode("latin-1")}
    answer = board.client.post("/api/v1/order", json={"order": "pause"}, headers=headers)
    assert answer.status_code == 403
    assert board.posted == []


def test_after_five_wrong_pins_even_the_right_one_waits_for_a_minute(board: RealBoard) -> None:
    assert [board.order(f"guess {number}")[0] for number in range(7)] == [403] * 5 + [429] * 2
    assert board.order(PIN) == (429, "too many wrong PINs: wait a minute.")
    board.now += 60.0
    assert board.order(PIN) == (200, "")


def test_waits_after_wrong_pins_grow_and_end_with_the_right_one(board: RealBoard) -> None:
    for _ in range(4):
        assert board.order("guess")[0] == 403
    for minutes in (1, 2, 4, 8, 16, 32, 60, 60):
        assert board.order("guess")[0] == 403
        said = "a minute" if minutes == 1 else f"{minutes} minutes"
        assert board.order(PIN) == (429, f"too many wrong PINs: wait {said}.")
        board.now += 60.0 * minutes
    assert board.client.get("/api/v1/").json()["wrong_pins"] == 12
    assert board.order(PIN)[0] == 200
    assert board.client.get("/api/v1/").json()["wrong_pins"] == 0
    assert [board.order("guess")[0] for _ in range(6)] == [403] * 5 + [429]


@pytest.mark.parametrize("text", [r"\ud800", r"a\udfff"])
def test_half_a_letter_is_refused_wherever_it_stands(board: RealBoard, text: str) -> None:
    for body in (
        f'{{"{text}": 1}}',
        f'{{"order": "{text}"}}',
        f'{{"language": "{text}"}}',
        f'{{"{text}": ["{text}"]}}',
    ):
        for path in ("order", "settings", "guide"):
            headers = {"X-Pin": PIN, "Content-Type": "application/json"}
            answer = board.client.post(f"/api/v1/{path}", content=body, headers=headers)
            assert (answer.status_code, answer.json()["error"]) == (400, "that is not JSON.")
            board.now += 1.0


def test_who_sends_no_pin_at_all_does_not_lock_the_owner_out(board: RealBoard) -> None:
    for _ in range(10):
        assert board.order()[0] == 403
    assert board.order(PIN)[0] == 200


def test_writing_more_often_than_hands_can_is_refused_before_it_reaches_the_game(board: RealBoard) -> None:
    answers = [board.order(PIN)[0] for _ in range(25)]
    assert answers == [200] * 20 + [429] * 5
    assert len(board.posted) == 20
    board.now += 1.0
    assert board.order(PIN)[0] == 200


@pytest.mark.slow
def test_reading_without_end_is_refused_and_others_are_served_a_moment_later(board: RealBoard) -> None:
    answers = [board.client.get("/api/v1/state").status_code for _ in range(101)]
    assert answers == [200] * 100 + [429]
    board.now += 1.0
    assert board.client.get("/api/v1/state").status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:81", "null", "http://[", "https://"])
def test_page_of_another_site_changes_nothing(board: RealBoard, origin: str) -> None:
    assert board.order(PIN, Origin=origin) == (403, "this was sent by a page of another site.")
    assert board.order(PIN, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert board.order(PIN, Origin="http://localhost", **{"Sec-Fetch-Site": "same-origin"})[0] == 200


def test_form_of_another_site_is_no_json(board: RealBoard) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {"X-Pin": PIN, "Content-Type": kind}
        answer = board.client.post("/api/v1/order", content=b'{"order":"pause"}', headers=headers)
        assert answer.status_code == 415


def test_name_that_a_stranger_made_up_for_this_machine_is_refused(board: RealBoard) -> None:
    assert board.client.get("/api/v1/state", headers={"Host": "evil.example"}).status_code == 421
    for host in ("quarto.local", "192.168.1.7:8040", "localhost:9", "board"):
        assert board.client.get("/api/v1/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/v1/", "/api/v1/state", "/api/v1/nothing", "/static/nothing", "/nothing"])
def test_every_answer_has_the_headers_that_keep_a_page_safe(board: RealBoard, path: str) -> None:
    headers = board.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


def test_body_that_is_too_long_is_not_read_to_its_end(board: RealBoard) -> None:
    body = json.dumps({"order": "x" * 5_000})
    headers = {"X-Pin": PIN, "Content-Type": "application/json"}
    answer = board.client.post("/api/v1/order", content=body, headers=headers)
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("name", ["hands", "button", "faults", "record", "seen"])
def test_real_board_has_no_hands(board: RealBoard, name: str) -> None:
    answer = board.client.post(f"/api/v1/{name}", json={}, headers={"X-Pin": PIN})
    assert answer.status_code == 404


def test_nothing_outside_the_folder_of_the_page_is_served(board: RealBoard) -> None:
    for path in ("/static/../service.py", "/static/%2e%2e/service.py", "/static//etc/passwd"):
        assert board.client.get(path).status_code == 404


def test_owner_tells_a_board_without_a_clock_the_time_and_nobody_else_does() -> None:
    known = KnownTime()
    given = ServedBoard(feed_with(moment()), lambda _: None, pin=PIN, time_of_day=known)
    with TestClient(service(given), base_url=LOCAL) as client:
        assert client.get("/api/v1/").json()["time_known"] is False
        noon = EARLIEST_KNOWN + 43_200
        assert client.post("/api/v1/time", json={"now": noon}).status_code == 403
        assert known.now() is None
        owner = {"X-Pin": PIN}
        for wrong in (0, "noon", None, True, 1e300):
            assert client.post("/api/v1/time", json={"now": wrong}, headers=owner).status_code == 400
        assert client.post("/api/v1/time", json={"now": noon}, headers=owner).json() == {"time_known": True}
        assert known.now() == pytest.approx(noon, abs=60)
        client.post("/api/v1/time", json={"now": noon + 7_200}, headers=owner)
        assert known.now() == pytest.approx(noon, abs=60), "what is known is left as it is"
