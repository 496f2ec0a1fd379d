"""Random hands and random faults at a reader bank: no UID that is not there, and everything heals.

`make soak` lives through a week of it, or `python -m tests.soak.readers SWEEPS FIRST_SEED`.
"""

from __future__ import annotations

import random
import sys

from quarto_pi.wiring.platform import simulated_hardware

# The stand-ins below the real packages have to be in place before the readers' devices are imported.
if __name__ == "__main__":
    simulated_hardware()

from quarto_pi.devices.readers.fields import CurrentBudget, FieldMode
from quarto_pi.sensing.readings import CELLS, Outcome
from quarto_pi.simulation.board import RandomFaults, RandomHands
from quarto_pi.simulation.clock import VARIED
from tests.rig import Rig, build_rig
from tests.soak.arguments import how_much_and_seed

BUDGET = CurrentBudget(supply_ma=700)
UIDS = [
    *(f"1{number:X}A0B1{number:02X}" for number in range(8)),
    *(f"04{number:02X}A1B2C3D480" for number in range(8, 16)),
]
"""Tags of both lengths."""
SWEEPS = 30_000
SWEEPS_AN_EVENING = 2_500


class Evening:
    """Disturbs a rig at random, and knows which UIDs each cell may have heard during a sweep."""

    def __init__(self, rig: Rig, uids: list[str], seed: int) -> None:
        self.rig = rig
        self.rng = random.Random(seed)
        self.faults = RandomFaults(rig.board, self.rng)
        self.hands = RandomHands(rig.board, self.rng, uids)
        self.may_be_heard: dict[str, set[str]] = {}

    def act(self) -> None:
        """Let hands do something, which changes what may be heard while the sweep goes on."""
        uid, cells = self.hands.act()
        for cell in cells:
            self.may_be_heard[cell].add(uid)

    def sweep(self) -> None:
        """Sweep once, with something or nothing happening meanwhile, and look for UIDs that are not there."""
        now = self.rig.board.clock.ns / 1e6
        self.may_be_heard = {cell: set() for cell in CELLS}
        for uid, cells in self.rig.board.field.heard_by().items():
            for cell in cells:
                self.may_be_heard[cell].add(uid)
        if self.rng.random() < 0.3:
            self.rig.board.clock.plan(now + self.rng.random() * 50, self.act)
        if self.rng.random() < 0.2:
            self.rig.board.clock.plan(now + self.rng.random() * 50, self.faults.strike)
        for reading in self.rig.bank.sweep():
            strangers = set(reading.uids) - self.may_be_heard[reading.cell]
            assert not strangers, f"{reading} at a place where only {self.may_be_heard[reading.cell]} could be heard"
        self.rig.board.clock.advance_ms(60)

    def heal(self) -> None:
        """Repair everything, and give the readers time to be found again."""
        self.faults.repair()
        self.hands.take_up_what_does_not_rest()
        for _ in range(4):
            self.rig.board.clock.advance_ms(1_100)
            self.rig.bank.sweep()


def live_through(mode: FieldMode, seed: int, sweeps: int) -> None:
    """Live through an evening of so many sweeps; AssertionError says what was told that cannot be, or did not heal."""
    rig = build_rig(mode, seed=seed, budget=BUDGET, spans=VARIED)
    evening = Evening(rig, UIDS, seed)
    for _ in range(sweeps):
        evening.sweep()
    evening.heal()
    where = {cell: uid for uid, cell in rig.board.table.resting.items()}
    for reading in rig.bank.sweep():
        expected = (Outcome.TAG, (where[reading.cell],)) if reading.cell in where else (Outcome.EMPTY, ())
        assert (reading.outcome, reading.uids) == expected, reading
    # a reader that breaks just before it is told to switch its field off keeps it on until its next poll
    assert rig.board.field.most_on <= BUDGET.most_fields + 1
    assert rig.bank.most_fields_at_once <= BUDGET.most_fields
    assert rig.board.field.on == set()


def main() -> int:
    """Live through evenings until the sweeps are done; 1 if anything was told that is not there, or did not heal."""
    wanted, seed = how_much_and_seed("tests.soak.readers", __doc__, "sweeps", SWEEPS)
    sweeps = wrong = 0
    while sweeps < wanted:
        mode = list(FieldMode)[seed % 3]
        try:
            live_through(mode, seed, SWEEPS_AN_EVENING)
        except AssertionError as problem:
            wrong += 1
            print(f"evening {seed} ({mode.value}): {problem}")
        sweeps += SWEEPS_AN_EVENING
        seed += 1
        print(f"{sweeps} of {wanted} sweeps of the readers, {wrong} evenings with a false UID", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
