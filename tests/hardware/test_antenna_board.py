"""The antenna board: what would be ordered has the rank board's nets, no copper under its coils, and fits the wood."""

from __future__ import annotations

import csv
import re
import tomllib
import zipfile
from hashlib import sha256
from itertools import combinations, pairwise
from math import dist, hypot

import pytest

from hardware.antenna.coil import corners, length_mm, lines
from hardware.antenna.design import read_antenna
from hardware.antenna.filaments import Mesh
from hardware.antenna.order import order_lines
from hardware.antenna.strip import CHANNELS, antenna_board, header
from hardware.antenna.strip_tracks import coil_copper
from hardware.antenna.wood import antenna_grid, coil_places, hangs_down, lying_boards
from hardware.carrier.checks import complaints
from hardware.carrier.copper import Side, Track, between_lines, carries_ma, from_line
from hardware.carrier.files import MADE, VERDICT, board_file, order_file, positions_file
from hardware.carrier.footprints import Box, Pad
from hardware.carrier.layout import fullest
from hardware.carrier.nearby import Piece, apart, pieces
from hardware.carrier.reading import List, parsed, read_board
from hardware.description import FOLDER, Description
from hardware.dimensions import Dimensions, Point
from hardware.plates import keeper
from hardware.wiring import FILES, GROUND

pytestmark = pytest.mark.slow

ANTENNA, BOARD = read_antenna(), antenna_board()
ON_FILE = read_board(board_file(BOARD))
COPPER = list(pieces(ON_FILE.pads_by_net, ON_FILE.copper))
MIDDLES = [ANTENNA.coil_middle(channel) for channel in range(CHANNELS)]
PARTS = {placed.part.ref: placed for placed in BOARD.parts}


def around_coil(middle: Point, more: float) -> Box:
    half = ANTENNA.coil.outer / 2 + more
    return middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_its_header_is_the_rank_board_s_pin_by_pin(description: Description) -> None:
    like, own = fullest(description)["J21"], header(ANTENNA).part
    assert [(pin.number, like.net(pin)) for pin in like.kind.pins] == [
        (pin.number, own.net(pin)) for pin in own.kind.pins
    ]
    on_file = {(pad.number, net) for ref, pad, net in ON_FILE.pads if ref == own.ref}
    assert on_file == {(pin.number, like.net(pin)) for pin in like.kind.pins}


@pytest.mark.parametrize("channel", range(CHANNELS))
def test_each_chip_hangs_on_the_lines_of_the_module_that_it_replaces(description: Description, channel: int) -> None:
    rank = fullest(description)
    module, gates = rank[f"READER_{FILES[channel]}1"].joins, rank["U11"].joins
    chip, gate = PARTS[f"U{channel + 1}1"].part.joins, PARTS[f"U{channel + 1}2"].part.joins
    assert [chip[name] for name in ("NSS", "SCK", "MOSI")] == [module[name] for name in ("SDA", "SCK", "MOSI")]
    assert [chip["NRSTPD"], chip["TVDD"], chip["PAD"]] == [module[name] for name in ("RST", "3.3V", "GND")]
    number = channel + 1
    assert (gate["OE"], gate["Y"]) == (gates[f"{number}OE"], gates[f"{number}Y"])
    assert gate["A"] == chip["MISO"]
    # I2C low and EA high: the chip speaks SPI.
    assert (chip["I2C"], chip["EA"]) == (GROUND, "3V3")


def test_no_select_line_and_no_answer_is_left_open() -> None:
    for channel in range(1, CHANNELS + 1):
        resistors = [set(placed.part.joins.values()) for ref, placed in PARTS.items() if ref[0] == "R"]
        assert {f"SELECT_{channel - 1}", "3V3"} in resistors
        assert {f"MISO_{channel}", GROUND} in resistors


def test_nothing_is_in_the_way_of_anything() -> None:
    assert list(BOARD.complaints()) == []


def test_the_file_has_every_pin_on_its_net() -> None:
    expected: dict[str, set[tuple[str, str]]] = {}
    for placed in BOARD.parts:
        for pad, net in placed.pads:
            if net:
                expected.setdefault(net, set()).add((placed.part.ref, pad.number))
    assert ON_FILE.nets == expected
    assert ON_FILE.footprints == {placed.part.ref: placed.footprint.name for placed in BOARD.parts}


