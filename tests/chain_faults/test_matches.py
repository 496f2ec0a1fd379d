"""A game between two boards through a bad network; `make chain` has hundreds. The plain model knows who has won."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quarto_pi.rules import Player
from tests.chain_faults.matches import Outcome, contradictions, outcome_of, play_match
from tests.chain_faults.mosquitto import PROGRAM
from tests.remote_play.tables import TwoTables

RULES = {"squares": False, "traits": "colour,height,shape,top"}
LINE = ["LTRF", "a1 LTQF", "b1 LSRF", "c1 LSQF"]


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="there is no Mosquitto here")
@pytest.mark.parametrize("seed", [2, pytest.param(3, marks=pytest.mark.campaign)])
def test_two_boards_never_disagree_on_who_has_won(seed: int, tmp_path: Path) -> None:
    assert play_match(seed, tmp_path, bad_seconds=6.0).faults == []


@pytest.mark.parametrize(
    ("entries", "outcome"),
    [
        ([], Outcome()),
        (LINE, Outcome()),
        ([*LINE, "d1 QUARTO"], Outcome(True, 0)),
        ([*LINE, "d1 DSRH", "QUARTO"], Outcome(True, 1)),
        ([*LINE, "d2 QUARTO"], Outcome(True, 1)),
        ([*LINE, "d1 DSRH", "d4 DSQH", "QUARTO"], Outcome(True, 1)),
    ],
    ids=["nothing", "no call", "maker", "receiver", "false", "lapsed"],
)
def test_plain_model_knows_who_has_won(entries: list[str], outcome: Outcome) -> None:
    assert outcome_of({"starter": 0, "rules": RULES, "entries": entries}) == outcome


def test_two_squares_of_four_count_where_the_rules_say_so() -> None:
    entries = ["LTRF", "a1 LTQF", "b1 LSRF", "a2 LSQF", "b2 QUARTO"]
    assert outcome_of({"starter": 0, "rules": RULES, "entries": entries}) == Outcome(True, 1)
    assert outcome_of({"starter": 0, "rules": {**RULES, "squares": True}, "entries": entries}) == Outcome(True, 0)


def test_boards_that_have_two_games_of_one_name_are_found_out() -> None:
    tables = TwoTables(1)
    tables.begin()
    tables.pass_time(30_000, people=True, until=lambda: any(len(_entries(each)) > 1 for each in _rows(tables)))
    assert contradictions(tables.tables) == []
    name, row = next(iter(tables.north.disk.rows.items()))
    entries = _entries(row)
    tables.north.disk.rows[name] = json.dumps(
        {**json.loads(row), "entries": ["LTRF" if entries[0] != "LTRF" else "DTRF"]}
    )
    tables.south.disk.rows[name] = row
    assert "entry 1" in contradictions(tables.tables)[0]


def _rows(tables: TwoTables) -> list[str]:
    return [row for table in tables.tables for row in table.disk.rows.values()]


def _entries(row: str) -> list[str]:
    entries: list[str] = json.loads(row)["entries"]
    return entries


def test_players_are_numbered_as_the_model_does() -> None:
    assert [player.value for player in Player] == [0, 1]
