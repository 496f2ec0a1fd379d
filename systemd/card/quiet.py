"""When a board may be started again for an update: once nobody plays at it, or in the end all the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from installing import health

PLAYED: Final = ("lesson", "choose", "given", "waiting for the computer's piece", "placed", "over")
"""The phases in which somebody may be at the board, as it names them in its status; docs/referee.md."""
HOLD: Final = Path("/run/quarto-pi/hold-restart")
"""The board's own word that somebody may be at it still: it holds a restart for a version that its hub offered."""
LONGEST_SECONDS: Final = 43_200.0
"""A board at which somebody always plays is not left without its update for ever; the game goes on where it was."""
LOOK_SECONDS: Final = 10.0


def is_played_at(seen: Mapping[str, str]) -> bool:
    """Whether somebody may be playing, by what systemd knows of the board; nobody plays at one that does not run."""
    phase = seen.get("StatusText", "").partition(";")[0]
    return seen.get("ActiveState") == "active" and phase in PLAYED


def wait_until_nobody_plays(
    look: Callable[[], Mapping[str, str]] = health.look,
    is_held: Callable[[], bool] = HOLD.exists,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Return once nobody plays, or after twelve hours."""
    end = now() + LONGEST_SECONDS
    while (is_held() or is_played_at(look())) and now() < end:
        sleep(LOOK_SECONDS)
