"""Two whole boards that play each other while everything fails; `make chain` has many evenings of it."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.referee.effects import GameFinished
from quarto_pi.rules import Player
from tests.chain_faults.between import NAMES, evening_between, judged
from tests.chain_faults.campaign import TableInHouse
from tests.chain_faults.evidence import journal_in
from tests.chain_faults.mosquitto import PROGRAM
from tests.power.tap import compile_tap
from tests.rules.script import play

RULES = {"squares": False, "traits": "colour,height,shape,top"}
WON_BY_FIRST = ["LTRF", "a1 LTQF", "b1 LSRF", "c1 LSQF", "d1 QUARTO"]
WON = play("0 a1 1 b1 2 c1 3 d1 call0")


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="there is no Mosquitto here")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.campaign)])
def test_two_whole_boards_hold_one_game_whatever_fails(seed: int, tmp_path: Path) -> None:
    played = evening_between(seed, tmp_path, games=2, bad_seconds=12.0, tap=compile_tap(tmp_path), is_hasty=True)
    assert played.faults == []
    assert played.done.total() > 0


def board_with(folder: Path, name: str, entries: list[str], told: int | None) -> TableInHouse:
    """A board whose journal has one game with another board, of which people were told that this player has won."""
    table = TableInHouse(name, folder / name, "", "")
    with ExitStack() as stack:
        writer = open_journal(
            table.folder / "journal", Settings(), stack, at_once=True, is_on_chain=True, say=lambda _: None
        ).writer
        assert WON.result is not None
        writer.keep((Begin(0, 1, Player.A, Settings()),))
        writer.keep((Tell(0, GameFinished(WON.result, WON.position)), Save(0, WON)))
        writer.keep_match("m", json.dumps({"match": "m", "starter": 0, "rules": RULES, "entries": entries, "game": 1}))
    history = journal_in(name, table.folder / "journal" / "journal.sqlite").history
    table.seen.told[history].append((1, {"event": "result", "winner": told, "reason": "call"}))
    return table


def test_two_boards_that_hold_one_game_and_were_told_so_are_in_order(tmp_path: Path) -> None:
    tables = [board_with(tmp_path, name, WON_BY_FIRST, 0) for name in NAMES]
    assert judged(tables)[0] == []
    assert judged(tables)[1] == {"won": 1}


def test_boards_that_hold_different_games_are_found_out(tmp_path: Path) -> None:
    other = [*WON_BY_FIRST[:3], "c2 LSQF"]
    tables = [board_with(tmp_path, name, log, 0) for name, log in zip(NAMES, (WON_BY_FIRST, other), strict=True)]
    assert "entry 4" in judged(tables)[0][0]


def test_people_who_were_told_of_another_winner_than_the_log_has_are_found_out(tmp_path: Path) -> None:
    tables = [board_with(tmp_path, name, WON_BY_FIRST, told) for name, told in zip(NAMES, (0, 1), strict=True)]
    assert "south: people were told that {1} has won game 1, and by its log 0 has" in judged(tables)[0]


def test_a_journal_that_says_another_winner_than_its_log_is_found_out(tmp_path: Path) -> None:
    false_call = [*WON_BY_FIRST[:4], "d2 QUARTO"]
    tables = [board_with(tmp_path, name, false_call, None) for name in NAMES]
    assert any("its journal says that 0 has won" in fault for fault in judged(tables)[0])
