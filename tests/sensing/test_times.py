"""Settling and hysteresis times: their defaults hold together, and impossible ones get one sentence."""

import pytest

from quarto_pi.sensing.readings import DEFAULT_TIMES, NAMES, SensingTimes, TimesError

BAD: list[tuple[dict[str, int], str]] = [
    ({"placed_after_ms": -1}, "[sensing] placed_after_ms is -1: a time cannot be negative."),
    (
        {"placed_after_ms": 99_999},
        "[sensing] placed_after_ms is 99999: more than 60000 ms would look like a dead board.",
    ),
    (
        {"placed_after_sweeps": 1},
        "[sensing] placed_after_sweeps is 1: write 2 or more, one read alone may be a wrong one.",
    ),
    (
        {"removed_after_sweeps": 1},
        "[sensing] removed_after_sweeps is 1: write 2 or more, one time-out alone may be a missed answer.",
    ),
    ({"removed_confidence": 0}, "[sensing] removed_confidence is 0: write 1 or more."),
    ({"lost_after_sweeps": 101}, "[sensing] lost_after_sweeps is 101: more than 100 would look like a dead board."),
    (
        {"moved_within_ms": 100},
        "[sensing] moved_within_ms is 100, less than removed_after_ms (300): "
        "a piece cannot be looked for elsewhere before it is gone.",
    ),
    (
        {"vanished_after_ms": 100},
        "[sensing] vanished_after_ms is 100, less than removed_after_ms (300): "
        "many pieces at once need more time than one, not less.",
    ),
]


@pytest.mark.parametrize(("times", "sentence"), BAD, ids=range(len(BAD)))
def test_an_impossible_time_gets_one_sentence_that_names_section_and_key(times: dict[str, int], sentence: str) -> None:
    with pytest.raises(TimesError) as caught:
        SensingTimes(**times)
    assert str(caught.value) == sentence


def test_every_time_can_be_set() -> None:
    longer = {name: getattr(DEFAULT_TIMES, name) + 1 for name in NAMES}
    times = SensingTimes(**longer)
    assert {name: getattr(times, name) for name in NAMES} == longer
