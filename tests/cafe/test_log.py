"""The log finds out if a journal has lost something: a proof that cannot fail is none."""

from __future__ import annotations

import json

import pytest

from tests.cafe.log import Log, NotKept

FIRST = '[Starter "0"]\n\n1. f\n'
SECOND = '[Starter "0"]\n\n1. f 2. d4\n'
OTHER = '[Starter "0"]\n\n1. f 2. a1\n'


def said(**things: object) -> str:
    return f"@{json.dumps(things)}\n"


def found(games: dict[str, str], check: str = "ok", note: str | None = None) -> str:
    return said(found=games, check=[check], note=note)


@pytest.fixture
def log() -> Log:
    log = Log()
    log.hear(said(hand="f", to="offer"))
    log.hear(said(safe=1, record=FIRST))
    log.hear(said(hand="f", to="d4"))
    log.hear(said(safe=1, record=SECOND))
    return log


def test_what_was_safe_and_is_there_is_not_lost(log: Log) -> None:
    log.hear(found({"1": SECOND}))
    assert log.lost == [0]


def test_what_was_written_and_never_told_may_be_there(log: Log) -> None:
    log.hear(found({"1": '[Starter "0"]\n\n1. f 2. d4 0\n'}))
    assert log.lost == [0]


@pytest.mark.parametrize(("games", "lost"), [({"1": FIRST}, 1), ({"1": OTHER}, 1), ({}, 2), ({"2": SECOND}, 2)])
def test_what_was_safe_and_is_not_there_is_lost(log: Log, games: dict[str, str], lost: int) -> None:
    log.hear(found(games))
    assert log.lost == [lost]


def test_what_is_lost_is_counted_once(log: Log) -> None:
    log.hear(found({}))
    log.hear(found({}))
    assert log.lost == [2, 0]


def test_game_that_goes_on_otherwise_than_it_was_kept_is_told(log: Log) -> None:
    log.hear(found({"1": SECOND}))
    with pytest.raises(NotKept, match="goes on as"):
        log.hear(said(resumed=1, record=FIRST))


def test_file_that_is_not_sound_is_noted(log: Log) -> None:
    log.hear(found({"1": SECOND}, check="row 3 missing from index"))
    log.hear(found({"1": SECOND}, note="it was set aside."))
    assert len(log.notes) == 2


def test_wood_stays_where_hands_have_put_it(log: Log) -> None:
    log.hear(said(hand="0", to="offer"))
    assert log.standing() == "f:d4,0:offer"
    log.hear(said(hand="f", to=None))
    assert log.standing() == "0:offer"


@pytest.mark.parametrize("line", ["[    2.164094] EXT4-fs (vdb): mounted", '@{"safe": 1, "rec', "@", ""])
def test_line_of_the_kernel_or_one_that_breaks_off_says_nothing(log: Log, line: str) -> None:
    assert log.hear(line) == {}


def test_game_is_counted_once_when_it_has_ended(log: Log) -> None:
    over = '[Starter "0"]\n[Winner "-"]\n[Reason "draw"]\n\n1. f 2. d4\n'
    for record in (over, over):
        log.hear(said(safe=1, record=record))
    assert log.ended == 1
