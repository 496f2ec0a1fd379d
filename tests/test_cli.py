import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from quarto_pi import __version__
from quarto_pi.cli import main

Ran = subprocess.CompletedProcess[str]


def in_its_own_process(*arguments: str, typed: str = "") -> Ran:
    """Run the command as its users do."""
    return subprocess.run(  # noqa: S603 - the tests' own command
        [sys.executable, "-m", "quarto_pi", *arguments], input=typed, capture_output=True, text=True, check=False
    )


def quarto_pi(*arguments: str, typed: str = "") -> Ran:
    """Run the command in this process, which is quicker by the start of a Python and its imports."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    return Ran(arguments, code, out.getvalue(), said.getvalue())


@pytest.mark.slow
def test_version_is_the_package_s_one_version_number() -> None:
    assert in_its_own_process("--version").stdout == f"quarto-pi {__version__}\n"


def test_help_lists_the_commands() -> None:
    shown = quarto_pi("--help")
    assert shown.returncode == 0
    assert "play" in shown.stdout


def test_wrong_usage_is_told_in_one_line_with_exit_code_2() -> None:
    for arguments in (
        (),
        ("dance",),
        ("play", "--traits", "color"),
        ("play", "--starter", "3"),
        ("export", "--game", "x"),
        ("export", "--game", "9" * 30),
        ("simulate", "--seed", "x"),
    ):
        wrong = quarto_pi(*arguments)
        assert wrong.returncode == 2
        assert wrong.stdout == ""
        assert len(wrong.stderr.splitlines()) == 1
        assert "--help" in wrong.stderr


def test_wrong_usage_of_a_command_points_to_the_help_of_that_command() -> None:
    assert quarto_pi("solve", "..../..../..../.... -", "--colours").stderr == (
        "quarto-pi solve: unrecognized arguments: --colours. Try 'quarto-pi solve --help'.\n"
    )
    assert quarto_pi("export", "--game", "9" * 30).stderr.startswith("quarto-pi export: argument --game: '999")


def test_what_is_missing_on_the_command_line_is_called_as_in_the_help() -> None:
    assert "required: build|verify. Try" in quarto_pi("book").stderr
    assert "build|verify" in quarto_pi("book", "--help").stdout


@pytest.mark.slow
def test_a_place_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    told = quarto_pi("calibrate", str(tmp_path), "--simulated", "--looks", "1")
    assert told.returncode == 1
    assert told.stderr == (
        f"quarto-pi calibrate: {tmp_path} cannot be used (Is a directory); "
        "name another place, or make that one usable.\n"
    )


def test_a_misspelt_trait_gets_the_nearest_one() -> None:
    assert "did you mean 'colour'?" in quarto_pi("play", "--traits", "color").stderr


@pytest.mark.slow
def test_a_game_typed_into_play_ends_with_its_record() -> None:
    played = in_its_own_process("play", "--starter", "1", typed="0\na1\n2\nb1\n4\nc1\n8\nd1\nquarto\n")
    assert played.returncode == 0
    assert "Player 1 wins!" in played.stdout
    assert "1. 0 2. a1 2 3. b1 4 4. c1 8 5. d1 call0" in played.stdout


def test_play_ends_well_when_the_input_ends() -> None:
    ended = quarto_pi("play", typed="")
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert "Goodbye!" in ended.stdout


WIN = "126c/..../09../.4ba f"


def test_solve_tells_the_value_and_every_option_as_json() -> None:
    told = quarto_pi("solve", WIN, "--json")
    answer = json.loads(told.stdout)
    assert told.returncode == 0
    assert list(answer) == ["value", "options", "nodes", "seconds"]
    assert answer["value"] == "win"
    assert [option for option in answer["options"] if option["value"] == "win"] == [
        {"square": "c3", "give": "5", "value": "win"}
    ]


def test_solve_takes_the_position_in_one_word_or_in_two() -> None:
    one, two = (quarto_pi("solve", *words, "--json", "--value-only") for words in ((WIN,), WIN.split()))
    assert [json.loads(told.stdout)["value"] for told in (one, two)] == ["win", "win"]
    assert "options" not in json.loads(one.stdout)


@pytest.mark.parametrize(
    ("position", "options"),
    [
        ("..../..../..../048. 1", {"square": "d1", "give": None, "value": "win"}),
        ("de8a/12b5/0743/c69. f", {"square": "d1", "give": None, "value": "draw"}),
        ("de8a/12b5/0743/c69. -", {"square": None, "give": "f", "value": "draw"}),
    ],
)
def test_solve_leaves_out_what_does_not_apply(position: str, options: dict[str, str | None]) -> None:
    assert options in json.loads(quarto_pi("solve", position, "--json").stdout)["options"]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("..../..../..../.... g", "is not a hex digit"),
        ("0.../0.../..../.... -", "piece 0 stands on a4 and on a3"),
        ("..../..../....", "has two parts"),
    ],
)
def test_solve_says_in_one_line_what_is_wrong_with_a_position(position: str, said: str) -> None:
    told = quarto_pi("solve", position, "--json")
    assert (told.returncode, told.stdout) == (2, "")
    assert said in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_solve_shows_people_what_each_option_is_worth() -> None:
    told = quarto_pi("solve", WIN).stdout
    assert told.startswith("The player to move has a win here.")
    assert "win (1):\n  c3 5" in told


@pytest.mark.slow
def test_engine_speaks_its_protocol_and_finishes_a_search_when_its_input_ends() -> None:
    told = in_its_own_process("engine", typed=f"qep\nposition {WIN}\nnonsense\ngo\n").stdout.splitlines()
    assert told[0].startswith("id name ")
    assert any(line.startswith("error 'nonsense' is not a command") for line in told)
    assert told[-1] == "bestmove c3 5"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict"])
def test_engine_stays_alive_on_bytes_that_are_no_text_in_whatever_locale(encoding: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "quarto_pi", "engine"],
        input=b"\xff\xfe \xc3\xa9\nisready\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=True,
    )
    assert told.stdout.startswith(b"error ")
    assert told.stdout.endswith(b"readyok\n")


def test_match_tells_wins_draws_losses_and_how_sure_that_is() -> None:
    told = quarto_pi("match", "level3", "level1", "--games", "4", "--seed", "3")
    assert told.stdout.startswith("level3 against level1: ")
    assert "share of the points " in told.stdout
    assert "Elo difference " in told.stdout
    assert told.stdout.count("95 % confidence") == 2
    assert "game 4 of 4" in told.stderr


def test_match_tells_its_score_as_json_and_begins_with_pieces_placed() -> None:
    told = json.loads(
        quarto_pi("match", "level3", "level1", "--games", "4", "--placed", "6", "--drawn", "--json").stdout
    )
    assert told["players"] == ["level3", "level1"]
    assert told["wins"] + told["draws"] + told["losses"] == told["games"] == 4
    assert told["share_95"][0] < told["share"] < told["share_95"][1]
    assert told["faults"] == []
    assert {"elo", "elo_95"} <= set(told)


@pytest.mark.slow
def test_match_plays_any_program_that_speaks_the_protocol() -> None:
    program = f"{sys.executable} -m quarto_pi engine"
    told = quarto_pi("match", "level1", program, "--games", "2", "--nodes", "2000")
    assert told.returncode == 0
    assert "2 losses" in told.stdout


def test_match_names_levels_and_programs_that_do_not_exist() -> None:
    assert quarto_pi("match", "level1", "level11").returncode == 2
    missing = quarto_pi("match", "level1", "no-such-engine")
    assert missing.returncode == 1
    assert "'no-such-engine' cannot be started" in missing.stderr


@pytest.mark.parametrize("contestant", ["", "engine 'unclosed", f"level{'9' * 5000}"])
def test_match_says_in_one_line_what_is_wrong_with_a_contestant(contestant: str) -> None:
    told = quarto_pi("match", contestant, "level1", "--games", "1")
    assert told.returncode == 2
    assert told.stderr.startswith("quarto-pi match: ")
    assert len(told.stderr.splitlines()) == 1


@pytest.mark.slow
def test_check_tells_of_every_device_of_the_simulated_board() -> None:
    told = quarto_pi("check", "--simulated", "--json")
    findings = [json.loads(line) for line in told.stdout.splitlines()]
    assert told.returncode == 0
    assert {"reader a1", "reader d4", "reader offer", "search", "opening book", "words", "button call"} <= {
        finding["device"] for finding in findings
    }
    assert all(list(finding) == ["device", "ok", "detail", "fix"] for finding in findings)
    assert all(finding["ok"] for finding in findings)


@pytest.mark.slow
def test_check_fails_where_there_are_no_readers_and_says_what_to_do() -> None:
    told = in_its_own_process("check", "--json")
    found = {finding["device"]: finding for finding in map(json.loads, told.stdout.splitlines())}
    assert told.returncode == 1
    for device in ("readers", "buttons"):
        assert not found[device]["ok"]
        assert found[device]["fix"]
    assert told.stderr == ""


@pytest.mark.slow
def test_check_tells_of_displays_lights_and_voice_that_the_configuration_names(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text('[oled]\nconnection = "spi"\n[panel_lights]\n[square_lights]\n[speech]\nprogram = "none"\n')
    told = quarto_pi("check", "--simulated", "--config", str(file), "--json")
    found = {finding["device"]: finding for finding in map(json.loads, told.stdout.splitlines())}
    assert told.returncode == 1
    assert [device for device, finding in found.items() if not finding["ok"]] == ["speech"]
    assert {"oled", "panel lights", "square lights"} <= set(found)


def test_check_names_what_is_wrong_with_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("[readers]\nofer = true\n", encoding="utf-8")
    told = quarto_pi("check", "--config", str(file), "--json")
    assert (told.returncode, told.stdout) == (2, "")
    assert f"{file}: [readers] ofer is not a key of this section" in told.stderr


@pytest.mark.slow
def test_calibrate_writes_a_file_that_the_configuration_can_name(tmp_path: Path) -> None:
    apart, config = tmp_path / "apart.toml", tmp_path / "board.toml"
    assert quarto_pi("calibrate", str(apart), "--simulated", "--looks", "1").returncode == 0
    config.write_text(f'[fields]\nmode = "interleaved"\ncalibration = "{apart}"\n', encoding="utf-8")
    assert quarto_pi("check", "--simulated", "--config", str(config)).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("section", ['mode = "in turn"', 'mode = "interleaved"\ncalibration = "gone.toml"'])
def test_calibrate_works_whatever_the_fields_are_to_do(tmp_path: Path, section: str) -> None:
    apart, config = tmp_path / "apart.toml", tmp_path / "board.toml"
    config.write_text(f"[fields]\n{section}\n", encoding="utf-8")
    told = quarto_pi("calibrate", str(apart), "--simulated", "--looks", "1", "--config", str(config))
    assert (told.returncode, told.stderr) == (0, "")
    assert apart.exists()


def test_book_verifies_a_sample_and_finds_a_damaged_file(tmp_path: Path) -> None:
    broken = tmp_path / "opening.book"
    broken.write_bytes(b"nothing")
    told = quarto_pi("book", "verify", "--file", str(broken))
    assert told.returncode == 1
    assert "is not an opening book" in told.stderr


ONE_AFTER_THE_OTHER = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
sys.path.insert(0, '.')
from quarto_pi.cli import main
for arguments in json.loads(sys.argv[1]):
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
    print(json.dumps([arguments, code or 0, out.getvalue(), said.getvalue()]))
"""


