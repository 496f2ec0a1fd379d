"""The time of day on a machine that may not know it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quarto_pi.known_time import (
    CLOCKS,
    EARLIEST_KNOWN,
    LATEST_KNOWN,
    MODEL_FILE,
    SYNCHRONISED_MARK,
    ClocksOfMachine,
    KnownTime,
    TimeRefused,
)

NOON = datetime(2026, 12, 24, 12, tzinfo=UTC).timestamp()
APRIL = datetime(2026, 4, 1, tzinfo=UTC).timestamp()


class Pi:
    """A Pi whose clock shows something, and which has been on for some seconds."""

    def __init__(
        self, shows: float, folder: Path | None = None, *, synchronised: bool = False, battery: bool = False
    ) -> None:
        self.shows, self.on_for = shows, 0.0
        self.synchronised, self.battery = synchronised, battery
        self.folder = folder
        self.known = self.service()

    def service(self) -> KnownTime:
        """The board's service, started anew."""
        return KnownTime(
            lambda: self.synchronised,
            lambda: self.battery,
            folder=self.folder,
            zone="Europe/Berlin",
            wall=lambda: self.shows + self.on_for,
            steady=lambda: self.on_for,
        )


@pytest.mark.parametrize("shows", [0.0, APRIL, NOON])
def test_clock_that_nobody_has_set_is_not_believed_whatever_it_shows(shows: float) -> None:
    pi = Pi(shows)
    assert pi.known.now() is None
    assert pi.known.on_the_wall() is None
    assert pi.known.stamp() == 0.0


def test_network_and_battery_are_believed_unless_they_show_what_cannot_be() -> None:
    assert Pi(NOON, synchronised=True).known.now() == NOON
    assert Pi(NOON, battery=True).known.now() == NOON
    for shows in (APRIL, LATEST_KNOWN + 1):
        assert Pi(shows, synchronised=True, battery=True).known.now() is None


def test_what_somebody_has_told_goes_on_steadily_until_the_network_knows_better() -> None:
    pi = Pi(APRIL)
    pi.known.tell(NOON)
    pi.on_for = 3_600.0
    assert pi.known.now() == NOON + 3_600
    assert pi.known.on_the_wall() == datetime(2026, 12, 24, 14)  # noqa: DTZ001 - Berlin's wall
    pi.shows, pi.synchronised = NOON + 5_000, True
    assert pi.known.now() == NOON + 5_000 + 3_600


def test_what_was_told_outlives_the_service_but_not_the_plug(tmp_path: Path) -> None:
    pi = Pi(APRIL, tmp_path)
    pi.known.tell(NOON)
    pi.on_for = 60.0
    assert pi.service().now() == NOON + 60
    (tmp_path / "told-time").unlink()  # what is in memory goes with the plug
    assert pi.service().now() is None


def test_last_game_is_a_floor_for_whatever_but_the_network() -> None:
    pi = Pi(NOON, battery=True)
    pi.known.never_before(NOON + 100)
    assert pi.known.now() is None, "a battery that has died shows the past"
    for wrong in (NOON, EARLIEST_KNOWN, 0.0, LATEST_KNOWN + 1, float("nan"), float("inf")):
        with pytest.raises(TimeRefused):
            pi.known.tell(wrong)
    pi.known.tell(NOON + 200)
    assert pi.known.now() == NOON + 200
    pi.synchronised = True
    assert pi.known.now() == NOON, "somebody's wrong date does not lock the right one out"


def test_who_knows_the_time_is_seen_from_the_machines_files(tmp_path: Path) -> None:
    clocks = ClocksOfMachine(tmp_path)
    assert clocks.is_synchronised(), "a computer that is no small board has a clock"
    model, mark = tmp_path / MODEL_FILE, tmp_path / SYNCHRONISED_MARK
    model.parent.mkdir(parents=True)
    model.write_text("Raspberry Pi 4 Model B Rev 1.5\0", encoding="ascii")
    assert not clocks.is_synchronised()
    assert not clocks.has_battery()
    mark.parent.mkdir(parents=True)
    mark.touch()
    assert clocks.is_synchronised()
    since = tmp_path / CLOCKS / "rtc0" / "since_epoch"
    since.parent.mkdir(parents=True)
    since.write_text("12\n", encoding="ascii")
    assert not clocks.has_battery(), "it has lost its battery, and the machine knows better"
    since.write_text(f"{time.time():.0f}\n", encoding="ascii")
    assert clocks.has_battery()
