"""Games that are taken away as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from quarto_pi.hub.download import games_as_csv, games_as_json_lines, record_of_game
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.store import ChainGame, GameSearch, HubStore, all_games
from quarto_pi.rules import parse_record
from tests.hub.games import BEGAN, HISTORY, received, settled


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HubStore]:
    store = open_sqlite(tmp_path / "hub.sqlite")
    store.put_board("north-1", "=HYPERLINK(1)", BEGAN)
    store.keep(received("north-1", settled()))
    yield store
    store.close()


def test_a_table_of_games_has_a_line_for_each_and_no_formula(store: HubStore) -> None:
    (row,) = csv.DictReader(io.StringIO("".join(games_as_csv(all_games(store, GameSearch())))))
    assert row["house"] == "'=HYPERLINK(1)"
    assert (row["board"], row["reason"], row["winner"], row["moves"]) == ("north-1", "call", "0", "4")
    assert row["begun"] == "2026-11-18T11:06:41Z"


def test_lines_of_json_have_the_same(store: HubStore) -> None:
    (line,) = games_as_json_lines(all_games(store, GameSearch()))
    told = json.loads(line)
    assert (told["board"], told["seats"], told["fault"]) == ("north-1", ["person", "person"], None)


def test_a_game_comes_as_a_record_that_is_read_again(store: HubStore) -> None:
    text = record_of_game(store, ("north-1", HISTORY, 1))
    assert text is not None
    record = parse_record(text)
    assert record.headers["Board"] == "north-1"
    assert record.game.result is not None
    assert record.game.result.reason.value == "call"
    assert record_of_game(store, ("north-1", HISTORY, 2)) is None


def test_what_was_never_read_is_never_made(store: HubStore) -> None:
    (game,) = store.games(GameSearch())

    def endless() -> Iterator[ChainGame]:
        number = 0
        while True:
            number += 1
            yield replace(game, game=number)

    assert len(list(islice(games_as_csv(endless()), 3))) == 3


def test_a_time_that_no_calendar_has_is_left_empty(store: HubStore) -> None:
    (game,) = store.games(GameSearch())
    (_, row) = games_as_csv([replace(game, begun=1e15)])
    assert row.count(",,") >= 1
