"""What is kept of a version on its way to boards, in every database that a hub may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.hub.postgres import open_postgres
from quarto_pi.hub.rollout import (
    BoardStep,
    RolloutState,
    SeenOfBoard,
    advance_rollout,
    begin_rollout,
    resume_rollout,
    stop_rollout,
)
from quarto_pi.hub.rollout_table import KeptRollout
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.tables import SqlStore

NAMES = ("south-1", "north-1", "north-2")
OLD = dict.fromkeys(NAMES, SeenOfBoard(here=True, version="1", ailments=frozenset({"reader b2", "temperature"})))
BEGUN = KeptRollout(0, "ab" * 32, 150, 1.7e9, "anna", begin_rollout("2.0", NAMES, OLD, 1.7e9))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], SqlStore]]:
    """Opens the same database again and again."""
    stores: list[SqlStore] = []
    address = request.getfixturevalue("postgres").database() if request.param == "postgres" else ""

    def open_it() -> SqlStore:
        stores.append(open_postgres(address) if address else open_sqlite(tmp_path / "hub.sqlite"))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


def test_a_rollout_is_known_again_with_all_its_boards_in_their_order(opens: Callable[[], SqlStore]) -> None:
    kept = opens().rollouts.begin("here", BEGUN)
    assert kept == replace(BEGUN, number=1)
    again = opens().rollouts.newest("here")
    assert again == kept
    assert again is not None
    assert tuple(again.rollout.boards) == NAMES


def test_what_becomes_of_it_is_kept_step_by_step(opens: Callable[[], SqlStore]) -> None:
    table = opens().rollouts
    kept = table.begin("here", BEGUN)
    rollout = kept.rollout
    new = replace(OLD["south-1"], version="2.0")
    ill = replace(new, ailments=frozenset({"journal"}))
    away = replace(new, here=False)
    for now, seen in enumerate((new, ill, away, replace(OLD["south-1"], version="1")), 1):
        after = advance_rollout(rollout, {**OLD, "south-1": seen}, 1.7e9 + now)
        table.keep(kept.number, rollout, after)
        rollout = after
        assert opens().rollouts.newest("here") == replace(kept, rollout=rollout)
    assert rollout.state is RolloutState.STOPPED
    for after in (resume_rollout(rollout, OLD, 1.7e9 + 9),):
        table.keep(kept.number, rollout, after)
        assert opens().rollouts.newest("here") == replace(kept, rollout=after)
        assert after.forgiven == {"south-1"}
        stopped = stop_rollout(after, "anna")
        table.keep(kept.number, after, stopped)
        assert opens().rollouts.newest("here") == replace(kept, rollout=stopped)


def test_a_board_that_is_no_longer_there_is_taken_out(opens: Callable[[], SqlStore]) -> None:
    table = opens().rollouts
    kept = table.begin("here", BEGUN)
    left = {name: each for name, each in kept.rollout.boards.items() if name != "north-2"}
    table.keep(kept.number, kept.rollout, replace(kept.rollout, boards=left))
    again = table.newest("here")
    assert again is not None
    assert tuple(again.rollout.boards) == NAMES[:2]


def test_hubs_that_share_a_database_have_rollouts_of_their_own(opens: Callable[[], SqlStore]) -> None:
    here, there = opens().rollouts, opens().rollouts
    first, second = here.begin("here", BEGUN), there.begin("there", BEGUN)
    assert {first.number, second.number} == {1, 2}
    assert here.newest("here") == first
    assert here.newest("there") == second
    assert here.newest("nowhere") is None


def test_the_last_rollout_is_the_one_that_counts(opens: Callable[[], SqlStore]) -> None:
    table = opens().rollouts
    table.begin("here", BEGUN)
    second = table.begin("here", replace(BEGUN, sha256="cd" * 32))
    newest = table.newest("here")
    assert newest == second
    assert newest is not None
    assert newest.rollout.boards["south-1"].step is BoardStep.OFFERED
