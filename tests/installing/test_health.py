"""Whether a board that was just started is healthy, as systemd tells it second by second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from installing.health import PATIENCE_SECONDS, Watch

READERS = "choose; 17 of 17 readers answer"


def seen(state: str = "active", pid: int = 7, crashes: int = 0, status: str = READERS) -> dict[str, str]:
    return {"ActiveState": state, "MainPID": str(pid), "NRestarts": str(crashes), "StatusText": status}


STARTING, UP = seen("activating", 0), seen()


def complaint(*story: Mapping[str, str], readers_before: int = 17, settle: float = 5.0) -> str:
    """What is said about a board that shows itself so, one look after the other; the last one goes on."""
    looks: Iterator[Mapping[str, str]] = iter(story)
    last, now = story[0], [0.0]

    def look() -> Mapping[str, str]:
        nonlocal last
        last = next(looks, last)
        return last

    def sleep(seconds: float) -> None:
        now[0] += seconds

    return Watch(settle, readers_before, look, lambda: now[0], sleep).complaint()


def test_board_that_is_ready_and_stays_up_is_healthy() -> None:
    assert complaint(STARTING, STARTING, STARTING, UP) == ""


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ((STARTING, seen("failed", 0)), "it ends as soon as it is started"),
        ((STARTING, seen("activating", 0, 1), seen("activating", 0, 2)), "it ends as soon as it is started"),
        ((STARTING,), f"it was not ready within {PATIENCE_SECONDS:.0f} s"),
        ((STARTING, UP, UP, UP, seen(pid=8)), "it was ready, and then did not stay up"),
        ((STARTING, STARTING, UP, seen("activating", 0, 1)), "it was ready, and then did not stay up"),
        ((STARTING, UP, UP, seen("deactivating")), "it was ready, and then did not stay up"),
        ((STARTING, seen(status="choose; 16 of 17 readers answer")), "only 16 readers answer, and 17 did before"),
        ((STARTING, seen(status="")), "only 0 readers answer, and 17 did before"),
    ],
)
def test_board_that_is_not_healthy_is_told_why(story: tuple[Mapping[str, str], ...], expected: str) -> None:
    assert complaint(*story) == expected


def test_reader_that_was_dead_before_is_not_the_new_version_s_fault() -> None:
    assert complaint(STARTING, seen(status="choose; 16 of 17 readers answer"), readers_before=16) == ""


def test_crashes_of_long_ago_do_not_count() -> None:
    assert complaint(seen("activating", 0, 40), seen("activating", 0, 40), seen(crashes=40)) == ""