def test_the_file_has_every_net_joined_and_no_two_too_close(description: Description) -> None:
    four = CHANNELS * (description.power.reader_ma + description.power.field_ma)
    bus = [track for track in ON_FILE.copper.tracks if track.net == "3V3" and track.width == ANTENNA.bus["3V3"][1]]
    assert len(bus) == 1
    assert carries_ma(bus[0].width) > four
    own = four / CHANNELS
    assert list(complaints(ON_FILE, {"3V3": own}, BOARD.rules.clearance)) == []


def zones() -> list[tuple[str, list[Point]]]:
    """Of each zone in the file its layer and its corners, from the corner of the board."""
    whole = parsed(board_file(BOARD).read_text(encoding="utf-8"))

    def lists(of: List, name: str) -> list[List]:
        return [each for each in of if isinstance(each, list) and each[0] == name]

    (outline,) = (each for each in lists(whole, "gr_rect") if lists(each, "layer")[0][1] == "Edge.Cuts")
    x0, y0 = (float(str(value)) for value in lists(outline, "start")[0][1:])
    found = []
    for zone in lists(whole, "zone"):
        points = lists(lists(lists(zone, "polygon")[0], "pts")[0], "xy")
        corner_points = [(float(str(x)) - x0, float(str(y)) - y0) for _, x, y in points]
        found.append((str(lists(zone, "layer")[0][1]), corner_points))
    return found


def near_a_coil(outline: list[Point]) -> list[str]:
    """What is wrong with where a plane is."""
    edges = list(zip(outline, [*outline[1:], outline[0]], strict=True))
    found = []
    for file, middle in zip(FILES, MIDDLES, strict=True):
        left, upper, right, lower = around_coil(middle, ANTENNA.coil.keep_out - 1e-6)
        across = ((left, middle[1]), (right, middle[1])), ((middle[0], upper), (middle[0], lower))
        if any(left < x < right and upper < y < lower for x, y in outline) or any(
            between_lines(edge, line) == 0 for edge in edges for line in across
        ):
            found.append(f"a plane is near the coil of {file}")
        # Every plane has to end in front of the coil: what lies behind or on both sides of it could be a ring.
        if any(left + 1 < x < right - 1 and y > upper for x, y in outline):
            found.append(f"a plane goes around the coil of {file}")
    return found


def test_no_plane_comes_near_a_coil_and_none_goes_around_one() -> None:
    found = zones()
    assert {layer for layer, _ in found} == {side.value for side in Side}
    assert [near_a_coil(outline) for _, outline in found] == [[], []]
    tracks = [track for track in ON_FILE.copper.tracks if not track.net.startswith("COIL_")]
    for middle in MIDDLES:
        left, _, right, lower = around_coil(middle, 0)
        assert [t.net for t in tracks if max(t.start[1], t.end[1]) > lower and left < t.start[0] < right] == []


@pytest.mark.parametrize("fault", ["all over", "a ring", "closer"])
def test_a_plane_in_the_wrong_place_is_found(fault: str) -> None:
    outline = list(BOARD.outline)
    width, height = BOARD.size
    match fault:
        case "all over":
            outline = [(0.5, 0.5), (width - 0.5, 0.5), (width - 0.5, height - 0.5), (0.5, height - 0.5)]
        case "a ring":
            x = MIDDLES[0][0]
            # From the first field's lower right corner around the coil's back.
            hook = [(x - 26, 58.0), (x + 10, 58.0), (x + 10, 59.0), (x - 27, 59.0), (x - 27, 50.0)]
            outline = [*outline[:-1], *hook, outline[-1]]
        case "closer":
            outline = [(x + 0.5, y) for x, y in outline]
    assert near_a_coil(outline) != []


def test_nothing_but_its_own_copper_is_under_a_coil() -> None:
    for channel, middle in enumerate(MIDDLES, 1):
        box = around_coil(middle, 2.5)
        there = {piece.net for piece in COPPER if overlap(piece.box, box)}
        assert there == {f"COIL_{channel}"}


