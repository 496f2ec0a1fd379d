"""Who is looked at when."""

from __future__ import annotations

from quarto_pi.devices.readers.scheduler import AttentionSettings, CellAttention
from quarto_pi.sensing.readings import CELLS, Outcome, Reading

SETTINGS = AttentionSettings(settled_for=70, fresh_for=1_000, idle_after=10_000, idle_interval=500)


def settled_board() -> CellAttention:
    attention = CellAttention(CELLS, SETTINGS)
    for cell in CELLS:
        attention.note(Reading(cell, Outcome.TAG, (cell,), 0))
    return attention


def test_everything_is_looked_at_until_it_is_known() -> None:
    assert CellAttention(CELLS, SETTINGS).choose(0) == CELLS


def test_a_settled_tag_is_left_alone_until_its_last_look_is_old() -> None:
    attention = settled_board()
    for number, cell in enumerate(CELLS):
        attention.note(Reading(cell, Outcome.TAG, (cell,), 5_000 + number))
    assert attention.choose(5_069) == CELLS[:6]
    assert attention.choose(5_075) == CELLS[:6]
    assert attention.choose(5_100) == CELLS


def test_empty_and_failing_squares_are_looked_at_every_time() -> None:
    attention = settled_board()
    attention.note(Reading("a1", Outcome.EMPTY, (), 0))
    attention.note(Reading("b1", Outcome.ERROR, (), 0))
    for _ in range(8):
        assert {"a1", "b1"} <= set(attention.choose(5_000))


def test_a_fresh_change_is_watched_for_a_while() -> None:
    attention = settled_board()
    attention.note(Reading("c3", Outcome.TAG, ("another",), 5_000))
    attention.note(Reading("c3", Outcome.TAG, ("another",), 5_990))
    assert "c3" in attention.choose(5_999)
    assert "c3" not in attention.choose(6_000)


def test_a_board_without_changes_is_given_pauses() -> None:
    attention = settled_board()
    assert attention.pause(9_999) == 0
    assert attention.pause(10_000) == 500
    attention.note(Reading("c3", Outcome.EMPTY, (), 10_500))
    assert attention.pause(10_600) == 0
