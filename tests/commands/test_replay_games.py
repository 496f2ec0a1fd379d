"""`quarto-pi replay --game`: which file, which game and which move is wrong, and nothing printed before all is read."""

from pathlib import Path

import pytest

from quarto_pi.cli import main

RIGHT = '[Starter "0"]\n\n1. 7 2. b2 c\n'
WRONG = '[Starter "1"]\n\n1. 7 2. b2 7\n'


def file_of(folder: Path, *records: str) -> str:
    file = folder / "games.txt"
    file.write_text("\n".join(records))
    return str(file)


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_wrong_game_among_several_is_named_and_none_is_printed(
    as_json: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, RIGHT, WRONG, RIGHT)
    assert main(["replay", "--game", *as_json, file]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"quarto-pi replay: {file}, game 2: move 2, '7': LSQH stands on the board")
    assert err.count("\n") == 1


def test_single_wrong_game_is_that_of_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = file_of(tmp_path, WRONG)
    assert main(["replay", "--game", file]) == 2
    assert capsys.readouterr().err.startswith(f"quarto-pi replay: {file}: move 2, '7': ")


def test_foreign_tags_are_not_asked_about_in_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--game", "--foreign", file_of(tmp_path, RIGHT)]) == 2
    assert "leave it out with --game" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_file_without_any_game_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = file_of(tmp_path, text)
    assert main(["replay", "--game", file]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"quarto-pi replay: {file}: no game stands there: 'quarto-pi export' writes the games of a board.\n"
