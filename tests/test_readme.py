"""The pages tell the truth; the Python examples of README and docs/library.md run as doctests."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config import Config, parse_config
from quarto_pi.config.layers import lay
from quarto_pi.config.sources import profile_names
from quarto_pi.devices.light_patterns import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.settings import OledSettings
from quarto_pi.devices.speech import SpeechSettings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
INSTALLING = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
REFEREE = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
TOML = re.findall(r"```toml\n(.*?)```", CONFIGURATION, re.DOTALL)


def test_every_folder_named_on_the_map_exists() -> None:
    folders = re.findall(r"^\| `([a-z_/]+/)`", CONTRIBUTING, re.MULTILINE)
    assert folders
    # What once was a package may have left behind what Python had compiled.
    assert [each for each in folders if all(file.suffix == ".pyc" for file in (ROOT / each).rglob("*.*"))] == []


def test_every_package_has_its_place_on_the_map() -> None:
    packages = {f"quarto_pi/{file.parent.name}/" for file in (ROOT / "quarto_pi").glob("*/__init__.py")}
    # The firmware stands in a folder of its own, to which a link leads.
    assert packages - {"quarto_pi/firmware/"} <= set(re.findall(r"^\| `([a-z_/]+/)`", CONTRIBUTING, re.MULTILINE))


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


def test_the_replayed_game_is_what_replay_prints(capsys: pytest.CaptureFixture[str]) -> None:
    shown = [line for line in REFEREE.splitlines() if re.match(r" +[0-9.]+ s  ", line)]
    assert main(["replay", str(ROOT / "tests" / "traces" / "short-game.trace")]) == 0
    printed = capsys.readouterr().out.splitlines()
    start = printed.index(shown[0])
    assert printed[start : start + len(shown)] == shown


def test_the_packages_for_the_pi_are_named_as_in_pyproject() -> None:
    assert INSTALLING.count("'mfrc522>=0.0.7,<0.0.8'") == 3
    assert '"mfrc522>=0.0.7,<0.0.8"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_first_command_is_make_play_and_the_page_is_short() -> None:
    assert re.findall(r"```\w*\n(.*?)```", README, re.DOTALL)[0].splitlines()[-1] == "make play"
    assert len(README.splitlines()) <= 180
