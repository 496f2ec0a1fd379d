"""`quarto-pi config`: what it shows, what it changes, and what it refuses to."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config import parse_config, read_config
from quarto_pi.journal.journal import write
from quarto_pi.journal.records import ChoiceRow, Entry
from quarto_pi.journal.repair import open_checked

ROOT = Path(__file__).parent.parent.parent
PIN = "geheim4711"
TEXT = f'profile = "pi"\n\n# For the children.\n[game]\nlevel = 2  # easy\n\n[page]\npin = "{PIN}"\n'

Said = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "quarto-pi.toml"
    file.write_text(TEXT, encoding="utf-8")
    monkeypatch.setenv("QUARTO_PI_CONFIG", str(file))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return file


def config(*words: str) -> int:
    return main(["config", *words])


def test_show_is_a_configuration_itself_and_tells_where_each_value_is_from(file: Path, capsys: Said) -> None:
    assert config("show") == 0
    shown = capsys.readouterr().out
    assert parse_config(shown.replace('pin = "..."', f'pin = "{PIN}"')) == read_config(file)
    lines = {line.partition(" = ")[0]: line.partition("# ")[2] for line in shown.splitlines()}
    assert lines["level"] == f"{file}:5"
    assert lines["language"] == "usual value"
    assert lines["offer"] == "wiring profile pi"


def test_show_never_tells_the_pin(capsys: Said, file: Path) -> None:
    del file
    for words in (["show"], ["show", "--json"], ["show", "page"], ["show", "page.pin"], ["set", "page.pin", "12"]):
        config(*words)
    said = capsys.readouterr()
    assert PIN not in said.out + said.err
    assert '"..."' in said.out


def test_what_was_changed_at_the_table_is_told_as_such(file: Path, capsys: Said) -> None:
    folder = file.parent / "kept"
    config("set", "journal.folder", str(folder))
    chose = ChoiceRow("language", json.dumps("lt"), json.dumps("en"))
    # The file has been changed since: its word counts again.
    overruled = ChoiceRow("coach", json.dumps(True), json.dumps(True))
    connection, _ = open_checked(folder)
    with closing(connection):
        write(connection, [Entry(choices=(chose, overruled))])
    capsys.readouterr()
    assert config("show", "game", "--json") == 0
    shown = {each["key"]: each for each in map(json.loads, capsys.readouterr().out.splitlines())}
    assert (shown["game.language"]["value"], shown["game.language"]["origin"]) == ("lt", "changed at the table")
    assert (shown["game.coach"]["value"], shown["game.coach"]["origin"]) == (False, "usual value")


@pytest.mark.usefixtures("file")
def test_show_can_be_asked_for_a_section_or_a_key(capsys: Said) -> None:
    assert config("show", "game.level", "--json") == 0
    (shown,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (shown["key"], shown["value"], shown["usual"]) == ("game.level", 2, 3)
    assert config("show", "readers.lines", "--json") == 0
    assert len(capsys.readouterr().out.splitlines()) == 16
    assert config("show", "gme") == 2
    assert "gme is not a section or key: did you mean 'game'?" in capsys.readouterr().err


def test_set_changes_the_key_and_nothing_else_and_keeps_the_previous_version(file: Path, capsys: Said) -> None:
    assert config("set", "game.level", "7") == 0
    assert capsys.readouterr().out == f"{file}:5: game.level is now 7\n"
    assert file.read_text(encoding="utf-8") == TEXT.replace("level = 2", "level = 7")
    assert (file.parent / "quarto-pi.toml.bak").read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("game.coach", "true", "coach = true"),
        ("game.language", "zh_TW", 'language = "zh_TW"'),
        ("oled.i2c_address", "0x3D", "i2c_address = 61"),
        ("square_lights.brightness", "0.25", "brightness = 0.25"),
        ("panel_lights.pins", "5, 6, 19", "pins = [5, 6, 19]"),
        ("panel_lights.pins", "[5, 6, 19]", "pins = [5, 6, 19]"),
        ("speech.arguments", "-d,hw:1", 'arguments = ["-d", "hw:1"]'),
        ("profile", "pi-simple", 'profile = "pi-simple"'),
        ("readers.lines.a1", "0", "[readers.lines]\na1 = 0"),
    ],
)
def test_value_is_understood_by_the_kind_of_its_key(file: Path, name: str, value: str, written: str) -> None:
    # Words that begin with a dash need the usual two dashes before them.
    assert config("set", "--", name, value) == 0
    assert written in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("game.langage", "fr", "game.langage is not a key: did you mean 'game.language'?"),
        ("contrast", "9", "contrast is not a key: did you mean 'oled.contrast'?"),
        ("weather", "fine", "weather is not a key: 'quarto-pi config show' lists them all."),
        ("game.language", "fi", 'quarto-pi.toml: [game] language is "fi": '),
        ("game.level", "high", '[game] level is "high": write a whole number, such as 3.'),
        ("game.coach", "yes", '[game] coach is "yes": write true or false, such as false.'),
        ("buttons.call_pin", "17", "[buttons] call_pin is 17: [readers] address_pins has this pin already"),
        ("panel_lights.pins", "[5, 6", "[panel_lights] pins is "),
        ("profile", "pie", "profile is \"pie\": did you mean 'pi'?"),
    ],
)
def test_what_would_be_wrong_is_not_written(file: Path, capsys: Said, name: str, value: str, said: str) -> None:
    assert config("set", name, value) == 2
    assert said in capsys.readouterr().err
    assert [part.name for part in file.parent.iterdir()] == [file.name]
    assert file.read_text(encoding="utf-8") == TEXT


def test_pin_can_be_typed_where_no_history_keeps_it(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("abcdef12\n"))
    assert config("set", "page.pin", "-") == 0
    assert 'pin = "abcdef12"' in file.read_text(encoding="utf-8")
    said = capsys.readouterr()
    assert "abcdef12" not in said.out + said.err
    assert f"sudo chmod 640 {file}" in said.err


def test_whoever_breaks_off_is_told_in_one_line(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    def break_off(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("quarto_pi.commands.config.getpass", break_off)
    assert config("set", "page.pin", "-") == 1
    assert capsys.readouterr().err == "quarto-pi config: interrupted.\n"
    assert file.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize("stdin", [io.StringIO(), None], ids=["ended", "closed"])
def test_pin_that_nobody_types_is_not_taken_for_none(
    file: Path, stdin: io.StringIO | None, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr("sys.stdin", stdin)
    assert config("set", "page.pin", "-") == 2
    assert "page.pin: nothing was given" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == TEXT


def test_key_can_be_set_in_a_file_of_its_own_and_the_winner_is_told(file: Path, capsys: Said) -> None:
    part = file.parent / "conf.d" / "local.toml"
    assert config("set", "game.level", "9", "--file", str(part)) == 0
    assert capsys.readouterr().out == f"{part}:2: game.level is now 9\n"
    assert config("set", "game.level", "4") == 0
    assert f"{file}: game.level is written, but {part}:2 wins: it is 9" in capsys.readouterr().err
    for name in ("elsewhere.toml", "conf.d/local.txt"):
        assert config("set", "game.level", "4", "--file", str(file.parent / name)) == 2
        assert f"{name} does not count: name " in capsys.readouterr().err


def test_first_key_makes_the_file(tmp_path: Path) -> None:
    new = tmp_path / "etc" / "quarto-pi.toml"
    assert config("set", "game.language", "lt", "--config", str(new)) == 0
    assert new.read_text(encoding="utf-8") == '[game]\nlanguage = "lt"\n'


def test_unset_takes_a_key_out_and_tells_what_counts_now(file: Path, capsys: Said) -> None:
    assert config("unset", "game.level") == 0
    assert capsys.readouterr().out == f"{file}: game.level is taken out\nusual value: game.level is now 3\n"
    assert "# For the children." in file.read_text(encoding="utf-8")
    assert config("unset", "page") == 0
    assert "[page]" not in file.read_text(encoding="utf-8")


def test_unset_of_what_is_not_there_is_told_and_where_it_is(file: Path, capsys: Said) -> None:
    part = file.parent / "conf.d" / "local.toml"
    config("set", "game.coach", "true", "--file", str(part))
    for name, said in (
        ("game.coach", f"{file}: game.coach is not written there. It is in {part}: name that with --file."),
        ("game.undo", f"{file}: game.undo is not written there.\n"),
        ("game.und", "game.und is not a section or key: did you mean 'game.undo'?"),
    ):
        assert config("unset", name) == 2
        assert said in capsys.readouterr().err


def test_wrong_key_can_be_taken_out_whatever_else_is_wrong(file: Path, capsys: Said) -> None:
    file.write_text("[game]\nlevel = 11  # too much\ncoahc = true\n\n[gme]\n", encoding="utf-8")
    part = file.parent / "conf.d" / "local.toml"
    part.parent.mkdir()
    part.write_text("no TOML", encoding="utf-8")
    assert config("unset", "game.coahc") == 0
    said = capsys.readouterr()
    assert said.out == f"{file}: game.coahc is taken out\n"
    assert [line.startswith("quarto-pi config: still wrong: ") for line in said.err.splitlines()] == [True] * 3
    assert file.read_text(encoding="utf-8") == "[game]\nlevel = 11  # too much\n\n[gme]\n"
    assert config("unset", "gme") == 0
    part.unlink()
    assert config("unset", "game.level") == 0
    assert capsys.readouterr().out.endswith("usual value: game.level is now 3\n")
    assert config("validate") == 0


def test_key_without_which_more_would_be_wrong_stays(file: Path, capsys: Said) -> None:
    text = '[gme]\n[chain]\nbroker = "hub.local"\nboard = "north-1"\n'
    file.write_text(text, encoding="utf-8")
    assert config("unset", "chain.broker") == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n"), "broker" in said.err) == ("", 1, True)
    assert file.read_text(encoding="utf-8") == text


def test_validate_tells_every_problem(file: Path, capsys: Said) -> None:
    assert config("validate") == 0
    assert capsys.readouterr().out == f"{file}: nothing is wrong\n"
    file.write_text("[game]\nlevel = 11\n[gme]\n", encoding="utf-8")
    assert config("validate", str(file)) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.slow
def test_who_may_not_write_is_told_to_use_sudo(file: Path) -> None:
    file.parent.chmod(0o555)
    # Root may write everywhere, unless that is taken from it.
    without_rights = ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []
    command = [*without_rights, sys.executable, "-m", "quarto_pi", "config", "set", "game.level", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603 - our own command
    assert done.returncode == 2
    assert (
        done.stderr == f"quarto-pi config: {file}: the configuration cannot be written (Permission denied); use sudo.\n"
    )
    assert file.read_text(encoding="utf-8") == TEXT


def test_path_and_profiles(file: Path, capsys: Said) -> None:
    assert config("path") == 0
    assert capsys.readouterr().out == f"{file}\n"
    assert config("profiles") == 0
    assert capsys.readouterr().out.startswith("pi ")
