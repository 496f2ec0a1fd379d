"""`quarto-pi backup` and `restore`: the games as one file, off the board and back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quarto_pi.cli import main
from tests.web.test_backups import kept_games


def test_games_are_copied_to_a_stick_listed_and_put_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, stick, config = tmp_path / "kept", tmp_path / "stick", tmp_path / "quarto-pi.toml"
    stick.mkdir()
    config.write_text(f'[journal]\nfolder = "{folder}"\nstick = "{stick}"\n', encoding="utf-8")
    kept_games(folder, 1, 2, 3)
    assert main(["backup", "stick", "--config", f"{config}"]) == 0
    copy = Path(capsys.readouterr().out.strip())
    assert copy == stick / "quarto-games-000001.sqlite"
    assert main(["backup", "--config", f"{config}"]) == 0
    assert f"{copy}  3 games, " in capsys.readouterr().out
    shutil.rmtree(folder)
    assert main(["restore", f"{copy}", "--config", f"{config}"]) == 0
    assert kept_games(folder) == 3


def test_what_cannot_be_copied_or_put_back_is_one_clear_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "no.sqlite").write_bytes(b"holiday")
    for arguments in (
        ["backup", f"{tmp_path / 'copy.sqlite'}", "--keep", f"{tmp_path / 'empty'}"],
        ["restore", f"{tmp_path / 'no.sqlite'}", "--keep", f"{tmp_path / 'empty'}"],
        ["restore", f"{tmp_path / 'none.sqlite'}", "--keep", f"{tmp_path / 'empty'}"],
    ):
        assert main(arguments) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"quarto-pi {arguments[0]}: ")
        assert "there is no file" in line if "none" in arguments[1] else "there is no file" not in line
    assert list((tmp_path / "empty").iterdir()) == []


def test_board_without_copies_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "quarto-pi.toml").write_text(f'[journal]\nstick = "{tmp_path}"\n', encoding="utf-8")
    config = f"{tmp_path / 'quarto-pi.toml'}"
    assert main(["backup", "--keep", f"{tmp_path / 'kept'}", "--config", config]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert f"there is no copy in {tmp_path / 'kept'}, nor on a USB stick: 'quarto-pi backup TO' makes one." in said.err
    assert not (tmp_path / "kept").exists()
