"""What boards send, at a real Mosquitto: kept, and only then said to be kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.chain.messages import pack_settled
from quarto_pi.chain.topics import HUB_PRESENCE, settled_of
from tests.hub.games import HISTORY, settled
from tests.hub.hubs import HubFolder

pytestmark = pytest.mark.slow


def test_a_game_that_a_board_tells_is_kept_and_the_board_is_told_so(place: HubFolder) -> None:
    told = settled()
    with place.running() as hub, place.board("north-1") as board:
        for action in told:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))
        store = hub.store()
        game = store.game(("north-1", HISTORY, 1))
        store.close()
    assert game is not None
    assert (game.house, game.is_over, game.winner, game.reason, game.moves) == ("North", True, 0, "call", 4)
    assert game.fault is None


def test_what_is_told_again_is_taken_again_and_counts_once(place: HubFolder) -> None:
    told = settled()
    with place.running() as hub, place.board("north-1") as board:
        for action in told:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))
        words = len(board.taken())
        for action in told:
            board.tell(action)
        place.heard.until(lambda: hub.intake.counts.again == len(told))
        assert hub.intake.counts.kept == len(told)
        board.until(lambda: len(board.taken()) > words)


def test_a_gap_is_asked_for(place: HubFolder) -> None:
    told = settled()
    with place.running(), place.board("north-1") as board:
        board.tell(told[0])
        board.tell(told[3])
        board.until(lambda: any(taken.resend == ((1, 2),) for taken in board.taken()))
        assert not board.is_taken(HISTORY, 1, 2)
        for action in told[1:]:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))


def test_a_hub_that_is_started_again_has_the_same_epoch(place: HubFolder) -> None:
    seen: list[bytes] = []
    for _ in range(2):
        with place.running(), place.board("north-1") as board:
            board.until(lambda: any(topic == HUB_PRESENCE and payload for topic, payload in board.heard))
            seen += [payload for topic, payload in board.heard if topic == HUB_PRESENCE]
    assert len(set(seen)) == 1


def test_what_nobody_understands_ends_nothing_and_is_told_once(place: HubFolder) -> None:
    told = settled()
    with place.running() as hub, place.board("north-1") as board:
        for number in range(20):
            board.publish(settled_of("north-1"), b"{" * number)
        for action in told:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))
        place.heard.until(lambda: any("were not taken" in line for line in place.heard.said()))
        store = hub.store()
        alarms = store.alarms()
        store.close()
    assert [alarm.kind for alarm in alarms] == ["refused"]
    assert sum("were not taken" in line for line in place.heard.said()) == 1


def test_a_board_that_floods_keeps_no_other_board_from_being_heard(place: HubFolder) -> None:
    assert place.order("add", "south-1") == 0
    told = settled()
    with place.running() as hub, place.board("north-1") as north, place.board("south-1") as south:
        number = 0
        while not hub.intake.counts.let_fall:
            number += 1
            flood = pack_settled(replace(told[0], history=f"h{number}"))
            north.client.publish(settled_of("north-1"), flood, qos=1)
            north.client.publish(settled_of("north-1"), flood, qos=0)
        for action in told:
            south.tell(action)
        south.until(lambda: south.is_taken(HISTORY, 1, len(told)))
        place.heard.until(lambda: any("it sends more than" in str(call) for call in place.heard.calls))
        assert north.ended == south.ended == []


def test_the_same_action_with_another_body_is_an_alarm(place: HubFolder) -> None:
    first, *_ = settled()
    other = settled(settings=None, game=1)[1]
    with place.running(), place.board("north-1") as board:
        board.tell(first)
        board.until(lambda: board.is_taken(HISTORY, 1, 1))
        forged = pack_settled(other).replace(b'"number":2', b'"number":1')
        board.publish(settled_of("north-1"), forged)
        place.heard.until(lambda: any(call[0] == "conflict" for call in place.heard.calls))
