"""The README tells the truth: its Python examples run as doctests, its commands and targets exist."""

import re
import shlex
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from quarto_pi.cli import build_parser, main
from quarto_pi.config import Config, parse_config
from quarto_pi.config.layers import lay
from quarto_pi.config.profiles import profile_names
from quarto_pi.devices.light_settings import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.node_settings import NodeSettings
from quarto_pi.devices.oled_settings import OledSettings
from quarto_pi.devices.speech import SpeechSettings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
TOML = re.findall(r"```toml\n(.*?)```", CONFIGURATION, re.DOTALL)
TARGETS = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.startswith("quarto-pi ")])
def test_a_command_in_the_readme_is_understood(command: str) -> None:
    build_parser().parse_args(shlex.split(command)[1:])


def test_every_target_named_in_the_readme_exists() -> None:
    code = [*re.findall(r"`([^`\n]*)`", README), *COMMANDS]
    named = {match[1] for text in code if (match := re.match(r"make ([a-z-]+)", text))}
    assert {"play", "test"} <= named <= set(TARGETS)


def test_every_folder_named_in_the_readme_exists() -> None:
    folders = re.findall(r"^\| `([a-z_/]+/)`", README, re.MULTILINE)
    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_every_file_that_the_readme_links_to_or_shows_exists() -> None:
    linked = [target for target in re.findall(r"\]\(([^)#]+)", README) if "://" not in target]
    assert "docs/displays.md" in linked
    assert [target for target in linked if not (ROOT / target).exists()] == []


def test_the_documented_configuration_is_the_usual_one() -> None:
    assert parse_config(TOML[0]) == Config()


def test_every_key_of_the_configuration_is_documented() -> None:
    documented = {(section, key) for text in TOML for section, keys in tomllib.loads(text).items() for key in keys}
    # docs/sensing.md tells of all the times; that a device is there its section says.
    elsewhere = {"profile", "sensing"}
    keys = {setting.path[:2] for setting in lay([]).settings if setting.path[0] not in elsewhere}
    assert {(section, key) for section, key in keys - documented if key != "present"} == set()


def test_every_wiring_profile_is_documented() -> None:
    assert re.findall(r"^\| `(pi[a-z-]*)` \|", CONFIGURATION, re.MULTILINE) == list(profile_names())


def test_the_documented_devices_have_their_usual_values_and_no_key_is_left_out() -> None:
    usual: dict[str, NodeSettings | OledSettings | PanelLightsSettings | SquareLightsSettings | SpeechSettings] = {
        "node": NodeSettings(),
        "oled": OledSettings(),
        "panel_lights": PanelLightsSettings(),
        "square_lights": SquareLightsSettings(),
        "speech": SpeechSettings(),
    }
    _, text = TOML
    config = parse_config(text)
    assert {name: getattr(config, name) for name in usual} == usual
    keys = {name: {field.name for field in fields(settings)} - {"patience"} for name, settings in usual.items()}
    assert {name: set(section) for name, section in tomllib.loads(text).items()} == keys


def test_the_replayed_game_in_the_readme_is_what_replay_prints(capsys: pytest.CaptureFixture[str]) -> None:
    shown = [line for line in README.splitlines() if re.match(r" +[0-9.]+ s  ", line)]
    assert main(["replay", str(ROOT / "tests" / "traces" / "short-game.trace")]) == 0
    printed = capsys.readouterr().out.splitlines()
    start = printed.index(shown[0])
    assert printed[start : start + len(shown)] == shown


def test_the_packages_for_the_pi_are_named_as_in_pyproject() -> None:
    assert "'mfrc522>=0.0.7,<0.0.8'" in README
    assert '"mfrc522>=0.0.7,<0.0.8"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
