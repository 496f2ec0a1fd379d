"""What tests of games between boards stand on: who waits for a broker waits tenths of seconds."""

from __future__ import annotations

import pytest

from tests.chain.haste import PATIENCE_OF_BOARD, shorten_all


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_all(monkeypatch, *PATIENCE_OF_BOARD)
