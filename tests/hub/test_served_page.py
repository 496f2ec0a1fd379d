"""The whole hub as people start it: Mosquitto, a board at the wire, and the page, plain and encrypted."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, cast

import pytest

from quarto_pi.chain.credentials import CA_FILE
from quarto_pi.chain.messages import TournamentTold, pack_settled, pack_state, read_tournament
from quarto_pi.chain.topics import presence_of, settled_of, state_of, tournament_for
from quarto_pi.hub.running import FIRST_PASSWORD_FILE, METRICS_TOKEN_FILE, names_of_page
from quarto_pi.hub.settings import HubSettings
from tests.forked import ForkedProcess
from tests.hub.boards import IDLE, PLAYS
from tests.hub.games import HISTORY, settled
from tests.hub.hubs import HubFolder
from tests.hub.wire import GUARD, WireBoard
from tests.ports import free_port

pytestmark = pytest.mark.slow


class Caller:
    """Somebody who asks the page, with a cookie jar, and believes the hub's own authority alone."""

    def __init__(self, address: str, ca: Path | None) -> None:
        self._address = address
        context = ssl.create_default_context(cafile=None if ca is None else str(ca))
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.HTTPSHandler(context=context)
        )

    def ask(self, path: str, body: dict[str, object] | None = None) -> Any:  # noqa: ANN401 - whatever is answered
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 - our own page
            self._address + path, data, {"Content-Type": "application/json"}
        )
        with self._opener.open(request, timeout=GUARD) as answer:
            return json.load(answer)


@contextmanager
def started(place: HubFolder, *lines: str) -> Iterator[str]:
    """`quarto-pi hub start` with these settings; its page's port has an address by the time this goes on."""
    port = free_port()
    file = place.folder / "hub.toml"
    text = file.read_text(encoding="utf-8").replace("page_port = 0", f"page_port = {port}")
    file.write_text("\n".join([text, *lines, ""]), encoding="utf-8")
    process = ForkedProcess("tests.hub.quick_hub", str(place.folder), "0", "hasty")
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith("Its page is at "):
                yield line.removeprefix("Its page is at ").strip().rstrip(".").rstrip("/") + "/"
                break
        else:
            raise AssertionError("no page was served")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(GUARD)
        process.close()


def listed(caller: Caller) -> list[dict[str, Any]]:
    """The boards, once the hub has looked for the first time which there are."""
    while not (boards := caller.ask("api/v1/boards")["boards"]):
        pass
    return cast("list[dict[str, Any]]", boards)


def first_password(folder: Path) -> str:
    file = folder / FIRST_PASSWORD_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return file.read_text(encoding="utf-8").strip()


def test_what_a_board_tells_is_on_the_page_of_its_owner(place: HubFolder) -> None:
    with started(place) as address, place.board("north-1") as board:
        caller = Caller(address, None)
        caller.ask("api/v1/session", {"name": "owner", "password": first_password(place.folder)})
        (row,) = listed(caller)
        assert (row["name"], row["house"], row["ever_heard"]) == ("north-1", "North", False)
        board.publish(presence_of("north-1"), b"online", retain=True)
        board.publish(state_of("north-1"), pack_state(PLAYS), retain=True)
        # What has come to the broker comes to the page: asked for until it is there.
        while (row := listed(caller)[0])["condition"] != "playing":
            assert row["condition"] in ("gone", "waiting")
        assert row["game"]["position"] == PLAYS.position


def test_a_game_at_a_table_is_on_the_page_and_the_board_is_told(place: HubFolder) -> None:
    with started(place) as address, place.board("north-1", tournament_for("north-1")) as board:
        caller = Caller(address, None)
        caller.ask("api/v1/session", {"name": "owner", "password": first_password(place.folder)})
        board.publish(presence_of("north-1"), b"online", retain=True)
        board.publish(state_of("north-1"), pack_state(replace(IDLE, history=HISTORY)), retain=True)
        while listed(caller)[0]["doing"] is None:
            pass
        order = {"house": "North", "title": "Friday", "system": "round robin", "best_of": 1, "rounds": 0}
        assert caller.ask("api/v1/tournaments", order) == {"number": 1}
        for name, body in (("enter", {"labels": ["Ada", "Bo"]}), ("tables", {"boards": ["north-1"]}), ("draw", {})):
            told = caller.ask(f"api/v1/tournaments/1/{name}", cast("dict[str, object]", body))
        assert (told["pairings"][0]["table"], told["pairings"][0]["counts"]) == (1, True)
        for action in settled():
            board.publish(settled_of("north-1"), pack_settled(action))
        board.until(lambda: _told(board)[-1].over)
        (pairing,) = caller.ask("api/v1/tournaments/1")["pairings"]
        assert (pairing["result"], pairing["games"][0]["board"]) == ([2, 0], "north-1")
        assert [row.points for row in _told(board)[-1].standings] == [2, 0]
        assert not any(b"Ada" in payload for _, payload in board.heard)


def _told(board: WireBoard) -> list[TournamentTold]:
    return [read_tournament(payload) or NONE for topic, payload in list(board.heard) if "tournament" in topic] or [NONE]


NONE = TournamentTold("-", 0, 0)


def test_a_page_for_other_machines_is_encrypted_by_the_hubs_own_authority(place: HubFolder) -> None:
    with started(place, 'page_host = "0.0.0.0"') as address:
        assert address.startswith("https://")
        caller = Caller(address, place.folder / CA_FILE)
        assert caller.ask("api/v1/")["name"] == "quarto-pi hub"
        caller.ask("api/v1/session", {"name": "owner", "password": first_password(place.folder)})
        assert len(listed(caller)) == 1
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            Caller(address, None).ask("api/v1/")
        with socket.create_connection(("127.0.0.1", int(address.rsplit(":", 1)[1].rstrip("/"))), GUARD) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert not plain.recv(100).startswith(b"HTTP")


def test_the_page_is_asked_for_by_the_names_that_boards_fetch_versions_by() -> None:
    settings = HubSettings(
        address="Hub.example", page_names="a.example B.example", versions_at="https://versions.example:8443"
    )
    assert names_of_page(settings) == ("a.example", "b.example", "hub.example", "versions.example")
    assert names_of_page(HubSettings()) == ()


def test_the_figures_token_is_for_the_hub_alone(place: HubFolder) -> None:
    with started(place):
        file = place.folder / METRICS_TOKEN_FILE
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert len(file.read_text(encoding="utf-8").strip()) >= 32
