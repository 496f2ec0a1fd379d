"""When the house that a board stands in is open: a week of opening hours, and what the clock on the wall says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from quarto_pi.rules import QuartoError, hint

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY: Final = 24 * 60
WEEK: Final = 7 * DAY

EARLIEST: Final = datetime(2026, 11, 1)  # noqa: DTZ001 - what a wall clock shows has no zone
"""A clock that shows an earlier moment than this program was written at has never been set."""

_SPAN: Final = re.compile(r"(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)")


class HoursError(QuartoError, ValueError):
    """Opening hours that nobody understands; the text says what to write."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Stretches of the week in minutes since Monday's midnight; one that begins late on Sunday ends after the week."""

    stretches: tuple[tuple[int, int], ...]

    def are_open(self, moment: datetime) -> bool:
        """Whether the house is open at this moment; where the clock is not set, it always is.

        >>> hours = parse_hours("mon-thu 17:00-23:00; fri sat 17:00-02:00")
        >>> hours.are_open(datetime(2026, 11, 15, 1, 59)), hours.are_open(datetime(2026, 11, 15, 2, 0))
        (True, False)
        """
        if moment.replace(tzinfo=None) < EARLIEST:
            return True
        minute = moment.weekday() * DAY + moment.hour * 60 + moment.minute
        return any(begin <= minute < end or begin <= minute + WEEK < end for begin, end in self.stretches)


def parse_hours(text: str) -> Hours:
    """Opening hours such as "10:00-23:00", or "mon-thu 17:00-23:00; fri sat 17:00-02:00"; other days are closed."""
    return Hours(tuple(stretch for part in text.split(";") for stretch in _stretches(part.strip())))


def door_of(hours: Hours, wall: Callable[[], datetime]) -> Callable[[], bool]:
    """A function that returns whether the house is open now, by the clock on the wall."""
    return lambda: hours.are_open(wall())


def _stretches(part: str) -> Iterator[tuple[int, int]]:
    spans = list(_SPAN.finditer(part))
    left = _SPAN.sub("", part[spans[0].start() :]).strip(", ") if spans else part
    if not spans or left:
        raise HoursError(f"'{left}' names no hours: write them such as 17:00-23:00")
    days = _days(part[: spans[0].start()])
    for span in spans:
        begin, end = _minute(span[1], span[2]), _minute(span[3], span[4])
        if begin == end:
            raise HoursError(f"'{span[0]}' has no length: write 00:00-24:00 for a whole day")
        for day in days:
            # Hours that end before they begin go on until the next day.
            yield day * DAY + begin, day * DAY + end + (DAY if end < begin else 0)


def _minute(hour: str, minute: str) -> int:
    minutes = int(hour) * 60 + int(minute)
    if int(minute) > 59 or minutes > DAY:
        raise HoursError(f"'{hour}:{minute}' is no time of day: write 00:00 to 24:00")
    return minutes


def _days(text: str) -> list[int]:
    """The days that are named, one by one or from one to another; no name at all means every day."""
    words = text.replace(",", " ").lower().split()
    if not words:
        return list(range(7))
    found: list[int] = []
    for word in words:
        first, _, last = word.partition("-")
        begin, end = _day(first), _day(last or first)
        found += [day % 7 for day in range(begin, end + 1 if begin <= end else end + 8)]
    return found


def _day(word: str) -> int:
    if word not in DAYS:
        raise HoursError(f"'{word}' is no day: {hint(word, DAYS).rstrip('.?')}")
    return DAYS.index(word)
