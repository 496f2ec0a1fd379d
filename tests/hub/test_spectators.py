"""Spectators: whoever has a board's link sees its game, and nothing else, as long as the house wants it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from xml.etree import ElementTree as ET

import pytest
from starlette.applications import Starlette

from quarto_pi.chain.hub_messages import read_spectators
from quarto_pi.hub.board_post import SpectatorPost, address_for_code
from quarto_pi.hub.page_boards import WatchStreams, watched_as_json
from quarto_pi.hub.page_spectators import MOST_OF_BOARD, SpectatorPages
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.screens.icons import fits
from tests.hub.page_of_hub import TestedHub, served_hub, tell_some


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[TestedHub]:
    with served_hub(tmp_path) as hub:
        tell_some(hub.watch)
        yield hub


def link_of(hub: TestedHub, board: str = "north-1") -> str:
    """Let people watch a board; the token of its link."""
    answer = hub.client.post(f"/api/v1/boards/{board}/spectators", json={"open": True})
    assert answer.status_code == 200, answer.text
    address, _, token = answer.json()["link"].partition("#")
    assert address == "http://192.168.1.1:8050/watch"
    return str(token)


def test_who_has_the_link_sees_this_boards_game_alone(hub: TestedHub) -> None:
    hub.log_in("nora")
    token = link_of(hub)
    hub.client.cookies.clear()
    told = hub.read(f"watch/{token}")
    assert set(told) == {"name", "here", "doing", "game"}
    assert (told["name"], told["game"]["position"]) == ("north-1", "..../..../.5../...a 3")
    assert hub.status("boards") == hub.status("tournaments") == hub.status("boards/north-1/spectators") == 401
    assert hub.client.get("/watch").status_code == 200


def test_a_link_ends_when_the_house_wants_it_or_makes_another_one(hub: TestedHub) -> None:
    hub.log_in("nora")
    old = link_of(hub)
    new = link_of(hub)
    assert (old != new, len(new)) == (True, 24)
    assert (hub.status(f"watch/{old}"), hub.status(f"watch/{new}")) == (404, 200)
    assert hub.post("boards/north-1/spectators", {"open": False}) == 200
    assert hub.status(f"watch/{new}") == hub.status(f"watch/{new}/stream") == 404
    assert hub.read("boards/north-1/spectators")["link"] is None


def test_a_board_is_told_a_short_address_that_leads_to_its_link_as_long_as_there_is_one(hub: TestedHub) -> None:
    store = open_sqlite(hub.folder / "hub.sqlite")
    sent: list[tuple[str, str]] = []
    post = SpectatorPost(hub.watch)
    post.send_by(lambda topic, payload, **_: sent.append((topic, read_spectators(payload))))
    post.look(store)
    assert set(sent) == {(f"quarto/{board}/in/spectators", "") for board in ("north-1", "north-2", "south-1")}
    sent.clear()
    hub.log_in("nora")
    token = link_of(hub)
    for _ in range(3):
        post.look(store)
    ((topic, address),) = sent
    assert (topic, address[:30]) == ("quarto/north-1/in/spectators", "HTTP://192.168.1.1:8050/W" + address[25:30])
    assert fits(address, 64)
    hub.client.cookies.clear()
    answer = hub.client.get(address.removeprefix("HTTP://192.168.1.1:8050"), follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/watch#{token}")
    hub.log_in("nora")
    sent.clear()
    assert hub.post("boards/north-1/spectators", {"open": False}) == 200
    post.look(store)
    assert sent == [("quarto/north-1/in/spectators", "")]
    gone = hub.client.get(address.removeprefix("HTTP://192.168.1.1:8050"), follow_redirects=False)
    assert gone.headers["location"] == "/watch#gone"
    hub.watch.link(linked=False)
    hub.now += 5
    hub.watch.link(linked=True)
    post.look(store)
    assert len(sent) == 4, "a broker that may have forgotten everything is told everything"
    store.close()


@pytest.mark.parametrize("host", ["127.0.0.1:8050", "localhost:8050", "[::1]:8050"])
def test_an_address_that_only_the_hubs_own_machine_can_open_is_said_to_be_one_and_shown_on_no_board(
    host: str, hub: TestedHub
) -> None:
    hub.log_in("nora")
    path, headers = "/api/v1/boards/north-1/spectators", {"host": host}
    told = hub.client.post(path, json={"open": True}, headers=headers).json()
    assert (told["only_here"], told["link"].startswith(f"http://{host}/watch#")) == (True, True)
    assert hub.client.get(path).json()["only_here"] is False
    store = open_sqlite(hub.folder / "hub.sqlite")
    (link,) = store.tournaments.spectator_links()
    assert address_for_code(link.page, link.token) == ""
    store.close()


@pytest.mark.parametrize("code", ["x", "A" * 13, "A" * 15, "é" * 14])
def test_a_code_that_no_board_shows_leads_nowhere(code: str, hub: TestedHub) -> None:
    assert hub.client.get(f"/W{code}", follow_redirects=False).status_code == 404


def test_the_house_alone_lets_people_watch(hub: TestedHub) -> None:
    hub.log_in("nora")
    assert hub.post("boards/south-1/spectators", {"open": True}) == 404
    assert hub.post("boards/nowhere/spectators", {"open": True}) == 404
    hub.log_in("otto")
    assert hub.post("boards/north-1/spectators", {"open": True}) == 403
    assert hub.status("boards/north-1/spectators") == 403
    assert hub.status("boards/north-1/spectators.svg") == 403


def test_the_code_is_a_picture_and_is_there_while_the_link_is(hub: TestedHub) -> None:
    hub.log_in("nora")
    assert hub.status("boards/north-1/spectators.svg") == 404
    link_of(hub)
    answer = hub.client.get("/api/v1/boards/north-1/spectators.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert ET.fromstring(answer.content).tag.endswith("svg")  # noqa: S314 - our own


@pytest.mark.parametrize("token", ["x", "%2e%2e", "%00", "a" * 200, "é"])
def test_a_token_that_nobody_gave_opens_nothing(token: str, hub: TestedHub) -> None:
    assert hub.status(f"watch/{token}") == 404
    assert hub.status(f"watch/{token}/stream") == 404


def test_a_board_that_is_closed_to_spectators_ends_their_streams(hub: TestedHub) -> None:
    streams = WatchStreams(hub.watch)
    row = hub.watch.row("north-1")
    assert row is not None
    answers = [watched_as_json(row), None]

    async def told() -> list[str]:
        return [event async for event in streams.events_of_board(lambda: _next(answers, streams))]

    said = asyncio.run(told())
    assert [event.split("\n")[0] for event in said] == ["event: board", "event: over"]
    assert json.loads(said[0].split("data: ")[1])["name"] == "north-1"
    assert streams.clients == 0


def _next(answers: list[dict[str, object] | None], streams: WatchStreams) -> dict[str, object] | None:
    streams.wake()
    return answers.pop(0)


def test_so_many_watch_a_board_and_no_more(hub: TestedHub) -> None:
    hub.log_in("nora")
    token = link_of(hub)
    pages = next(each for each in _pages(hub))
    pages._watching["north-1"] = MOST_OF_BOARD
    answer = hub.client.get(f"/api/v1/watch/{token}/stream")
    assert (answer.status_code, answer.json()["reason"]) == (503, "busy")


def _pages(hub: TestedHub) -> Iterator[SpectatorPages]:
    """The page's own, which counts who watches."""
    for route in cast("Starlette", hub.client.app).routes:
        owner = getattr(getattr(route, "endpoint", None), "__self__", None)
        if isinstance(owner, SpectatorPages):
            yield owner


def test_spectators_are_told_neither_health_nor_house(hub: TestedHub) -> None:
    row = hub.watch.row("south-1")
    assert row is not None
    assert row.to_do
    told = json.dumps(watched_as_json(row))
    assert "reader" not in told
    assert '"south"' not in told
