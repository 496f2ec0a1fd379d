"""docs/displays.md tells the truth about what display, lamps and voice make of each situation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarto_pi.devices.light_patterns import Pattern
from quarto_pi.outputs.lights import ATTENTION_PATTERNS, MARKS, PLAYER_PATTERNS
from quarto_pi.referee.view import Attention, Lamp, Mark
from tests.outputs.situations import SITUATIONS, shown

PAGE = (Path(__file__).parent.parent.parent / "docs" / "displays.md").read_text(encoding="utf-8")
ROWS = {
    cells[0]: cells[1:]
    for line in PAGE.splitlines()
    if len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 6
}


def test_page_has_a_row_for_every_situation_and_no_other() -> None:
    assert list(ROWS)[2:] == list(SITUATIONS)


@pytest.mark.parametrize("name", SITUATIONS)
def test_row_of_a_situation_is_what_is_shown_in_it(name: str) -> None:
    what = shown(name)
    assert ROWS[name] == [what.headline, what.three, what.one, what.squares, what.voice]


def test_every_pattern_is_explained() -> None:
    explained = re.findall(r"^- \*\*(\w+)\*\*:", PAGE, re.MULTILINE)
    assert set(explained) == {pattern.value for pattern in Pattern} - {"off"}


def test_lamps_of_all_situations_differ_in_pattern_or_place_and_never_in_colour_alone() -> None:
    assert len({*PLAYER_PATTERNS.values()}) == len(Lamp)
    assert len({*ATTENTION_PATTERNS.values()}) == len(Attention)
    looks = {mark: light.pattern for mark, light in MARKS.items()}
    # What is put and what is aimed at are the same to hands: put the piece there.
    assert looks.pop(Mark.PUT) is looks[Mark.TARGET]
    assert len(set(looks.values())) == len(looks)


def test_three_lights_tell_apart_what_people_have_to_know() -> None:
    names = [
        "player 1 chooses the first piece",
        "player 2 places the given piece",
        "the computer (player 2) thinks",
        "player 1 has won by a call",
        "an alignment was missed",
        "who called? player 1?",
        "a piece is missing",
        "the reader of b3 is lost",
        "all are placed: the last chance",
        "a draw",
        "nobody is there",
    ]
    assert len({shown(name).three for name in names}) == len(names)
    assert len({shown(name).one for name in names}) == len(names)
