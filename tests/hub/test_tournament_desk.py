"""A tournament at the boards of a house: games at the tables decide by themselves, people decide what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quarto_pi.chain.messages import ToldMatch, read_tournament
from quarto_pi.chain.topics import tournament_for
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.tournament_desk import MOST_OPEN, TournamentDesk
from quarto_pi.tournament import (
    Announced,
    DecisionRefused,
    GameCorrected,
    GameOutcome,
    MatchVerdict,
    PairingSystem,
    PlayerEntered,
    SeatTaken,
    TablesSet,
    TournamentClosed,
    VerdictGiven,
    standings_of,
)
from tests.hub.tables_of_house import HISTORY, HouseTables, house_tables


@pytest.fixture
def house(tmp_path: Path) -> Iterator[HouseTables]:
    with house_tables(tmp_path) as house:
        yield house


def test_a_game_settled_at_the_table_is_the_pairings_and_the_next_one_is_called(house: HouseTables) -> None:
    house.board_is_here("north-1", game=6)
    house.begin(3)
    begun = house.start("north-1")
    seated = begun.at_table(1)
    assert seated is not None
    assert seated.seat is not None
    assert (seated.number, seated.seat.history, seated.seat.after_game) == (1, HISTORY, 6)
    house.play("north-1", 7)
    first = house.now.pairings[0]
    # Player 1 at the board has won, and is the first of the pairing.
    assert first.result == (2, 0)
    assert (first.games[0].source, first.games[0].by) == (("north-1", HISTORY, 7), "")
    called = house.now.at_table(1)
    assert called is not None
    assert called.number > first.number


def test_what_was_begun_before_the_pairing_was_called_does_not_count(house: HouseTables) -> None:
    house.play("north-1", 6)
    house.board_is_here("north-1", game=7)
    house.begin(2)
    house.start("north-1")
    # Game 7 goes on while they are called, and ends.
    house.play("north-1", 7)
    assert house.now.pairings[0].games == ()
    house.play("north-1", 8)
    assert house.now.pairings[0].is_decided


def test_a_game_counts_once_however_often_is_looked_and_by_whom(house: HouseTables, tmp_path: Path) -> None:
    house.board_is_here("north-1")
    house.begin(2, best_of=3)
    house.start("north-1")
    house.play("north-1", 1)
    other = open_sqlite(tmp_path / "hub.sqlite")
    another_desk = TournamentDesk(house.watch, house.clock)
    for _ in range(2):
        house.desk.look(house.store)
        another_desk.look(other)
    assert len(house.now.pairings[0].games) == 1
    found = another_desk.find(other, house.number)
    other.close()
    assert found is not None
    assert found.tournament == house.now


@pytest.mark.parametrize("seats", [("human", "ai 3"), ("ai 1", "ai 2")])
def test_a_game_against_the_computer_is_none_of_a_pairing(house: HouseTables, seats: tuple[str, str]) -> None:
    house.board_is_here("north-1")
    house.begin(2)
    house.start("north-1")
    house.play("north-1", 1, seats=seats)
    assert house.now.pairings[0].games == ()


def test_a_board_that_comes_later_counts_from_then_on(house: HouseTables) -> None:
    house.begin(2)
    house.start("north-1")
    house.play("north-1", 3)
    assert house.now.pairings[0].games == ()
    house.board_is_here("north-1", game=3)
    house.desk.look(house.store)
    house.play("north-1", 4)
    assert house.now.pairings[0].is_decided


def test_a_board_whose_journal_is_another_one_still_counts(house: HouseTables) -> None:
    house.board_is_here("north-1", game=9)
    house.begin(2)
    house.start("north-1")
    house.play("north-1", 1, history="ffff")
    assert house.now.pairings[0].is_decided


def test_the_organiser_corrects_what_came_by_itself_and_it_is_kept_who_did(house: HouseTables) -> None:
    house.board_is_here("north-1")
    house.begin(2)
    house.start("north-1")
    house.play("north-1", 1)
    house.decide(GameCorrected(1, 0, GameOutcome.DRAW))
    game = house.now.pairings[0].games[0]
    assert (game.outcome, game.by, house.now.pairings[0].result) == (GameOutcome.DRAW, "nora", (1, 1))
    house.desk.look(house.store)
    assert house.now.pairings[0].result == (1, 1)


def test_nobody_loses_because_a_board_is_away(house: HouseTables) -> None:
    house.board_is_here("north-1")
    house.begin(2)
    house.start("north-1")
    house.watch.presence("north-1", here=False)
    house.clock.now += 100_000
    house.desk.look(house.store)
    assert house.now.pairings[0].result is None
    assert house.now.at_table(1) is not None


def test_who_is_taken_from_a_table_waits_for_the_organiser(house: HouseTables) -> None:
    house.board_is_here("north-1")
    house.begin(4)
    house.start("north-1")
    house.decide(SeatTaken(1))
    now = house.now.at_table(1)
    assert now is not None
    assert now.number == 2
    house.play("north-1", 1)
    assert house.now.pairings[0].seat is None


def test_a_swiss_round_is_drawn_when_the_last_one_is_decided(house: HouseTables) -> None:
    house.begin(4, PairingSystem.SWISS)
    house.start()
    with pytest.raises(DecisionRefused, match="not decided yet"):
        house.desk.draw(house.store, house.number, "nora")
    house.decide(VerdictGiven(1, MatchVerdict.FIRST), VerdictGiven(2, MatchVerdict.SECOND_ABSENT))
    assert house.desk.draw(house.store, house.number, "nora").drawn == 2


def test_a_table_is_of_one_tournament_and_of_the_same_house(house: HouseTables) -> None:
    house.begin(2)
    house.decide(TablesSet(("north-1",)))
    house.begin(2)
    with pytest.raises(DecisionRefused, match="north-1 is a table of 'Friday'"):
        house.decide(TablesSet(("north-1",)))
    with pytest.raises(DecisionRefused, match="no board south-1 in this house"):
        house.decide(TablesSet(("south-1",)))


def test_a_house_has_so_many_tournaments_at_once(house: HouseTables) -> None:
    for _ in range(MOST_OPEN):
        house.begin(0)
    with pytest.raises(DecisionRefused, match="close one first"):
        house.begin(0)
    house.decide(TournamentClosed())
    house.begin(0)


def test_what_cannot_be_is_not_kept(house: HouseTables) -> None:
    house.begin(2)
    before = house.store.tournaments.entries(house.number)
    with pytest.raises(DecisionRefused):
        house.decide(PlayerEntered("fine"), PlayerEntered("x" * 21))
    with pytest.raises(DecisionRefused):
        house.desk.begin(house.store, "north", Announced("", PairingSystem.SWISS), "nora")
    assert house.store.tournaments.entries(house.number) == before
    assert len(house.store.tournaments.all()) == 1


def test_two_who_decide_at_once_both_have_decided(house: HouseTables, tmp_path: Path) -> None:
    house.begin(2)
    other = open_sqlite(tmp_path / "hub.sqlite")
    another_desk = TournamentDesk(house.watch, house.clock)
    another_desk.find(other, house.number)
    house.decide(PlayerEntered("here"))
    now = another_desk.decide(other, house.number, "anna", lambda _: [PlayerEntered("there")])
    other.close()
    assert [player.label for player in now.players] == ["P1", "P2", "here", "there"]


# --- What boards are told ---------------------------------------------------------------------------------------------


def told(house: HouseTables) -> dict[str, bytes]:
    house.sent.clear()
    house.look()
    assert all(is_retained for _, _, is_retained in house.sent)
    return {topic.split("/")[1]: payload for topic, payload, _ in house.sent}


def test_each_board_of_the_house_is_told_its_table_and_the_standings_and_no_name(house: HouseTables) -> None:
    house.board_is_here("north-1")
    house.begin(4)
    house.start("north-2", "north-1")
    sent = told(house)
    assert set(sent) == {"north-1", "north-2"}
    at_one = read_tournament(sent["north-1"])
    assert at_one is not None
    assert (at_one.title, at_one.table, at_one.match) == ("Friday", 2, ToldMatch(2, 3))
    assert [row.player for row in at_one.standings] == [row.player for row in standings_of(house.now)]
    assert all(b"P1" not in payload and b"nora" not in payload for payload in sent.values())
    assert house.sent[0][0] == tournament_for("north-1")


def test_boards_are_told_what_is_new_alone_and_all_of_it_after_each_connection(house: HouseTables) -> None:
    house.board_is_here("north-1")
    house.begin(2)
    house.start("north-1")
    assert set(told(house)) == {"north-1", "north-2"}
    assert told(house) == {}
    house.play("north-1", 1)
    assert set(told(house)) == {"north-1", "north-2"}
    house.watch.link(linked=False)
    assert told(house) == {}
    house.clock.now += 1
    house.watch.link(linked=True)
    assert set(told(house)) == {"north-1", "north-2"}


def test_a_closed_tournament_is_taken_away_from_the_boards_also_after_a_new_start(house: HouseTables) -> None:
    house.begin(2)
    house.start("north-1")
    told(house)
    house.decide(TournamentClosed())
    assert told(house) == {"north-1": b"", "north-2": b""}
    house.clock.now += 1
    house.watch.link(linked=True)
    assert told(house) == {"north-1": b"", "north-2": b""}


def test_a_house_without_a_tournament_is_told_nothing(house: HouseTables) -> None:
    assert told(house) == {}