def test_the_coils_on_the_file_are_the_one_that_was_calculated() -> None:
    for channel, middle in enumerate(MIDDLES):
        net = f"COIL_{channel + 1}"
        calculated = set(coil_copper(ANTENNA, channel).tracks)
        assert {track for track in ON_FILE.copper.tracks if track.net == net} == calculated
        turns = [track for track in calculated if track.side is Side.BOTTOM]
        long = sum(dist(track.start, track.end) for track in turns)
        lead = abs(corners(ANTENNA.coil)[0][0] - ANTENNA.coil.feed[0])
        assert long == pytest.approx(length_mm(ANTENNA.coil) + lead)
        assert all(from_line(middle, track.start, track.end) > 10 for track in turns)


def test_the_turns_of_a_coil_keep_their_distance_and_touch_only_end_to_end() -> None:
    turns = [track for track in coil_copper(ANTENNA, 0).tracks if track.side is Side.BOTTOM]
    net_of = {track: f"turn {number}" for number, track in enumerate(turns)}
    for one, other in combinations(turns, 2):
        if {one.start, one.end}.isdisjoint({other.start, other.end}):
            gap = apart(Piece(net_of[one], one), Piece(net_of[other], other))
            assert gap >= ANTENNA.coil.gap - 1e-6


def test_where_the_coil_is_crossed_it_is_crossed_on_the_other_side() -> None:
    own = coil_copper(ANTENNA, 0)
    above = [track for track in own.tracks if track.side is Side.TOP]
    below = [track for track in own.tracks if track.side is Side.BOTTOM]
    crossing = [(a, b) for a in above for b in below if between_lines((a.start, a.end), (b.start, b.end)) == 0]
    assert len({b for _, b in crossing}) >= ANTENNA.coil.turns - 1
    vias = {via.at for via in own.vias}
    assert {(below[0].start), *(t.end for t in below)} >= {min(vias, key=lambda at: at[0])}


def test_all_channels_are_alike() -> None:
    def moved(piece: Track | Pad, aside: float) -> tuple[float, ...]:
        if isinstance(piece, Track):
            return (
                piece.side is Side.TOP,
                *(round(x - aside, 3) for x in (piece.start[0], piece.end[0])),
                piece.start[1],
            )
        return round(piece.at[0] - aside, 3), piece.at[1], piece.size

    first, second = (
        {
            moved(piece.shape, x)
            for piece in COPPER
            if piece.net.startswith(("FILTERED", "MATCHED", "COIL", "TX"))
            and abs(piece.box[0] - x) < 55
            and piece.net.endswith(f"_{number}")
        }
        for number, (x, _) in enumerate(MIDDLES[:2], 1)
    )
    assert len(first) > 40
    assert first == second


def test_kicad_had_nothing_to_complain_about_in_this_board_either() -> None:
    said = tomllib.loads(VERDICT.read_text(encoding="utf-8"))[BOARD.name]
    assert said["sha256"] == sha256(board_file(BOARD).read_bytes()).hexdigest(), "run 'make carrier' (KiCad 9)"
    assert [said[what] for what in ("errors", "warnings", "unconnected", "differences")] == [0, 0, 0, 0]
    assert (said["tracks"], said["vias"]) == (len(ON_FILE.copper.tracks), len(ON_FILE.copper.vias))


def test_the_archive_has_the_layer_for_paste_and_every_hole() -> None:
    with zipfile.ZipFile(order_file(BOARD)) as archive:
        names = {name.partition("-")[2] for name in archive.namelist()}
        drills = archive.read(f"{BOARD.name}-PTH.drl").decode()
    assert names >= {"F_Paste.gtp", "F_Cu.gtl", "B_Cu.gbl", "F_Mask.gts", "B_Mask.gbs", "Edge_Cuts.gm1"}
    assert len(re.findall(r"^X", drills, re.MULTILINE)) == len(ON_FILE.copper.vias)


