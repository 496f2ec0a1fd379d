"""The whole controller of a board at a real hub: with the files that `hub add` has written, by TLS."""

from __future__ import annotations

import tomllib
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path

import pytest

from quarto_pi.chain.hub_messages import BoardOrder, pack_order, read_outcome
from quarto_pi.chain.topics import orders_for
from quarto_pi.config import ChainConfig
from quarto_pi.hub.settings import settings_in
from quarto_pi.hub.store import ChainGame, GameSearch, open_store
from quarto_pi.wiring.chain import OpenChain
from tests.evening import Evening
from tests.hub.hubs import HubFolder

pytestmark = pytest.mark.slow


def chain_of(place: HubFolder) -> ChainConfig:
    """The section that the hub has written for north-1, with the files where they are on this machine."""
    files = place.folder / "boards" / "north-1"
    section = tomllib.loads((files / "chain.toml").read_text(encoding="utf-8"))["chain"]
    assert set(section) <= {field.name for field in fields(ChainConfig)}
    for key, name in (("ca", "ca.pem"), ("credentials", "credentials")):
        assert Path(section[key]).name == name
        section[key] = str(files / name)
    return ChainConfig(**{**section, "broker": "localhost"})


def games_of(place: HubFolder) -> list[ChainGame]:
    store = open_store(place.folder, settings_in(place.folder))
    try:
        return store.games(GameSearch())
    finally:
        store.close()


def test_a_game_with_hands_is_kept_by_the_hub_as_it_was_played(
    tmp_path: Path, place: HubFolder, stack: ExitStack
) -> None:
    stack.enter_context(place.running())
    chain = OpenChain(chain_of(place), lambda _: None, lambda: 1_800_000_000.0, tmp_path)
    stack.callback(chain.close)
    evening = Evening(stack, journal=tmp_path / "kept", chain=chain)
    for piece, square in (("LTRF", "a1"), ("LSQH", "b1"), ("LTRH", "c1"), ("LSQF", "d1")):
        evening.turn(piece, square)
    evening.press()

    place.heard.until(lambda: any("'event': 'result'" in str(call[-1]) for call in place.heard.calls))
    place.heard.until(lambda: ("presence", "north-1", True) in place.heard.calls)
    place.heard.until(lambda: any(call[:2] == ("status", "north-1") for call in place.heard.calls))
    (game,) = games_of(place)
    assert (game.house, game.reason, game.moves, game.fault) == ("North", "call", 4, None)


def test_what_was_played_while_the_hub_was_away_is_kept_when_it_is_there(
    tmp_path: Path, place: HubFolder, stack: ExitStack
) -> None:
    chain = OpenChain(chain_of(place), lambda _: None, lambda: 1_800_000_000.0, tmp_path)
    stack.callback(chain.close)
    evening = Evening(stack, journal=tmp_path / "kept", chain=chain)
    evening.turn("LTRF", "a1")
    with place.running():
        place.heard.until(lambda: sum(call[0] == "settled" for call in place.heard.calls) == 3)
    evening.turn("LSQH", "b1")
    with place.running():
        place.heard.until(lambda: sum(call[0] == "settled" for call in place.heard.calls) == 2)
    (game,) = games_of(place)
    assert (game.through, game.moves, game.fault) == (5, 2, None)


def test_what_the_hub_wants_is_taken_by_the_board_and_said_to_the_hub(
    tmp_path: Path, place: HubFolder, stack: ExitStack
) -> None:
    hub = stack.enter_context(place.running())
    order = BoardOrder(1, {"coach": True, "buttons": 1}, "17:00-23:00")
    hub.intake.send(orders_for("north-1"), pack_order(order), is_retained=True)
    chain = OpenChain(chain_of(place), lambda _: None, lambda: 1_800_000_000.0, tmp_path)
    stack.callback(chain.close)
    evening = Evening(stack, journal=tmp_path / "kept", chain=chain)
    place.heard.until(lambda: any(call[0] == "outcome" for call in place.heard.calls))
    (said,) = [call[2] for call in place.heard.calls if call[0] == "outcome"]
    assert isinstance(said, bytes)
    outcome = read_outcome(said)
    assert outcome.taken == ("coach", "hours")
    assert [part for part, _ in outcome.refused] == ["buttons"]
    evening.turn("LTRF", "a1")
    state = evening.loop.state
    assert state is not None
    assert state.wishes.coach is True
