"""What waits for the hub of a chain: numbered without a gap, in the transaction of its game, until the hub has it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import quarto_pi
from quarto_pi.journal import backups
from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.records import SettledRow, TakenRow
from quarto_pi.journal.restore import copy_games, put_back
from quarto_pi.journal.writer import MOST_ENTRIES, OpenJournal, open_journal
from quarto_pi.referee import PERSON, Begin, Continue, Effect, Save, Seat, Settings, Tell
from quarto_pi.referee.effects import GameFinished, Lifted, Report
from quarto_pi.rules import Game, Given, Placed, Player
from tests.rules.script import piece, play, square

GIVEN, PLACED = Given(piece("0"), Player.A), Placed(square("a1"), piece("0"), Player.B)
WON = play("0 a1 1 b1 2 c1 3 d1 call0")
ENDED = GameFinished(WON.result, WON.position) if WON.result is not None else None


def opened(folder: Path, stack: ExitStack, *, on_chain: bool = True, now: Sequence[float] = (0.0,)) -> OpenJournal:
    return open_journal(
        folder,
        Settings(),
        stack,
        at_once=True,
        is_on_chain=on_chain,
        wall=lambda: 1_800_000_000.0,
        say=lambda _: None,
        now=lambda: now[0],
    )


def begin(journal: OpenJournal, number: int) -> None:
    journal.writer.keep((Begin(0, number, Player.A, Settings()),))


def go_on(journal: OpenJournal, number: int, game: Game) -> None:
    journal.writer.keep((Continue(0, number, Settings(), game),))


def settle(journal: OpenJournal, game: Game, *reports: Report | None) -> None:
    effects: list[Effect] = [Tell(0, report) for report in reports if report is not None]
    journal.writer.keep((*effects, Save(0, game)))


def told(folder: Path, history: str | None = None) -> list[tuple[int, int, str]]:
    queue = SettledQueue(folder)
    rows = queue.after(queue.history() if history is None else history, 0, 0, 10_000)
    return [(row.game, row.number, json.loads(row.told)["event"]) for row in rows]


def writes(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / JOURNAL_FILE)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - a name of ours


def test_game_is_queued_from_its_rules_and_players_to_its_result(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack)
    begin(journal, 1)
    settle(journal, play("0"), GIVEN)
    settle(journal, play("0 a1"), Lifted(square("a1"), piece("0")), PLACED)
    settle(journal, WON, ENDED)
    assert told(tmp_path) == [(1, 1, "begun"), (1, 2, "given"), (1, 3, "placed"), (1, 4, "result")]
    queue = SettledQueue(tmp_path)
    first, second, *_ = queue.after(queue.history(), 0, 0, 2)
    assert json.loads(first.told) == {
        "event": "begun",
        "rules": {
            "squares": False,
            "traits": ["colour", "height", "shape", "top"],
            "calling": "button",
            "clock_seconds": None,
            "false_call": "refuse",
            "time_out": "show",
        },
        "players": ["human", "human"],
        "starter": 0,
    }
    assert json.loads(second.told) == {"event": "given", "piece": "LTRF", "by": 0}
    assert second.at == 1_800_000_000.0


def test_game_with_another_board_is_told_by_the_name_that_both_boards_have_for_it(
    tmp_path: Path, stack: ExitStack
) -> None:
    journal = opened(tmp_path, stack)
    settings = Settings(seats=(PERSON, Seat(board="south-1")))
    journal.writer.keep((Begin(0, 1, Player.A, settings, match="0a1b2c3d"),))
    settle(journal, play("0"), GIVEN)
    queue = SettledQueue(tmp_path)
    began = json.loads(queue.after(queue.history(), 0, 0, 1)[0].told)
    assert (began["players"], began["match"], began["other"]) == (["human", "board"], "0a1b2c3d", "south-1")


def test_board_on_no_chain_writes_nothing_of_it(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack, on_chain=False)
    begin(journal, 1)
    settle(journal, WON, GIVEN, ENDED)
    assert (writes(tmp_path, "settled"), writes(tmp_path, "history")) == (0, 0)


def test_nothing_is_queued_of_a_game_in_which_nothing_is_settled(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack)
    begin(journal, 1)
    begin(journal, 2)
    settle(journal, play("0"), GIVEN)
    assert told(tmp_path) == [(2, 1, "begun"), (2, 2, "given")]


def test_game_that_gives_way_to_the_next_ends_unfinished(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack)
    begin(journal, 1)
    settle(journal, play("0"), GIVEN)
    begin(journal, 2)
    settle(journal, play("0"), GIVEN)
    assert told(tmp_path) == [(1, 1, "begun"), (1, 2, "given"), (1, 3, "result"), (2, 1, "begun"), (2, 2, "given")]
    queue = SettledQueue(tmp_path)
    (end,) = queue.after(queue.history(), 1, 2, 1)
    assert json.loads(end.told) == {
        "event": "result",
        "winner": None,
        "reason": "unfinished",
        "position": "..../..../..../.... 0",
        "alignments": [],
    }


def test_numbers_go_on_after_a_stop_also_where_the_hub_has_taken_all_before(tmp_path: Path, stack: ExitStack) -> None:
    with ExitStack() as first:
        journal = opened(tmp_path, first)
        begin(journal, 1)
        settle(journal, play("0"), GIVEN)
        history = SettledQueue(tmp_path).history()
    with ExitStack() as second:
        journal = opened(tmp_path, second)
        go_on(journal, 1, play("0"))
        settle(journal, play("0 a1"), PLACED)
        assert told(tmp_path) == [(1, 1, "begun"), (1, 2, "given"), (1, 3, "placed")]
        journal.writer.forget([TakenRow(history, 1, 3)])
        settle(journal, play("0 a1 1"), GIVEN)
        assert told(tmp_path) == [(1, 4, "given")]
        journal.writer.forget([TakenRow(history, 1, 4)])
    assert told(tmp_path) == []
    journal = opened(tmp_path, stack)
    assert SettledQueue(tmp_path).history() == history
    go_on(journal, 1, play("0 a1 1"))
    settle(journal, WON, ENDED)
    assert told(tmp_path) == [(1, 5, "result")]


def test_what_the_hub_has_taken_is_deleted_with_what_is_written_next(tmp_path: Path, stack: ExitStack) -> None:
    now = [0.0]
    journal = opened(tmp_path, stack, now=now)
    begin(journal, 1)
    settle(journal, play("0"), GIVEN)
    journal.writer.forget([TakenRow(SettledQueue(tmp_path).history(), 1, 1)])
    assert told(tmp_path) == [(1, 1, "begun"), (1, 2, "given")]
    settle(journal, play("0 a1"), PLACED)
    assert told(tmp_path) == [(1, 2, "given"), (1, 3, "placed")]


def test_hub_that_has_taken_more_than_there_is_ends_nothing_else(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack)
    begin(journal, 1)
    settle(journal, play("0"), GIVEN)
    journal.writer.forget([TakenRow("another", 1, 9), TakenRow(SettledQueue(tmp_path).history(), 7, 9)])
    settle(journal, play("0 a1"), PLACED)
    assert told(tmp_path) == [(1, 1, "begun"), (1, 2, "given"), (1, 3, "placed")]


def test_game_that_was_played_on_while_the_board_was_on_no_chain_ends_unfinished(
    tmp_path: Path, stack: ExitStack
) -> None:
    with ExitStack() as first:
        journal = opened(tmp_path, first)
        begin(journal, 1)
        settle(journal, play("0"), GIVEN)
    with ExitStack() as second:
        journal = opened(tmp_path, second, on_chain=False)
        go_on(journal, 1, play("0"))
        settle(journal, play("0 a1"), PLACED)
    journal = opened(tmp_path, stack)
    go_on(journal, 1, play("0 a1"))
    settle(journal, play("0 a1 1"), GIVEN)
    assert told(tmp_path) == [(1, 1, "begun"), (1, 2, "given"), (1, 3, "result")]
    begin(journal, 2)
    settle(journal, play("0"), GIVEN)
    assert told(tmp_path)[3:] == [(2, 1, "begun"), (2, 2, "given")]


def test_game_that_had_begun_before_the_board_was_on_a_chain_is_left_out(tmp_path: Path, stack: ExitStack) -> None:
    with ExitStack() as first:
        journal = opened(tmp_path, first, on_chain=False)
        begin(journal, 1)
        settle(journal, play("0"), GIVEN)
    journal = opened(tmp_path, stack)
    go_on(journal, 1, play("0"))
    settle(journal, WON, ENDED)
    assert told(tmp_path) == []


def test_storage_in_trouble_loses_no_number(tmp_path: Path, stack: ExitStack) -> None:
    folder, now = tmp_path / "kept", [0.0]
    folder.touch()
    journal = opened(folder, stack, now=now)
    assert journal.writer.trouble is not None
    games = MOST_ENTRIES
    for number in range(1, games + 1):
        begin(journal, number)
        settle(journal, play("0"), GIVEN)
        settle(journal, play("0 a1"), PLACED)
        settle(journal, WON, ENDED)
        now[0] += 3.0
    folder.unlink()
    now[0] += 60.0
    begin(journal, games + 1)
    settle(journal, play("0"), GIVEN)
    assert journal.writer.trouble is None
    kept = told(folder)
    assert [(game, number) for game, number, _ in kept] == [
        *((game, number) for game in range(1, games + 1) for number in range(1, 5)),
        (games + 1, 1),
        (games + 1, 2),
    ]


def test_games_played_before_there_was_a_journal_are_numbered_on_from_its_last(
    tmp_path: Path, stack: ExitStack
) -> None:
    folder, away, now = tmp_path / "kept", tmp_path / "away", [0.0]
    with ExitStack() as first:
        journal = opened(folder, first)
        begin(journal, 1)
        settle(journal, play("0"), GIVEN)
    folder.rename(away)
    folder.touch()
    journal = opened(folder, stack, now=now)
    begin(journal, 1)
    settle(journal, play("0"), GIVEN)
    folder.unlink()
    away.rename(folder)
    now[0] += 60.0
    settle(journal, play("0 a1"), PLACED)
    assert told(folder) == [
        (1, 1, "begun"),
        (1, 2, "given"),
        (1, 3, "result"),
        (2, 1, "begun"),
        (2, 2, "given"),
        (2, 3, "placed"),
    ]


# --- a history for each journal ---------------------------------------------------------------------------------------


def two_games(folder: Path) -> str:
    with ExitStack() as stack:
        journal = opened(folder, stack)
        begin(journal, 1)
        settle(journal, WON, GIVEN, ENDED)
        begin(journal, 2)
        settle(journal, play("0"), GIVEN)
        return SettledQueue(folder).history()


def test_backup_that_takes_the_journals_place_begins_another_history_and_keeps_the_queue(
    tmp_path: Path, stack: ExitStack
) -> None:
    history = two_games(tmp_path)
    with ExitStack() as again:
        journal = opened(tmp_path, again)
        go_on(journal, 2, play("0"))
        settle(journal, play("0 a1"), PLACED)
    assert backups.all_in(tmp_path)
    with (tmp_path / JOURNAL_FILE).open("r+b") as stream:
        stream.write(bytes(100))
    opened(tmp_path, stack)
    queue = SettledQueue(tmp_path)
    assert queue.history() not in ("", history)
    # Of the file nothing can be read; the backup was made after the first game.
    assert told(tmp_path, history) == [(1, 1, "begun"), (1, 2, "given"), (1, 3, "result")]
    assert told(tmp_path) == []


def test_journal_that_is_missing_without_a_backup_begins_another_history(tmp_path: Path, stack: ExitStack) -> None:
    history = two_games(tmp_path)
    for file in tmp_path.iterdir():
        file.unlink()
    opened(tmp_path, stack)
    assert SettledQueue(tmp_path).history() not in ("", history)


def test_games_that_are_put_back_begin_another_history_and_what_waited_goes_on_waiting(
    tmp_path: Path, stack: ExitStack
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    own, others = two_games(here), two_games(there)
    put_back(here, copy_games(there, tmp_path / "copy.sqlite"))
    opened(here, stack)
    queue = SettledQueue(here)
    assert queue.history() not in ("", own, others)
    # What another board has not told its hub yet is not told by this one.
    assert queue.histories() == [own]
    assert len(told(here, own)) == 5


def test_board_whose_journal_a_backup_replaces_in_mid_evening_numbers_on(tmp_path: Path, stack: ExitStack) -> None:
    now = [0.0]
    two_games(tmp_path)
    journal = opened(tmp_path, stack, now=now)
    history = SettledQueue(tmp_path).history()
    go_on(journal, 2, play("0"))
    settle(journal, play("0 a1"), PLACED)
    connection = journal.writer._connection
    assert connection is not None
    journal.writer._fail(sqlite3.OperationalError("the card is gone for a moment"))
    (tmp_path / JOURNAL_FILE).write_bytes(b"no journal" * 1000)
    now[0] += 60.0
    settle(journal, play("0 a1 1"), GIVEN)
    assert journal.writer.trouble is None
    assert SettledQueue(tmp_path).history() == history
    assert told(tmp_path)[-1] == (2, 4, "given")


def test_queue_tells_how_much_waits_and_since_when(tmp_path: Path, stack: ExitStack) -> None:
    opened(tmp_path, stack)
    queue = SettledQueue(tmp_path)
    assert (queue.length().actions, queue.length().since) == (0, 0.0)
    two_games(tmp_path)
    assert (queue.length().actions, queue.length().since) == (5, 1_800_000_000.0)


def test_row_knows_whether_it_ends_its_game() -> None:
    assert SettledRow(1, 1, 0.0, '{"event":"result"}').ends_game
    assert not SettledRow(1, 1, 0.0, '{"event":"given"}').ends_game


def test_no_statement_numbers_its_values() -> None:
    """Python 3.12 warns of `?1` with values in order, and no other version does."""
    package = Path(quarto_pi.__file__).parent
    numbered = [
        file.name for file in package.rglob("*.py") if re.search(r"= \?[0-9]|\(\?[0-9]", file.read_text("utf-8"))
    ]
    assert numbered == []
