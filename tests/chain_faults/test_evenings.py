"""Short evenings of chains in which everything fails; `make chain` has long ones. Planted mistakes are found."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.chain_faults.campaign import TableInHouse, compared, evening_of
from tests.chain_faults.house import House
from tests.chain_faults.mosquitto import HOST, PROGRAM
from tests.chain_faults.proxy import Trouble
from tests.chain_faults.split import is_possible
from tests.chain_faults.waiting import wait_until
from tests.power.tap import compile_tap

pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROGRAM is None, reason="there is no Mosquitto here")]

GAMES = 4
SOON_SECONDS = 3.0
"""What is lost for good is not looked for any longer than this."""


@pytest.mark.parametrize(("seed", "base"), [(1, "sqlite"), (2, "postgres")])
def test_nothing_settled_is_lost_or_counted_twice_whatever_fails(seed: int, base: str, tmp_path: Path) -> None:
    outcome = evening_of(seed, GAMES, tmp_path, base=base, tap=compile_tap(tmp_path))
    assert outcome.faults == []
    assert outcome.kept > outcome.settled > 0
    assert outcome.done.total() > 0


@contextmanager
def one_table(folder: Path, *, hub: str = "", board: str = "") -> Iterator[tuple[House, TableInHouse]]:
    """A house with one table, where a hub or a board makes a mistake."""
    with ExitStack() as stack:
        house = stack.enter_context(House(folder, 0, ["board-1"], "sqlite", wrong=hub))
        table = TableInHouse("board-1", house.folder_of("board-1"), f"{HOST}:{house.proxy.port}", "0", wrong=board)
        stack.callback(table.end)
        table.start(random.Random(0))
        yield house, table


def _until_kept(house: House, actions: int) -> None:
    wait_until("the hub keeps what is settled", lambda: sum(len(hub.actions) for hub in house.found()) >= actions)


def test_a_house_where_nobody_makes_a_mistake_is_in_order(tmp_path: Path) -> None:
    with one_table(tmp_path) as (house, table):
        _until_kept(house, 30)
        table.rest()
        assert compared(house, [table]) == []


@pytest.mark.campaign
def test_a_hub_that_tells_before_it_has_committed_is_found_out(tmp_path: Path) -> None:
    with one_table(tmp_path, hub="tells-before-commit") as (house, table):
        _until_kept(house, 30)
        house.revive_hub()
        _until_kept(house, 60)
        table.rest()
        house.revive_hub()
        assert "never reached the hub" in "\n".join(compared(house, [table], SOON_SECONDS))


@pytest.mark.campaign
def test_a_hub_that_counts_what_comes_twice_is_found_out(tmp_path: Path) -> None:
    with one_table(tmp_path, hub="counts-repeats") as (house, table):
        house.proxy.trouble = Trouble(repeated=0.5)
        _until_kept(house, 30)
        table.rest()
        assert "game 1 the hub has" in "\n".join(compared(house, [table], SOON_SECONDS))


@pytest.mark.campaign
def test_a_board_that_takes_the_brokers_word_for_the_hubs_is_found_out(tmp_path: Path) -> None:
    with one_table(tmp_path, board="deletes-at-puback") as (house, table):
        _until_kept(house, 30)
        # One that only finds no database takes its presence away, and is sent nothing.
        house.freeze_hub()
        told = len(table.told)
        wait_until("the table goes on", lambda: len(table.told) > told + 5)
        house.end_hub()
        house.broker.kill()
        house.start_broker()
        house.revive_hub()
        table.rest()
        found = "\n".join(compared(house, [table], SOON_SECONDS))
        # The hub misses them, and either asks for them in vain or is told that they are lost.
        assert "waits" in found or "{'event': 'lost'}" in found, found


@pytest.mark.campaign
def test_a_board_whose_numbers_begin_again_is_found_out(tmp_path: Path) -> None:
    with one_table(tmp_path, board="restarts-numbers") as (house, table):
        for actions in (12, 24, 36):
            _until_kept(house, actions)
            table.cut_power(random.Random(0))
            table.start(random.Random(0))
        wait_until("the table goes on", lambda: table.ended > 2)
        table.rest()
        assert compared(house, [table], SOON_SECONDS)


@pytest.mark.skipif(not is_possible(), reason="this user may have no network of his own here: unshare -Urn")
@pytest.mark.parametrize("seconds", [2.0, pytest.param(60.0, marks=pytest.mark.campaign)])
def test_nothing_is_lost_when_the_cable_to_the_broker_is_pulled(seconds: float, tmp_path: Path) -> None:
    command = ["unshare", "-Urn", sys.executable, "-m", "tests.chain_faults.split", f"{tmp_path}", f"{seconds}"]
    lived = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    assert lived.stdout.splitlines()[-1:] == ['@{"faults": []}'], lived.stderr
