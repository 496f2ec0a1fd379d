"""Which fields may be on together, and what the supply allows."""

from __future__ import annotations

from itertools import combinations

import pytest

from quarto_pi.devices.readers.fields import (
    NOT_TOUCHING,
    BudgetTooSmall,
    CurrentBudget,
    FieldMode,
    pair,
    plan_fields,
    touches,
)
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES


def test_a_square_touches_its_neighbours_at_sides_and_corners() -> None:
    assert {other for other in SQUARE_NAMES if touches("b2", other)} == {
        "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3",
    }  # fmt: skip
    assert not any(touches("offer", square) for square in SQUARE_NAMES)


def test_the_squares_fall_into_four_groups_of_four_that_do_not_touch() -> None:
    groups = plan_fields(FieldMode.IN_TURN, apart=NOT_TOUCHING).in_groups(SQUARE_NAMES)
    assert [len(group) for group in groups] == [4, 4, 4, 4]
    assert all(pair(*two) in NOT_TOUCHING for group in groups for two in combinations(group, 2))


def test_the_offer_place_joins_a_group() -> None:
    groups = plan_fields(FieldMode.IN_TURN, apart=NOT_TOUCHING).in_groups(CELLS)
    assert sorted(len(group) for group in groups) == [4, 4, 4, 5]


def test_without_a_calibration_no_two_fields_go_together() -> None:
    plan = plan_fields(FieldMode.INTERLEAVED)
    assert plan.admits("a1", ())
    assert not plan.admits("d4", ("a1",))


def test_a_calibration_cannot_allow_squares_that_touch() -> None:
    plan = plan_fields(FieldMode.IN_TURN, apart=frozenset({pair("a1", "a2"), pair("a1", "a3")}))
    assert not plan.admits("a2", ("a1",))
    assert plan.admits("a3", ("a1",))


def test_the_budget_counts_readers_first_and_fields_with_the_rest() -> None:
    assert CurrentBudget(supply_ma=500, field_ma=60).most_fields == 3
    assert CurrentBudget(supply_ma=2000, field_ma=100).most_fields == 17
    assert CurrentBudget(supply_ma=500, field_ma=60).taken_ma(3) == 280.5 + 180


def test_a_budget_too_small_for_one_field_is_refused_with_its_figures() -> None:
    with pytest.raises(BudgetTooSmall, match=r"300 mA cannot feed 17 readers and one field, which take 380.5 mA"):
        CurrentBudget(supply_ma=300)


def test_lost_readers_take_their_share_of_the_supply_but_never_the_last_field() -> None:
    plan = plan_fields(FieldMode.IN_TURN, CurrentBudget(supply_ma=600), NOT_TOUCHING)
    assert plan.most == 3
    assert plan.admits("c1", ("a1",), lost=1)
    assert not plan.admits("c1", ("a1",), lost=2)
    assert plan.admits("c1", (), lost=16)
