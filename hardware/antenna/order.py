"""What a board house needs to put the parts on: what they are, and where each of them sits, turned how."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from hardware.antenna.design import read_antenna
from hardware.antenna.strip import antenna_board, header
from hardware.carrier.board_file import CORNER, number4
from hardware.carrier.layout import Placed, read_carriers
from hardware.wiring import RANKS, Part, Wiring

BOARDS: Final = 5
"""Four ranks, and one of which the give place's piece is sawn off: the usual least order."""
_PICO: Final = {"p": 1, "n": 1000, "u": 1_000_000}


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line of the list: alike parts."""

    what: str
    value: str
    footprint: str
    refs: tuple[str, ...]
    codes: tuple[str, ...]
    euro: float
    memory: bool


def order_lines() -> tuple[OrderLine, ...]:
    """Every kind of part of one board, with what to order it as."""
    parts = sorted((each for each in antenna_board().parts if each.part.kind.pins), key=_alike)
    return tuple(_line(tuple(group)) for _, group in groupby(parts, key=_alike))


def with_antenna_boards(wiring: Wiring) -> Wiring:
    """The wiring as it is bought for with antenna boards: without modules and rank boards, and with a lead more."""
    rank = next(board for board in read_carriers() if board.name == "rank")
    gone = {f"{placed.part.ref[:-1]}{number}" for placed in rank.parts for number in RANKS}
    sockets = [part for part in wiring.of_kind("rank_socket") if part.ref in gone]
    parts = [part for part in wiring.parts if part.ref not in gone]
    kept = [_own_header(part) if part.kind.key == "reader" else part for part in parts]
    # The house that makes the boards puts their headers on; the ribbons want their sockets all the same.
    own = header(read_antenna()).part
    give = [own] if "offer" in wiring.profile.fittings else []
    return replace(wiring, parts=(*kept, *(replace(own, ref=socket.ref) for socket in sockets), *give))


def _own_header(part: Part) -> Part:
    """What a module's lead would come to, with no module."""
    return replace(part, ref="GIVE", kind=replace(part.kind, key="give header"))


def _alike(placed: Placed) -> tuple[str, str]:
    return placed.part.kind.key if placed.part.ref[0] != "J" else "strip_header", placed.part.value


def _line(parts: tuple[Placed, ...]) -> OrderLine:
    kind, value = _alike(parts[0])
    found = [each for each in read_antenna().orders if each["type"] == kind and value in each.get("values", [value])]
    if len(found) != 1:
        raise ValueError(f"{kind} {value}: antenna.toml has {len(found)} lines in [[orders]] for it, and needs one.")
    (order,) = found
    codes = tuple(code.format(pf3=_three_digits(value)) if "{" in code else code for code in order["codes"])
    name = parts[0].part.kind.name
    what = f"{name}, {order['what']}" if "what" in order and kind.startswith("small_") else order.get("what", name)
    footprint = parts[0].footprint.name.partition(":")[2]
    return OrderLine(
        what, value, footprint, tuple(each.part.ref for each in parts), codes, order["euro"], order["memory"]
    )


def _three_digits(value: str) -> str:
    """A capacitor's value as makers write it into codes: two digits of picofarad and the number of noughts behind.

    >>> _three_digits("56p"), _three_digits("100p"), _three_digits("1n")
    ('560', '101', '102')
    """
    digits = f"{float(value[:-1]) * _PICO[value[-1]]:.0f}"
    return f"{digits[:2]}{len(digits) - 2}"


def parts_text() -> str:
    """The list of parts of one board, as board houses read it."""
    rows: list[tuple[object, ...]] = [
        (line.value or line.what, " ".join(line.refs), line.footprint, len(line.refs), line.what, *line.codes)
        for line in order_lines()
    ]
    return _table(("Comment", "Designator", "Footprint", "Quantity", "What", "Order code", "Or"), rows)


def positions() -> Iterator[tuple[str, str, float, float, int]]:
    """Of each part its name, value, place and turn against the clock, as the Gerber files count: y goes up."""
    for placed in antenna_board().parts:
        if placed.part.kind.pins:
            (x, y), part = placed.at, placed.part
            yield part.ref, part.value or part.kind.name, CORNER + x, -(CORNER + y), 90 * placed.quarters


def positions_text() -> str:
    """Where each part sits, as board houses read it."""
    rows: list[tuple[object, ...]] = [
        (ref, value, number4(x), number4(y), turn, "top") for ref, value, x, y, turn in positions()
    ]
    return _table(("Designator", "Comment", "Mid X", "Mid Y", "Rotation", "Layer"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerows((head, *rows))
    return text.getvalue()
