"""Short evenings of chains in which everything fails; `make chain` has long ones. Planted mistakes are found."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chain_faults.campaign import compared, evening_of
from tests.chain_faults.mosquitto import PROGRAM
from tests.chain_faults.planted import MISTAKES, found_in, one_table, until_kept
from tests.chain_faults.split import is_possible
from tests.chain_faults.waiting import GUARD_SECONDS, wait_until
from tests.power.tap import compile_tap

pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROGRAM is None, reason="there is no Mosquitto here")]

GAMES = 4


@pytest.mark.parametrize(("seed", "base", "hubs"), [(1, "sqlite", 1), (2, "postgres", 2)])
def test_nothing_settled_is_lost_or_counted_twice_whatever_fails(
    seed: int, base: str, hubs: int, tmp_path: Path
) -> None:
    outcome = evening_of(seed, GAMES, tmp_path, base=base, hubs=hubs, tap=compile_tap(tmp_path))
    assert outcome.faults == []
    assert outcome.kept > outcome.settled > 0
    assert outcome.done.total() > 0


def test_a_house_where_nobody_makes_a_mistake_is_in_order(tmp_path: Path) -> None:
    with one_table(tmp_path) as (house, table):
        until_kept(house, 30)
        table.rest()
        assert compared([house], [table]) == []


@pytest.mark.parametrize(("errors", "share"), [(10, 0.03), pytest.param(300, 0.01, marks=pytest.mark.campaign)])
def test_errors_that_nobody_foresaw_end_neither_board_nor_hub_and_lose_nothing(
    errors: int, share: float, tmp_path: Path
) -> None:
    with one_table(tmp_path, stumbles=share) as (house, table):
        house.trouble_hub(random.Random(1), (share,))

        def enough() -> bool:
            table.look()
            assert not house.died + [table.stuck] * bool(table.stuck)
            return min(table.done.total(), house.done.total()) >= errors

        wait_until("enough errors have come up on both sides", enough, 20 * GUARD_SECONDS)
        assert len(table.told) > 0, "the game goes on"
        house.revive_hub()
        table.rest()
        assert compared([house], [table]) == []


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.campaign) for name in MISTAKES])
def test_planted_mistake_is_found_out(name: str, tmp_path: Path) -> None:
    assert found_in(MISTAKES[name], tmp_path / "house", 0)


@pytest.mark.skipif(not is_possible(), reason="this user may have no network of his own here: unshare -Urn")
@pytest.mark.parametrize("seconds", [2.0, pytest.param(60.0, marks=pytest.mark.campaign)])
def test_nothing_is_lost_when_the_cable_to_the_broker_is_pulled(seconds: float, tmp_path: Path) -> None:
    command = ["unshare", "-Urn", sys.executable, "-m", "tests.chain_faults.split", f"{tmp_path}", f"{seconds}"]
    lived = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    assert lived.stdout.splitlines()[-1:] == ['@{"faults": []}'], lived.stderr
