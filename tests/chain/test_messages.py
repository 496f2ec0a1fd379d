"""What board and hub say to each other comes out as it went in, and nothing else gets through."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies

from quarto_pi.chain.hub_messages import pack_spectators, read_spectators
from quarto_pi.chain.messages import (
    MOST_BYTES_OF_MESSAGE,
    Ailment,
    BoardStatus,
    Doing,
    HubHere,
    MessageRefused,
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
    read_hub,
    read_settled,
    read_state,
    read_taken,
    read_tournament,
)
from quarto_pi.chain.topics import BoardNameError, check_board_name, letters, sender_of, settled_of

SETTLED = SettledAction(
    "1f0a55c2", 17, 5, 1_763_600_000.5, {"event": "placed", "square": "b2", "piece": "LTRF", "player": 0}
)
STATE = BoardStatus(
    "1.2.3",
    "1f0a55c2",
    Doing.PLAYING,
    since=1_763_600_000,
    game=17,
    position="..../..../.0../.... -",
    seats=("person", "computer 3"),
    to_act=1,
    ailments=(Ailment("reader b2", "does not answer", "look at its plug"),),
    queued=3,
    free=False,
)

TOURNAMENT = TournamentTold(
    "Friday", 2, 5, 3, ToldMatch(7, 12, (1, 3), 3), (ToldStanding(1, 12, 3, 2), ToldStanding(2, 7, 1, 2)), over=False
)


def test_every_message_comes_out_as_it_went_in() -> None:
    taken = TakenThrough("1f0a55c2", ((17, 5), (18, 1)), ((19, 2),))
    assert read_settled(pack_settled(SETTLED)) == SETTLED
    assert read_state(pack_state(STATE)) == STATE
    between = replace(STATE, seats=("person", "board"), match="0a1b2c3d", other="south-1")
    assert read_state(pack_state(between)) == between
    assert read_taken(pack_taken(taken)) == taken
    assert read_hub(pack_hub(HubHere("a1"))) == HubHere("a1")
    assert read_hub(b"") is None
    assert read_tournament(pack_tournament(TOURNAMENT)) == TOURNAMENT
    assert read_tournament(pack_tournament(TournamentTold("Friday", 0, 0))) == TournamentTold("Friday", 0, 0)
    assert read_tournament(b"") is None


@pytest.mark.parametrize("address", ["", "HTTPS://HUB.LOCAL:8050/WABCDEFGHIJKLMN", "HTTP://[FE80::1]/WA"])
def test_address_for_spectators_comes_out_as_it_went_in(address: str) -> None:
    assert read_spectators(pack_spectators(address)) == address


@pytest.mark.parametrize("address", ["FTP://A/B", "HTTP://hub.local", "HTTP://A B", f"HTTP://{'A' * 200}", "HTTP://Ä"])
def test_address_for_spectators_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(MessageRefused, match="address"):
        read_spectators(pack_spectators(address))


def test_a_key_that_a_newer_version_has_added_is_let_pass() -> None:
    body = json.loads(pack_settled(SETTLED)) | {"weather": "fine"}
    assert read_settled(json.dumps(body).encode()) == SETTLED


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"v": 2}, "version 2"),
        ({"v": True}, "v is no whole number"),
        ({"game": 0}, "game is no whole number from 1"),
        ({"game": True}, "game"),
        ({"number": 1.5}, "number"),
        ({"number": 2**60}, "number"),
        ({"at": -1}, "at is no number from 0"),
        ({"history": ""}, "history"),
        ({"history": "a\nb"}, "history"),
        ({"event": []}, "event is no JSON object"),
    ],
)
def test_what_is_wrong_with_a_message_is_said_by_the_name_of_its_key(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(MessageRefused, match=said):
        read_settled(json.dumps(json.loads(pack_settled(SETTLED)) | wrong).encode())


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"v":1,"at":NaN}', "NaN"),
        (b"[" * 5_000, "nested too deeply"),
        (b" " * (MOST_BYTES_OF_MESSAGE + 1), "too long"),
        (b'{"v":' + b"9" * 9_000 + b"}", "not JSON"),
    ],
)
def test_what_is_no_message_at_all_is_refused(payload: bytes, said: str) -> None:
    with pytest.raises(MessageRefused, match=said):
        read_settled(payload)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"title": ""}, "title"),
        ({"match": 7}, "match is no JSON object"),
        ({"match": {"first": 0, "second": 2, "score": [0, 0], "best_of": 1}}, "first"),
        ({"match": {"first": 1, "second": 2, "score": [0], "best_of": 1}}, "score is no list of 2"),
        ({"standings": [[1, 2, 3]]}, "standings is no list of at most 200 lists of 4"),
        ({"standings": [[1, 2, 3, 4]] * 201}, "standings"),
        ({"over": 1}, "over"),
    ],
)
def test_what_is_wrong_with_a_tournament_is_said(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(MessageRefused, match=said):
        read_tournament(json.dumps(json.loads(pack_tournament(TOURNAMENT)) | wrong).encode())


def test_the_largest_tournament_is_a_message() -> None:
    rows = tuple(ToldStanding(200, number, 600, 30) for number in range(1, 201))
    told = TournamentTold("\u00e4" * 40, 30, 30, 100, ToldMatch(199, 200, (9, 9), 9), rows)
    assert len(pack_tournament(told)) < MOST_BYTES_OF_MESSAGE
    assert read_tournament(pack_tournament(told)) == told


@given(strategies.binary(max_size=200))
def test_any_bytes_are_read_or_refused(payload: bytes) -> None:
    for read in (read_settled, read_state, read_taken, read_hub, read_tournament):
        try:
            read(payload)
        except MessageRefused:
            continue


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a_b", "a/b", "+", "#", "hub", "x" * 31, "a b", "é"])
def test_a_name_that_could_mean_another_topic_is_none(name: str) -> None:
    with pytest.raises(BoardNameError):
        check_board_name(name)


def test_the_sender_of_a_message_is_read_from_its_topic() -> None:
    assert sender_of(settled_of("north-1")) == "north-1"
    assert sender_of(letters("north-1", "south-2")) == "north-1"
    assert sender_of("quarto/hub/presence") is None
    assert sender_of("other/north-1/settled") is None
