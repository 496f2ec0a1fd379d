"""A configuration to start with whatever is wrong, and safe mode."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quarto_pi.commands.beginning import LAST_GOOD_FILE, remember_good, safe_config, starting_config
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.referee.messages import Impairment

RIGHT = (
    'profile = "pi-two-buttons"\n[game]\nlanguage = "fr"\n[page]\npin = "open sesame"\n[kiosk]\nopen = "10:00-11:00"\n'
)
WRONG = {
    "a wrong value": "[game]\nlanguage = 'klingon'\n",
    "an unknown key": "[page]\nprot = 80\n",
    "a wrong profile": 'profile = "paper"\n',
    "no TOML": "[game\n",
    "half a letter": b"[game]\nlanguage = '\xff'\n",
    "nothing": b"",
}


@pytest.fixture
def place(tmp_path: Path) -> ConfigPlace:
    place = ConfigPlace(tmp_path / "etc" / "quarto-pi.toml")
    place.file.parent.mkdir()
    place.file.write_text(RIGHT, encoding="utf-8")
    return place


def spoil(file: Path, text: str | bytes | None) -> None:
    file.unlink()
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_right_configuration_is_the_owners(place: ConfigPlace, tmp_path: Path) -> None:
    starting = starting_config(place, tmp_path)
    assert (starting.config, starting.impaired, starting.why) == (lay(place.sources()).config, None, "")


@pytest.mark.parametrize("text", [*WRONG.values(), None], ids=[*WRONG, "no file"])
def test_wrong_configuration_gives_way_to_the_last_good_one_or_to_the_usual_values(
    place: ConfigPlace, tmp_path: Path, text: str | bytes | None
) -> None:
    owners, state = starting_config(place, tmp_path).config, tmp_path / "state"
    spoil(place.file, text)
    starting = starting_config(place, state)
    assert starting.impaired is Impairment.USUAL
    assert starting.why.endswith((".", "?"))
    assert None not in (starting.config.oled, starting.config.panel_lights, starting.config.page)
    place.file.write_text(RIGHT, encoding="utf-8")
    remember_good(place, state)
    spoil(place.file, text)
    starting = starting_config(place, state)
    assert (starting.config, starting.impaired) == (owners, Impairment.LAST_GOOD)


@pytest.mark.parametrize("text", [b"", b"[1, 2]", b"{}x", b'{"game": {"language": "klingon"}}', b"\xff"])
def test_last_good_one_that_is_damaged_gives_way_to_the_usual_values(
    place: ConfigPlace, tmp_path: Path, text: bytes
) -> None:
    (tmp_path / LAST_GOOD_FILE).write_bytes(text)
    place.file.unlink()
    assert starting_config(place, tmp_path).impaired is Impairment.USUAL


def test_last_good_one_is_the_boards_own_and_written_only_when_it_changes(place: ConfigPlace, tmp_path: Path) -> None:
    remember_good(place, tmp_path)
    file = tmp_path / LAST_GOOD_FILE
    assert file.stat().st_mode & 0o777 == 0o600, "the PIN stands in it"
    os.utime(file, (1, 1))
    remember_good(place, tmp_path)
    assert file.stat().st_mtime == 1
    place.file.write_text(RIGHT.replace("fr", "de"), encoding="utf-8")
    remember_good(place, tmp_path)
    assert starting_config(ConfigPlace(tmp_path / "none.toml"), tmp_path).config.game.language == "de"


def test_safe_mode_keeps_wiring_page_and_pin_and_leaves_out_what_people_choose(place: ConfigPlace) -> None:
    owners = lay(place.sources()).config
    safe = safe_config(place, owners)
    assert (safe.readers, safe.buttons, safe.oled, safe.page) == (
        owners.readers,
        owners.buttons,
        owners.oled,
        owners.page,
    )
    assert (owners.game.buttons, safe.game.buttons) == (2, 2)
    assert (safe.game.language, safe.kiosk.hours) == ("en", None)
