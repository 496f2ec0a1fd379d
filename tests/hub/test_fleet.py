"""What the hub makes of what boards tell: what each is, since when, and what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.chain.messages import Doing
from quarto_pi.hub.fleet import GRACE_SECONDS, BoardCondition, Fleet, FleetRow, ListedBoard
from tests.hub.boards import DEAD_READER, IDLE, ILL, PLAYS, fleet_of, here, settled


def row_of(fleet: Fleet, name: str = "one") -> FleetRow:
    row = fleet.row(name)
    assert row is not None
    return row


def position(fleet: Fleet) -> str:
    game = row_of(fleet).game
    return "" if game is None else str(game.position)


@pytest.mark.parametrize(
    ("doing", "condition"),
    [
        (Doing.PLAYING, BoardCondition.PLAYING),
        (Doing.LEARNING, BoardCondition.PLAYING),
        (Doing.WAITING, BoardCondition.WAITING),
        (Doing.OVER, BoardCondition.WAITING),
        (Doing.GUIDE, BoardCondition.WAITING),
        (Doing.ASLEEP, BoardCondition.ASLEEP),
    ],
)
def test_a_board_is_what_it_says_it_does(doing: Doing, condition: BoardCondition) -> None:
    fleet = fleet_of("one")
    here(fleet, "one", replace(IDLE, doing=doing))
    assert row_of(fleet).condition is condition


def test_a_board_with_ailments_is_ill_and_tells_what_to_do_in_checks_words() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", ILL)
    assert row_of(fleet).condition is BoardCondition.ILL
    assert row_of(fleet).to_do == (DEAD_READER,)


def test_a_board_whose_will_has_spoken_is_gone_since_then_and_says_what_to_look_at() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS, now=10)
    fleet.presence("one", here=False, now=99)
    row = row_of(fleet)
    assert (row.condition, row.since) == (BoardCondition.GONE, 99)
    assert "power" in row.to_do[0].fix
    assert row.game is not None, "what was seen last stays to be seen"


def test_a_board_that_was_never_there_is_told_how_to_come() -> None:
    fleet = Fleet([ListedBoard("new", "centre")], now=5)
    assert "credentials" in row_of(fleet, "new").to_do[0].fix


def test_a_board_that_comes_back_is_what_it_was_before() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", ILL)
    fleet.presence("one", here=False, now=5)
    fleet.presence("one", here=True, now=6)
    assert (row_of(fleet).condition, row_of(fleet).since) == (BoardCondition.ILL, 6)


def test_since_is_the_boards_word_only_until_the_hub_has_seen_it_change() -> None:
    fleet = fleet_of("one")
    fleet.presence("one", here=True, now=1_000)
    fleet.status("one", replace(PLAYS, since=900), now=1_001)
    assert row_of(fleet).since == 900
    fleet.status("one", replace(IDLE, since=3), now=2_000)
    assert row_of(fleet).since == 2_000, "the board's clock may be days away"


def test_a_board_whose_clock_is_ahead_began_when_the_hub_heard_of_it() -> None:
    fleet = fleet_of("one")
    fleet.presence("one", here=True, now=1_000)
    fleet.status("one", replace(PLAYS, since=9e9), now=1_001)
    assert row_of(fleet).since == 1_001


def test_a_board_that_does_not_come_back_with_the_broker_is_gone_after_its_time() -> None:
    fleet = fleet_of("one", "two")
    for name in ("one", "two"):
        here(fleet, name)
    fleet.unlink()
    fleet.tick(10_000)
    assert row_of(fleet).condition is BoardCondition.WAITING, "the hub hears nobody, and claims nothing"
    fleet.link(20_000)
    fleet.presence("one", here=True, now=20_001)
    fleet.tick(20_000 + GRACE_SECONDS - 1)
    assert row_of(fleet, "two").condition is BoardCondition.WAITING
    fleet.tick(20_000 + GRACE_SECONDS)
    assert row_of(fleet).condition is BoardCondition.WAITING
    assert row_of(fleet, "two").condition is BoardCondition.GONE


def test_the_live_game_is_that_of_the_status_and_goes_on_with_what_is_settled() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    assert position(fleet) == "..../..../.5../...a 3"
    fleet.settled("one", settled(5, "placed", square="a4", piece="LTQH", player=1), now=2)
    assert position(fleet) == "3.../..../.5../...a -"
    fleet.settled("one", settled(6, "given", piece="LTRF", by=1), now=3)
    assert position(fleet) == "3.../..../.5../...a 0"


def test_what_comes_again_or_late_changes_nothing() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    fleet.settled("one", settled(5, "placed", square="a4", piece="LTQH", player=1), now=2)
    fleet.settled("one", settled(6, "given", piece="LTRF", by=1), now=3)
    seq = fleet.seq
    for number in (6, 5, 4):
        fleet.settled("one", settled(number, "given", piece="DSQH", by=0), now=4)
    assert (position(fleet), fleet.seq) == ("3.../..../.5../...a 0", seq)


def test_what_the_status_has_already_is_not_played_twice() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    fleet.settled("one", settled(3, "placed", square="b2", piece="LSRH", player=1), now=2)
    assert position(fleet) == "..../..../.5../...a 3"


def test_an_action_of_another_history_or_game_moves_nothing() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    fleet.settled("one", settled(50, "placed", square="a4", piece="LTRF", history="other"), now=2)
    fleet.settled("one", settled(5, "placed", game=6, square="a4", piece="LTRF"), now=2)
    assert position(fleet) == "..../..../.5../...a 3"


def test_an_undone_placement_is_back_in_the_hand_and_a_changed_mind_moves_its_piece() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    fleet.settled("one", settled(5, "placed", square="a4", piece="LTQH", player=1), now=2)
    fleet.settled("one", settled(6, "placed", square="c3", piece="LTQH", player=1), now=2)
    assert position(fleet) == "..../..3./.5../...a -"
    fleet.settled("one", settled(7, "undone", square="c3", piece="LTQH", player=1), now=2)
    assert position(fleet) == "..../..../.5../...a 3"


def test_a_result_ends_the_live_game_and_a_begun_one_clears_the_board() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    fleet.settled("one", settled(9, "result", winner=1, reason="call"), now=2)
    game = row_of(fleet).game
    assert game is not None
    assert (game.over, game.winner) == (True, 1)
    fleet.status("one", replace(PLAYS, doing=Doing.OVER), now=3)
    game = row_of(fleet).game
    assert game is not None
    assert game.winner == 1
    fleet.settled("one", settled(1, "begun", game=8), now=4)
    assert position(fleet) == "..../..../..../.... -"


@pytest.mark.parametrize("told", ["zz", "..../..../..../...", "00../..../..../.... -"])
def test_a_position_that_cannot_be_shows_no_game(told: str) -> None:
    fleet = fleet_of("one")
    here(fleet, "one", replace(PLAYS, position=told))
    assert row_of(fleet).game is None


def test_nonsense_in_a_settled_action_moves_nothing() -> None:
    fleet = fleet_of("one")
    here(fleet, "one", PLAYS)
    told: list[dict[str, object]] = [{}, {"piece": 3}, {"piece": "XXXX", "square": "a1"}, {"piece": "LTRF"}]
    for number, fields in enumerate(told, 5):
        fleet.settled("one", replace(settled(number, ""), event={"event": "placed", **fields}), now=2)
    assert position(fleet) == "..../..../.5../...a 3"


def test_a_board_that_the_accounts_do_not_know_is_not_shown() -> None:
    fleet = fleet_of("one")
    here(fleet, "stranger")
    assert [row.name for row in fleet.rows()] == ["one"]


def test_what_a_board_told_before_its_account_was_seen_is_not_lost() -> None:
    fleet = fleet_of("one")
    here(fleet, "new", PLAYS)
    fleet.list_boards([ListedBoard("one", "centre"), ListedBoard("new", "centre")], now=9)
    assert row_of(fleet, "new").condition is BoardCondition.PLAYING
    assert row_of(fleet, "new").game is not None


def test_boards_come_and_go_with_the_accounts() -> None:
    fleet = fleet_of("one", "two")
    here(fleet, "one")
    fleet.list_boards([ListedBoard("one", "harbour", ever_heard=True), ListedBoard("three", "centre")], now=9)
    assert [(row.name, row.house) for row in fleet.rows()] == [("one", "harbour"), ("three", "centre")]
    assert row_of(fleet).condition is BoardCondition.WAITING


def test_who_has_seen_everything_up_to_a_number_asks_for_what_is_newer() -> None:
    fleet = fleet_of("one", "two")
    here(fleet, "one")
    seq = fleet.seq
    assert fleet.rows_after(seq) == []
    here(fleet, "two")
    here(fleet, "one")
    assert [row.name for row in fleet.rows_after(seq)] == ["two"]


def test_all_conditions_are_counted() -> None:
    fleet = fleet_of("one", "two", "three")
    here(fleet, "one", PLAYS)
    here(fleet, "two", ILL)
    assert fleet.counts() == {
        BoardCondition.PLAYING: 1,
        BoardCondition.WAITING: 0,
        BoardCondition.ASLEEP: 0,
        BoardCondition.ILL: 1,
        BoardCondition.GONE: 1,
    }
