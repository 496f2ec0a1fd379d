"""How long boards and hub wait in tests before they connect again, look again or tell more: tenths of seconds."""

from __future__ import annotations

from types import ModuleType
from typing import Final

import pytest

from quarto_pi.chain import board_client, link

PATIENCE_OF_BOARD: Final = (
    (link, "FIRST_WAIT_SECONDS", 0.05),
    (link, "LONGEST_PAUSE_SECONDS", 0.4),
    (board_client, "STATE_SECONDS", 0.1),
)


def shorten_all(patch: pytest.MonkeyPatch, *waits: tuple[ModuleType, str, float]) -> None:
    """Let each of these constants of a module be so many seconds."""
    for module, name, seconds in waits:
        patch.setattr(module, name, seconds)
