"""The tables about the boards to order, each made from their files."""

from __future__ import annotations

import tomllib
from collections import Counter

from hardware.carrier.checks import least_gap, millimetres
from hardware.carrier.copper import Side, carries_ma
from hardware.carrier.files import VERDICT, board_file, ordered_boards
from hardware.carrier.layout import read_carriers
from hardware.carrier.loads import currents, ohms_between
from hardware.carrier.reading import Drawn, read_board
from hardware.description import Description
from hardware.dimensions import Dimensions
from hardware.leads import Reach
from hardware.markdown import markdown
from hardware.numbers import reader_volts
from hardware.wiring import FILES, RANKS

_FED: dict[str, tuple[tuple[str, str], tuple[tuple[str, str], ...]]] = {
    "hub": (("U4", "4"), (*((f"J1{rank}", "1") for rank in RANKS), ("READER_offer", "8"))),
    "rank": (("J21", "1"), tuple((f"READER_{file}1", "8") for file in FILES)),
}
"""Where 3.3 V come onto each board, and where they leave it."""


def volts_lost(description: Description, name: str, board: Drawn) -> float:
    """What is lost at most on a board's 3.3 V, had all of its current to go all of the way."""
    source, places = _FED[name]
    worst = max(ohms_between(board, "3V3", source, place) for place in places)
    return worst * currents(description)[name]["3V3"] / 1000


def left_at_the_readers(description: Description, reach: Reach) -> float:
    """What the last reader gets of 3.3 V through both boards and their cables."""
    lost = (volts_lost(description, board.name, read_board(board_file(board))) for board in read_carriers())
    return reader_volts(description, reach) - sum(lost)


def boards(_: Description, __: Dimensions) -> str:
    """What there is to order, and what KiCad said of it."""
    said = tomllib.loads(VERDICT.read_text(encoding="utf-8"))
    rows = []
    for board in ordered_boards():
        drawn, verdict = read_board(board_file(board)), said[board.name]
        top, bottom = (millimetres(drawn.copper.tracks, side) / 1000 for side in Side)
        rows.append(
            (
                board.title,
                f"{board.size[0]:g} x {board.size[1]:g}",
                len(drawn.pads),
                f"{top:.1f} m, {bottom:.1f} m",
                len(drawn.copper.vias),
                f"{least_gap(drawn):.2f} mm",
                f"{verdict['errors']}, {verdict['warnings']}, {verdict['unconnected']}",
            )
        )
    found = f"KiCad {said['kicad']}: errors, warnings, unconnected"
    return markdown(["board", "mm", "pads", "tracks: top, bottom", "vias", "least gap", found], rows)


def connectors(_: Description, __: Dimensions) -> str:
    """What is soldered onto the boards for the wires that come to them."""
    hub, rank = (Counter(placed.footprint.soldered for placed in board.parts) for board in read_carriers())
    rows = [(name, hub[name], len(RANKS) * rank[name]) for name in sorted({*hub, *rank}) if name]
    return markdown(["what", "hub board", "four rank boards"], rows)


def tracks(description: Description, _: Dimensions) -> str:
    """How wide the tracks of the supply are, and how much current that is good for."""
    rows = []
    for board in read_carriers():
        for net, ma in currents(description)[board.name].items():
            width = board.gauge(net).width
            rows.append((board.name, net, f"{ma:.0f}", f"{width:g}", f"{carries_ma(width):.0f}"))
    return markdown(["board", "net", "mA at worst", "track, mm", "good for, mA"], rows, 2)
