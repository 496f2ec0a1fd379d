"""The hub's page: any request is answered in one response, and nobody is told of a board that is not his."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from quarto_pi.hub.fleet import ListedBoard
from quarto_pi.hub.login import Sessions
from quarto_pi.hub.page import ServedHub, hub_page
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.rollout_desk import RolloutDesk, RolloutWish
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.version_shelf import VersionShelf
from quarto_pi.hub.watch import Watch
from quarto_pi.tournament import (
    Announced,
    Decision,
    PairingSystem,
    PlayerEntered,
    RoundDrawn,
    TablesSet,
    TournamentEntry,
)
from tests.fuzz.dice import Dice
from tests.fuzz.page import FAILURES, METHODS, NAMES, PATIENCE_SECONDS, VALUES
from tests.fuzz.verdict import Broken, check_sentence
from tests.hub.page_of_hub import BOARDS, finished_game, people_in, tell_some

PATHS: Final = (
    *(f"/api/v1/{name}" for name in ("", "boards", "stream", "alarms", "people", "games", "games.csv", "games.jsonl")),
    *(f"/api/v1/{name}" for name in ("statistics", "figures", "orders", "session", "session/end", "password")),
    *(f"/api/v1/{name}" for name in ("alarms/1/seen", "alarms/-1/seen", "people/remove", "words/en", "words/xx")),
    *(f"/api/v1/games/{name}" for name in ("north-1/a1b2c3/1", "south-1/a1b2c3/2", "south-1/a1b2c3/2/record", "x/y/0")),
    *(f"/api/v1/games/north-1/a1b2c3/{number}" for number in ("9" * 30, "-1", "1/record", "1%00")),
    *(f"/api/v1/tournaments{name}" for name in ("", "/1", "/2", "/-1", "/" + "9" * 30, "/2/close", "/1/dance")),
    *(f"/api/v1/tournaments/2/{name}" for name in ("enter", "label", "withdraw", "tables", "draw", "seat", "unseat")),
    *(f"/api/v1/tournaments/{number}/{name}" for number in (1, 2) for name in ("game", "verdict")),
    *(f"/api/v1/boards/{board}/spectators{end}" for board in ("north-1", "south-1", "x") for end in ("", ".svg")),
    *(f"/api/v1/{name}" for name in ("versions", "versions/file", "versions/remove", "rollout", "rollout/stop")),
    *(f"/api/v1/rollout/{name}" for name in ("resume", "abandon", "dance")),
    *(f"/versions/{name}.raucb" for name in ("ab" * 32, "cd" * 32, "..%2fhub", "x", "keeper")),
    *("/watch", "/api/v1/watch/x", "/api/v1/watch/x/stream", "/api/v1/watch/%2e%2e"),
    *("/", "/metrics", "/static/hub/app.js", "/static/hub/../page.py", "/static/hub/%2e%2e/page.py", "/nothing"),
)
QUERIES: Final = (
    *("", "house=south", "board=south-1", "house=north", "language=de", "language=xx", "before=[1,%22a%22,%22b%22,1]"),
    *(
        "before=[",
        "before=%5b1e999,1,1,1%5d",
        "house=%00",
        "board=%ff",
        "house=north&house=south",
        "before=" + "9" * 500,
    ),
)
BODIES: Final = (
    *(b"{}", b'{"name":"anna","password":"x"}', b'{"name":"eve","role":"owner"}', b'{"name":"otto"}'),
    *(b'{"settings":{"language":"de"}}', b'{"hours":"10:00-23:00","house":"south"}', b'{"old":"x","new":"0123456789"}'),
    *(b'{"settings":{"language":"de"},"boards":["south-1"]}', rb'{"name":"\ud800","password":"x"}', b"[" * 3_000),
    *(
        b'{"house":"south","title":"x","system":"swiss","best_of":1,"rounds":3}',
        b'{"labels":["x",""]}',
        b'{"open":true}',
    ),
    *(b'{"house":"north","title":"x","system":"round robin","best_of":3,"rounds":0}', b'{"boards":["north-1",""]}'),
    *(b'{"pairing":1,"table":1}', b'{"pairing":1,"verdict":null}', b'{"pairing":1,"place":0,"outcome":"draw"}'),
    *(b'{"player":1,"label":"\\u0000"}', b'{"player":2}', b'{"pairing":9e99,"table":true}', b'{"open":1}'),
    *(b'{"version":"' + b"ab" * 32 + b'"}', b'{"version":"../x"}', b'{"version":1,"boards":[[]],"first":{}}'),
    *(b'{"settings":{"x":[[]]}}', b'{"hours":"\\u0000"}', b"NaN", b"x" * 5_000),
)
SECRET_OF: Final = {None: ("north-1", "south-1"), "nora": ("south-1",), "otto": (), "anna": ()}
"""Of whom nothing may be told, for nobody at all, somebody of a house, an onlooker and an owner."""


BUNDLE: Final = "ab" * 32


class HubService:
    """The page of a hub with boards that play, are ill and are gone, and with games."""

    def __init__(self) -> None:
        seconds = count(step=10)
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        store = open_sqlite(folder / "hub.sqlite")
        for number, (board, house) in enumerate(BOARDS.items(), 1):
            store.put_board(board, house, 0)
            store.keep(finished_game(board, number, 1_000.0 * number))
        for house, board in (("south", "south-1"), ("north", "north-1")):
            number = store.tournaments.begin(house, _entry(Announced("Friday", PairingSystem.ROUND_ROBIN)))
            told = (PlayerEntered("Ada"), PlayerEntered(), TablesSet((board,)), RoundDrawn(((1, 2),)))
            store.tournaments.append(number, 1, [_entry(each) for each in told])
            store.tournaments.open_to_spectators(board, f"token-of-{house}", 1_000.0)
        store.close()
        watch = Watch([ListedBoard(*each, ever_heard=True) for each in BOARDS.items()], lambda: 1_000.0)
        watch.recall([], 0)
        tell_some(watch)
        self.people = people_in(folder)
        hub = ServedHub(
            watch,
            self.people,
            lambda: open_sqlite(folder / "hub.sqlite"),
            rollouts=_rolled_out(folder, watch),
            metrics_token="open",  # noqa: S106
        )
        self._app = hub_page(hub, lambda: float(next(seconds)))
        self._runner = asyncio.Runner()

    def ask(self, scope: dict[str, Any], chunks: list[bytes]) -> list[dict[str, Any]]:
        """All that is sent in answer to a request."""
        return self._runner.run(self._ask(scope, chunks))

    async def _ask(self, scope: dict[str, Any], chunks: list[bytes]) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []
        answered = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if not chunks:
                # Whoever asks for a stream leaves once something has come.
                await answered.wait()
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": chunks.pop(0), "more_body": bool(chunks)}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(dict(message))
            if message.get("body"):
                answered.set()

        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._app(scope, receive, send)
        return sent


def _rolled_out(folder: Path, watch: Watch) -> RolloutDesk:
    """The desk of a version that is on its way to a board of each house."""
    versions = folder / "versions"
    versions.mkdir()
    (versions / f"{BUNDLE}.raucb").write_bytes(b"hsqs")
    told = {"version": "2.0", "sha256": BUNDLE, "size": 4, "checked": True, "by": "anna", "at": 1.0}
    (versions / f"{BUNDLE}.json").write_text(json.dumps(told), encoding="utf-8")
    for board in ("north-1", "south-1"):
        row = watch.row(board)
        if row is not None and row.status is not None:
            watch.status(board, replace(row.status, card="1.0"))
    desk = RolloutDesk(watch, VersionShelf(folder), "https://hub.local", lambda: 1_000.0)
    store = open_sqlite(folder / "hub.sqlite")
    desk.begin(store, RolloutWish(BUNDLE), "anna")
    store.close()
    return desk


def _entry(decision: Decision) -> TournamentEntry:
    return TournamentEntry(1_000.0, "anna", decision)


@cache
def _service() -> HubService:
    return HubService()


class KnownSession:
    """Sessions in which a token is a name, so that nobody has to log in for each request."""

    @staticmethod
    def user(_: Sessions, token: str, *, counts: bool = True) -> HubUser | None:
        del counts
        return _service().people.find(token)


def hub_requests(data: bytes) -> None:
    """A request of any kind by anybody, straight into the application."""
    dice = Dice(data)
    who = dice.choice(tuple(SECRET_OF))
    method, path, query = dice.choice(METHODS), dice.choice(PATHS), dice.choice(QUERIES)
    if dice.chance(20):
        path += dice.some(40).decode("latin-1")
    headers = [(b"host", b"192.168.1.1"), (b"content-type", b"application/json")]
    for _ in range(dice.number(3)):
        name = dice.choice(NAMES)
        headers = [(key, value) for key, value in headers if key != name]
        headers.append((name, dice.some(60) if dice.chance(30) else dice.choice(VALUES)))
    if who is not None:
        headers.append((b"cookie", b"quarto-hub=" + who.encode()))
    body = dice.choice(BODIES) if dice.chance(60) else dice.some(300)
    cut = dice.number(len(body) + 1)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8"),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": ("192.168.1.7", 50_000),
        "server": ("192.168.1.1", 8050),
    }
    before = Sessions.user
    Sessions.user = KnownSession.user  # type: ignore[method-assign, assignment]
    try:
        sent = _service().ask(scope, [body[:cut], body[cut:]])
    finally:
        Sessions.user = before  # type: ignore[method-assign]
    _check_answer(scope, who, body, sent)


def _check_answer(scope: dict[str, Any], who: str | None, body: bytes, sent: list[dict[str, Any]]) -> None:
    asked = f"{scope['method']} {scope['path']}?{scope['query_string'].decode()} by {who}"
    begun = [message for message in sent if message["type"] == "http.response.start"]
    if len(begun) != 1:
        raise Broken(f"{asked} was answered {len(begun)} times")
    if begun[0]["status"] in FAILURES:
        raise Broken(f"{asked} ended in {begun[0]['status']}")
    answer = b"".join(message.get("body", b"") for message in sent)
    if begun[0]["status"] >= 400:
        if dict(begun[0]["headers"]).get(b"content-type", b"") == b"application/json" and answer:
            check_sentence(json.loads(answer)["error"])
        return
    said = f"{scope['path']}{scope['query_string'].decode()}{body.decode('latin-1')}"
    for board in SECRET_OF[who]:
        if board.encode() in answer and board not in said:
            raise Broken(f"{asked} was told of {board}")
