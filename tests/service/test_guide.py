"""The service manager is told how a board is that learns its pieces, and goes on being told in the game after that."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.config import Config
from quarto_pi.enrolment import Task
from quarto_pi.sensing.tags import TagTable
from quarto_pi.service import ServiceManager, Watchdog
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.guide import TagsFile, open_guide
from quarto_pi.wiring.platform import simulated_hardware, simulated_tags
from tests.service.listening import Listener, listening

PATIENCE_MS = 4_000
LONG_MS = 3 * PATIENCE_MS


@pytest.mark.slow
def test_watchdog_is_fed_while_pieces_are_learned_and_in_the_game_that_follows(tmp_path: Path) -> None:
    config = Config()
    platform, board = simulated_hardware()
    with listening(tmp_path) as listener, Watchdog(ServiceManager(listener.address, PATIENCE_MS)) as watchdog:
        with ExitStack() as first:
            file = TagsFile(tmp_path / "tags.toml")
            guide = open_guide(config, platform, first, Task(), TagTable(), file, "en", watchdog=watchdog)
            told = lived(guide.run, board.clock, listener, LONG_MS)
        assert told[:2] == ["READY=1", "STATUS=learning its pieces; 17 of 17 readers answer"]
        assert told.count("WATCHDOG=1") >= LONG_MS // PATIENCE_MS
        with ExitStack() as second:
            loop = open_loop(config, platform, second, simulated_tags(), watchdog=watchdog)
            told = lived(loop.run, board.clock, listener, 2 * PATIENCE_MS)
        assert told.count("WATCHDOG=1") >= 2
        assert told.count("READY=1") == 0
        assert "STATUS=choose; 17 of 17 readers answer" in told


def lived(
    run: Callable[[Callable[[], bool]], None], clock: SimulatedClock, listener: Listener, milliseconds: int
) -> list[str]:
    """What is told while a loop runs for so long."""
    end = clock.ns // 1_000_000 + milliseconds
    told: list[str] = []

    def goes_on() -> bool:
        told.extend(listener.heard())
        return clock.ns // 1_000_000 < end

    run(goes_on)
    return told
