"""What the hub's tests stand on: a hub's folder, and a PostgreSQL for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hub.hubs import HubFolder, hub_folder_at
from tests.hub.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture
def place(tmp_path: Path) -> HubFolder:
    """A hub with one board, north-1."""
    place = hub_folder_at(tmp_path / "hub")
    assert place.order("add", "north-1", "--house", "North") == 0
    return place
