"""The controller of the café: the real loop, referee and journal, with hands at its table.

The journal writes in the loop's thread here, because no thread could keep up with a clock that does not wait: what is
shown has been committed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.controller.computer import ThinkingComputer
from quarto_pi.controller.loop import Loop, Output
from quarto_pi.engine.client import EngineProcess
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Settings
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.clock import SimulatedClock
from tests.cafe.hands import Hands
from tests.cafe.wood import UIDS, Announce, Wood


def hands_at(
    folder: Path,
    stack: ExitStack,
    *,
    standing: dict[Piece, str] | None = None,
    seed: str | None = None,
    start_over: bool = False,
    shown: Sequence[Output] = (),
    announce: Announce = lambda _, __: None,
    say: Callable[[str], None] = lambda _: None,
) -> Hands:
    """Hands at a table on which some pieces may be standing, and a controller that goes on where its journal says."""
    clock = SimulatedClock()
    wood = Wood(standing or {}, clock, announce)
    kept = open_journal(folder, Settings(), stack, say=say, at_once=True)
    sensing = Sensing(TagTable(dict(zip(UIDS, PIECES, strict=True))))
    nobody, wishes, before = ThinkingComputer(_nobody), kept.remembered.wishes, kept.remembered.before
    loop = Loop(wood, wood, clock, sensing, wishes, nobody, shown, None, kept.writer, before)
    return Hands(wood, loop, random.Random(seed), start_over=start_over)


def _nobody() -> EngineProcess:
    raise AssertionError("two people play here")
