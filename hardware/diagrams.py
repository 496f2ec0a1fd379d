"""Wiring diagrams as SVG: what hands have to join, cable by cable, each wire from pin to pin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import escape

from hardware.description import Pin, PinKind
from hardware.dimensions import Dimensions
from hardware.leads import Lead, leads
from hardware.wiring import GROUND, Part, Wiring
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES

_COLOURS: Final = {
    "STRIP": ("turquoise", "#0aa"),
    "3V3": ("orange", "#e80"),
    "GND": ("black", "#000"),
    "SCK": ("yellow", "#cb0"),
    "MOSI": ("blue", "#06c"),
    "MISO": ("green", "#080"),
    "SELECT": ("violet", "#80c"),
    "5V": ("red", "#c00"),
    "LIGHT": ("pink", "#e6a"),
}
_OTHER: Final = ("grey", "#777")
_FAR: Final = ("jack", "usb_plug", "oled", "light", "button", "strip")
"""Kinds of parts that sit elsewhere and are joined to the hub board by a lead, beside the Pi and the Pico."""
_THIN: Final = "0.14 mm2"
_RIBBON: Final = "ribbon cable, 28 AWG"
_CHARACTER: Final = 7.25
"""How wide a letter of a font is whose letters are all alike, at a size of 12."""
_ROW: Final = 18
_LEFT: Final = 10
_WIRE: Final = 240
_STYLE: Final = (
    "<style>text{font-family:'DejaVu Sans Mono','Liberation Mono',Courier,monospace;font-size:12px;fill:#222}"
    ".title{font-weight:bold}.box{fill:none;stroke:#333}.wire{fill:none;stroke-width:3}.idle{stroke-width:1;"
    "stroke:#bbb}.paper{fill:#fff}</style>"
)


@dataclass(frozen=True, slots=True)
class Strand:
    """A wire: the pin where it begins, that pin's name, its net, and the pin where it ends."""

    number: str
    name: str
    net: str
    end: str


@dataclass(frozen=True, slots=True)
class Cable:
    """What is joined in one go; a cable without a length is a plug that sits on the hub board."""

    here: str
    there: str
    words: str
    strands: tuple[Strand, ...]
    plugged: bool = False


def cables_of(wiring: Wiring, d: Dimensions) -> Iterator[Cable]:
    """Everything around the hub board of a profile."""
    lengths = {lead.name: lead for lead in leads(wiring, d)}
    for part in wiring.of_kind("pico"):
        yield _plugged(part, lengths[f"USB cable {part.ref}"])
    for part in wiring.of_kind("pi"):
        if wiring.of_kind("pico"):
            yield _single_wires(part, lengths[part.ref])
        else:
            yield _header_ribbon(part, lengths[part.ref])
    for part in (part for kind in _FAR for part in wiring.of_kind(kind)):
        strands = _strands(part, _joined(part))
        yield Cable(
            f"{part.ref}: {part.kind.name}",
            f"hub board, {part.ref}",
            _words(len(strands), _gauge(wiring, part), lengths[part.ref]),
            strands,
        )


def _gauge(wiring: Wiring, part: Part) -> str:
    timing = wiring.description.timing
    mm2 = {"jack": timing.supply_lead_mm2, "usb_plug": timing.pi_lead_mm2, "strip": timing.strip_lead_mm2}
    return f"{mm2[part.kind.key]} mm2" if part.kind.key in mm2 else _THIN


def rank_cables(wiring: Wiring, d: Dimensions, rank: int) -> Iterator[Cable]:
    """The ribbon to a rank board, and the leads from there to its readers."""
    lengths = {lead.name: lead for lead in leads(wiring, d)}
    far = wiring.part(f"J2{rank}")
    strands = tuple(Strand(pin.number, far.joins[pin.name], far.joins[pin.name], pin.number) for pin in far.kind.pins)
    words = _words(len(strands), f"{_RIBBON}, red edge at pin 1", lengths[f"ribbon {rank}"])
    yield Cable(f"rank board {rank}, J2{rank}", f"hub board, J1{rank}", words, strands)
    for square in (square for square in SQUARE_NAMES if square[1] == str(rank)):
        yield _reader_cable(wiring, square, f"rank board {rank}", lengths)


def offer_cables(wiring: Wiring, d: Dimensions) -> Iterator[Cable]:
    """The lead of the offer reader."""
    yield _reader_cable(wiring, OFFER, "hub board", {lead.name: lead for lead in leads(wiring, d)})


def _reader_cable(wiring: Wiring, cell: str, board: str, lengths: Mapping[str, Lead]) -> Cable:
    part = wiring.part(f"READER_{cell}")
    strands = _strands(part, _joined(part))
    words = _words(len(strands), _THIN, lengths[part.ref])
    return Cable(f"reader {cell}: {part.kind.name}", f"{board}, {part.ref}", words, strands)


