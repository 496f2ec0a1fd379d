"""What the watch keeps, in SQLite and in PostgreSQL, and knows again after a new start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.hub.alarm_table import PUT_ASIDE_MIGRATION
from quarto_pi.hub.alarms import (
    CONTRADICTION,
    FLOOD,
    HOLD_SECONDS,
    IMPOSSIBLE,
    OVER_AFTER,
    QUIET_SECONDS,
    REFUSED,
    Alarm,
    AlarmKind,
    Cause,
    Symptom,
)
from quarto_pi.hub.fleet import BoardCondition
from quarto_pi.hub.postgres import open_postgres
from quarto_pi.hub.schema import HUB_MIGRATIONS
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.store import HubStore, StoreAway
from quarto_pi.hub.watch import Watch
from quarto_pi.hub.watching import LIST_TURNS, Watching
from tests.hub.boards import IDLE, ILL
from tests.hub.page_of_hub import Clock

OpenStore = Callable[[], HubStore]
ALARM = Alarm(1, Cause(AlarmKind.ILL, "one", "reader b2"), "centre", "no answer", "look at its wires", 100.0)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the same database again and again."""
    address = request.getfixturevalue("postgres").database() if request.param == "postgres" else ""
    stores: list[HubStore] = []

    def open_it() -> HubStore:
        stores.append(open_postgres(address) if address else open_sqlite(tmp_path / "hub.sqlite"))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


def test_alarms_are_kept_and_what_becomes_of_them(opened: OpenStore) -> None:
    table = opened().watched
    assert (table.alarms_on(), table.newest_alarm()) == ([], 0)
    second = replace(ALARM, number=2, cause=Cause(AlarmKind.GONE, "two"))
    table.keep_alarms([ALARM, second])
    seen = replace(ALARM, times=4, acknowledged_by="anna", acknowledged=150.0)
    table.keep_alarms([seen, replace(second, cleared=200.0)])
    assert table.alarms_on() == [seen]
    assert table.last_alarms(10) == [replace(second, cleared=200.0)]
    assert opened().watched.newest_alarm() == 2


def test_alarms_of_an_earlier_version_are_known_by_what_they_are_called_now(tmp_path: Path) -> None:
    file = tmp_path / "hub.sqlite"
    before = open_sqlite(file, HUB_MIGRATIONS[: HUB_MIGRATIONS.index(PUT_ASIDE_MIGRATION)])
    before._database.run(
        "INSERT INTO watch_alarms (number, kind, place, device, house, detail, fix, raised, times, cleared, "
        "acknowledged_by, acknowledged) VALUES (1, 'conflict', 'one', '', 'centre', 'two bodies', '', 1, 1, 0, '', 0)"
    )
    before.close()
    store = open_sqlite(file)
    (alarm,) = store.watched.alarms_on()
    assert (alarm.cause, alarm.put_aside_by) == (Cause(AlarmKind.CONTRADICTION, "one"), "")
    store.close()


def test_boards_are_known_to_have_been_heard(opened: OpenStore) -> None:
    opened().watched.note_heard(["one", "two"], 5.0)
    opened().watched.note_heard(["two", "three"], 6.0)
    assert opened().watched.heard() == {"one", "two", "three"}


def look(open_store: OpenStore, clock: Clock, said: list[str] | None = None) -> tuple[Watch, Watching]:
    watch = Watch([], clock)
    return watch, Watching(watch, open_store, ([] if said is None else said).append, clock)


def test_a_hub_that_starts_again_knows_its_boards_and_alarms(opened: OpenStore) -> None:
    opened().put_board("one", "centre", 0)
    clock, said = Clock(), list[str]()
    watch, watching = look(opened, clock, said)
    watch.link(linked=True)
    watching.look()
    watch.presence("one", here=True)
    watch.status("one", ILL)
    watching.look()
    clock.now += HOLD_SECONDS
    watching.look()
    assert said == ["one: no answer. To do: look at its wires."]
    (alarm,) = watch.alarms()
    watch.acknowledge(alarm.number, "anna")
    watching.look()

    again, watching = look(opened, clock, said)
    again.link(linked=True)
    watching.look()
    assert [(each.number, each.acknowledged_by) for each in again.alarms()] == [(alarm.number, "anna")]
    row = again.row("one")
    assert row is not None
    assert (row.condition, row.ever_heard) == (BoardCondition.GONE, True)
    again.presence("one", here=True)
    again.status("one", IDLE)
    clock.now += QUIET_SECONDS
    watching.look()
    assert again.alarms() == []
    assert len(said) == 1
    assert [each.number for each in opened().watched.last_alarms(5)] == [alarm.number]


def test_what_cannot_be_kept_while_the_database_is_away_is_kept_afterwards(tmp_path: Path) -> None:
    is_away = False

    def open_it() -> HubStore:
        if is_away:
            raise StoreAway("the database is away.")
        return open_sqlite(tmp_path / "hub.sqlite")

    store = open_it()
    store.put_board("one", "centre", 0)
    clock = Clock()
    watch, watching = look(open_it, clock)
    watch.link(linked=True)
    watching.look()
    watching._let_go()
    is_away = True
    watch.presence("one", here=True)
    watch.status("one", ILL)
    for _ in range(3):
        watching.look()
        clock.now += HOLD_SECONDS
    assert len(watch.alarms()) == 1
    assert store.watched.alarms_on() == []
    is_away = False
    watching.look()
    assert store.watched.alarms_on() == watch.alarms()
    assert store.watched.heard() == {"one"}
    watching.close()
    store.close()


