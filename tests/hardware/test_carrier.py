"""The boards to order: everything in its place, and what would be ordered is what the description says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from math import dist

import pytest

from hardware.carrier.checks import complaints
from hardware.carrier.copper import Copper, Side, carries_ma
from hardware.carrier.files import VERDICT, board_file, order_file, routed
from hardware.carrier.layout import Board, fullest, read_carriers, unplaced
from hardware.carrier.loads import currents, ohms_between
from hardware.carrier.reading import Drawn, read_board
from hardware.carrier.tables import left_at_the_readers
from hardware.description import FOLDER, Description
from hardware.dimensions import Dimensions
from hardware.leads import reach_of
from hardware.making import circuit_boards, texts
from hardware.wiring import FILES, GROUND, RANKS, Wiring, wire
from tests.hardware.conftest import PROFILES

pytestmark = pytest.mark.slow

HUB, RANK = read_carriers()
BOARD_MM = 1.6
each_board = pytest.mark.parametrize("board", [HUB, RANK], ids=lambda board: board.name)


def drawn(board: Board) -> Drawn:
    return read_board(board_file(board))


def kept(board: Board) -> Copper:
    return drawn(board).copper


@pytest.mark.parametrize("name", PROFILES)
def test_every_part_of_a_wiring_has_its_place(description: Description, name: str) -> None:
    assert unplaced(wire(description, description.profiles[name])) == []


def test_a_part_without_a_place_is_found(wiring: Wiring) -> None:
    stray = replace(wiring.part("R20"), ref="R99")
    assert unplaced(replace(wiring, parts=(*wiring.parts, stray))) == ["R99"]


def test_nothing_is_on_a_board_that_no_wiring_has(description: Description) -> None:
    known = set(fullest(description))
    assert {placed.part.ref for board in (HUB, RANK) for placed in board.parts} <= known


@each_board
def test_no_part_is_in_the_way_of_another_one_of_a_screw_or_of_the_edge(board: Board) -> None:
    assert list(board.complaints()) == []


def test_a_part_in_the_way_is_found() -> None:
    moved = tuple(replace(placed, at=HUB.parts[0].at) if placed.part.ref == "C3" else placed for placed in HUB.parts)
    assert any("J1 and C3 are in each other's way" in sentence for sentence in replace(HUB, parts=moved).complaints())
    outside = tuple(replace(placed, at=(0.2, 50.0)) if placed.part.ref == "C3" else placed for placed in HUB.parts)
    assert "hub: C3 hangs over the edge." in list(replace(HUB, parts=outside).complaints())


@pytest.mark.parametrize("rank", RANKS[1:])
def test_the_board_of_rank_1_serves_every_rank(description: Description, rank: int) -> None:
    parts = fullest(description)
    other_name: dict[str, str] = {}
    for placed in RANK.parts:
        one, other = placed.part, parts[re.sub(r"1$", str(rank), placed.part.ref)]
        assert (one.kind, one.value, set(one.joins)) == (other.kind, other.value, set(other.joins))
        for pin, net in one.joins.items():
            assert other_name.setdefault(net, other.joins[pin]) == other.joins[pin]
    assert len(set(other_name.values())) == len(other_name)


@each_board
def test_a_chip_s_capacitor_is_right_beside_its_supply(board: Board) -> None:
    pads = {(placed.part.ref, pad.number): pad for placed in board.parts for pad, _ in placed.pads}
    for placed in board.parts:
        if chip := placed.part.beside:
            kind = next(each.part.kind for each in board.parts if each.part.ref == chip)
            supply = next(pin for pin in kind.pins if pin.name == "VCC")
            assert dist(pads[chip, supply.number].at, pads[placed.part.ref, "1"].at) < 6, placed.part.ref


def test_the_boards_fit_the_room_for_them_in_the_case(dimensions: Dimensions) -> None:
    room = dimensions.electronics
    assert HUB.size <= room.hub_size
    assert RANK.size <= room.rank_board
    assert HUB.height + BOARD_MM <= room.hub_height
    assert RANK.height + BOARD_MM <= room.rank_board_height


def test_the_wires_printed_for_a_pico_are_those_that_stay_on_the_pi(description: Description) -> None:
    pi = wire(description, description.profiles["pico-two-buttons"]).part("PI")
    joined = {pin.number for pin in pi.kind.pins if pi.net(pin) not in (None, GROUND)}
    (printed,) = (words.text for words in HUB.words if "Pico" in words.text)
    wires = set(re.findall(r"\d+", printed))
    assert wires == joined | {"6"}
    assert next(pin for pin in pi.kind.pins if pin.number == "6").name == "GND"


LABELS = [
    (HUB, "J1", {"+": "PLUS", "-": "MINUS"}),
    (HUB, "J2", {"+": "5V", "-": "GND"}),
    (HUB, "U4", {"VIN": "VIN", "GND": "GND", "3V3": "VOUT"}),
    (HUB, "STRIP", {"5V": "5V", "CI": "CI", "DI": "DI", "GND": "GND"}),
    (HUB, "OLED", {"GND": "GND", "VCC": "VCC", "SCL": "SCL", "SDA": "SDA"}),
    (HUB, "READER_offer", {"SDA": "SDA", "3V3": "3.3V"}),
    *((RANK, f"READER_{file}1", {file: "SDA"}) for file in FILES),
]


@pytest.mark.parametrize(("board", "ref", "meanings"), LABELS, ids=[ref for _, ref, _ in LABELS])
def test_what_is_printed_beside_a_pin_is_its_name(board: Board, ref: str, meanings: dict[str, str]) -> None:
    placed = next(each for each in board.parts if each.part.ref == ref)
    names = {pin.number: pin.name for pin in placed.part.kind.pins}
    named = []
    for words in board.words:
        nearest = min((pad for pad, _ in placed.pads), key=lambda pad: dist(pad.at, words.at))
        if words.text in meanings and dist(nearest.at, words.at) < 7:
            assert names[nearest.number] == meanings[words.text]
            named.append(words.text)
    assert set(named) == set(meanings)


@each_board
def test_every_pin_in_the_file_is_on_the_net_of_the_description(description: Description, board: Board) -> None:
    parts = fullest(description)
    expected: dict[str, set[tuple[str, str]]] = {}
    for placed in board.parts:
        part = parts[placed.part.ref]
        for pin in part.kind.pins:
            if net := part.net(pin):
                expected.setdefault(net, set()).add((part.ref, pin.number))
    assert drawn(board).nets == expected


@each_board
def test_the_file_has_the_footprints_of_the_netlist(wiring: Wiring, board: Board) -> None:
    on_file = drawn(board)
    named = {part.ref: part.kind.footprint for part in wiring.parts}
    assert all(named.get(ref, footprint) == footprint for ref, footprint in on_file.footprints.items())
    for placed in board.parts:
        numbers = {pad.number for ref, pad, _ in on_file.pads if ref == placed.part.ref}
        assert numbers == {pin.number for pin in placed.part.kind.pins}


@each_board
def test_the_file_has_every_net_joined_and_no_two_too_close(description: Description, board: Board) -> None:
    assert list(complaints(drawn(board), currents(description)[board.name])) == []
    assert drawn(board).planes == ((GROUND, Side.TOP), (GROUND, Side.BOTTOM))


Fault = Callable[[Copper], Copper]


def without(net: str) -> Fault:
    def change(copper: Copper) -> Copper:
        longest = max((t for t in copper.tracks if t.net == net), key=lambda track: dist(track.start, track.end))
        return replace(copper, tracks=tuple(track for track in copper.tracks if track != longest))

    return change


def thin(copper: Copper) -> Copper:
    return replace(copper, tracks=tuple(replace(t, width=0.3) if t.net == "5V_IN" else t for t in copper.tracks))


def narrow(copper: Copper) -> Copper:
    return replace(copper, vias=tuple(replace(via, drill=0.4) if via.net == "3V3" else via for via in copper.vias))


def aside(copper: Copper) -> Copper:
    def moved(value: tuple[float, float]) -> tuple[float, float]:
        return value[0], value[1] + 1.0

    return replace(
        copper,
        tracks=tuple(replace(t, start=moved(t.start), end=moved(t.end)) if t.net == "A1" else t for t in copper.tracks),
    )


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (without("SELECT_7"), r"SELECT_7: \d+ of \d+ pads, vias and tracks are not joined to the others\."),
        (without("GND"), r"GND: \d+ of \d+ pads, vias and tracks are not joined to the others\."),
        (thin, r"5V_IN: a track of 0\.3 mm is too thin for 4292 mA\."),
        (narrow, r"3V3: a via with a hole of 0\.4 mm is too narrow for 2012 mA\."),
        (aside, r"(A1 and .*|.* and A1) are 0\.\d+ mm apart\."),
    ],
)
def test_a_fault_in_the_copper_is_found(description: Description, fault: Fault, sentence: str) -> None:
    right = drawn(HUB)
    wrong = replace(right, copper=fault(right.copper))
    found = list(complaints(wrong, currents(description)["hub"]))
    assert any(re.fullmatch(sentence, each) for each in found), found


@each_board
def test_what_is_printed_is_of_the_standard_class_of_makers_of_boards(board: Board) -> None:
    text = board_file(board).read_text(encoding="utf-8")
    printed = [line for line in text.splitlines() if '"F.SilkS"' in line]
    letters = re.findall(r"\(font \(size ([\d.]+) ([\d.]+)\) \(thickness ([\d.]+)\)\)", "\n".join(printed))
    strokes = re.findall(r"\(width ([\d.]+)\)", "\n".join(printed))
    assert len(letters) > 10
    assert len(strokes) > 5
    assert min(float(high) for high, _, _ in letters) >= 1.0
    assert min(map(float, [*(thick for _, _, thick in letters), *strokes])) >= 0.15


@each_board
def test_the_wide_nets_carry_their_currents(description: Description, board: Board) -> None:
    for net, ma in currents(description)[board.name].items():
        assert carries_ma(board.gauge(net).width) >= ma, net


def test_the_readers_get_their_volts_through_the_boards(description: Description, dimensions: Dimensions) -> None:
    assert description.timing.least_reader_volts < left_at_the_readers(description, reach_of(dimensions)) < 3.3


def test_the_resistance_of_a_track_is_that_of_its_copper() -> None:
    hub = drawn(HUB)
    # From the socket to the first MOSFET: 2.25 mm wide, some centimetres long, half a milliohm for each square.
    assert 0.001 < ohms_between(hub, "5V_IN", ("J1", "1"), ("Q1", "2")) < 0.01


def test_every_board_s_files_are_those_of_its_tracks() -> None:
    for file, make in circuit_boards(kept):
        assert file.read_text(encoding="utf-8") == make(), f"{file.name}: run 'make hardware'"


@pytest.mark.campaign
def test_the_router_finds_the_same_tracks_again() -> None:
    for file, make in circuit_boards(routed):
        assert file.read_text(encoding="utf-8") == make(), f"{file.name}: run 'make hardware'"


@each_board
def test_kicad_had_nothing_to_complain_about_in_this_very_file(board: Board) -> None:
    said = tomllib.loads(VERDICT.read_text(encoding="utf-8"))[board.name]
    assert said["sha256"] == sha256(board_file(board).read_bytes()).hexdigest(), "run 'make carrier' (KiCad 9)"
    assert [said[what] for what in ("errors", "warnings", "unconnected", "differences")] == [0, 0, 0, 0]
    assert (said["tracks"], said["vias"]) == (len(kept(board).tracks), len(kept(board).vias))


@each_board
def test_the_archive_to_order_with_has_every_layer_and_every_hole(board: Board) -> None:
    with zipfile.ZipFile(order_file(board)) as archive:
        assert {name.partition("-")[2] for name in archive.namelist()} == {
            *("F_Cu.gtl", "B_Cu.gbl", "F_Mask.gts", "B_Mask.gbs", "F_Silkscreen.gto", "Edge_Cuts.gm1"),
            *("PTH.drl", "NPTH.drl"),
        }
        plated, bare = (archive.read(f"{board.name}-{kind}.drl").decode() for kind in ("PTH", "NPTH"))
    on_file = drawn(board)
    assert len(re.findall(r"^X", plated, re.MULTILINE)) == len(on_file.pads) + len(on_file.copper.vias)
    assert len(re.findall(r"^X", bare, re.MULTILINE)) == len(board.screws)


def test_what_is_soldered_is_listed_with_the_profiles_that_leave_it_out() -> None:
    bills = {file.name: make() for file, make in texts() if file.suffix == ".csv"}
    assert "1,74AHCT125,,Package_DIP:DIP-14_W7.62mm,U3,pi-simple pico-simple\n" in bills["hub-parts.csv"]
    assert "RN1" in bills["rank-parts.csv"]


def test_without_kicad_a_sentence_says_what_is_missing() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "hardware.carrier"], cwd=FOLDER.parent, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("This needs KiCad 9 with its libraries and its Python")
