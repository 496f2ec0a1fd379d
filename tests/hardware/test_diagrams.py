"""The wiring diagrams, read as a person reads them, and compared with pin tables that others made."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from gpiozero.pins import data
from picopins.__main__ import PINOUT

from hardware.description import FOLDER
from hardware.making import MADE
from hardware.making import PROFILES as PROFILE_FILES
from tests.hardware.conftest import PROFILES

DRAWN = MADE / "wiring"
EVERY = (*PROFILES, "rank-1", "offer-reader")
LETTER = 7.25  # of a monospaced font of 12 pixels: 0.60 of its size, in DejaVu Sans Mono and in Courier
SIZE = 12
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Label:
    """A text, and the room that it takes."""

    words: str
    x: float
    y: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.x, self.y - SIZE * 0.8, self.x + LETTER * len(self.words), self.y + SIZE * 0.2


@dataclass(frozen=True)
class Line:
    """A row of a diagram: what stands at its two ends, and whether a wire is drawn between them."""

    name: str
    number: str
    end: str
    net: str
    wired: bool


def sheet(name: str) -> ET.Element:
    return ET.parse(DRAWN / f"{name}.svg").getroot()  # noqa: S314 # a file of our own


def labels(name: str) -> list[Label]:
    root = sheet(name)
    return [
        Label(each.text or "", float(each.attrib["x"]), float(each.attrib["y"])) for each in root.iter(f"{SVG}text")
    ]


def wires(name: str, style: str) -> list[tuple[float, float, float]]:
    """The left end, the right end and the height of each wire."""
    root = sheet(name)
    ends = (each.attrib["d"] for each in root.iter(f"{SVG}path") if each.attrib["class"] == style)
    found = (re.fullmatch(r"M(\d+) (\d+)H(\d+)", each) for each in ends)
    return [(float(each[1]), float(each[3]), float(each[2])) for each in found if each]


def sections(name: str) -> Iterator[tuple[str, str, list[Line]]]:
    """Each cable: its title, its words, its rows, by where they stand on the sheet."""
    every = labels(name)
    titles = [label for label in every if "  -  " in label.words]
    real = {height for *_, height in wires(name, "wire")}
    for index, title in enumerate(titles):
        below = titles[index + 1].y if index + 1 < len(titles) else float("inf")
        own = [label for label in every if title.y < label.y < below]
        words, *_ = sorted(own, key=lambda label: label.y)
        rows = sorted({label.y for label in own} - {words.y})
        lines = []
        for y in rows:
            texts = [label.words for label in sorted(own, key=lambda label: label.x) if label.y == y]
            wired = any(abs(height - y) < SIZE / 2 for height in real)
            lines.append(Line(texts[0], texts[1], texts[-2], texts[-1], wired))
        yield title.words, words.words, lines


def of_library_pi() -> Mapping[int, str]:
    """The 40 pins of every Pi with that header, as gpiozero has them."""
    tables = [
        {number: pin.get("gpio") or pin[""] for number, pin in board[2].items()}
        for board in (data.PLUS_J8, data.PI4_J8, data.PI5_J8)
    ]
    first, *others = ({number: name.upper() for number, name in table.items()} for table in tables)
    assert all({**first, **other} == first for other in others)
    return first


def of_library_pico() -> Mapping[int, str]:
    """The 40 pins of a Pico, as picopins has them."""
    pins = {}
    for row in PINOUT:
        for name, number in ((row[5], row[6]), (row[9], row[8])):
            if number.strip():
                pins[int(number)] = "GND" if "Ground" in name else name.split("/")[0].strip()
    assert len(pins) == 40
    return pins


def hub_rows(name: str, hub: str) -> list[Line]:
    return next((rows for title, _, rows in sections(name) if title.startswith(f"{hub}: ")), [])


@pytest.mark.parametrize("name", PROFILES)
def test_the_pi_s_pins_are_those_of_its_header(name: str) -> None:
    header = of_library_pi()
    rows = hub_rows(name, "PI")
    assert len(rows) == (40 if name.startswith("pi-") or name == "pi" else 4 if name == "pico-simple" else 6)
    for row in rows:
        assert row.name.removesuffix("_B") == header[int(row.number)], row
        assert row.end == row.number


@pytest.mark.parametrize("name", [name for name in PROFILES if name.startswith("pico")])
def test_the_pico_s_pins_are_those_of_its_header(name: str) -> None:
    header = of_library_pico()
    rows = hub_rows(name, "PICO")
    assert len(rows) > 15
    for row in rows:
        assert row.name == header[int(row.number)], row
        assert row.end == row.number


MEANINGS = {
    "readers.address_pins": ("A0_HUB", "A1_HUB", "A2_HUB", "A3_HUB"),
    "readers.enable_pin": ("ENABLE_HUB",),
    "readers.offer_pin": ("OFFER_HUB",),
    "readers.reset_pin": ("RESET_HUB",),
    "buttons.call_pin": ("CALL_HUB",),
    "buttons.second_pin": ("SECOND_HUB",),
    "panel_lights.pins": ("LIGHT_1", "LIGHT_2", "LIGHT_ATTENTION"),
    "node.address_pins": ("A0_HUB", "A1_HUB", "A2_HUB", "A3_HUB"),
    "node.enable_pin": ("ENABLE_HUB",),
    "node.offer_pin": ("OFFER_HUB",),
    "node.reset_pin": ("RESET_HUB",),
    "node.call_pin": ("CALL_HUB",),
    "node.second_pin": ("SECOND_HUB",),
    "node.light_pins": ("LIGHT_1", "LIGHT_2", "LIGHT_ATTENTION"),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_wire_ends_at_the_pin_whose_number_the_program_is_configured_with(name: str) -> None:
    told = tomllib.loads((PROFILE_FILES / f"{name}.toml").read_text(encoding="utf-8"))
    compared = 0
    for key, nets in MEANINGS.items():
        section, word = key.split(".")
        pins = told.get(section, {}).get(word)
        if pins is None:
            continue
        on_pico = section == "node"
        header, prefix = (of_library_pico(), "GP") if on_pico else (of_library_pi(), "GPIO")
        places = {pin: number for number, pin in header.items()}
        rows = {row.net: row for row in hub_rows(name, "PICO" if on_pico else "PI")}
        for net, pin in zip(nets, pins if isinstance(pins, list) else [pins], strict=True):
            assert rows[net].number == str(places[f"{prefix}{pin}"]), net
            compared += 1
    assert compared >= 6


def test_the_first_address_line_is_on_pin_11_of_the_pi() -> None:
    assert next(row for row in hub_rows("pi", "PI") if row.net == "A0_HUB").number == "11"


@pytest.mark.parametrize("name", EVERY)
def test_as_many_wires_are_drawn_as_the_words_say(name: str) -> None:
    for title, words, rows in sections(name):
        if words.startswith("plugged"):
            assert not any(row.wired for row in rows), title
            continue
        assert len(rows) == int(words.split()[0]), title
        assert [row.net for row in rows if not row.wired] == [row.net for row in rows if row.net == "not joined"]
    assert len(wires(name, "wire")) == sum(row.wired for _, _, rows in sections(name) for row in rows)


def test_beside_a_pico_those_wires_are_drawn_that_the_page_tells() -> None:
    page = re.sub(r"<!--.*?-->", "", (FOLDER / "wiring.md").read_text(encoding="utf-8").replace("\n", " "))
    told = re.search(r"Six single wires go to the pins of PI [^,]*, ([\d, ]+) and (\d+);", page)
    assert told is not None
    assert [row.number for row in hub_rows("pico", "PI")] == [*told[1].split(", "), told[2]]


@pytest.mark.parametrize("name", EVERY)
def test_no_label_lies_on_another_one_or_leaves_the_sheet(name: str) -> None:
    every = labels(name)
    width, height = (float(sheet(name).attrib[side]) for side in ("width", "height"))
    for one, other in combinations(every, 2):
        (left, upper, right, lower), (x, y, u, v) = one.box, other.box
        assert not (left < u and x < right and upper < v and y < lower), (one, other)
    for label in every:
        left, upper, right, lower = label.box
        assert min(left, upper) >= 0, label
        assert right <= width, label
        assert lower <= height, label


@pytest.mark.parametrize("name", EVERY)
def test_only_its_colour_lies_on_a_wire(name: str) -> None:
    for label in labels(name):
        left, upper, right, lower = label.box
        on = [wire for wire in wires(name, "wire") if left < wire[1] and wire[0] < right and upper < wire[2] < lower]
        assert not on or label.words in {
            "orange", "black", "grey", "yellow", "blue", "green", "violet", "red", "pink", "turquoise",
        }, label  # fmt: skip
