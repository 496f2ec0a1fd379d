"""What waits to be dealt with: bounded for each board, and fair to all."""

from __future__ import annotations

from quarto_pi.hub.flow import BURST, MESSAGES_A_SECOND, MOST_IN_TURN, MOST_WAITING_OF_BOARD, TOO_LONG, WaitingMessages


def filled(**boards: int) -> WaitingMessages[int]:
    waiting: WaitingMessages[int] = WaitingMessages()
    for board, count in boards.items():
        for number in range(count):
            assert waiting.put(board, number, 0.0)
    return waiting


def test_messages_of_a_board_come_in_their_order() -> None:
    assert filled(north=5).take(0.0, 10) == [("north", number) for number in range(5)]


def test_a_board_that_has_much_to_tell_leaves_the_others_their_turns() -> None:
    waiting = filled(north=200, south=3)
    taken = waiting.take(0.0, MOST_IN_TURN + 3)
    assert [board for board, _ in taken] == ["north"] * MOST_IN_TURN + ["south"] * 3
    assert len(waiting) == 200 - MOST_IN_TURN


def test_what_a_board_sends_beyond_its_bound_is_let_fall() -> None:
    waiting = filled(north=MOST_WAITING_OF_BOARD)
    assert not waiting.put("north", 999, 0.0)
    assert waiting.put("south", 1, 0.0)
    waiting.take(0.0, 1)
    assert waiting.put("north", 999, 0.0)


def test_a_newer_state_takes_the_place_of_one_that_waits() -> None:
    waiting: WaitingMessages[str] = WaitingMessages()
    assert waiting.replace("north", "state", "old", 0.0) is None
    assert waiting.replace("north", "state", "new", 0.0) == "old"
    assert waiting.take(0.0, 10) == [("north", "new")]
    assert waiting.wait(0.0) is None


def test_a_board_that_never_stops_is_dealt_with_so_often_a_second_and_no_oftener() -> None:
    waiting: WaitingMessages[int] = WaitingMessages()
    dealt, now = 0, 0.0
    for _ in range(1_000):
        while waiting.put("north", 0, now):
            pass
        dealt += len(waiting.take(now, 200))
        now += 0.1
    assert dealt <= BURST + now * MESSAGES_A_SECOND
    assert dealt >= BURST + 0.99 * (now - 1) * MESSAGES_A_SECOND


def test_what_has_to_wait_says_for_how_long() -> None:
    waiting: WaitingMessages[int] = WaitingMessages()
    for _ in range(round(BURST)):
        waiting.put("north", 0, 0.0)
        waiting.take(0.0, 1)
    waiting.put("north", 1, 0.0)
    assert waiting.take(0.0, 1) == []
    wait = waiting.wait(0.0)
    assert wait is not None
    assert 0 < wait <= 1 / MESSAGES_A_SECOND
    assert waiting.take(wait, 1) == [("north", 1)]


def test_a_board_that_waits_to_be_heard_holds_up_nobody() -> None:
    waiting: WaitingMessages[int] = WaitingMessages()
    for _ in range(round(BURST)):
        waiting.put("north", 0, 0.0)
        waiting.take(0.0, 1)
    waiting.put("north", 0, 0.0)
    waiting.put("south", 1, 0.0)
    assert waiting.wait(0.0) == 0.0
    assert waiting.take(0.0, 1) == [("south", 1)]


def test_who_has_more_to_tell_than_is_dealt_with_for_too_long_is_named() -> None:
    waiting: WaitingMessages[int] = WaitingMessages()
    now, named_at = 0.0, None
    while named_at is None and now < 10 * TOO_LONG:
        while waiting.put("north", 0, now):
            pass
        waiting.put("south", 0, now)
        while waiting.take(now, 200):
            pass
        named_at = now if waiting.too_long(now) == ["north"] else None
        now += 0.5
    assert named_at is not None
    assert named_at > TOO_LONG
    # Once it has been silent for a while, it is like any other.
    while waiting.take(now, 200) or waiting.wait(now) is not None:
        now += 0.5
    waiting.put("north", 0, now + BURST / MESSAGES_A_SECOND)
    waiting.take(now + BURST / MESSAGES_A_SECOND, 1)
    assert waiting.too_long(now + BURST / MESSAGES_A_SECOND) == []
