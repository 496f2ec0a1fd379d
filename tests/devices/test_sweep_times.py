"""Sweeps of the board against the lower bounds of the hardware facts, with SPI at 4 MHz and 30 us a transfer."""

from __future__ import annotations

from itertools import combinations

import pytest

from quarto_pi.devices.readers.bank import BankSettings
from quarto_pi.devices.readers.fields import NOT_TOUCHING, CurrentBudget, FieldMode, plan_fields, touches
from quarto_pi.sensing.readings import SQUARE_NAMES, Outcome
from quarto_pi.simulation.field import Reception
from quarto_pi.simulation.tag import Frame
from tests.rig import MakeRig, Rig

MOST_OVER_BOUND = 1.27  # an answer is waited for until no chip is late, and a field off is read back
SWEEPS = 12
# hardware facts, "Lower bounds for a sweep of 16 squares": empty, 4-byte UIDs, 7-byte UIDs, in milliseconds
BOUNDS = {
    FieldMode.ONE_AT_A_TIME: (90, 100, 132),
    FieldMode.IN_TURN: (28, 39, 71),
    FieldMode.INTERLEAVED: (22, 25, 33),
}
ONLY_SQUARES = BankSettings(cells=SQUARE_NAMES)
CHEQUERED = tuple(square for square in SQUARE_NAMES if (ord(square[0]) + int(square[1])) % 2)


def share_of_time_with_tags(mode: FieldMode, cells: tuple[str, ...]) -> float:
    """Which share of the way from the empty board's bound to the full one's these tags make.

    Interleaved exchanges of a group take as long as the longest: there it is the share of groups with a tag.
    """
    if mode is not FieldMode.INTERLEAVED:
        return len(cells) / len(SQUARE_NAMES)
    groups = plan_fields(mode, apart=NOT_TOUCHING).in_groups(SQUARE_NAMES)
    return sum(any(cell in cells for cell in group) for group in groups) / len(groups)


def slowest_sweep_ms(rig: Rig) -> float:
    return max(rig.sweep_ms() for _ in range(SWEEPS))


@pytest.mark.parametrize("mode", FieldMode)
def test_a_sweep_of_an_empty_board_keeps_to_its_bound(make_rig: MakeRig, mode: FieldMode) -> None:
    rig = make_rig(mode, settings=ONLY_SQUARES)
    assert slowest_sweep_ms(rig) <= MOST_OVER_BOUND * BOUNDS[mode][0]


@pytest.mark.slow
@pytest.mark.parametrize("mode", FieldMode)
@pytest.mark.parametrize("uid_bytes", [4, 7])
@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(SQUARE_NAMES, id="full"),
        pytest.param(SQUARE_NAMES[:8], id="rows", marks=pytest.mark.campaign),
        pytest.param(SQUARE_NAMES[::2], id="columns", marks=pytest.mark.campaign),
        pytest.param(CHEQUERED, id="chequered"),
    ],
)
def test_a_sweep_of_known_tags_keeps_to_its_bound(
    make_rig: MakeRig, uids: dict[int, list[str]], mode: FieldMode, uid_bytes: int, cells: tuple[str, ...]
) -> None:
    rig = make_rig(mode, settings=ONLY_SQUARES)
    rig.fill(uids[uid_bytes], cells)
    first = {reading.cell for reading in rig.bank.sweep() if reading.outcome is Outcome.TAG}
    assert first == set(cells)
    empty, full = BOUNDS[mode][0], BOUNDS[mode][1 if uid_bytes == 4 else 2]
    bound = empty + (full - empty) * share_of_time_with_tags(mode, cells)
    assert slowest_sweep_ms(rig) <= MOST_OVER_BOUND * bound


@pytest.mark.parametrize("mode", FieldMode)
def test_every_mode_reads_the_same_board(make_rig: MakeRig, mode: FieldMode, uids7: list[str]) -> None:
    rig = make_rig(mode)
    rig.fill(uids7, SQUARE_NAMES[3:9])
    expected = dict.fromkeys(rig.bank.cells, ()) | {
        cell: (uid,) for cell, uid in zip(SQUARE_NAMES[3:9], uids7, strict=False)
    }
    for _ in range(20):
        assert {reading.cell: reading.uids for reading in rig.bank.sweep()} == expected


@pytest.mark.parametrize("mode", FieldMode)
@pytest.mark.parametrize("supply_ma", [390, 500, 600, 2000])
def test_the_fields_never_take_more_than_the_supply_gives(
    make_rig: MakeRig, mode: FieldMode, supply_ma: int, uids4: list[str]
) -> None:
    budget = CurrentBudget(supply_ma=supply_ma)
    rig = make_rig(mode, budget=budget)
    rig.fill(uids4)
    for _ in range(5):
        rig.bank.sweep()
    # what the chips did, not what the scheduler thinks
    assert budget.taken_ma(rig.board.field.most_on) <= supply_ma
    assert rig.board.field.on == set()


def test_one_at_a_time_is_one_at_a_time(rig: Rig) -> None:
    rig.bank.sweep()
    assert rig.board.field.most_on == 1


@pytest.mark.parametrize("mode", FieldMode)
def test_fields_that_are_on_together_never_touch(make_rig: MakeRig, mode: FieldMode, uids4: list[str]) -> None:
    rig = make_rig(mode)
    rig.fill(uids4, SQUARE_NAMES[::3])
    together: set[frozenset[str]] = set()
    set_antenna = rig.board.field.set_antenna

    def watch(cell: str, *, on: bool, at: int) -> None:
        set_antenna(cell, on=on, at=at)
        together.update(frozenset(two) for two in combinations(rig.board.field.on, 2))

    rig.board.field.set_antenna = watch  # type: ignore[method-assign]
    for _ in range(5):
        rig.bank.sweep()
    assert not any(touches(*two) for two in together)


def test_exchanges_do_not_overlap_when_polled_in_turn(make_rig: MakeRig, uids4: list[str]) -> None:
    rig = make_rig(FieldMode.IN_TURN)
    rig.fill(uids4)
    asked: list[str] = []
    transmit = rig.board.field.transmit

    def watch(cell: str, frame: Frame, starts_at: int, sensitivity: float = 1.0) -> Reception | None:
        if len(frame.data) != 4 and (not asked or asked[-1] != cell):
            asked.append(cell)
        return transmit(cell, frame, starts_at, sensitivity)

    rig.board.field.transmit = watch  # type: ignore[method-assign]
    rig.bank.sweep()
    assert len(asked) == len(set(asked)) == 17