def alone(*commands: tuple[str, ...]) -> list[Ran]:
    """Run commands where nothing but Python is installed, one after the other in one process."""
    told = subprocess.run(  # noqa: S603 - the tests' own command
        [sys.executable, "-S", "-c", ONE_AFTER_THE_OTHER, json.dumps(commands)],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Ran(*json.loads(line)) for line in told.stdout.splitlines()]


@pytest.mark.slow
def test_what_needs_no_board_needs_no_package() -> None:
    for done in alone(
        ("--help",),
        ("solve", "--value-only", "126c/..../09../.4ba f"),
        ("replay", "--json", "tests/traces/short-game.trace"),
        ("config", "show"),
        ("config", "profiles"),
        ("enrol", "--help"),
    ):
        assert (done.returncode, done.stderr) == (0, ""), done.args
        assert done.stdout, done.args


@pytest.mark.slow
def test_a_board_without_its_packages_is_told_in_one_sentence(tmp_path: Path) -> None:
    commands = (("run",), ("calibrate", str(tmp_path / "apart.toml")), ("simulate",), ("enrol",), ("firmware",))
    for refused in alone(*commands):
        assert refused.returncode == 1, refused.args
        assert "Traceback" not in refused.stderr
        assert refused.stderr.splitlines()[-1].startswith(f"quarto-pi {refused.args[0]}: ")
        assert "install" in refused.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "enrol", "check"])
def test_package_that_works_on_a_pi_alone_is_told_in_one_sentence(command: str, tmp_path: Path) -> None:
    """RPi.GPIO itself, on what is no Pi, or on one that it does not know."""
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi/__init__.py").touch()
    (tmp_path / "RPi/GPIO.py").write_text('raise RuntimeError("This module can only be run on a Raspberry Pi!")')
    (tmp_path / "spidev.py").write_text("def SpiDev():\n    raise FileNotFoundError\n")
    done = subprocess.run(  # noqa: S603 - the tests' own command
        [sys.executable, "-m", "quarto_pi", command],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "can only be run on a Raspberry Pi!" in done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == (0 if command == "check" else 1)


@pytest.mark.slow
def test_check_without_any_package_says_what_to_install() -> None:
    (checked,) = alone(("check", "--json"))
    assert checked.returncode == 1
    findings = [json.loads(line) for line in checked.stdout.splitlines()]
    assert any(not finding["ok"] and "install" in finding["detail"] for finding in findings)
    assert checked.stderr == ""
