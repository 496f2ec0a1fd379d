"""Layers of the configuration: which file counts, what wins over what, and where each value is from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config import Config, ConfigError, find_config, parse_config, read_config
from quarto_pi.config.layers import ConfigPlace, Layered, lay
from quarto_pi.config.sources import (
    PROFILES_FOLDER,
    changed_at_the_table,
    lines_of,
    parse_source,
    profile_names,
    profile_summary,
)
from quarto_pi.config.whole import chosen_keys


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def origin(layered: Layered, *path: str) -> str:
    return str(next(setting.origin for setting in layered.settings if setting.path == path))


def test_command_line_wins_over_the_environment_and_that_over_the_system(tmp_path: Path) -> None:
    files = {name: write(tmp_path / name / "board.toml", f"[game]\nlevel = {n}\n") for n, name in enumerate("abc", 1)}
    environ = {"QUARTO_PI_CONFIG": str(files["b"])}
    assert find_config(files["a"], environ, files["c"]).game.level == 1
    assert find_config(None, environ, files["c"]).game.level == 2
    assert find_config(None, {"QUARTO_PI_CONFIG": ""}, files["c"]).game.level == 3


def test_without_any_file_there_are_the_usual_values_but_a_named_file_has_to_be_there(tmp_path: Path) -> None:
    nowhere = tmp_path / "etc" / "quarto-pi.toml"
    assert find_config(None, {}, nowhere) == Config()
    for named, environ in ((nowhere, {}), (None, {"QUARTO_PI_CONFIG": str(nowhere)})):
        with pytest.raises(ConfigError, match=r"quarto-pi\.toml: the configuration cannot be read"):
            find_config(named, environ, tmp_path / "other.toml")


def test_every_command_reads_what_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "board.toml", "[engine]\ntable_mb = 0\n")
    monkeypatch.setenv("QUARTO_PI_CONFIG", str(file))
    for command in (["solve", "..../..../..../.... -"], ["check", "--simulated"], ["replay", os.devnull]):
        assert main(command) == 2
        assert f"{file}: [engine] table_mb is 0" in capsys.readouterr().err


def test_what_drops_in_wins_key_by_key_in_the_order_of_names(tmp_path: Path) -> None:
    file = write(tmp_path / "quarto-pi.toml", "[game]\nlevel = 1\ncoach = true\n[readers.lines]\na1 = 1\nb1 = 0\n")
    write(tmp_path / "conf.d" / "20-late.toml", "[game]\nlevel = 3\n[readers.lines]\na1 = 0\nb1 = 1\n")
    write(tmp_path / "conf.d" / "10-early.toml", "[game]\nlevel = 2\nundo = false\n")
    write(tmp_path / "conf.d" / "90-old.toml.bak", "this counts for nothing")
    config = read_config(file)
    assert (config.game.level, config.settings.undo, config.settings.coach) == (3, False, True)
    assert config.readers.lines["b1"] == 1


def test_drop_ins_of_the_system_count_even_where_its_file_is_not_there(tmp_path: Path) -> None:
    write(tmp_path / "conf.d" / "game.toml", "[game]\nlevel = 7\n")
    assert find_config(None, {}, tmp_path / "quarto-pi.toml").game.level == 7


def test_what_is_wrong_is_blamed_on_the_file_that_says_it(tmp_path: Path) -> None:
    file = write(tmp_path / "quarto-pi.toml", "[game]\nlevel = 3\n[buttons]\ncall_pin = 13\n")
    part = write(tmp_path / "conf.d" / "part.toml", "[game]\nlevel = 11\n")
    with pytest.raises(ConfigError) as caught:
        read_config(file)
    assert str(caught.value) == f"{part}: [game] level is 11: write a level from 1 to 10."
    write(part, "[panel_lights]\n")
    with pytest.raises(ConfigError) as caught:
        read_config(file)
    assert str(caught.value).startswith(f"{file}: [buttons] call_pin is 13: [panel_lights] pins has this pin already")


def test_profile_lies_below_the_file() -> None:
    config = parse_config('profile = "pi-simple"\n[oled]\ncontrast = 100\n[panel_lights]\n')
    assert not config.readers.offer
    assert config.oled is not None
    assert config.oled.contrast == 100
    assert config.panel_lights is not None
    assert config.square_lights is None


def test_device_of_a_profile_can_be_switched_off() -> None:
    assert parse_config('profile = "pi"\n').square_lights is not None
    assert parse_config('profile = "pi"\n[square_lights]\npresent = false\n').square_lights is None


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_is_a_configuration_and_says_what_it_is_for(name: str) -> None:
    assert parse_config(f'profile = "{name}"\n') == parse_config(
        (PROFILES_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    )
    assert profile_summary(name).endswith(".")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('profile = "pie"\n', "b.toml: profile is \"pie\": did you mean 'pi'?"),
        ("profile = 4\n", 'b.toml: profile is 4: write the name of one in quotes, such as "pi".'),
        ("[profile]\nname = 3\n", "b.toml: profile is {'name': 3}: write the name of one in quotes"),
        ('profil = "pi"\n', "b.toml: [profil] is not a section: did you mean 'profile'?"),
    ],
)
def test_profile_that_is_not_there_is_told(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        lay([parse_source(text, "b.toml")])
    assert str(caught.value).startswith(said)


def test_every_value_knows_where_it_is_from(tmp_path: Path) -> None:
    text = 'profile = "pi"\n\n# a comment\n[game]\nlanguage = "nl"\nlevel = 4\n\n[readers]\nlines.a1 = 0\n'
    file = write(tmp_path / "quarto-pi.toml", text)
    part = write(tmp_path / "conf.d" / "a.toml", "[game]\nlevel = 5\n[oled]\n")
    layered = lay([*ConfigPlace(file).sources(), changed_at_the_table({"language": "lt"})])
    assert layered.config.game.language == "lt"
    assert origin(layered, "profile") == f"{file}:1"
    assert origin(layered, "game", "language") == "changed at the table"
    assert origin(layered, "game", "level") == f"{part}:2"
    assert origin(layered, "readers", "lines", "a1") == f"{file}:9"
    assert origin(layered, "readers", "offer") == "wiring profile pi"
    assert origin(layered, "readers", "spi_hz") == "usual value"
    assert origin(layered, "oled", "present") == f"{part}:3"
    assert origin(layered, "square_lights", "present") == "wiring profile pi"
    assert origin(layered, "speech", "present") == "usual value"


def test_what_people_chose_at_the_table_are_keys_of_the_file() -> None:
    file = parse_config('[game]\nlanguage = "nl"\nplayer_2 = 4\n').game.settings(offer_reader=True)
    wished = parse_config(
        '[game]\nsquares = true\ntraits = "colour,top"\ncalling = "auto"\nfalse_call = "forfeit"\nclock_seconds = 60\n'
        'time_out = "forfeit"\nplayer_1 = 2\nstarter = "drawn"\nundo = false\ncoach = true\nlanguage = "nl"\n'
    ).game.settings(offer_reader=True)
    chosen = chosen_keys(wished, file)
    assert "language" not in chosen
    assert chosen["player_2"] == 0
    layered = lay([parse_source('[game]\nlanguage = "nl"\nplayer_2 = 4\n'), changed_at_the_table(chosen)])
    assert layered.config.game.settings(offer_reader=True) == wished
    assert chosen_keys(file, file) == {}


def test_lines_are_right_after_values_of_several_lines() -> None:
    text = '[square_lights]\norder = [ # [game]\n "a1",\n]\nspi_port = 1\n'
    lines = lines_of(text + '[speech]\nprogram = """\nx = 1\n"""\nvolume=3\n')
    assert {path[-1]: line for path, line in lines.items()} == {
        "square_lights": 1,
        "order": 2,
        "spi_port": 5,
        "speech": 6,
        "program": 7,
        "volume": 10,
    }


def test_list_of_any_length_is_passed_over_quickly() -> None:
    text = "[square_lights]\norder = [\n" + '"a1",\n' * 20_000 + "]\nspi_port = 1\n"
    assert parse_source(text).line_of(("square_lights", "spi_port")) == 20_004


def test_file_that_is_not_toml_is_told_by_its_name(tmp_path: Path) -> None:
    file = write(tmp_path / "quarto-pi.toml", "")
    part = write(tmp_path / "conf.d" / "x.toml", "[game\n")
    with pytest.raises(ConfigError, match="this is not TOML") as caught:
        read_config(file)
    assert str(caught.value).startswith(f"{part}: ")
