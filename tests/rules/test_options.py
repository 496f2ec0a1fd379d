"""What may be chosen before a game (R5, R6, R11, D1 to D4, D7)."""

from __future__ import annotations

from typing import Any

import pytest

from quarto_pi.rules import ALL_TRAITS, Calling, FalseCallRule, Options, OptionsError, TimeOut, Trait


def test_the_plain_game_is_the_default() -> None:
    options = Options()
    assert (options.squares, options.traits, options.calling) == (False, ALL_TRAITS, Calling.BUTTON)
    assert (options.clock_ms, options.giving_sensed) == (None, True)


def test_d1_d3_the_latch_and_the_final_call_last_ten_seconds_unless_set_otherwise() -> None:
    assert (Options().latch_ms, Options().final_call_ms) == (10_000, 10_000)


def test_d2_d4_false_calls_and_long_moves_cost_nothing_unless_set_otherwise() -> None:
    assert (Options().false_call, Options().time_out) == (FalseCallRule.REFUSE, TimeOut.SHOW)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_r6_any_one_to_four_traits_can_be_in_play_in_any_order(count: int) -> None:
    chosen = ALL_TRAITS[-count:]
    assert Options(traits=tuple(reversed(chosen))).traits == chosen


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"traits": ()}, "no trait is in play"),
        ({"traits": (Trait.TOP, Trait.TOP)}, "chosen twice"),
        ({"clock_ms": 0}, "a clock of 0 ms cannot run"),
        ({"clock_ms": -1}, "a clock of -1 ms cannot run"),
        ({"latch_ms": -1}, "latch_ms is -1"),
        ({"final_call_ms": -5}, "final_call_ms is -5"),
    ],
)
def test_options_that_no_game_can_be_played_with_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionsError, match=says) as raised:
        Options(**wrong)
    assert str(raised.value).endswith(".")


def test_no_latch_and_no_final_call_can_be_chosen() -> None:
    options = Options(latch_ms=0, final_call_ms=0, clock_ms=1)
    assert (options.latch_ms, options.final_call_ms, options.clock_ms) == (0, 0, 1)
