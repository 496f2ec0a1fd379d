"""What the hub's tests stand on: a hub's folder, both databases, and a PostgreSQL for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quarto_pi.hub import broker, intake
from quarto_pi.hub.postgres import open_postgres
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.tables import SqlStore
from tests.chain.haste import PATIENCE_OF_BOARD, shorten_all
from tests.hub.hubs import HubFolder, hub_folder_at
from tests.hub.postgres import PostgresServer, postgres_server

Open = Callable[..., SqlStore]
"""Opens the same database again and again."""


PATIENCE_OF_HUB = (
    (broker, "BROKER_LOOK_SECONDS", 0.05),
    (broker, "FIRST_BACK_OFF", 0.1),
    (intake, "LOOKS_AFTER", 0.2),
)


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_all(monkeypatch, *PATIENCE_OF_BOARD, *PATIENCE_OF_HUB)


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


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same database again and again."""
    stores: list[SqlStore] = []
    if request.param == "postgres":
        address = request.getfixturevalue("postgres").database()

    def open_it(**more: object) -> SqlStore:
        if request.param == "postgres":
            stores.append(open_postgres(address, **more))  # type: ignore[arg-type]
        else:
            stores.append(open_sqlite(tmp_path / "hub.sqlite", **more))  # type: ignore[arg-type]
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Open) -> SqlStore:
    return opened()