def test_the_lists_for_the_board_house_have_every_part_once() -> None:
    soldered = sorted(ref for ref, placed in PARTS.items() if placed.part.kind.pins)
    with (MADE / "antenna-parts.csv").open(encoding="utf-8", newline="") as file:
        listed = [ref for row in csv.DictReader(file) for ref in row["Designator"].split()]
    with positions_file(BOARD).open(encoding="utf-8", newline="") as file:
        placed_refs = [row["Designator"] for row in csv.DictReader(file)]
    assert sorted(listed) == sorted(placed_refs) == soldered


def test_every_part_has_two_sources() -> None:
    assert [line.what for line in order_lines() if len(set(line.codes)) < 2] == []


def test_the_piece_that_is_sawn_off_has_one_whole_channel_and_the_header() -> None:
    x, y = MIDDLES[-1]
    left, upper, right, lower = ANTENNA.board["give_piece"]
    piece = (x + left, y + upper, x + right, y + lower)
    inside = {
        ref
        for ref, placed in PARTS.items()
        if placed.part.kind.pins and overlap(placed.box(placed.footprint.court), piece)
    }
    assert inside == {ref for ref in PARTS if re.match(rf"[A-Z]+{CHANNELS}\d", ref)} | {"J20"}
    # The saw meets nothing but the bus.
    cut = ((piece[0], 0.0), (piece[0], BOARD.size[1]))
    met = {
        piece.net
        for piece in COPPER
        if isinstance(piece.shape, Track) and between_lines((piece.shape.start, piece.shape.end), cut) < 1
    }
    assert met <= set(ANTENNA.bus)
    assert overlap(piece, around_coil(MIDDLES[-1], 0))
    assert not overlap(piece, around_coil(MIDDLES[-2], 0))


def test_every_coil_comes_to_lie_in_the_middle_of_its_square(dimensions: Dimensions) -> None:
    places = dict(coil_places(dimensions))
    assert len(places) == 16
    for name, (x, y) in places.items():
        assert dist((x, y), dimensions.square(name)) < 1e-6
    assert ANTENNA.board["pitch"] == dimensions.board.pitch
    left, front, right, back = lying_boards(dimensions)["the give place"]
    assert left < dimensions.board.offer[0] - ANTENNA.coil.outer / 2 < right
    assert front < dimensions.board.offer[1] - ANTENNA.coil.outer / 2 < back


def test_the_boards_fit_the_wood_and_leave_walls_between_them(dimensions: Dimensions) -> None:
    grid = antenna_grid(dimensions)
    assert len(grid.cuts) > 5
    assert [what for gap, what in grid.walls() if gap < dimensions.limits.wall] == []
    boxes = lying_boards(dimensions)
    assert not any(overlap(one, other) for one, other in combinations(boxes.values(), 2))


def keepers_across(dimensions: Dimensions) -> list[Box]:
    """The keepers of the modules, turned by a quarter: two under each file."""
    strip, middle = keeper(dimensions), (dimensions.square("a1")[1] + dimensions.square("a4")[1]) / 2
    found = []
    for file in FILES:
        for aside in (-dimensions.reader.keeper_aside, dimensions.reader.keeper_aside):
            x, half = dimensions.square(f"{file}1")[0] + aside, strip.height / 2
            found.append((x - half, middle - strip.width / 2, x + half, middle + strip.width / 2))
    return found


def test_the_keepers_reach_over_all_ranks_and_pass_parts_and_lights(dimensions: Dimensions) -> None:
    rows = [box for name, box in lying_boards(dimensions).items() if name.startswith("rank")]
    grid = antenna_grid(dimensions)
    x0, y0 = grid.corner
    lights = [
        (
            cut.x + x0 - cut.width / 2,
            cut.y + y0 - cut.height / 2,
            cut.x + x0 + cut.width / 2,
            cut.y + y0 + cut.height / 2,
        )
        for cut in grid.cuts
        if cut.what.startswith("the light of")
    ]
    assert len(lights) == 16
    parts = [placed.box(placed.footprint.court) for placed in BOARD.parts if placed.part.kind.pins]
    for bar in keepers_across(dimensions):
        assert bar[1] < min(box[1] for box in rows)
        assert bar[3] > max(box[3] for box in rows)
        assert not any(overlap(bar, light) for light in lights)
        for left, front, *_ in rows:
            there = [(left + x1, front + y1, left + x2, front + y2) for x1, y1, x2, y2 in parts]
            assert not any(overlap(bar, part) for part in there)


