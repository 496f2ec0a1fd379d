"""Opening hours: what they mean on every day of the week, and one sentence for each thing that can be wrong."""

from datetime import UTC, datetime

import pytest

from quarto_pi.config.service import EARLIEST, HoursError, door_of, parse_hours

MONDAY = 16
"""Of November 2026; the days after it follow."""


def at(day: int, hour: int, minute: int = 0) -> datetime:
    """A moment of the week: day 0 is the Monday."""
    return datetime(2026, 11, MONDAY + day, hour, minute)  # noqa: DTZ001 - a wall clock has no zone


def open_hours(text: str, day: int) -> list[int]:
    """The full hours of a day at which the house is open."""
    hours = parse_hours(text)
    return [hour for hour in range(24) if hours.are_open(at(day, hour))]


def test_hours_without_a_day_are_those_of_every_day() -> None:
    for day in range(7):
        assert open_hours("10:00-23:00", day) == list(range(10, 23))


def test_days_are_named_alone_or_from_one_to_another_and_all_others_are_closed() -> None:
    text = "mon-wed 12:00-14:00; Fri, sun 18:00-20:00"
    assert [open_hours(text, day) for day in range(7)] == [[12, 13]] * 3 + [[], [18, 19], [], [18, 19]]


def test_a_row_of_days_goes_through_the_weekend() -> None:
    text = "sat-mon 09:00-10:00"
    assert [bool(open_hours(text, day)) for day in range(7)] == [True, False, False, False, False, True, True]


def test_a_night_goes_on_until_the_next_day_also_from_sunday_to_monday() -> None:
    text = "fri 20:00-02:00; sun 22:00-01:00"
    assert open_hours(text, 4) == [20, 21, 22, 23]
    assert open_hours(text, 5) == [0, 1]
    assert open_hours(text, 6) == [22, 23]
    assert open_hours(text, 0) == [0]


def test_a_house_may_close_for_the_afternoon() -> None:
    assert open_hours("11:00-13:00, 17:00-19:00", 2) == [11, 12, 17, 18]


def test_the_last_minute_before_closing_time_is_open_and_the_next_is_not() -> None:
    hours = parse_hours("10:00-22:30")
    assert hours.are_open(at(0, 22, 29))
    assert not hours.are_open(at(0, 22, 30))
    assert parse_hours("00:00-24:00").are_open(at(6, 23, 59))


@pytest.mark.parametrize("moment", [datetime(1970, 1, 1, 3, 0), datetime(2026, 10, 31, 23, 59)])  # noqa: DTZ001
def test_a_clock_that_nobody_has_set_never_locks_a_board_asleep(moment: datetime) -> None:
    assert moment < EARLIEST
    assert parse_hours("10:00-11:00").are_open(moment)


def test_the_door_is_asked_anew_each_time() -> None:
    wall = iter([at(0, 9), at(0, 10)])
    door = door_of(parse_hours("10:00-11:00"), lambda: next(wall))
    assert [door(), door()] == [False, True]


def test_hours_do_not_count_while_nobody_knows_the_time() -> None:
    assert door_of(parse_hours("10:00-11:00"), lambda: None)()


def test_a_clock_that_knows_its_zone_is_read_as_it_stands() -> None:
    assert parse_hours("10:00-11:00").are_open(at(0, 10).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("always", "'always' names no hours"),
        ("mon", "'mon' names no hours"),
        ("", "'' names no hours"),
        ("10:00-25:00", "'25:00' is no time of day"),
        ("10:61-12:00", "'10:61' is no time of day"),
        ("10:00-10:00", "has no length: write 00:00-24:00"),
        ("moonday 10:00-12:00", "'moonday' is no day: did you mean 'mon'?"),
        ("mon-fry 10:00-12:00", "'fry' is no day: did you mean 'fri'?"),
        ("10:00-12:00 mon", "'mon' names no hours"),
    ],
)
def test_what_nobody_understands_is_told(text: str, said: str) -> None:
    with pytest.raises(HoursError) as caught:
        parse_hours(text)
    assert said.rstrip("?") in str(caught.value)