def told_boards(opened: OpenStore) -> tuple[HubStore, Clock, Watch, Watching, list[str]]:
    store = opened()
    store.put_board("one", "centre", 0)
    store.put_board("two", "centre", 0)
    clock, said = Clock(), list[str]()
    watch, watching = look(opened, clock, said)
    watch.link(linked=True)
    watching.look()
    return store, clock, watch, watching, said


def kinds_on(watch: Watch) -> list[tuple[str, str]]:
    return sorted((alarm.cause.where, alarm.cause.kind.value) for alarm in watch.alarms())


def test_a_flood_is_one_alarm_and_over_by_itself_once_it_has_been_quiet(opened: OpenStore) -> None:
    store, clock, watch, watching, said = told_boards(opened)
    for _ in range(5):
        store.raise_alarm("one", FLOOD, "It sends too much.", clock.now)
        watch.conflict("one", "It sends too much.")
        watching.look()
        clock.now += 60
    assert kinds_on(watch) == [("one", "flood")]
    assert watch.alarms()[0].times == 5
    assert said == [
        "one: It sends too much. To do: look at the board, or take its account away: quarto-pi hub remove one."
    ]
    clock.now += OVER_AFTER[FLOOD]
    for _ in range(LIST_TURNS):
        watching.look()
    assert watch.alarms() == []
    assert store.alarms() == []
    assert [each.put_aside_by for each in store.watched.last_alarms(5)] == [""]
    store.raise_alarm("one", FLOOD, "It sends too much.", clock.now)
    watch.conflict("one", "It sends too much.")
    watching.look()
    assert [alarm.times for alarm in watch.alarms()] == [1]
    assert len(said) == 2


def test_what_was_told_wrongly_stays_until_somebody_puts_it_aside(opened: OpenStore) -> None:
    store, clock, watch, watching, _ = told_boards(opened)
    for board, kind in (("one", CONTRADICTION), ("one", IMPOSSIBLE), ("two", REFUSED)):
        store.raise_alarm(board, kind, "Look at it.", clock.now)
    watch.conflict("one", "")
    watching.look()
    assert kinds_on(watch) == [("one", "contradiction"), ("one", "impossible"), ("two", "refused")]
    clock.now += 7 * 86_400
    for _ in range(LIST_TURNS):
        watching.look()
    assert kinds_on(watch) == [("one", "contradiction"), ("one", "impossible")]
    first = watch.alarms()[0]
    store.end_alarm("one", first.cause.kind.value, clock.now, "anna")
    assert watch.put_aside(first.number, "anna") is not None
    for _ in range(LIST_TURNS):
        watching.look()
    assert len(watch.alarms()) == 1
    (aside,) = [each for each in store.watched.last_alarms(5) if each.put_aside_by]
    assert (aside.number, aside.put_aside_by, aside.cleared) == (first.number, "anna", clock.now)
    assert {(each.kind, each.ended_by) for each in store.alarms(ended=True)} == {
        (first.cause.kind.value, "anna"),
        (watch.alarms()[0].cause.kind.value, ""),
        ("refused", ""),
    }
    clock.now += 30 * 86_400
    for _ in range(LIST_TURNS):
        watching.look()
    assert watch.alarms() == []


def test_what_a_board_told_wrongly_is_over_with_its_account(opened: OpenStore) -> None:
    store, clock, watch, watching, _ = told_boards(opened)
    store.raise_alarm("one", CONTRADICTION, "Look at it.", clock.now)
    watch.conflict("one", "")
    watching.look()
    store.revoke_board("one", clock.now)
    for _ in range(LIST_TURNS):
        watching.look()
    assert watch.alarms() == []


def test_a_hub_that_starts_again_has_the_same_alarm_about_what_was_told(opened: OpenStore) -> None:
    store, clock, watch, watching, _ = told_boards(opened)
    store.raise_alarm("one", IMPOSSIBLE, "Look at it.", clock.now)
    watch.conflict("one", "")
    watching.look()
    again, looking = look(opened, clock)
    for _ in range(2 * LIST_TURNS):
        looking.look()
        clock.now += 1
    assert [alarm.number for alarm in again.alarms()] == [alarm.number for alarm in watch.alarms()]


def test_what_is_put_aside_while_the_database_is_asked_does_not_come_back() -> None:
    watch = Watch([], Clock())
    watch.recall([], 0)
    cause = Cause(AlarmKind.IMPOSSIBLE, "one")
    told = {cause: Symptom("", "Look at it.", "")}
    _, asides = watch.take_told_anew()
    watch.know_told(told, asides)
    (alarm,) = watch.tick()
    _, asides = watch.take_told_anew()
    assert watch.put_aside(alarm.number, "anna") is not None
    watch.know_told(told, asides)  # this was read before
    assert watch.tick() == []
    assert watch.take_told_anew()[0]


def test_no_alarm_is_raised_before_those_of_the_last_start_are_known() -> None:
    def open_it() -> HubStore:
        raise StoreAway("the database is away.")

    clock = Clock()
    watch, watching = look(open_it, clock)
    for _ in range(3):
        watching.look()
        clock.now += HOLD_SECONDS
    assert watch.alarms() == []


def test_boards_come_and_go_with_their_accounts(tmp_path: Path) -> None:
    store = open_sqlite(tmp_path / "hub.sqlite")
    store.put_board("one", "centre", 0)
    watch, watching = look(lambda: open_sqlite(tmp_path / "hub.sqlite"), Clock())
    watching.look()
    store.put_board("two", "harbour", 1)
    store.revoke_board("one", 2)
    for _ in range(5):
        watching.look()
    assert [(row.name, row.house) for row in watch.rows()] == [("two", "harbour")]
    watching.close()
    store.close()
