"""What tests of a chain in which everything fails stand on: boards wait tenths of seconds before they connect again."""

from __future__ import annotations

import pytest

from tests.chain.haste import PATIENCE_OF_BOARD, shorten_all


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_all(monkeypatch, *PATIENCE_OF_BOARD)
