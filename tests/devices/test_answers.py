"""No look loses an answer, however late the chip and however slow the host; the whole table is in the bench."""

from __future__ import annotations

import pytest

from quarto_pi.simulation.clock import Span
from tests.bench.answers import UIDS, Circumstances, Task, failures

LOOKS = 3


@pytest.mark.parametrize("delay", [(5, 5), (5, 15), (10, 40), (5, 200)], ids=str)
@pytest.mark.parametrize("latency", [(0, 0), (25, 25), (0, 25)], ids=str)
@pytest.mark.parametrize("uid_bytes", UIDS)
def test_no_look_loses_an_answer(uid_bytes: int, latency: Span, delay: Span) -> None:
    lost = {
        (speed_hz, task): failures(Circumstances(latency, delay, speed_hz, uid_bytes), task, LOOKS)
        for speed_hz in (1_000_000, 8_000_000)
        for task in Task
    }
    assert not any(lost.values()), lost


@pytest.mark.parametrize("latency", [(40, 40), (60, 60), (80, 100)], ids=str)
def test_an_answer_that_is_later_than_any_chip_should_be_is_waited_for(latency: Span) -> None:
    circumstances = Circumstances(latency, (5, 60), 4_000_000, 7)
    assert not any(failures(circumstances, task, LOOKS) for task in Task)
