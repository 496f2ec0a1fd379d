"""The build guide: each step ends with a test, and what it quotes of the program is what the program says."""

from __future__ import annotations

import re

import pytest

from hardware.description import FOLDER
from quarto_pi.checks.readers import CHIPS
from quarto_pi.devices.reader_terms import Version

PAGES = {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.md"))}
SOURCES = "".join(file.read_text(encoding="utf-8") for file in (FOLDER.parent / "quarto_pi").rglob("*.py"))


def test_every_step_ends_with_a_test() -> None:
    steps = re.split(r"^### ", PAGES["README.md"], flags=re.MULTILINE)[1:]
    assert len(steps) == 10
    assert [step.splitlines()[0] for step in steps if not re.search(r"^\*Test:\*", step, re.MULTILINE)] == []


def test_every_step_tells_how_long_it_takes() -> None:
    assert re.findall(r"^### .*", PAGES["README.md"], re.MULTILINE) == re.findall(
        r"^### \d+\. .* \(\d+ (?:hours?|minutes)\)$", PAGES["README.md"], re.MULTILINE
    )


def test_the_guide_says_that_no_board_was_built_yet() -> None:
    assert "not yet built" in PAGES["README.md"]


QUOTED = ["no chip answers", "nothing read", "a tag read", "cross-reads", "held down", ", up"]


@pytest.mark.parametrize("phrase", QUOTED)
def test_what_the_guide_quotes_of_check_is_what_check_says(phrase: str) -> None:
    assert phrase in SOURCES
    assert phrase in PAGES["README.md"] + PAGES["trouble.md"]


def test_every_make_of_chip_that_check_tells_is_explained() -> None:
    assert set(CHIPS) == {version.name for version in Version} - {"NO_CHIP"}
    explained = re.findall(r"^\| `(an? [^`]*)` \|", PAGES["parts.md"], re.MULTILINE)
    assert len(explained) == len(CHIPS)
    assert all(said.startswith(quoted) for (said, _), quoted in zip(CHIPS.values(), explained, strict=True))


@pytest.mark.parametrize("page", PAGES)
def test_no_page_quotes_a_chip_otherwise_than_check_tells_it(page: str) -> None:
    assert re.findall(r"`(?:[^`]*: )?chip [A-Z]+", PAGES[page]) == []


def test_pages_and_pictures_stay_small() -> None:
    made = [file for file in (FOLDER / "made").rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in made) < 1_500_000
