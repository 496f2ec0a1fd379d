"""`quarto-pi export`: games that were kept, as text."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.journal.repair import open_checked
from tests.evening import Evening

pytestmark = pytest.mark.slow

LINE = [("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1")]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two games that were won, and one that is under way."""
    folder = tmp_path_factory.mktemp("played") / "kept"
    with ExitStack() as stack:
        evening = Evening(stack, journal=folder)
        evening.wait(1_500)
        for _ in range(2):
            for piece, square in LINE:
                evening.turn(piece, square)
            evening.press()
            evening.clear()
        evening.turn("DSQH", "c3")
    return folder


@pytest.fixture
def kept(played: Path, tmp_path: Path) -> Path:
    """A copy of that journal."""
    return Path(shutil.copytree(played, tmp_path / "kept"))


def test_finished_games_are_printed_and_replay_reads_them(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--keep", str(kept)]) == 0
    text = capsys.readouterr().out
    assert text.count('[Reason "call"]') == 2
    assert '[Number "2"]' in text
    assert '[Player1 "person"]' in text
    file = tmp_path / "games.txt"
    file.write_text(text)
    assert main(["replay", "--game", "--json", str(file)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["winner"], each["reason"]) for each in told] == [(0, "call")] * 2


def test_game_under_way_is_exported_only_when_asked_for(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--keep", str(kept), "--last"]) == 0
    assert '[Number "2"]' in capsys.readouterr().out
    assert main(["export", "--keep", str(kept), "--last", "--all"]) == 0
    text = capsys.readouterr().out
    assert '[Number "3"]' in text
    assert text.endswith("1. f 2. c3\n")


def test_journal_without_a_finished_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_checked(tmp_path)[0].close()
    assert main(["export", "--keep", str(tmp_path)]) == 0
    out, said = capsys.readouterr()
    assert (out, said) == ("", "quarto-pi export: No game has been finished yet: --all takes others too.\n")


def test_folder_gets_a_file_for_each_game(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    assert main(["export", "--keep", str(kept), str(folder)]) == 0
    assert sorted(file.name for file in folder.iterdir()) == ["game-000001.txt", "game-000002.txt"]
    assert main(["replay", "--game", str(folder / "game-000002.txt")]) == 0


def test_one_game_goes_to_a_file(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    assert main(["export", "--keep", str(kept), "--game", "1", str(file)]) == 0
    assert file.read_text().startswith('[Number "1"]\n')


def test_what_cannot_be_exported_is_one_clear_sentence(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--keep", str(kept), "--game", "9"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["export", "--keep", str(tmp_path / "nowhere")]) == 2
    assert "no game has been kept there yet" in capsys.readouterr().err
    file = kept / "journal.sqlite"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert main(["export", "--keep", str(kept)]) == 2
    assert "newer quarto-pi" in capsys.readouterr().err
    file.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    assert main(["export", "--keep", str(kept)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
