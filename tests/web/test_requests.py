"""What comes from outside: whatever it is, it is answered in one sentence, and the game goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarto_pi.web.wishes import KEYS
from tests.web.visit import Visit

WRITES = ("hands", "button", "settings", "order", "faults", "record")
WORDS = [*KEYS, "do", "piece", "cell", "down", "button", "reader", "dead", "noise", "cross_talk", "power", "repair"]
WORDS += [
    "on",
    "order",
    "put",
    "lift",
    "clear",
    "LTRF",
    "b2",
    "offer",
    "call",
    "cut",
    "pause",
    "undo",
    "new game",
    "en",
]

BREAKERS = [b"[" * 4_000, b"9" * 4_090, b'{"a":' * 600, b"\xff\xfe", b"", b"NaN", b'{"order":1e999}']

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(WORDS)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4), max_leaves=6)
BYTES = st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode())
OBJECTS = st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=10), VALUES, max_size=6)


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with ExitStack() as stack:
        yield Visit(stack)


def check(visit: Visit, what: str, content: bytes) -> None:
    answer = visit.send(what, content, {"content-type": "application/json"})
    assert answer.status_code in (200, 400, 409, 413), answer.text
    if answer.status_code != 200:
        sentence = answer.json()["error"]
        assert sentence
        assert "\n" not in sentence
    before = visit.now
    visit.wait(100)
    assert visit.now > before
    assert visit.client.get("/api/v1/state").status_code == 200


@pytest.mark.slow
@given(what=st.sampled_from(WRITES), body=OBJECTS)
@settings(max_examples=20, deadline=None)
def test_any_object_is_answered_and_the_game_goes_on(visit: Visit, what: str, body: dict[str, object]) -> None:
    check(visit, what, json.dumps(body).encode())


@pytest.mark.slow
@given(what=st.sampled_from(WRITES), content=BYTES)
@settings(max_examples=20, deadline=None)
def test_any_bytes_are_answered_and_the_game_goes_on(visit: Visit, what: str, content: bytes) -> None:
    check(visit, what, content)


@pytest.mark.parametrize("content", BREAKERS)
def test_json_that_breaks_parsers_is_refused(visit: Visit, content: bytes) -> None:
    answer = visit.send("order", content, {"content-type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("what", "body", "sentence"),
    [
        ("hands", {"do": "throw"}, "'do' is one of put, lift, clear."),
        ("hands", {"do": "put", "piece": "LTRF", "cell": "e9"}, "'cell' is one of a1, "),
        ("hands", {"do": "put", "cell": "b2"}, "'piece' is missing, or is no text."),
        ("hands", {"do": "clear", "peice": "LTRF"}, "'peice' is no key here: did you mean 'piece'?"),
        ("button", {"button": "call"}, "'down' is true or false."),
        ("order", {"order": "pizza"}, "'order' is one of new game, undo, pause, how to play, teach me."),
        ("settings", {"levels": [0, 12]}, "the computer has no level 12"),
        ("settings", {"levels": [True, 0]}, "'levels' is a list of two"),
        ("settings", {"language": "tlh"}, "the board does not speak 'tlh'"),
        ("settings", {"traits": []}, ""),
        ("settings", {"traits": ["colour", "colour"]}, ""),
        ("settings", {"clock_seconds": 0}, "'clock_seconds' is null for no clock, or 1 to 86400, not 0."),
        ("settings", {"colour": 1}, "'colour' is no setting"),
        ("faults", {}, "name a fault"),
        ("faults", {"noise": 2}, "'noise' is the share"),
        ("record", {"on": 1}, "'on' is true or false."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    visit: Visit, what: str, body: dict[str, object], sentence: str
) -> None:
    answer = visit.post(what, body)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(sentence)


@pytest.mark.parametrize("body", [{"buttons": 2}, {"offer_reader": False}, {"buttons": True}])
def test_page_does_not_rebuild_the_board(visit: Visit, body: dict[str, object]) -> None:
    assert visit.post("settings", body).status_code == 409


def test_settings_as_they_are_may_be_sent_back(visit: Visit) -> None:
    assert visit.post("settings", visit.state["settings"]).status_code == 200


@pytest.mark.parametrize("path", ["games/0", "games/99999999999999999999", "words/tlh", "games/x", "state/x"])
def test_what_is_not_there_is_not_found(visit: Visit, path: str) -> None:
    answer = visit.client.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert list(answer.json()) == ["error"]


@pytest.mark.parametrize("path", ["state", "stream", "games", "words/en"])
def test_what_is_only_read_cannot_be_written(visit: Visit, path: str) -> None:
    assert visit.client.post(f"/api/v1/{path}", json={}).status_code == 405
