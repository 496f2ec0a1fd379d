"""Changing a configuration file: the key is changed, and nothing else."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.config.edit import with_value, without
from quarto_pi.config.section import ConfigError

FILE = """# The board in the hall.

# Wiring: see the lid.
[readers]   # seventeen
spi_hz = 2000000    # long cables
lines.a1 = 0

# For the children.
[game]
level = 2
traits = "colour,height"

[oled]
# contrast = 90

[square_lights]
order = [
  "a1", "b1", "c1", "d1", # the front
  "d2", "c2", "b2", "a2", "a3", "b3", "c3", "d3", "d4", "c4", "b4", "a4",
]
"""
KEYS = [
    ("profile",),
    ("readers", "spi_hz"),
    ("readers", "offer"),
    ("readers", "lines", "a1"),
    ("readers", "lines", "b1"),
    ("game", "level"),
    ("game", "language"),
    ("oled", "contrast"),
    ("square_lights", "order"),
    ("square_lights", "budget_ma"),
    ("page", "pin"),
]


def lines_changed(old: str, new: str) -> set[str]:
    return set(new.splitlines()) ^ set(old.splitlines())


def test_value_is_replaced_and_its_comment_stays() -> None:
    changed = with_value(FILE, ("readers", "spi_hz"), 1_000_000)
    assert lines_changed(FILE, changed) == {
        "spi_hz = 2000000    # long cables",
        "spi_hz = 1000000    # long cables",
    }


def test_new_key_stands_at_the_end_of_its_section_before_the_comment_of_the_next_one() -> None:
    changed = with_value(FILE, ("readers", "offer"), False)
    assert "lines.a1 = 0\noffer = false\n\n# For the children.\n[game]\n" in changed
    assert lines_changed(FILE, changed) == {"offer = false"}


def test_profile_stands_above_the_first_section_and_its_comment() -> None:
    changed = with_value(FILE, ("profile",), "pi")
    assert changed.startswith('# The board in the hall.\n\nprofile = "pi"\n\n# Wiring: see the lid.\n[readers]')


def test_section_that_is_not_there_is_added_at_the_end() -> None:
    assert with_value(FILE, ("page", "pin"), '12"3456') == FILE + '\n[page]\npin = "12\\"3456"\n'
    assert with_value("", ("page", "port"), 80) == "[page]\nport = 80\n"


def test_key_is_taken_out_and_its_section_stays() -> None:
    assert without("[oled]\ncontrast = 9\n\n# next\n[page]\n", ("oled", "contrast")) == "[oled]\n\n# next\n[page]\n"
    assert "[oled]" not in without(FILE, ("oled",))


@pytest.mark.parametrize(
    "text", ["game = {level = 3}\n", "game.level = 3\n", "[game]\nlevel = 3", "[game]\r\nlevel = 3\r\n", "['game']\n"]
)
def test_every_way_of_writing_a_section_is_understood(text: str) -> None:
    assert tomllib.loads(with_value(text, ("game", "language"), "fr"))["game"]["language"] == "fr"
    assert tomllib.loads(with_value(text, ("game", "level"), 9))["game"]["level"] == 9


def test_new_section_within_braces_stays_within_them() -> None:
    changed = with_value("readers = {offer = false}\n", ("readers", "lines", "a1"), 3)
    assert tomllib.loads(changed) == {"readers": {"offer": False, "lines": {"a1": 3}}}


@pytest.mark.parametrize("text", ["game = 5\n", "[[game]]\nlevel = 1\n"])
def test_what_is_no_section_is_told(text: str) -> None:
    with pytest.raises(ConfigError, match="game is no section in this file: change it with an editor"):
        with_value(text, ("game", "level"), 3)


def test_what_would_take_more_with_it_is_not_done() -> None:
    # Without its only key this section would be gone, and with it the display.
    with pytest.raises(ConfigError, match="without changing others"):
        without("oled.contrast = 9\n", ("oled", "contrast"))


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.booleans() | st.integers(0, 9) | st.text(max_size=4)), max_size=8))
def test_whatever_is_changed_no_comment_and_no_other_key_is_lost(changes: list[tuple[tuple[str, ...], Any]]) -> None:
    text, wanted = FILE, tomllib.loads(FILE)
    for path, value in changes:
        keys = wanted
        for name in path[:-1]:
            keys = keys.setdefault(name, {})
        keys[path[-1]] = value
        text = with_value(text, path, value)
    assert tomllib.loads(text) == wanted
    comments = [line.partition("#")[2] for line in FILE.splitlines() if "#" in line]
    gone = {" the front"} if ("square_lights", "order") in dict(changes) else set()
    assert [comment for comment in comments if comment not in text and comment not in gone] == []
