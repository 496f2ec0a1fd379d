"""What a hub's database has to do: the same tests for SQLite and for PostgreSQL."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace

import psycopg
import pytest

from quarto_pi.chain.messages import SettledAction
from quarto_pi.hub.schema import HUB_MIGRATIONS
from quarto_pi.hub.store import GameSearch, HubStore, StoreRefused, all_games
from quarto_pi.hub.tables import SqlStore
from quarto_pi.tournament import (
    Announced,
    PairingSystem,
    PlayerEntered,
    SeatTaken,
    TournamentClosed,
    TournamentEntry,
)
from tests.hub.conftest import Open
from tests.hub.games import BEGAN, HISTORY, UNFINISHED, WON, received, settled


def test_a_new_database_has_an_epoch_of_its_own_and_keeps_it(opened: Open) -> None:
    assert opened().epoch == opened().epoch != ""


def test_what_is_refused_for_its_values_is_not_taken_for_a_database_that_is_away(store: SqlStore) -> None:
    refused = (sqlite3.IntegrityError, psycopg.IntegrityError)
    with pytest.raises(refused), store._database.transaction():
        store._database.run("INSERT INTO boards (name, house, added) VALUES (?, NULL, 1)", ("north-1",))
    assert store.boards() == []
    store.try_writing()


def test_actions_are_kept_once_whatever_comes_again(store: HubStore) -> None:
    told = received("north-1", settled())
    (first,) = store.keep(told[:5])
    (again,) = store.keep(told)
    assert (first.through, first.fresh, first.missing) == (((1, 5),), 5, ())
    assert (again.through, again.fresh) == (((1, len(told)),), len(told) - 5)
    assert [action.number for action in again.new] == list(range(6, len(told) + 1))
    assert store.actions(("north-1", HISTORY, 1)) == [each.action for each in told]


def test_a_game_is_what_its_actions_make_by_the_rules(store: HubStore) -> None:
    store.put_board("north-1", "North", BEGAN)
    store.keep(received("north-1", settled()))
    game = store.game(("north-1", HISTORY, 1))
    assert game is not None
    assert (game.house, game.seats, game.winner, game.reason) == ("North", ("person", "person"), 0, "call")
    assert (game.begun, game.seconds, game.moves, game.missed, game.fault) == (BEGAN + 1, 10, 4, 0, None)
    assert game.is_over


def test_a_gap_holds_back_what_follows_until_it_is_filled(store: HubStore) -> None:
    told = received("north-1", settled())
    (kept,) = store.keep([told[0], *told[4:]])
    assert (kept.through, kept.missing) == (((1, 1),), ((1, 2),))
    (kept,) = store.keep(told[1:3])
    assert (kept.through, kept.missing) == (((1, 3),), ((1, 4),))
    (kept,) = store.keep([told[3]])
    assert (kept.through, kept.missing) == (((1, len(told)),), ())
    game = store.game(("north-1", HISTORY, 1))
    assert game is not None
    assert (game.reason, game.fault) == ("call", None)


def test_nothing_is_said_of_a_game_whose_first_action_has_not_come(store: HubStore) -> None:
    (kept,) = store.keep(received("north-1", settled())[1:])
    assert (kept.through, kept.missing) == ((), ((1, 1),))


@pytest.mark.parametrize("seed", range(5))
def test_any_order_and_any_batches_come_to_the_same(opened: Open, seed: int) -> None:
    draw = random.Random(seed)
    told = [
        each
        for board in ("north-1", "south-1")
        for game in (1, 2)
        for each in received(board, settled(draw.choice((WON, UNFINISHED)), game))
    ]
    sent = told + draw.choices(told, k=20)
    draw.shuffle(sent)
    store: HubStore = opened()
    while sent:
        most = draw.randint(1, 9)
        batch, sent = sent[:most], sent[most:]
        store.keep(batch)
        if draw.random() < 0.3:
            store = opened()  # what is in memory is gone
    for board in ("north-1", "south-1"):
        for game in (1, 2):
            kept = store.game((board, HISTORY, game))
            mine = [each.action for each in told if (each.board, each.action.game) == (board, game)]
            assert kept is not None
            assert (kept.through, kept.highest, kept.fault, kept.is_over) == (len(mine), len(mine), None, True)
            assert kept.reason == mine[-1].event["reason"]


def test_two_hubs_at_one_database_come_to_the_same(opened: Open) -> None:
    one, other = opened(), opened()
    told = received("north-1", settled())
    one.keep(told[:3])
    other.keep(told[3:6])
    one.keep(told[6:9])
    (kept,) = other.keep(told[9:])
    assert kept.through == ((1, len(told)),)
    game = one.game(("north-1", HISTORY, 1))
    assert game is not None
    assert (game.reason, game.fault) == ("call", None)


def test_the_same_number_of_another_history_is_another_game(store: HubStore) -> None:
    store.keep(received("north-1", settled()))
    store.keep(received("north-1", settled(UNFINISHED, history="another")))
    assert {(game.history, game.reason) for game in store.games(GameSearch())} == {
        (HISTORY, "call"),
        ("another", "unfinished"),
    }


def test_one_key_with_two_bodies_keeps_the_first_and_is_an_alarm(store: HubStore) -> None:
    told = received("north-1", settled())
    forged = replace(told[1], action=replace(told[1].action, event={**told[1].action.event, "piece": "DSQH"}))
    (kept,) = store.keep([told[0], told[1], forged])
    assert len(kept.troubles) == 1
    (kept,) = store.keep([forged])
    assert (kept.fresh, len(kept.troubles)) == (0, 1)
    assert store.actions(("north-1", HISTORY, 1))[1] == told[1].action
    (alarm,) = store.alarms()
    assert (alarm.board, alarm.kind, alarm.times) == ("north-1", "contradiction", 2)


def test_a_time_that_was_put_right_is_no_contradiction(store: HubStore) -> None:
    told = received("north-1", settled())
    store.keep(told)
    later = [replace(each, action=replace(each.action, at=each.action.at + 9)) for each in told]
    (kept,) = store.keep(later)
    assert kept.troubles == ()


def test_a_game_that_cannot_be_is_kept_marked_and_an_alarm(store: HubStore) -> None:
    told = [action for action in settled() if action.event["event"] != "given"]
    numbered = [replace(action, number=number) for number, action in enumerate(told, start=1)]
    (kept,) = store.keep(received("north-1", numbered))
    assert kept.through == ((1, len(numbered)),)
    assert len(kept.troubles) == 1
    game = store.game(("north-1", HISTORY, 1))
    assert game is not None
    assert game.fault is not None
    assert (game.is_over, game.winner, game.reason) == (True, None, "unfinished")
    assert len(store.actions(game.key)) == len(numbered)
    assert [alarm.kind for alarm in store.alarms()] == ["impossible"]


def test_a_fault_is_told_once_and_outlives_what_is_in_memory(opened: Open) -> None:
    begun, *_, result = settled()
    wrong = [begun, replace(result, number=2)]
    opened().keep(received("north-1", wrong))
    (kept,) = opened().keep(received("north-1", [replace(result, number=3)]))
    assert kept.troubles == ()
    game = opened().game(("north-1", HISTORY, 1))
    assert game is not None
    assert game.fault is not None
    assert game.through == 3


def test_boards_come_go_and_come_back(store: HubStore) -> None:
    store.put_board("north-1", "North", 1.0)
    store.put_board("north-1", None, 2.0)
    assert [(board.house, board.added, board.revoked) for board in store.boards()] == [("North", 1.0, None)]
    assert store.revoke_board("north-1", 3.0)
    assert store.revoke_board("north-1", 4.0)
    assert not store.revoke_board("south-1", 4.0)
    assert store.boards()[0].revoked == 3.0
    assert store.put_board("north-1", "South", 5.0).revoked is None


def many(store: HubStore) -> None:
    """Seven boards of three houses, with three games each; the third one goes on."""
    for number in range(7):
        board, house = f"board-{number}", f"House {number % 3}"
        store.put_board(board, house, 0.0)
        for game in (1, 2, 3):
            actions = settled(WON if game == 1 else UNFINISHED, game)
            at = BEGAN + 100 * game + number // 2
            store.keep(received(board, actions[:-1] if game == 3 else actions, at))


def test_games_are_read_page_by_page_the_newest_first(store: HubStore) -> None:
    many(store)
    pages = [store.games(GameSearch(most=5))]
    while pages[-1]:
        last = pages[-1][-1]
        pages.append(store.games(GameSearch(most=5, before=(last.received, last.board, last.history, last.game))))
    games = [game for page in pages for game in page]
    assert len(games) == len({game.key for game in games}) == 21
    assert [game.received for game in games] == sorted((game.received for game in games), reverse=True)
    assert games == list(all_games(store, GameSearch()))


def test_games_are_found_by_house_board_time_and_whether_they_go_on(store: HubStore) -> None:
    many(store)
    assert {game.board for game in store.games(GameSearch(house="House 1"))} == {"board-1", "board-4"}
    assert len(store.games(GameSearch(board="board-3"))) == 3
    assert {game.game for game in store.games(GameSearch(live=True))} == {3}
    assert len(store.games(GameSearch(live=False))) == 14
    assert {game.game for game in store.games(GameSearch(since=BEGAN + 150, until=BEGAN + 250))} == {2}
    assert store.games(GameSearch(faulty=True)) == []


def test_a_game_that_was_never_ended_goes_on_only_while_its_board_plays_no_other(store: HubStore) -> None:
    store.keep(received("north-1", settled()[:5], BEGAN))
    assert [game.history for game in store.games(GameSearch(live=True))] == [HISTORY]
    store.keep(received("north-1", settled(history="next")[:5], BEGAN + 60))
    assert [game.history for game in store.games(GameSearch(live=True))] == ["next"]


def test_figures_are_counted_board_by_board(store: HubStore) -> None:
    many(store)
    figures = store.figures(GameSearch())
    assert [(each.house, each.board) for each in figures] == sorted(
        (f"House {number % 3}", f"board-{number}") for number in range(7)
    )
    (one,) = store.figures(GameSearch(board="board-0"))
    assert (one.games, one.won_by_call, one.unfinished, one.first_won, one.second_won) == (3, 1, 1, 1, 0)
    assert (one.moves, one.timed_games, one.against_computer) == (4 + 2 + 2, 2, 0)
    assert one.seconds == sum(game.seconds or 0 for game in store.games(GameSearch(board="board-0")))
    assert store.figures(GameSearch(board="nobody")) == []


def test_an_alarm_lasts_until_it_is_ended_and_may_come_again(store: HubStore) -> None:
    assert store.raise_alarm("north-1", "gone", "It is gone.", 1.0)
    assert not store.raise_alarm("north-1", "gone", "It is still gone.", 2.0)
    (alarm,) = store.alarms()
    assert (alarm.text, alarm.first, alarm.last, alarm.times) == ("It is still gone.", 1.0, 2.0, 2)
    assert store.end_alarm("north-1", "gone", 3.0)
    assert not store.end_alarm("north-1", "gone", 4.0)
    assert store.alarms() == []
    assert store.raise_alarm("north-1", "gone", "It is gone again.", 5.0)
    assert [alarm.ended for alarm in store.alarms(ended=True)] == [None, 3.0]


def test_what_a_newer_version_has_written_is_left_alone(opened: Open) -> None:
    opened(migrations=(*HUB_MIGRATIONS, ("CREATE TABLE later (x TEXT)",)))
    with pytest.raises(StoreRefused, match="newer quarto-pi"):
        opened()


def test_a_database_of_an_earlier_version_is_brought_up_to_date(opened: Open) -> None:
    before = opened()
    before.keep(received("north-1", settled()))
    after = opened(migrations=(*HUB_MIGRATIONS, ("CREATE TABLE later (x TEXT)",)))
    assert after.epoch == before.epoch
    assert len(after.games(GameSearch())) == 1


def test_any_text_and_any_number_of_json_comes_back_as_it_was(store: HubStore) -> None:
    event = {"event": "hint", "text": "\x00 \ud800 \u2028 %s ? 'x'", "n": 10**300, "f": 0.1, "deep": [[{}]]}
    action = SettledAction(HISTORY, 2**53 - 1, 1, 0, event)
    store.keep(received("north-1", [action]))
    assert store.actions(("north-1", HISTORY, 2**53 - 1)) == [action]


# --- Tournaments ------------------------------------------------------------------------------------------------------

FRIDAY = TournamentEntry(100.0, "nora", Announced("Friday", PairingSystem.SWISS, 3, 5))


def entered(label: str) -> TournamentEntry:
    return TournamentEntry(101.5, "nora", PlayerEntered(label))


def test_what_is_decided_in_a_tournament_is_kept_in_its_order(opened: Open) -> None:
    tournaments = opened().tournaments
    first, second = (tournaments.begin(house, FRIDAY) for house in ("North", "Süd"))
    assert tournaments.append(first, 1, [entered("Ö"), entered("")])
    assert tournaments.append(first, 3, [TournamentEntry(102.0, "", SeatTaken(1))])
    again = opened().tournaments
    assert again.entries(first) == [FRIDAY, entered("Ö"), entered(""), TournamentEntry(102.0, "", SeatTaken(1))]
    assert again.entries(first, after=3) == [TournamentEntry(102.0, "", SeatTaken(1))]
    assert again.entries(second) == [FRIDAY]
    assert [(kept.number, kept.house) for kept in again.all()] == [(second, "Süd"), (first, "North")]


def test_who_decides_on_what_is_no_more_so_has_decided_nothing(opened: Open) -> None:
    one, other = opened().tournaments, opened().tournaments
    number = one.begin("North", FRIDAY)
    assert one.append(number, 1, [entered("first")])
    assert not other.append(number, 1, [entered("second"), entered("third")])
    assert other.entries(number) == [FRIDAY, entered("first")]


def test_a_closed_tournament_is_among_the_open_ones_no_more(store: HubStore) -> None:
    number = store.tournaments.begin("North", FRIDAY)
    assert store.tournaments.append(number, 1, [TournamentEntry(102.0, "nora", TournamentClosed())])
    assert store.tournaments.all(closed=False) == []
    found = store.tournaments.find(number)
    assert found is not None
    assert found.closed
    assert store.tournaments.find(number + 1) is None


def test_a_board_has_one_link_for_spectators_the_newest(store: HubStore) -> None:
    store.tournaments.open_to_spectators("north-1", "old", 1)
    store.tournaments.open_to_spectators("north-1", "new", 2)
    store.tournaments.open_to_spectators("north-2", "other", 3)
    assert store.tournaments.spectators() == {"north-1": "new", "north-2": "other"}
    store.tournaments.close_to_spectators("north-1")
    assert store.tournaments.spectators() == {"north-2": "other"}
