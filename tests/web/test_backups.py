"""Saved games over the page: who has the PIN takes them off the board and puts them back."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.restore import COPY_NAME, MOST_HANDED_OUT, SavedGames
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings
from quarto_pi.rules import Player
from quarto_pi.web.backups import GAMES_TYPE, MOST_WAIT_FOR_COPY, BackupRoutes
from quarto_pi.web.service import ServedBoard, service
from quarto_pi.web.wishes import Refused
from tests.rules.script import play
from tests.web.visit import LOCAL, Parsed, feed_with, moment

PIN = "open sesame"
WON = play("0 a1 1 b1 2 c1 3 d1 call0")


def kept_games(folder: Path, *numbers: int) -> int:
    """Start, play these games, and end; how many had ended when it started."""
    with ExitStack() as stack:
        journal = open_journal(folder, Settings(), stack, at_once=True)
        for number in numbers:
            journal.writer.keep((Begin(0, number, Player.A, Settings()), Save(0, WON, 60_000)))
        return journal.remembered.before.tally.games


@dataclass
class Owner:
    """Who has the PIN, at a page whose board has games and a USB stick."""

    client: TestClient
    folder: Path
    stick: Path
    reopened: list[None] = field(default_factory=list)

    def ask(self, pin: str | None = PIN, **body: str) -> httpx.Response:
        headers = {} if pin is None else {"X-Pin": pin}
        return self.client.post("/api/v1/saved", json=body, headers=headers)

    def upload(self, content: bytes, pin: str = PIN) -> httpx.Response:
        headers = {"X-Pin": pin, "content-type": GAMES_TYPE}
        return self.client.post("/api/v1/saved/file", content=content, headers=headers)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    folder, stick = tmp_path / "kept", tmp_path / "stick"
    stick.mkdir()
    kept_games(folder, 1, 2)
    reopened: list[None] = []
    saved = SavedGames(folder, lambda: reopened.append(None), places=lambda _: [stick] if stick.is_dir() else [])
    with TestClient(
        service(ServedBoard(feed_with(moment()), lambda _: None, pin=PIN, saved=saved)), base_url=LOCAL
    ) as client:
        yield Owner(client, folder, stick, reopened)


def test_games_taken_off_one_board_are_put_back_on_another(owner: Owner) -> None:
    taken = owner.ask(do="take")
    assert (taken.status_code, taken.headers["content-type"]) == (200, GAMES_TYPE)
    shutil.rmtree(owner.folder)
    kept_games(owner.folder, 1)
    answer: Parsed = owner.upload(taken.content).json()
    assert (answer, len(owner.reopened)) == ({"games": 2}, 1)
    assert kept_games(owner.folder) == 2
    # What was there is kept, and nothing else stays lying about.
    names = {file.name for file in owner.folder.iterdir()} - {JOURNAL_FILE}
    assert names == {"backup-000001.sqlite", "replaced-000001.sqlite"}


def test_backup_of_the_board_and_copy_on_a_stick_are_listed_and_put_back(owner: Owner) -> None:
    kept_games(owner.folder)
    name = owner.ask(do="to stick").json()["name"]
    assert name == f"{COPY_NAME}-000001.sqlite"
    kept_games(owner.folder, 3)
    listed = owner.ask(do="list").json()
    assert [copy["games"] for copy in listed["backups"]] == [3, 1]
    assert [(copy["name"], copy["games"]) for copy in listed["stick"]] == [(name, 2)]
    for where, file, games in (("stick", name, 2), ("board", listed["backups"][0]["name"], 3)):
        assert owner.ask(do="put back", where=where, name=file).json() == {"games": games}
        assert kept_games(owner.folder) == games


def test_stranger_without_the_pin_neither_sees_nor_changes_saved_games(owner: Owner) -> None:
    before = sorted(file.name for file in owner.folder.iterdir())
    for do in ("list", "take", "to stick", "put back"):
        assert owner.ask(pin=None, do=do).status_code == 403
        assert owner.upload(b"", pin="000000").status_code == 403
    assert sorted(file.name for file in owner.folder.iterdir()) == before
    assert list(owner.stick.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"holiday", b"SQLite format 3\0" + bytes(9_000)])
def test_file_without_games_is_refused_and_the_journal_stays(owner: Owner, content: bytes) -> None:
    answer = owner.upload(content)
    assert (answer.status_code, answer.json()["reason"]) == (409, "no games file")
    assert owner.reopened == []
    assert kept_games(owner.folder) == 2


def test_name_that_is_not_listed_is_no_way_to_other_files(owner: Owner) -> None:
    shutil.copyfile(owner.folder / JOURNAL_FILE, owner.folder.parent / "other.sqlite")
    for name in ("../other.sqlite", f"{owner.folder.parent}/other.sqlite", "", "backup-000009.sqlite"):
        assert owner.ask(do="put back", where="board", name=name).status_code == 409


def test_board_without_a_stick_says_so(owner: Owner) -> None:
    owner.stick.rmdir()
    assert owner.ask(do="list").json()["stick"] is None
    answer = owner.ask(do="to stick")
    assert (answer.status_code, answer.json()["reason"]) == (409, "no stick")


def test_who_asks_for_the_games_while_a_slow_stick_is_looked_at_gets_them_after_that(tmp_path: Path) -> None:
    folder, looks, may_end = tmp_path / "kept", Event(), Event()
    kept_games(folder, 1)

    def slow_stick(_: str) -> list[Path]:
        looks.set()
        assert may_end.wait(60)
        return []

    saved = SavedGames(folder, lambda: None, places=slow_stick)
    served = ServedBoard(feed_with(moment()), lambda _: None, pin=PIN, saved=saved)
    with TestClient(service(served), base_url=LOCAL) as client, ThreadPoolExecutor() as hands:
        owner = Owner(client, folder, tmp_path)
        listing = hands.submit(owner.ask, do="list")
        assert looks.wait(60)
        pressed = [hands.submit(owner.ask, do="take") for _ in range(MOST_WAIT_FOR_COPY + 2)]
        refused = [each.result().json()["reason"] for _, each in zip(range(2), as_completed(pressed), strict=False)]
        may_end.set()
        answers = [each.result().status_code for each in pressed]
        assert listing.result().status_code == 200
    assert refused == ["busy", "busy"]
    assert sorted(answers) == [200] * MOST_WAIT_FOR_COPY + [503, 503]


def test_nobody_waits_for_ever_behind_somebody_elses_saved_games(tmp_path: Path) -> None:
    kept_games(tmp_path / "kept", 1)

    async def wait_behind() -> Refused:
        saved = SavedGames(tmp_path / "kept", lambda: None, places=lambda _: [])
        routes = BackupRoutes(saved, lambda _: None, turn_seconds=0.0)
        await routes._turn()
        with pytest.raises(Refused) as refused:
            await routes._turn()
        return refused.value

    assert asyncio.run(wait_behind()).status == 503


def test_copies_that_are_on_their_way_stay_and_those_left_behind_do_not_heap_up(tmp_path: Path) -> None:
    kept_games(tmp_path / "kept", 1)
    saved = SavedGames(tmp_path / "kept", lambda: None, places=lambda _: [])
    first, second = saved.taken(), saved.taken()
    assert first != second
    assert first.exists()
    for _ in range(3 * MOST_HANDED_OUT):
        last = saved.taken()
    assert last.exists()
    assert len(list(last.parent.glob("taken-*"))) == MOST_HANDED_OUT + 1
