"""What boards really say is what the schema says, and what the page says the schema is."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from quarto_pi.chain import messages
from quarto_pi.chain.hub_messages import pack_spectators
from quarto_pi.chain.messages import (
    Ailment,
    BoardStatus,
    Doing,
    HubHere,
    SettledAction,
    TakenThrough,
    ToldMatch,
    ToldStanding,
    TournamentTold,
    pack_hub,
    pack_settled,
    pack_state,
    pack_taken,
    pack_tournament,
    read_settled,
    read_state,
)
from quarto_pi.trace.story import DURABLE_EVENTS
from tests.chain.said import Said, said_on_chain
from tests.outputs.test_no_leak import HANDS, effects_of_hands

SCHEMA = json.loads(Path(messages.__file__).with_name("messages.schema.json").read_text(encoding="utf-8"))


def judge(kind: str, payload: bytes) -> None:
    """Refuse what the schema has not."""
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}).validate(json.loads(payload))


@cache
def said(name: str) -> tuple[Said, ...]:
    return tuple(said_on_chain(effects_of_hands(HANDS[name])))


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["the maker calls", "it lapses", "another call was false", "the clock runs"])
def test_what_a_board_says_in_a_game_is_what_the_schema_says(name: str) -> None:
    kinds = set()
    for _, kind, payload in said(name):
        if kind in ("settled", "state"):
            judge(kind, payload)
            kinds.add(kind)
    assert kinds == {"settled", "state"}


@pytest.mark.slow
def test_messages_that_are_read_are_those_that_were_said() -> None:
    for _, kind, payload in said("the maker calls"):
        if kind == "settled":
            assert pack_settled(read_settled(payload)) == payload
        elif kind == "state":
            assert pack_state(read_state(payload)) == payload


@pytest.mark.slow
def test_numbers_of_a_game_have_no_gap() -> None:
    settled = [read_settled(payload) for _, kind, payload in said("another call was false") if kind == "settled"]
    assert settled[0].event["event"] == "begun"
    for game in {each.game for each in settled}:
        numbers = [each.number for each in settled if each.game == game]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
def test_quarto_is_told_when_it_is_called_and_not_before() -> None:
    told = [at for at, kind, _ in said("the maker calls") if kind == "quarto"]
    results = [at for at, kind, payload in said("the maker calls") if kind == "settled" and b'"result"' in payload]
    assert told == results
    assert len(told) == 1
    assert not [at for at, kind, _ in said("it lapses") if kind == "quarto"]


def test_every_event_that_is_settled_has_its_place_in_the_schema() -> None:
    events = set()
    for each in SCHEMA["$defs"]["event"]["oneOf"]:
        told = each["properties"]["event"]
        events |= set(told.get("enum", [told.get("const")]))
    assert events == {*DURABLE_EVENTS, "begun", "lost"}


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("hub", pack_hub(HubHere("a1b2"))),
        ("through", pack_taken(TakenThrough("h", ((1, 4), (2, 1)), ((2, 2),)))),
        ("settled", pack_settled(SettledAction("h", 1, 2, 0, {"event": "lost"}))),
        ("spectators", pack_spectators("HTTPS://192.168.178.20:8050/WABCDEFGHIJKLMN")),
        ("tournament", pack_tournament(TournamentTold("Friday", 0, 3))),
        (
            "tournament",
            pack_tournament(
                TournamentTold("Friday", 2, 3, 3, ToldMatch(7, 12, (3, 1), 5), (ToldStanding(1, 7, 4, 2),), over=True)
            ),
        ),
        (
            "state",
            pack_state(
                BoardStatus(
                    "1.0",
                    "h",
                    Doing.PLAYING,
                    1.5,
                    "zh_TW",
                    7,
                    "126c/..../09../.4ba f",
                    ("person", "computer like me"),
                    1,
                    (Ailment("reader b2", "no chip answers", "check its power"),),
                    3,
                    free=True,
                )
            ),
        ),
    ],
)
def test_other_messages_are_in_the_schema_as_well(kind: str, payload: bytes) -> None:
    judge(kind, payload)


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("settled", {"number": 0}),
        ("settled", {"event": {"event": "lifted", "square": "a1", "piece": "LTRF"}}),
        ("settled", {"event": {"event": "given", "piece": "LTRF", "by": "Anna"}}),
    ],
)
def test_schema_refuses_what_no_board_says(kind: str, changed: dict[str, object]) -> None:
    message = json.loads(pack_settled(SettledAction("h", 1, 2, 0, {"event": "given", "piece": "LTRF", "by": 0})))
    judge(kind, json.dumps(message).encode())
    with pytest.raises(jsonschema.ValidationError):
        judge(kind, json.dumps({**message, **changed}).encode())