def _joined(part: Part) -> list[Pin]:
    return [pin for pin in part.kind.pins if pin.name in part.joins]


def _strands(part: Part, pins: Iterable[Pin]) -> tuple[Strand, ...]:
    # The header on the board has the pins of what is joined to it, in the same order.
    return tuple(Strand(pin.number, pin.name, part.joins.get(pin.name, ""), pin.number) for pin in pins)


def _words(count: int, gauge: str, lead: Lead) -> str:
    return f"{count} wires, {gauge}, {lead.cut_mm} mm"


def _header_ribbon(part: Part, lead: Lead) -> Cable:
    strands = _strands(part, part.kind.pins)
    words = _words(len(strands), f"{_RIBBON}, red edge at pin 1 (the Pi's: inner row, towards its card)", lead)
    return Cable(f"{part.ref}: {part.kind.name}", f"hub board, {part.ref}", words, strands)


def _single_wires(part: Part, lead: Lead) -> Cable:
    """Beside a Pico: what stays on the Pi, and one ground."""
    joined = _joined(part)
    ground = next(pin for pin in joined if pin.kind is PinKind.GROUND)
    strands = _strands(part, [pin for pin in joined if pin is ground or part.joins[pin.name] != GROUND])
    words = _words(len(strands), f"single, {_THIN}, no ribbon", lead)
    return Cable(f"{part.ref}: {part.kind.name}", f"hub board, {part.ref}", words, strands)


def _plugged(part: Part, lead: Lead) -> Cable:
    words = f"plugged onto the hub board; its USB cable to the Pi, at least {lead.needed_mm:.0f} mm"
    return Cable(f"{part.ref}: {part.kind.name}", f"hub board, {part.ref}", words, _strands(part, _joined(part)), True)


def _paint(net: str) -> tuple[str, str]:
    return next((paint for start, paint in _COLOURS.items() if start in net), _OTHER)


def diagram_svg(cables: Sequence[Cable]) -> str:
    """Cables one below the other."""
    left = _LEFT + _across(max(len(strand.name) for cable in cables for strand in cable.strands) + 2)
    first, second = left + _across(4), left + _across(4) + _WIRE
    last = second + _across(4)
    right = last + _across(max(len(strand.net) for cable in cables for strand in cable.strands) + 2)
    widest = max(_LEFT + _across(len(words)) for cable in cables for words in (cable.words, _titles(cable)))
    lines: list[str] = []
    y = 24
    for cable in cables:
        lines += [_text(_LEFT, y, _titles(cable), "title"), _text(_LEFT, y + _ROW, cable.words)]
        y += 2 * _ROW
        top, bottom = y - 12, y - 12 + _ROW * len(cable.strands)
        for box in (_LEFT, left, first), (second, last, right):
            lines += [_box(one, other, top, bottom) for one, other in pairwise(box)]
        for strand in cable.strands:
            lines += _strand_svg(strand, y, (left, first, second, last), plugged=cable.plugged)
            y += _ROW
        y += _ROW
    width, height = max(right, widest) + _LEFT, y - 6
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
            _STYLE,
            '<rect class="paper" width="100%" height="100%"/>',
            *lines,
            "</svg>\n",
        ]
    )


def _titles(cable: Cable) -> str:
    return f"{cable.here}  -  {cable.there}"


def _strand_svg(strand: Strand, y: int, columns: tuple[int, int, int, int], *, plugged: bool) -> Iterator[str]:
    left, first, second, last = columns
    colour, paint = _paint(strand.net)
    yield _text(_LEFT + 7, y + 1, strand.name)
    yield _text(left + 6, y + 1, strand.number)
    if plugged or not strand.net:
        yield f'<path class="wire idle" d="M{first} {y - 3}H{second}"/>'
    else:
        yield f'<path class="wire" stroke="{paint}" d="M{first} {y - 3}H{second}"/>'
        middle, width = (first + second) // 2, _across(len(colour)) + 8
        yield f'<rect class="paper" x="{middle - width // 2}" y="{y - 11}" width="{width}" height="16"/>'
        yield _text(middle - _across(len(colour)) // 2, y + 1, colour)
    yield _text(second + 6, y + 1, strand.end)
    yield _text(last + 7, y + 1, strand.net or "not joined")


def _across(letters: int) -> int:
    return round(letters * _CHARACTER)


def _text(x: int, y: int, words: str, style: str = "") -> str:
    look = f' class="{style}"' if style else ""
    return f'<text{look} x="{x}" y="{y}">{escape(words)}</text>'


def _box(left: int, right: int, top: int, bottom: int) -> str:
    return f'<rect class="box" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>'
