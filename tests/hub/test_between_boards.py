"""A game between two boards, of which each tells the hub: one game in all that is counted over boards."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.hub.alarms import Alarm
from quarto_pi.hub.download import games_as_csv
from quarto_pi.hub.game_queries import BETWEEN_MIGRATION
from quarto_pi.hub.metrics import IntakeCounts, exposition, games_under_way
from quarto_pi.hub.schema import HUB_MIGRATIONS
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.store import CountedBy, GameSearch, HubStore, ReceivedAction, all_games
from quarto_pi.rules import Action, Call, Player
from tests.hub.boards import PLAYS, fleet_of, here
from tests.hub.conftest import Open
from tests.hub.games import BEGAN, HISTORY, UNFINISHED, WON, settled
from tests.hub.page_of_hub import served_hub

MATCH = "0123456789abcdef0123456789abcdef"
HALF_A_DAY = 43_200.0
BOARDS = {"north-1": "North", "north-2": "North", "south-1": "South", "west-1": "West"}
NORTH = ("north-1", "south-1", ("human", "board"))
SOUTH = ("south-1", "north-1", ("board", "human"))


def told(
    board: str,
    other: str,
    players: tuple[str, str],
    actions: tuple[Action, ...] = WON,
    match: str | None = MATCH,
    game: int = 1,
    at: float = BEGAN,
    winner: int | None = None,
) -> list[ReceivedAction]:
    """A game with another board as one of them tells it."""
    events = []
    for action in settled(actions, game):
        event = dict(action.event)
        if event["event"] == "begun":
            event |= {"players": list(players)} | ({"match": match, "other": other} if match else {})
        if winner is not None and event["event"] in ("called", "result"):
            event |= {"player": winner} if event["event"] == "called" else {"winner": winner}
        events.append(ReceivedAction(board, replace(action, event=event), at))
    return events


@pytest.fixture
def house(store: HubStore) -> HubStore:
    """Boards of three houses."""
    for board, its in BOARDS.items():
        store.put_board(board, its, 0.0)
    return store


def listed(store: HubStore, **search: str) -> list[tuple[str, str | None]]:
    return [(game.board, game.other) for game in store.games(GameSearch(live=False, **search))]  # type: ignore[arg-type]


def counted(store: HubStore, by: CountedBy, **search: str) -> dict[str, int]:
    return {each.house or each.board: each.games for each in store.figures(GameSearch(**search), by)}  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_both_records_are_one_game_whichever_comes_first(opened: Open, seed: int) -> None:
    draw = random.Random(seed)
    store = opened()
    for board, its in BOARDS.items():
        store.put_board(board, its, 0.0)
    sent = [*told(*NORTH), *told(*SOUTH)]
    draw.shuffle(sent)
    while sent:
        most = draw.randint(1, 7)
        batch, sent = sent[:most], sent[most:]
        store.keep(batch)
    assert len(store.games(GameSearch())) == 1
    assert {frozenset(pair) for pair in listed(store)} == {frozenset({"north-1", "south-1"})}
    assert len(list(all_games(store, GameSearch(live=False)))) == 1


def test_each_board_and_each_house_has_it_once_and_all_together_once(house: HubStore) -> None:
    house.keep([*told(*NORTH), *told(*SOUTH)])
    assert listed(house, board="north-1") == [("north-1", "south-1")]
    assert listed(house, board="south-1") == [("south-1", "north-1")]
    assert listed(house, house="North") == [("north-1", "south-1")]
    assert listed(house, house="South") == [("south-1", "north-1")]
    assert counted(house, CountedBy.HOUSE) == {"North": 1, "South": 1}
    assert [each.games for each in house.figures(GameSearch())] == [1, 1]
    (all_of_it,) = house.figures(GameSearch(), CountedBy.ALL)
    assert (all_of_it.games, all_of_it.won_by_call, all_of_it.first_won, all_of_it.moves) == (1, 1, 1, 4)


def test_two_boards_of_one_house_have_one_game_there(house: HubStore) -> None:
    house.keep([*told("north-1", "north-2", ("human", "board")), *told("north-2", "north-1", ("board", "human"))])
    assert len(listed(house, house="North")) == 1
    assert counted(house, CountedBy.HOUSE) == {"North": 1}
    assert counted(house, CountedBy.ALL, house="North") == {"": 1}


def test_half_that_comes_half_a_day_later_makes_no_second_game(house: HubStore) -> None:
    house.keep(told(*NORTH))
    assert listed(house) == [("north-1", None)]
    house.keep(told(*SOUTH, at=BEGAN + HALF_A_DAY))
    assert listed(house) == [("north-1", "south-1")]


def test_record_that_knows_who_has_won_counts_and_not_that_of_who_had_given_up(house: HubStore) -> None:
    house.keep(told(*NORTH, actions=UNFINISHED))
    house.keep(told(*SOUTH, at=BEGAN + HALF_A_DAY))
    (game,) = house.games(GameSearch(live=False))
    assert (game.board, game.other, game.winner, game.reason) == ("south-1", "north-1", 0, "call")
    (own,) = house.games(GameSearch(board="north-1", live=False))
    assert (own.winner, own.reason) == (None, "unfinished")
    assert [each.unfinished for each in house.figures(GameSearch(), CountedBy.ALL)] == [0]


def test_board_that_lies_about_the_name_of_a_game_of_others_has_a_game_of_its_own(house: HubStore) -> None:
    house.keep([*told(*NORTH), *told("west-1", "north-1", ("board", "human"))])
    assert sorted(listed(house)) == [("north-1", None), ("west-1", None)]
    house.keep(told(*SOUTH))
    assert sorted(listed(house)) == [("north-1", "south-1"), ("west-1", None)]
    assert house.alarms() == []


def test_board_that_tells_one_game_again_and_again_has_it_once(house: HubStore) -> None:
    house.keep(told(*NORTH))
    for game in range(1, 6):
        house.keep(told(*SOUTH, game=game, at=BEGAN + game))
    assert len(listed(house)) == 1
    assert len(listed(house, board="south-1")) == 1
    assert counted(house, CountedBy.ALL) == {"": 1}


def test_two_winners_are_none_and_an_alarm(house: HubStore) -> None:
    house.keep(told(*NORTH))
    lie = told(*SOUTH, actions=(*WON[:-1], Call(Player.A)), winner=None)
    # The same placements by the other side: whoever gives first is the other one.
    lie = [replace(each, action=replace(each.action, event=_swapped(each.action.event))) for each in lie]
    (kept,) = house.keep(lie)
    assert len(kept.troubles) == 1
    (game,) = house.games(GameSearch(live=False))
    assert (game.winner, game.reason) == (None, "unfinished")
    assert game.fault is not None
    assert [each.kind for each in house.alarms()] == ["contradiction"]
    (figures,) = house.figures(GameSearch(), CountedBy.ALL)
    assert (figures.games, figures.unfinished, figures.first_won, figures.second_won) == (1, 1, 0, 0)
    assert len(house.games(GameSearch(faulty=True))) == 1
    assert house.games(GameSearch(faulty=False)) == []


def _swapped(event: object) -> dict[str, object]:
    assert isinstance(event, dict)
    return {
        key: 1 - value if key in ("by", "player", "winner", "starter") and isinstance(value, int) else value
        for key, value in event.items()
    }


@pytest.mark.parametrize(
    ("match", "other"), [("", "south-1"), ("x" * 32, "south-1"), (MATCH, "South 1"), (MATCH, "north-1"), (7, None)]
)
def test_name_that_is_none_joins_nothing(house: HubStore, match: object, other: object) -> None:
    sent = told(*NORTH)
    begun = replace(sent[0].action, event={**sent[0].action.event, "match": match, "other": other})
    house.keep([replace(sent[0], action=begun), *sent[1:], *told(*SOUTH)])
    assert len(listed(house)) == 2
    assert [game.fault for game in house.games(GameSearch())] == [None, None]


def test_table_to_take_away_has_a_line_for_it_with_both_boards(house: HubStore) -> None:
    house.keep([*told(*NORTH), *told(*SOUTH)])
    (row,) = csv.DictReader(io.StringIO("".join(games_as_csv(all_games(house, GameSearch())))))
    assert {row["board"], row["other"]} == {"north-1", "south-1"}


def test_games_that_were_told_before_they_had_a_name_are_found_to_be_one(opened: Open) -> None:
    before = opened(migrations=HUB_MIGRATIONS[: HUB_MIGRATIONS.index(BETWEEN_MIGRATION)])
    for values in (
        ("north-1", 1, '["person", "board"]', "0123/4567/..../.... -", 8),
        ("south-1", 4, '["board", "person"]', "0123/4567/..../.... -", 8),
        ("north-1", 2, '["person", "board"]', "0123/..../..../.... -", 4),
        ("west-1", 9, '["person", "board"]', "0123/..../..../.... -", 4),
        ("north-1", 3, '["person", "board"]', "01../..../..../.... -", 2),
        ("south-1", 5, '["board", "person"]', "01../..../..../.... -", 2),
        ("north-1", 5, '["person", "person"]', "0123/4567/..../.... -", 8),
    ):
        _put_old(before, *values)
    after = opened()
    found = {(game.board, game.game): game.other for game in after.games(GameSearch())}
    pair = ("north-1", 1) if ("north-1", 1) in found else ("south-1", 4)
    assert found.pop(pair) in ("south-1", "north-1")
    assert found == dict.fromkeys([("north-1", 2), ("west-1", 9), ("north-1", 3), ("south-1", 5), ("north-1", 5)], None)


def _put_old(store: HubStore, board: str, game: int, seats: str, position: str, moves: int) -> None:
    store._database.run(  # type: ignore[attr-defined]
        "INSERT INTO games (board, history, game, received, over, seats, winner, reason, moves, missed, undone, "
        "false_calls, position, through, highest) VALUES (?, ?, ?, ?, 1, ?, 0, 'call', ?, 0, 0, 0, ?, 9, 9)",
        (board, HISTORY, game, BEGAN + game, seats, moves, position),
    )


def test_game_under_way_between_two_boards_is_one_for_prometheus() -> None:
    fleet = fleet_of("north-1", "south-1", "west-1")
    for board, other in (("north-1", "south-1"), ("south-1", "north-1"), ("west-1", "north-1")):
        here(fleet, board, replace(PLAYS, seats=("person", "board"), match=MATCH, other=other))
    # West's is a lie: it is a game of its own, and takes nothing from that of the others.
    assert games_under_way(fleet.rows()) == 2
    alarms: list[Alarm] = []
    assert "\nquarto_games 2\n" in exposition(IntakeCounts(), fleet.rows(), alarms, linked=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = open_sqlite(tmp_path / "hub.sqlite")
    for board, its in (("north-1", "north"), ("south-1", "south")):
        store.put_board(board, its, 0.0)
    store.keep([*told(*NORTH), *told(*SOUTH)])
    store.close()
    return tmp_path


def test_page_has_one_line_with_both_boards_and_counts_it_once(folder: Path) -> None:
    with served_hub(folder) as hub:
        hub.log_in("anna")
        (game,) = hub.read("games")["games"]
        assert {game["board"], game["other"]} == {"north-1", "south-1"}
        figures = hub.read("figures")
        assert [each["games"] for each in (*figures["boards"], *figures["houses"])] == [1, 1, 1, 1]
        assert figures["all"]["games"] == 1
        assert hub.read("statistics")["games"] == 1
        assert len(hub.client.get("/api/v1/games.jsonl").text.splitlines()) == 1
        assert [each["board"] for each in hub.read("games?board=south-1")["games"]] == ["south-1"]


def test_who_looks_after_one_house_sees_its_record_and_may_open_it(folder: Path) -> None:
    with served_hub(folder) as hub:
        hub.log_in("nora")
        (game,) = hub.read("games")["games"]
        assert (game["board"], game["other"], game["house"]) == ("north-1", "south-1", "north")
        assert hub.status(f"games/north-1/{game['history']}/{game['number']}") == 200
        (line,) = hub.client.get("/api/v1/games.jsonl").text.splitlines()
        assert json.loads(line)["board"] == "north-1"
