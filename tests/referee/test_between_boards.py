"""A game with another board as the referee hears of it: what is passed over changes nothing, and nothing leaks."""

from __future__ import annotations

import pytest

from quarto_pi.referee import Input, Patience
from quarto_pi.referee.effects import WriteEntry
from quarto_pi.referee.inputs import EntryCame, OtherThere
from quarto_pi.remote_play.log import parse_entry
from quarto_pi.rules import parse_piece
from tests.referee.heard_evenings import first_difference, odd, told
from tests.referee.remote_evenings import evening_with_board, put, taken, to_the_last_piece

PLAYED = (
    put(3_000, "LTRF", "offer"),
    EntryCame(20_000, 1, parse_entry("b2 DSQH")),
    taken(22_000, "LTRF", "offer"),
    put(23_000, "LTRF", "b2"),
    put(30_000, "DSQH", "a1"),
    put(36_000, "DSQF", "offer"),
)
AWAY = (*PLAYED, OtherThere(60_000, is_away=True, is_heard=True))


@pytest.mark.parametrize(
    ("inputs", "length", "patience"),
    [
        (PLAYED, 60_000, None),
        (PLAYED, 60_000, odd(Patience(), 1)),
        (AWAY, 200_000, Patience(unreachable=90_000, still_there=20_000)),
        (AWAY, 200_000, odd(Patience(unreachable=90_000, still_there=20_000), 2)),
    ],
)
def test_sweeps_that_are_passed_over_change_nothing(
    inputs: tuple[Input, ...], length: int, patience: Patience | None
) -> None:
    assert first_difference(evening_with_board(*inputs, length=length, patience=patience)) is None


def test_a_give_is_told_three_seconds_after_it_and_not_before() -> None:
    written = [
        (at, effect.entry.text)
        for at, effects, _ in told(evening_with_board(*PLAYED, length=60_000), is_gated=True)
        for effect in effects
        if isinstance(effect, WriteEntry)
    ]
    assert [text for _, text in written] == ["LTRF", "a1 DSQF"]
    assert written[0][0] >= 2_800 + Patience().exchange


def test_after_the_last_piece_it_is_told_once_that_nobody_here_calls() -> None:
    written = [
        effect.entry.text
        for _, effects, _ in told(to_the_last_piece(), is_gated=True)
        for effect in effects
        if isinstance(effect, WriteEntry)
    ]
    assert written.count("pass") == 1
    assert written[-1] == "pass"
    assert len(written) == 1 + 8 + 1


def test_an_entry_that_was_taken_is_not_taken_again() -> None:
    twice = (*PLAYED, EntryCame(24_500, 1, parse_entry("b2 DSQH")), EntryCame(50_000, 1, parse_entry("b2 DSQH")))
    last = list(told(evening_with_board(*twice, length=60_000), is_gated=True))[-1][2]
    assert [turn.square.name for turn in last.game.turns] == ["b2", "a1"]


def test_a_call_that_may_come_is_shown_to_nobody_before_it_does() -> None:
    """The same moves with a fourth piece that makes a row, and with one that does not, look the same."""

    def shown(fourth: str) -> list[str]:
        row = (
            put(3_000, "LTRF", "offer"),
            EntryCame(10_000, 1, parse_entry("a1 LTRH")),
            taken(11_000, "LTRF", "offer"),
            put(12_000, "LTRF", "a1"),
            put(16_000, "LTRH", "b1"),
            put(20_000, "LTQF", "offer"),
            EntryCame(30_000, 3, parse_entry(f"c1 {fourth}")),
            taken(31_000, "LTQF", "offer"),
            put(32_000, "LTQF", "c1"),
            put(36_000, fourth, "d1"),
        )
        views = [state.view for _, _, state in told(evening_with_board(*row, length=60_000), is_gated=True)]
        return [f"{view.prompt} {view.notice} {view.marks}" for view in views if view is not None]

    without = [text.replace(f"{parse_piece('DSQH')!r}", "?") for text in shown("DSQH")]
    assert [text.replace(f"{parse_piece('LTQH')!r}", "?") for text in shown("LTQH")] == without