def test_the_keepers_screws_find_wood_and_stay_away_from_the_coils(dimensions: Dimensions) -> None:
    rows = sorted(
        (box for name, box in lying_boards(dimensions).items() if name != "the give place"), key=lambda b: b[1]
    )
    edges = [y + side * ANTENNA.coil.outer / 2 for _, (_, y) in coil_places(dimensions) for side in (-1, 1)]
    for one, other in pairwise(rows):
        assert other[1] - one[3] > 10
        middle = (one[3] + other[1]) / 2
        assert min(abs(middle - edge) for edge in edges) > 7


def test_no_screw_of_the_surface_is_over_a_board(dimensions: Dimensions) -> None:
    screw = dimensions.case.side
    board = dimensions.board
    for left, front, right, back in lying_boards(dimensions).values():
        assert min(left, front, board.width - right, board.depth - back) >= screw


def test_what_hangs_down_from_the_boards_meets_nothing_on_the_floor(dimensions: Dimensions) -> None:
    room = dimensions.electronics
    tallest = max(room.hub_height + room.hub_feet, room.pi_height + room.pi_feet)
    assert hangs_down(BOARD, dimensions) + tallest < dimensions.case.clear
    # But for the header everything is lower than the grid is thick: keepers lie flat.
    others = [placed.footprint.height for placed in BOARD.parts if placed.part.ref != "J20"]
    assert ANTENNA.board["thickness"] + max(others) < dimensions.case.grid


def test_the_ends_of_a_coil_reach_its_damping_resistors_and_no_others() -> None:
    for number in range(1, CHANNELS + 1):
        assert ON_FILE.nets[f"COIL_{number}"] == {(f"R{number}05", "2"), (f"R{number}06", "2")}


def test_metal_keeps_away_from_the_coils() -> None:
    body = PARTS["J20"].box(PARTS["J20"].footprint.body)
    for x, y in MIDDLES:
        half = ANTENNA.coil.outer / 2
        across = max(body[0] - x - half, x - half - body[2], 0)
        along = max(body[1] - y - half, y - half - body[3], 0)
        assert hypot(across, along) > 5


def test_the_page_says_what_the_files_say() -> None:
    page = (FOLDER / "antenna.md").read_text(encoding="utf-8")
    coil, board, network = ANTENNA.coil, ANTENNA.board, ANTENNA.network
    words = " ".join(page.split())
    tracks, cells = len(lines(coil)), Mesh().across * Mesh().over
    for said in (
        f"one board of {board['size'][0]:g} x {board['size'][1]:g} mm",
        f"A square of {coil.outer:g} mm with four turns of {coil.width:g} mm",
        f"beside each coil, {coil.keep_out:g} mm away",
        f"cut into {cells}, and every two of the {tracks * cells} are coupled",
        f"{network.stray_farad * 1e12:g} pF are assumed",
        f"{ANTENNA.drive.driver_ohm:g} ohm each are assumed",
        f"more than the {ANTENNA.drive.most_ma:g} mA it bears",
        f"tracks from {BOARD.rules.signal.width:g} mm, gaps from {BOARD.rules.clearance:g} mm",
        f"holes of {BOARD.rules.signal.drill:g} mm",
        "not ordered, not measured, not built",
    ):
        assert said in words, said
    assert coil.turns == 4
    off = ANTENNA.tolerance
    assert "capacitors by 1 %, inductors by 5, the coil by 3, resistors by 1" in words
    assert (off.capacitor, off.filter_capacitor, off.inductor, off.coil, off.resistor) == (0.01, 0.01, 0.05, 0.03, 0.01)


def test_the_guide_s_entrance_says_that_the_antenna_board_has_to_be_measured_first() -> None:
    guide = " ".join((FOLDER / "README.md").read_text(encoding="utf-8").split())
    assert "once somebody has made a prototype and the one measurement that the page describes; nobody has yet" in guide
