"""An offer of a version, and what a board says of it: nothing that could lead a board astray is read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies

from quarto_pi.chain.hub_messages import (
    MOST_OF_BUNDLE,
    VersionOffer,
    bundle_path,
    is_bundle_url,
    pack_offer,
    read_offer,
)
from quarto_pi.chain.messages import (
    BoardStatus,
    Doing,
    MessageRefused,
    VersionStep,
    VersionTold,
    pack_state,
    read_state,
)
from tests.chain.test_schema import judge

HASH = "ab" * 32
OFFER = VersionOffer("0.2.0-abc1234", HASH, 150_000_000, f"https://hub.local:8050{bundle_path(HASH)}")
STATE = BoardStatus("1.0", "h", Doing.WAITING)


def test_an_offer_comes_out_as_it_went_in() -> None:
    assert read_offer(pack_offer(OFFER)) == OFFER
    assert read_offer(b"") is None
    judge("version", pack_offer(OFFER))


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": ""},
        {"version": "../1"},
        {"version": "1 2"},
        {"version": "1" * 61},
        {"sha256": "AB" * 32},
        {"sha256": "ab"},
        {"size": 0},
        {"size": MOST_OF_BUNDLE + 1},
        {"size": "many"},
        {"url": 3},
        {"v": 2},
    ],
)
def test_an_offer_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(MessageRefused, match=r"\.$"):
        read_offer(json.dumps({**json.loads(pack_offer(OFFER)), **wrong}).encode())


@pytest.mark.parametrize(
    "url",
    [
        "https://hub.local:8050/versions/" + "cd" * 32 + ".raucb",
        "https://hub.local:8050/reboot",
        f"https://hub.local:8050/reboot?x={bundle_path(HASH)}",
        f"https://hub.local:8050/x{bundle_path(HASH)}",
        f"https://hub.local:8050{bundle_path(HASH)}?x=1",
        f"https://hub.local:8050{bundle_path(HASH)}#x",
        f"https://anna:secret@hub.local:8050{bundle_path(HASH)}",
        f"https://hub.local:0{bundle_path(HASH)}",
        f"https://hub.local:65536{bundle_path(HASH)}",
        f"https://hub.local:{bundle_path(HASH)}",
        f"https://hub local:8050{bundle_path(HASH)}",
        f"https://hub.local\r\nX: y{bundle_path(HASH)}",
        f"https://{bundle_path(HASH)}",
        f"ftp://hub.local{bundle_path(HASH)}",
        f"file://{bundle_path(HASH)}",
        bundle_path(HASH),
    ],
)
def test_a_board_can_be_sent_to_a_bundle_and_nowhere_else(url: str) -> None:
    assert not is_bundle_url(url, HASH)
    with pytest.raises(MessageRefused, match="url"):
        read_offer(pack_offer(replace(OFFER, url=url)))


@pytest.mark.parametrize("host", ["hub.local", "192.168.1.7:8050", "[fe80::1]:8050", "boards.example.org:443"])
def test_a_hub_is_found_by_name_or_number(host: str) -> None:
    assert is_bundle_url(f"http://{host}{bundle_path(HASH)}", HASH)


@given(strategies.binary(max_size=300))
def test_any_bytes_are_an_offer_or_refused(payload: bytes) -> None:
    try:
        read_offer(payload)
    except MessageRefused:
        return


@pytest.mark.parametrize("step", VersionStep)
def test_a_board_says_how_far_it_is(step: VersionStep) -> None:
    state = replace(STATE, card="0.1.0-abc", offered=VersionTold(HASH, step, 40, "no room."))
    assert read_state(pack_state(state)) == state
    judge("state", pack_state(state))


def test_a_state_without_the_new_keys_is_one_of_a_board_without_a_card() -> None:
    body = json.loads(pack_state(STATE))
    del body["card"], body["offered"]
    assert read_state(json.dumps(body).encode()) == STATE


@pytest.mark.parametrize(
    "wrong",
    [
        {"card": 3},
        {"card": "x" * 61},
        {"offered": "fetching"},
        {"offered": {}},
        {"offered": {"sha256": HASH, "step": "dancing", "percent": 1, "why": ""}},
        {"offered": {"sha256": "x", "step": "fetching", "percent": 1, "why": ""}},
        {"offered": {"sha256": HASH, "step": "fetching", "percent": -1, "why": ""}},
        {"offered": {"sha256": HASH, "step": "fetching", "percent": 1, "why": "x" * 401}},
    ],
)
def test_a_state_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(MessageRefused):
        read_state(json.dumps({**json.loads(pack_state(STATE)), **wrong}).encode())
