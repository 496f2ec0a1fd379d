"""Games with other boards in the journal: as both boards have them, in their order, and amended."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.journal.journal import MATCHES_KEPT, games
from quarto_pi.journal.records import Entry, GameRow, MatchRow, amended_row
from quarto_pi.journal.repair import open_checked, reading
from quarto_pi.journal.writer import MOST_ENTRIES, OpenJournal, condensed, open_journal
from quarto_pi.referee import PERSON, Begin, Save, Seat, Settings
from quarto_pi.rules import Player, Reason
from tests.rules.script import play

WON = play("0 a1 1 b1 2 c1 3 d1 call0")


def opened(folder: Path, stack: ExitStack) -> OpenJournal:
    return open_journal(folder, Settings(), stack, at_once=True, say=lambda _: None, now=lambda: 0.0)


def test_a_game_with_another_board_is_kept_as_it_was_last_and_read_at_the_start(
    tmp_path: Path, stack: ExitStack
) -> None:
    journal = opened(tmp_path, stack)
    for name, kept in (("a", "1"), ("b", "1"), ("a", "2")):
        assert journal.writer.is_safe(journal.writer.keep_match(name, kept))
    journal.writer.close()
    assert opened(tmp_path, stack).remembered.matches == ("2", "1")


def test_so_many_of_them_are_kept(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack)
    for number in range(3 * MATCHES_KEPT):
        journal.writer.keep_match(f"{number}", f"{number}")
    journal.writer.close()
    matches = opened(tmp_path, stack).remembered.matches
    assert matches == tuple(f"{number}" for number in range(2 * MATCHES_KEPT, 3 * MATCHES_KEPT))


def test_a_game_that_had_been_given_up_is_kept_as_it_has_ended_after_all(tmp_path: Path, stack: ExitStack) -> None:
    journal = opened(tmp_path, stack)
    journal.writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, play("0 a1 clear"), 60_000)))
    with reading(tmp_path) as connection:
        assert list(games(connection)) == []
    journal.writer.amend_game(1, WON)
    with reading(tmp_path) as connection:
        (game,) = games(connection)
    assert game.game.result is not None
    assert (game.game.result.winner, game.game.result.reason) == (Player.A, Reason.CALL)
    journal.writer.close()
    assert opened(tmp_path, stack).remembered.before.tally.games == 1


def test_a_game_that_goes_on_is_not_amended() -> None:
    with pytest.raises(ValueError, match="goes on"):
        amended_row(1, play("0 a1"))


def test_while_nothing_can_be_written_the_last_of_each_waits() -> None:
    row = GameRow(1, 0, None, "{}", "", "{}", None, None, 0, 0, None, None)
    entries = [Entry((row,), matches=(MatchRow("a", f"{number}"),)) for number in range(MOST_ENTRIES + 1)]
    entries.append(Entry(amended=(amended_row(1, WON),)))
    (entry,) = condensed(entries)
    assert entry.matches == (MatchRow("a", f"{MOST_ENTRIES}"),)
    assert entry.amended == (amended_row(1, WON),)


def test_a_journal_of_before_there_were_such_games_is_brought_up_to_date(tmp_path: Path, stack: ExitStack) -> None:
    from quarto_pi.journal import journal as tables  # noqa: PLC0415

    opened(tmp_path, stack).writer.close()
    connection, _ = open_checked(tmp_path)
    connection.execute("DROP TABLE matches")
    connection.execute(f"PRAGMA user_version = {tables.SCHEMA_VERSION - 1}")
    connection.close()
    journal = opened(tmp_path, stack)
    journal.writer.keep_match("a", "1")
    journal.writer.close()
    assert opened(tmp_path, stack).remembered.matches == ("1",)


def test_a_game_that_goes_on_knows_which_board_it_is_played_with(tmp_path: Path, stack: ExitStack) -> None:
    settings = Settings(seats=(PERSON, Seat(board="north-1")), undo=False)
    journal = opened(tmp_path, stack)
    journal.writer.keep((Begin(0, 1, Player.A, settings), Save(0, play("0 a1"), 60_000)))
    journal.writer.close()
    last = opened(tmp_path, stack).remembered.before.last
    assert last is not None
    assert last.settings.other_board == "north-1"
    assert last.settings.people == (Player.A,)
