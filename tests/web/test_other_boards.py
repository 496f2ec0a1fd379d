"""Other boards over the interface: who may be played with, and what is asked of the board."""

from __future__ import annotations

from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from quarto_pi.referee import PERSON, Input, Seat
from quarto_pi.referee.inputs import WantBoard
from quarto_pi.referee.menu import STOP_WAITING, BoardChoice, Item
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.remote_game import OtherBoard, Others
from quarto_pi.web.requests import Moment
from quarto_pi.web.service import ServedBoard, service
from quarto_pi.web.snapshot import snapshot
from quarto_pi.words import Words
from tests.web.visit import LOCAL, feed_with, moment

NORTH, SOUTH = OtherBoard("north-1", "north-1"), OtherBoard("south-1", "south-1", invites=True)


def shown(others: Others | None = None, phase: RefereePhase = RefereePhase.CHOOSE) -> Moment:
    seen = moment(phase=phase)
    return replace(seen, view=replace(seen.view, others=others))


def with_board(phase: RefereePhase) -> Moment:
    seen = shown(Others(), phase)
    return replace(seen, view=replace(seen.view, settings=replace(seen.view.settings, seats=(PERSON, Seat(board="s")))))


def answer_to(path: str, body: dict[str, object], seen: Moment) -> tuple[int, list[Input]]:
    """How the interface answers, and what reached the game."""
    posted: list[Input] = []
    given = ServedBoard(feed_with(seen), lambda make: posted.append(make(7)), pin="123456")
    with TestClient(service(given), base_url=LOCAL) as client:
        answer = client.post(f"/api/v1/{path}", json=body, headers={"X-Pin": "123456"})
    return answer.status_code, posted


def test_the_snapshot_has_the_boards_that_may_be_played_with() -> None:
    told = snapshot(shown(Others((NORTH,), (SOUTH,), is_waiting=True)), Words("en"))["others"]
    assert told == {
        "free": [{"name": "north-1", "label": "north-1", "invites": False}],
        "invitations": [{"name": "south-1", "label": "south-1", "invites": True}],
        "waiting": True,
    }
    assert snapshot(shown(), Words("en"))["others"] is None


@pytest.mark.parametrize(
    ("body", "choice"),
    [
        ({"board": "north-1"}, NORTH),
        ({"board": "south-1"}, SOUTH),
        ({"board": None}, None),
        ({"stop": True}, STOP_WAITING),
    ],
)
def test_a_board_is_chosen(body: dict[str, object], choice: BoardChoice) -> None:
    assert answer_to("boards", body, shown(Others((NORTH,), (SOUTH,)))) == (200, [WantBoard(7, choice)])


@pytest.mark.parametrize("body", [{}, {"board": "west"}, {"board": 3}, {"stop": False}, {"bord": "north-1"}])
def test_what_no_board_is_meant_by_is_refused(body: dict[str, object]) -> None:
    assert answer_to("boards", body, shown(Others((NORTH,)))) == (400, [])


def test_a_board_without_a_chain_or_with_a_game_under_way_refuses() -> None:
    assert answer_to("boards", {"board": None}, shown()) == (409, [])
    assert answer_to("boards", {"board": None}, shown(Others(), RefereePhase.GIVEN)) == (409, [])
    assert answer_to("boards", {"board": None}, with_board(RefereePhase.CHOOSE)) == (409, [])


def test_undo_and_pause_need_the_other_board_and_a_game_with_it_can_be_ended_before_it_has_begun() -> None:
    for order in (Item.UNDO, Item.PAUSE):
        assert answer_to("order", {"order": order.value}, with_board(RefereePhase.PLACED)) == (409, [])
    status, posted = answer_to("order", {"order": "new game"}, with_board(RefereePhase.CHOOSE))
    assert (status, len(posted)) == (200, 1)
