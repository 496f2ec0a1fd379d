from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chain.broker import TestBroker
from tests.chain.haste import PATIENCE_OF_BOARD, shorten_all


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_all(monkeypatch, *PATIENCE_OF_BOARD)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[TestBroker]:
    broker = TestBroker(tmp_path / "broker", "north-1", "north-2")
    yield broker
    broker.stop()
