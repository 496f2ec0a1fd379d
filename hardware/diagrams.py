"""Wiring diagrams, drawn by WireViz and Graphviz: what hands have to join, cable by cable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from hardware.description import Pin, PinKind
from hardware.wiring import Part, Wiring
from quarto_pi.sensing.readings import SQUARE_NAMES

_COLOURS: Final = {
    "3V3": "OG",
    "GND": "BK",
    "STRIP": "TQ",
    "SCK": "YE",
    "MOSI": "BU",
    "MISO": "GN",
    "SELECT": "VT",
    "5V": "RD",
    "LIGHT": "PK",
}
_FAR: Final = ("pi", "pico", "oled", "light", "button", "strip", "usb_plug", "jack")
"""Kinds of parts that sit elsewhere and are joined to the hub board by a cable."""
_GROUNDS_OF_A_HUB: Final = (1, 3, 4)
"""Which of a header's eight grounds get a wire: those beside the fast signals."""
_LENGTHS: Final = {"pi": 0.2, "pico": 0.1, "oled": 0.4, "light": 0.4, "button": 0.4, "strip": 0.3}
_THIN: Final = "0.14 mm2"
_GAUGES: Final = {"jack": "1.0 mm2", "usb_plug": "1.0 mm2", "strip": "0.5 mm2"}


def diagrams(wiring: Wiring) -> Iterator[tuple[str, dict[str, Any]]]:
    """The diagrams of a profile by name, as WireViz reads them."""
    yield wiring.profile.name, _around_the_hub_board(wiring)


def shared_diagrams(wiring: Wiring) -> Iterator[tuple[str, dict[str, Any]]]:
    """The diagrams that are the same for every profile with an offer reader."""
    # The other ranks differ in their select lines alone; a table of the guide has those.
    yield "rank-1", _rank(wiring, 1)
    yield "offer-reader", _offer(wiring)


def draw(diagram: dict[str, Any]) -> str:
    """A diagram as SVG."""
    from wireviz.wireviz import parse  # noqa: PLC0415 # only who draws needs it

    svg = str(parse(diagram, return_types=("svg",)))
    # The comments name the version of Graphviz; the titles say what the boxes say.
    svg = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    return svg[svg.index("<svg") :].rstrip() + "\n"


def words_and_wires(svg: str) -> tuple[list[str], int]:
    """What a diagram says and how many lines it has, whatever Graphviz and fonts placed it."""
    return sorted(re.findall(r"<text [^>]*>([^<]*)</text>", svg)), svg.count("<path")


def _colour(net: str) -> str:
    for start, colour in _COLOURS.items():
        if start in net:
            return colour
    return "WH"


def _around_the_hub_board(wiring: Wiring) -> dict[str, Any]:
    connectors: dict[str, Any] = {}
    cables: dict[str, Any] = {}
    connections: list[list[dict[str, list[int]]]] = []
    # Graphviz draws the last one uppermost.
    for part in reversed([part for key in _FAR for part in wiring.of_kind(key)]):
        pins = _pins_with_wires(part)
        if not pins:
            continue
        nets = [part.joins[pin.name] for pin in pins]
        here, cable = f"Hub board, {part.ref}", f"Lead {part.ref}"
        connectors[part.ref] = {
            "type": part.kind.name,
            "pins": [int(pin.number) for pin in pins],
            "pinlabels": [pin.name for pin in pins],
        }
        connectors[here] = {"type": "wires to the hub board", "pinlabels": nets}
        gauge = _GAUGES.get(part.kind.key, _THIN)
        cables[cable] = _cable(nets, _LENGTHS.get(part.kind.key, 0.3), gauge)
        count = list(range(1, len(pins) + 1))
        connections.append([{part.ref: [int(pin.number) for pin in pins]}, {cable: count}, {here: count}])
    return {"connectors": connectors, "cables": cables, "connections": connections}


def _pins_with_wires(part: Part) -> list[Pin]:
    joined = [pin for pin in part.kind.pins if pin.name in part.joins]
    if part.kind.key not in ("pi", "pico"):
        return joined
    grounds = [pin for pin in joined if pin.kind is PinKind.GROUND]
    wanted = [grounds[index] for index in _GROUNDS_OF_A_HUB]
    signals = [pin for pin in joined if pin.kind is PinKind.IO]
    # The Pi's own 3.3 V feeds the display alone.
    own = [pin for pin in joined if pin.kind is PinKind.SOURCE and part.kind.key == "pi"]
    return [pin for pin in joined if pin in (*own, *signals, *wanted)] if signals else []


def _cable(nets: list[str], length: float, gauge: str) -> dict[str, Any]:
    colours = [_colour(net) for net in nets]
    return {"wirecount": len(nets), "colors": colours, "wirelabels": nets, "gauge": gauge, "length": length}


def _rank(wiring: Wiring, rank: int) -> dict[str, Any]:
    far = wiring.part(f"J2{rank}")
    nets = [far.joins[pin.name] for pin in far.kind.pins]
    count = list(range(1, len(nets) + 1))
    box = {"type": "box header 2 x 7", "pinlabels": nets}
    here, there, ribbon = f"Hub board J1{rank}", f"Rank board J2{rank}", f"Ribbon {rank}"
    drawing: dict[str, Any] = {
        "connectors": {here: box, there: box},
        "cables": {ribbon: _cable(nets, wiring.description.timing.ribbon_m, "28 AWG")},
        "connections": [[{here: count}, {ribbon: count}, {there: count}]],
    }
    for square in (square for square in SQUARE_NAMES if square[1] == str(rank)):
        _join_reader(wiring, square, f"Rank board {rank}, {square}", drawing)
    return drawing


def _offer(wiring: Wiring) -> dict[str, Any]:
    drawing: dict[str, Any] = {"connectors": {}, "cables": {}, "connections": []}
    _join_reader(wiring, "offer", "Hub board, offer", drawing)
    return drawing


def _join_reader(wiring: Wiring, cell: str, board: str, drawing: dict[str, Any]) -> None:
    """Add a reader, the header that it hangs on, and the lead between them."""
    reader = wiring.part(f"READER_{cell}")
    pins = [pin for pin in reader.kind.pins if pin.name in reader.joins]
    nets = [reader.joins[pin.name] for pin in pins]
    numbers = [int(pin.number) for pin in pins]
    lead = f"Lead {cell}"
    drawing["connectors"][board] = {"type": "pin header 1 x 8", "pins": numbers, "pinlabels": nets}
    drawing["connectors"][reader.ref] = {
        "type": reader.kind.name,
        "pins": numbers,
        "pinlabels": [pin.name for pin in pins],
    }
    drawing["cables"][lead] = _cable(nets, wiring.description.timing.lead_m, _THIN)
    drawing["connections"].append([{board: numbers}, {lead: list(range(1, len(pins) + 1))}, {reader.ref: numbers}])
