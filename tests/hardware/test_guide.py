"""The build guide: each step ends with a test, and what it quotes of the program is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware.description import FOLDER
from hardware.dimensions import read_dimensions
from hardware.plates import grid, ledge_z
from quarto_pi.checks import as_name
from quarto_pi.checks.machine import this_machine
from quarto_pi.checks.plan import (
    checks_of_board,
    checks_of_installation,
    checks_of_machine,
    checks_of_program,
    device_names,
)
from quarto_pi.checks.readers import CHIPS
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.config.sources import profile_names, profile_source
from quarto_pi.devices.readers.health import Version
from quarto_pi.wiring.platform import simulated_hardware

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


def devices_of(profile: str) -> set[str]:
    """What `check` looks at on a board with this wiring, by the names that `--only` takes."""
    source = profile_source(profile)
    config = lay([source]).config
    machine = this_machine({})
    checks = [
        *checks_of_program(ConfigPlace(Path("board.toml")), config),
        *checks_of_machine(machine, config),
        *checks_of_installation(machine, config),
        *checks_of_board(config, simulated_hardware(config=config)[0]),
    ]
    return set(device_names(checks))


DEVICES = {profile: devices_of(profile) for profile in profile_names()}


@pytest.mark.parametrize("page", PAGES)
def test_every_part_that_the_guide_has_checked_is_one_of_some_board(page: str) -> None:
    for names in re.findall(r"check (?:--watch )?--only ([a-z0-9 .-]+)`", PAGES[page]):
        assert any(set(names.split()) <= devices for devices in DEVICES.values()), names


def test_a_board_for_each_profile_can_be_tested_step_by_step() -> None:
    steps = PAGES["README.md"]
    for profile, devices in DEVICES.items():
        wired = {name for name in devices if name.startswith(("button-call", "oled", "panel-", "square-", "node"))}
        assert [name for name in sorted(wired) if name not in steps] == [], profile


ROWS = [line.split(" | ") for line in PAGES["trouble.md"].splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("line", [line for _, line, *_ in ROWS])
def test_the_line_of_check_that_shows_a_trouble_is_one_that_check_prints(line: str) -> None:
    everything = set().union(*DEVICES.values())
    quoted = re.findall(r"`([^`]+)`", line)
    assert quoted or line in ("four times", "nothing works")
    for said in quoted:
        name, _, detail = said.rpartition(": ")
        if as_name(said) in everything:
            continue
        assert not name or as_name(name) in everything, f"check looks at nothing that is called {name}"
        for words in re.split(r"[;,] ", re.sub(r"\b[0-9]+%? ?", "", detail)):
            assert words in SOURCES, f"check never says {words!r}"


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


def test_the_guide_tells_the_measures_that_the_wood_is_drawn_with() -> None:
    d, page = read_dimensions(), PAGES["README.md"].replace("\n", " ")
    assert f"{ledge_z(d) - d.case.floor:g} mm above the floor" in page
    assert f"{grid(d).corner[0]:g} mm from every edge" in page
    assert f"a pocket: {d.case.jack_pocket[1]:g} mm deep" in page
    assert f"four feet of {d.case.feet[1]:g} mm" in page
    assert f"a rod of clear acrylic, {d.board.light_pipe[1]:g} mm long" in page.lower()
    assert f"standoffs of {d.electronics.pi_feet:g} and {d.electronics.hub_feet:g} mm" in page
    assert f"held {d.leads.lift:g} mm over the case" in page


def test_pages_and_pictures_stay_small() -> None:
    made = [file for file in (FOLDER / "made").rglob("*") if file.is_file()]
    boards = [file for file in made if file.parent.name == "carrier"]
    assert sum(file.stat().st_size for file in made if file not in boards) < 1_500_000
    assert sum(file.stat().st_size for file in boards) < 3_000_000
