"""The build guide: each step ends with a test, and what it quotes of the program is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware.carrier.layout import Board, read_carriers
from hardware.description import FOLDER
from hardware.dimensions import read_dimensions
from hardware.plates import grid, ledge_z
from hardware.shopping import COPPER_ALONE, Item, read_items
from hardware.spice import CUT_OFF
from hardware.wiring import GROUND
from quarto_pi.checks import as_name
from quarto_pi.checks.devices import CHIPS
from quarto_pi.checks.machine import this_machine
from quarto_pi.checks.plan import (
    checks_of_board,
    checks_of_installation,
    checks_of_machine,
    checks_of_program,
    device_names,
)
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.config.sources import profile_names, profile_source
from quarto_pi.devices.readers.health import Version
from quarto_pi.wiring.platform import simulated_hardware

PAGES = {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.md"))}
SOURCES = "".join(file.read_text(encoding="utf-8") for file in (FOLDER.parent / "quarto_pi").rglob("*.py"))


STEPS = re.split(r"^### ", PAGES["README.md"], flags=re.MULTILINE)[1:]


def step_text(number: int) -> str:
    """A step without its line breaks and its test."""
    return " ".join(STEPS[number - 1].partition("*Test:*")[0].split())


def test_every_step_ends_with_a_test() -> None:
    assert len(STEPS) == 10
    assert [step.splitlines()[0] for step in STEPS if not re.search(r"^\*Test:\*", step, re.MULTILINE)] == []


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


@pytest.mark.parametrize("item", read_items(), ids=lambda item: item.name[:30])
def test_everything_that_is_bought_is_used_in_the_step_that_the_list_names(item: Item) -> None:
    number, words = item.use
    assert words in " ".join(STEPS[number - 1].split())


def soldered_in(number: int, board: Board) -> set[str]:
    """The parts of a board that a step names, those of its ranges of names as well."""
    # What step 2 says of other parts stands before that.
    text = step_text(number).rpartition("Low parts first:")[2]
    named = set(re.findall(r"\b[A-Z]+_?\d?[A-Z0-9]*\b", text))
    for letter, first, last in re.findall(r"\b([A-Z]+)(\d+) to [A-Z]+(\d+)", text):
        named |= {f"{letter}{index}" for index in range(int(first), int(last) + 1)}
    return named & {placed.part.ref for placed in board.parts}


HUB, RANK = read_carriers()


def test_the_supply_can_be_measured_with_what_is_soldered_before() -> None:
    soldered = soldered_in(2, HUB) | {"F1", "F2"}
    rails = {"3V3", "5V", GROUND}
    decide = {
        net
        for placed in HUB.parts
        for net in placed.part.joins.values()
        if placed.part.kind.key in CUT_OFF and net not in rails
    }
    needed = {
        placed.part.ref
        for placed in HUB.parts
        if set(placed.part.joins.values()) & decide and placed.part.kind.key not in COPPER_ALONE
    }
    assert len(needed) > 45
    assert needed - soldered == set()
    assert "Q6" not in soldered
    assert soldered >= {"U4", "C1", "C2", "LED_5V", "LED_3V3", "R80", "R81"}


def test_every_chip_transistor_and_connector_of_the_hub_board_is_soldered_in_step_2_or_3() -> None:
    third = step_text(3)
    assert "All other resistors and capacitors" in third
    boxes = "the four box headers of the ranks and that of the Pi"
    by_kind = {"rank_socket": boxes, "pi": boxes, "pico": "for a Pico the two socket strips"}
    for placed in HUB.parts:
        part = placed.part
        if part.ref in soldered_in(2, HUB) or part.kind.key in ("resistor", "capacitor", "electrolytic", "fuse"):
            continue
        if part.kind.key in COPPER_ALONE:
            continue
        if "PinHeader" in part.kind.footprint:
            assert "the pin headers" in third
        elif part.kind.key in by_kind:
            assert by_kind[part.kind.key] in third
        else:
            assert part.ref in soldered_in(3, HUB), part.ref


def test_every_part_of_a_rank_board_is_soldered_in_step_5() -> None:
    text = step_text(5)
    assert "box header, headers for four readers" in text
    named = soldered_in(5, RANK)
    headers = {placed.part.ref for placed in RANK.parts if placed.part.kind.key in ("reader", "rank_socket")}
    assert {placed.part.ref for placed in RANK.parts} - named == headers
