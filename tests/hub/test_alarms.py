"""Alarms: one for each cause, however often it comes and goes; cleared by itself; seen by somebody."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.hub.alarms import (
    HOLD_SECONDS,
    MOST_RETURNS,
    QUIET_SECONDS,
    Alarm,
    AlarmBook,
    AlarmKind,
    Cause,
    Symptom,
    symptoms_of,
)
from quarto_pi.hub.fleet import GRACE_SECONDS, Fleet
from tests.hub.boards import IDLE, ILL, fleet_of, here

GONE = Cause(AlarmKind.GONE, "one")
THERE = {GONE: Symptom("centre", "gone", "look")}


def told(book: AlarmBook, fleet: Fleet, now: float) -> list[tuple[AlarmKind, str]]:
    return [(alarm.cause.kind, alarm.cause.where) for alarm in book.look(symptoms_of(fleet, now), now)]


def test_a_cause_that_lasts_raises_one_alarm_and_not_before_its_time() -> None:
    book = AlarmBook()
    assert book.look(THERE, 0) == []
    assert book.look(THERE, HOLD_SECONDS - 1) == []
    assert [alarm.cause for alarm in book.look(THERE, HOLD_SECONDS)] == [GONE]
    assert book.look(THERE, HOLD_SECONDS + 1) == []


def test_a_board_that_comes_and_goes_thirty_times_raises_one_alarm() -> None:
    book = AlarmBook()
    raised: list[Alarm] = []
    for turn in range(30):
        raised += book.look(THERE, turn * 20)
        raised += book.look({}, turn * 20 + 10)
    assert len(raised) == 1
    assert book.open_alarms[raised[0].number].times == 30
    assert raised[0].raised == (MOST_RETURNS - 1) * 20


def test_an_alarm_is_cleared_by_itself_once_its_cause_has_stayed_away() -> None:
    book = AlarmBook()
    book.look(THERE, 0)
    book.look(THERE, 100)
    assert book.look({}, 200) == []
    assert book.look({}, 200 + QUIET_SECONDS - 1) == []
    (cleared,) = book.look({}, 200 + QUIET_SECONDS)
    assert (cleared.cause, cleared.cleared) == (GONE, 200 + QUIET_SECONDS)
    assert book.open_alarms == {}
    assert book.look({}, 9_999) == []


def test_a_short_cause_that_does_not_come_again_is_forgotten() -> None:
    book = AlarmBook()
    for start in range(0, 100_000, 1_000):
        assert book.look(THERE, start) == []
        assert book.look({}, start + 10) == []
        assert book.look({}, start + 10 + QUIET_SECONDS) == []


def test_an_alarm_is_seen_once_by_one_person() -> None:
    book = AlarmBook()
    book.look(THERE, 0)
    (alarm,) = book.look(THERE, 100)
    seen = book.acknowledge(alarm.number, "anna", 120)
    assert seen is not None
    assert (seen.acknowledged_by, seen.acknowledged) == ("anna", 120)
    assert book.acknowledge(alarm.number, "berta", 130) is None
    assert book.acknowledge(99, "anna", 130) is None


def test_a_hub_that_starts_again_raises_no_second_alarm_and_clears_the_first() -> None:
    book = AlarmBook()
    book.look(THERE, 0)
    (alarm,) = book.look(THERE, 100)
    again = AlarmBook.of([alarm], alarm.number, 200)
    assert again.look(THERE, 201) == []
    assert again.look(THERE, 900) == []
    again.look({}, 1_000)
    (cleared,) = again.look({}, 1_000 + QUIET_SECONDS)
    assert cleared.number == alarm.number


@given(st.lists(st.tuples(st.booleans(), st.floats(0.1, 400)), max_size=200))
def test_a_cause_never_has_two_alarms_and_none_is_cleared_that_was_not_raised(steps: list[tuple[bool, float]]) -> None:
    book, now, on = AlarmBook(), 0.0, False
    for there, later in steps:
        now += later
        for alarm in book.look(THERE if there else {}, now):
            assert bool(alarm.cleared) == on, "raised, cleared, raised, and so on"
            on = not on
        assert len(book.open_alarms) == int(on)


def test_each_ailment_of_a_board_is_a_cause_and_has_checks_words() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", ILL)
    assert symptoms_of(fleet, 5) == {
        Cause(AlarmKind.ILL, "one", "reader b2"): Symptom("centre", "no answer", "look at its wires")
    }


def test_a_board_that_is_gone_raises_its_alarm_only_after_everybody_could_come_back() -> None:
    fleet, book = fleet_of("one", "two"), AlarmBook()
    here(fleet, "two", IDLE)
    assert told(book, fleet, GRACE_SECONDS - 1) == []
    assert told(book, fleet, GRACE_SECONDS) == []
    assert told(book, fleet, GRACE_SECONDS + HOLD_SECONDS) == [(AlarmKind.GONE, "one")]


def test_a_house_without_a_network_is_one_alarm() -> None:
    fleet, book = fleet_of("one", "two", "three"), AlarmBook()
    assert told(book, fleet, GRACE_SECONDS) == []
    assert told(book, fleet, GRACE_SECONDS + HOLD_SECONDS) == [(AlarmKind.HOUSE_GONE, "centre")]


def test_a_hub_without_its_broker_says_that_and_nothing_of_the_boards() -> None:
    fleet, book = fleet_of(*(f"board-{number}" for number in range(300)), house=""), AlarmBook()
    for row in fleet.rows():
        here(fleet, row.name)
    fleet.unlink()
    told(book, fleet, 10_000)
    assert told(book, fleet, 10_000 + HOLD_SECONDS) == [(AlarmKind.BROKER, "")]


def test_a_board_that_was_never_there_is_no_alarm() -> None:
    fleet = Fleet([], 0)
    fleet.link(0)
    assert symptoms_of(fleet, 10_000) == {}


TOLD = Cause(AlarmKind.REFUSED, "one")
REFUSED_TWICE = {TOLD: Symptom("", "nobody understands it", "", times=2)}


def test_what_is_the_matter_with_what_a_board_tells_is_of_its_house() -> None:
    fleet = fleet_of("one")
    here(fleet, "one")
    assert symptoms_of(fleet, 5, REFUSED_TWICE) == {TOLD: replace(REFUSED_TWICE[TOLD], house="centre")}


def test_what_a_board_tells_wrongly_is_an_alarm_at_once_and_over_at_once() -> None:
    book = AlarmBook()
    (alarm,) = book.look(REFUSED_TWICE, 0)
    assert (alarm.cause, alarm.times) == (TOLD, 2)
    assert book.look({TOLD: replace(REFUSED_TWICE[TOLD], times=9, detail="worse")}, 60) == []
    assert (book.open_alarms[alarm.number].times, book.open_alarms[alarm.number].detail) == (9, "worse")
    (over,) = book.look({}, 61)
    assert (over.number, over.cleared, over.put_aside_by) == (alarm.number, 61, "")


def test_what_a_board_tells_wrongly_may_be_put_aside_and_comes_again_as_another_alarm() -> None:
    book = AlarmBook()
    (alarm,) = book.look(REFUSED_TWICE, 0)
    aside = book.put_aside(alarm.number, "anna", 10)
    assert aside is not None
    assert (aside.cleared, aside.put_aside_by) == (10, "anna")
    assert book.open_alarms == {}
    assert book.put_aside(alarm.number, "anna", 11) is None
    (again,) = book.look(REFUSED_TWICE, 500)
    assert again.number == alarm.number + 1


def test_board_that_is_gone_cannot_be_put_aside() -> None:
    book = AlarmBook()
    book.look(THERE, 0)
    (alarm,) = book.look(THERE, 100)
    assert book.put_aside(alarm.number, "anna", 110) is None
    assert list(book.open_alarms) == [alarm.number]
