"""From a piece resting on the wood to its event: hands, simulated chips, reader bank and sensing layer together."""

from __future__ import annotations

import random
from functools import partial
from statistics import median

from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import Sensing, Sweep
from quarto_pi.sensing.events import PieceLifted, PiecePlaced
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.board import Hands
from quarto_pi.wiring.platform import simulated_hardware
from tests.bench.measure import table

# The stand-ins below the real packages have to be in place before the rig's devices are imported.
simulated_hardware()

from quarto_pi.devices.readers.fields import FieldMode  # noqa: E402
from tests.rig import build_rig  # noqa: E402

PUTS = 60
PAUSE_MS = 5.0
STRENGTHS = {"good tags": 1.0, "tags that answer 70 % of the time": 0.7}


def run() -> None:
    """Measure and print."""
    rows = []
    for name, strength in STRENGTHS.items():
        for mode in FieldMode:
            placed, lifted = delays(mode, strength)
            figures = (f"{median(placed):.0f}", f"{max(placed):.0f}", f"{median(lifted):.0f}", f"{max(lifted):.0f}")
            rows.append([f"{mode.value}, {name}", *figures])
    table(
        f"Milliseconds from a piece resting, or out of reach, to its event ({PUTS} of each)",
        ["", "placed: median", "worst", "lifted: median", "worst"],
        rows,
    )


def delays(mode: FieldMode, strength: float) -> tuple[list[float], list[float]]:
    """How long after it rests a piece is told as placed, and how long after it is away as lifted."""
    draw = random.Random(1)
    rig = build_rig(mode, seed=1)
    hands = Hands(rig.board.clock, rig.board.table)
    uids = {f"04{draw.getrandbits(48):012X}": piece for piece in PIECES}
    sensing = Sensing(TagTable(uids))
    state = sensing.start_empty()

    def wait_for(kind: type[PiecePlaced | PieceLifted], since: float) -> float:
        nonlocal state
        while True:
            state, events = sensing.fold(state, Sweep.of(rig.bank.round(), rig.board.clock.ns // 1_000_000))
            now = rig.board.clock.ns / 1_000_000
            if any(isinstance(event, kind) for event in events):
                return now - since
            rig.board.clock.advance_ms(PAUSE_MS)

    placed, lifted = [], []
    for _ in range(PUTS):
        uid, square = draw.choice(list(uids)), draw.choice(SQUARE_NAMES)
        begin = rig.board.clock.ns / 1_000_000 + draw.uniform(1, 200)
        rests_at = hands.put(uid, square, begin)
        rig.board.clock.plan(rests_at + 1, partial(rig.board.table.rest, uid, square, strength))
        placed.append(wait_for(PiecePlaced, rests_at))
        away_at = hands.lift(uid, rig.board.clock.ns / 1_000_000 + draw.uniform(1_000, 3_000))
        lifted.append(wait_for(PieceLifted, away_at))
    return placed, lifted
