"""A board that nobody touches, as far as an evening with hands cannot show it."""

from __future__ import annotations

from quarto_pi.referee import PERSON, Ask, Seat, Seen, Settings, fold, start
from quarto_pi.referee.phases import RefereePhase


def test_computer_that_takes_its_time_with_the_first_piece_is_waited_for() -> None:
    state, effects = start(Settings(seats=(Seat(10), PERSON)))
    for at in range(0, 300_000, 5_000):
        state, told = fold(state, Seen(at, (), ()))
        effects = (*effects, *told)
    assert any(isinstance(effect, Ask) for effect in effects)
    assert state.phase is RefereePhase.CHOOSE
