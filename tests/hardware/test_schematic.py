"""The schematics: everything is on them, joined as on the boards, and readable."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest

from hardware.carrier.files import board_file, ordered_boards
from hardware.carrier.layout import Board, read_carriers
from hardware.carrier.reading import read_board
from hardware.schematic.arrangement import WIRE, sheet_of
from hardware.schematic.sheet_file import schematic_text
from hardware.schematic.sheet_reading import nets_of_schematic
from hardware.schematic.sheets import RULE_CHECK, schematic_file

EVERY = pytest.mark.parametrize("board", ordered_boards(), ids=lambda board: board.name)


def joined_in(file: Path) -> dict[str, frozenset[tuple[str, str]]]:
    """The nets of a schematic without the flags that say what is fed."""
    nets = nets_of_schematic(file).items()
    return {name: frozenset(pin for pin in pins if not pin[0].startswith("#")) for name, pins in nets}


@EVERY
def test_the_nets_of_the_schematic_are_those_of_the_board(board: Board) -> None:
    drawn = read_board(board_file(board))
    sheet = joined_in(schematic_file(board))
    assert {name: pins for name, pins in sheet.items() if name in drawn.nets} == drawn.nets
    # What else there is on the sheet are single pins that nothing is joined to, the same as on the board.
    alone = {pins for name, pins in sheet.items() if name not in drawn.nets}
    assert alone == {frozenset({(ref, pad.number)}) for ref, pad, net in drawn.pads if pad.number and not net}


@EVERY
def test_a_wire_on_another_pin_is_found(board: Board, tmp_path: Path) -> None:
    text = schematic_text(board)
    wrong = tmp_path / "wrong.kicad_sch"
    wrong.write_text(text.replace('(label "MISO"', '(label "SCK_1"', 1), encoding="utf-8")
    assert joined_in(wrong) != joined_in(schematic_file(board))


@EVERY
def test_the_schematic_has_the_footprints_and_values_of_the_board(board: Board) -> None:
    text = schematic_file(board).read_text(encoding="utf-8")
    for part in (placed.part for placed in board.parts if placed.part.kind.pins):
        _, found, rest = text.partition(f'(property "Reference" "{part.ref}" ')
        assert found, part.ref
        own = rest.partition("(instances")[0]
        assert f'"Footprint" "{part.kind.footprint}"' in own, part.ref
        assert f'"Value" "{part.value or part.kind.name}"' in own, part.ref


@EVERY
def test_no_two_parts_share_a_place_and_all_stand_inside_the_frame_of_their_heading(board: Board) -> None:
    sheet = sheet_of(board)
    for block in sheet.blocks:
        for standing in block.standing:
            assert block.upper <= standing.y - standing.symbol.half_height, standing.part.ref
            assert standing.y + standing.symbol.half_height <= block.lower, standing.part.ref
            for each in standing.symbol.pins:
                letters = 0.9 * len(standing.part.net(each.pin) or "")
                end = each.x - WIRE - letters if each.leftmost else each.x + WIRE + letters
                assert block.left <= standing.x + end <= block.right, (standing.part.ref, each.pin.name)
    for one, other in combinations(sheet.standing, 2):
        apart = abs(one.y - other.y) >= one.symbol.half_height + other.symbol.half_height + 2
        beside = abs(one.x - other.x) >= one.symbol.half_width + other.symbol.half_width
        assert apart or beside, (one.part.ref, other.part.ref)
    for first, second in combinations(sheet.blocks, 2):
        below = first.lower <= second.upper or second.lower <= first.upper
        assert below or first.right <= second.left or second.right <= first.left, (first.title, second.title)


def test_every_part_stands_under_a_heading_of_its_own_kind() -> None:
    for board in ordered_boards():
        rest = [block for block in sheet_of(board).blocks if block.title == "Besides"]
        assert [standing.part.ref for block in rest for standing in block.standing] == [], board.name


def test_a_part_without_a_heading_is_drawn_all_the_same() -> None:
    board = read_carriers()[1]
    first, *others = board.parts
    strange = replace(board, parts=(replace(first, part=replace(first.part, ref="Z9")), *others))
    assert sheet_of(strange).blocks[-1].title == "Besides"


@EVERY
def test_kicad_s_electrical_rule_check_had_nothing_to_complain_about_in_this_very_file(board: Board) -> None:
    said = tomllib.loads(RULE_CHECK.read_text(encoding="utf-8"))[board.name]
    assert said["violations"] == 0
    assert said["sha256"] == sha256(schematic_file(board).read_bytes()).hexdigest(), "run 'make carrier' again"
