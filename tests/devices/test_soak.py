"""Long evenings with random hands and random faults: no UID that is not there, and everything heals."""

from __future__ import annotations

import random

import pytest

from quarto_pi.devices.fields import CurrentBudget, FieldMode
from quarto_pi.sensing.readings import CELLS, Outcome
from quarto_pi.simulation.durations import VARIED
from quarto_pi.simulation.mishaps import RandomFaults, RandomHands
from tests.rig import MakeRig, Rig

BUDGET = CurrentBudget(supply_ma=700)


class Evening:
    """Disturbs a rig at random, and knows which UIDs each cell may have heard during a sweep."""

    def __init__(self, rig: Rig, uids: list[str], seed: int) -> None:
        self.rig = rig
        self.rng = random.Random(seed)
        self.faults = RandomFaults(rig.board, self.rng)
        self.hands = RandomHands(rig.board, self.rng, uids)
        self.may_be_heard: dict[str, set[str]] = {}

    def act(self) -> None:
        uid, cells = self.hands.act()
        for cell in cells:
            self.may_be_heard[cell].add(uid)

    def sweep(self) -> None:
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
        self.faults.repair()
        self.hands.take_up_what_does_not_rest()
        for _ in range(4):
            self.rig.board.clock.advance_ms(1_100)
            self.rig.bank.sweep()


def live_through(rig: Rig, uids: list[str], seed: int, sweeps: int) -> None:
    evening = Evening(rig, uids, seed)
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


@pytest.mark.parametrize("mode", FieldMode)
@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_faults_yields_no_uid_that_is_not_there_and_heals(
    make_rig: MakeRig, mode: FieldMode, seed: int, uids4: list[str], uids7: list[str]
) -> None:
    live_through(make_rig(mode, seed=seed, budget=BUDGET, spans=VARIED), [*uids4[:8], *uids7[8:]], seed, sweeps=150)


@pytest.mark.slow
@pytest.mark.parametrize("mode", FieldMode)
def test_a_week_of_faults_yields_no_uid_that_is_not_there_and_heals(
    make_rig: MakeRig, mode: FieldMode, uids4: list[str], uids7: list[str]
) -> None:
    live_through(make_rig(mode, seed=99, budget=BUDGET, spans=VARIED), [*uids4[:8], *uids7[8:]], 99, sweeps=10_000)
