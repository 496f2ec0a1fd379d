"""Two tables, with a referee each, play each other; hands carry out what comes from the other one."""

from __future__ import annotations

import pytest

from tests.remote_play.tables import TwoTables


def played(tables: TwoTables, ms: int = 600_000) -> TwoTables:
    tables.begin()
    assert all(table.state.is_match_open for table in tables.tables)
    tables.pass_time(ms, people=True, until=lambda: all(not table.state.is_match_open for table in tables.tables))
    return tables


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_played_at_two_tables(seed: int) -> None:
    tables = played(TwoTables(seed))
    first, second = (table.match for table in tables.tables)
    assert first is not None
    assert second is not None
    assert first.log.game.result is not None
    assert first.log.head == second.log.head
