from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chain.broker import TestBroker


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[TestBroker]:
    broker = TestBroker(tmp_path / "broker", "north-1", "north-2")
    yield broker
    broker.stop()
