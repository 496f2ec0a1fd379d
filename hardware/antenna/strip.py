"""The antenna board with its parts in place: four channels alike, and a header with the pins of the rank board's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from hardware.antenna.design import Antenna, Network, read_antenna
from hardware.carrier.copper import Gauge, Rules
from hardware.carrier.footprints import Box, Footprint, read_footprints
from hardware.carrier.layout import Board, Placed, Words, fullest
from hardware.description import PartKind, Pin, PinKind, read_description
from hardware.dimensions import Point
from hardware.wiring import FILES, Part

_FOLDER: Final = Path(__file__).parent
CHANNELS: Final = len(FILES)
_LIKE: Final = "J21"
"""The header of rank 1, whose nets this board has."""
_NO_SCREWS: Final[tuple[Point, ...]] = ()
_UNITS: Final = {"farad": ((1e-6, "u"), (1e-9, "n"), (1e-12, "p")), "henry": ((1e-6, "uH"), (1e-9, "nH"))}


@cache
def antenna_board() -> Board:
    """The board, in the place of a rank board and of four modules."""
    antenna = read_antenna()
    table = antenna.board
    return Board(
        "antenna",
        table["title"],
        antenna.revision,
        tuple(table["size"]),
        (0.0, 0.0),
        _NO_SCREWS,
        0.0,
        0.0,
        (_from_middle(antenna, CHANNELS - 1, table["give_piece"]),),
        gauges(antenna),
        tuple(_parts(antenna)),
        tuple(_words(antenna)),
        Rules(table["clearance"], Gauge(*table["signal"]), table["step"], holes=0.25),
        tuple(_plane(antenna)),
    )


def gauges(antenna: Antenna) -> Mapping[str, Gauge]:
    """How the nets are drawn that are no signals; a name that ends with _ stands for one of each channel."""
    found: dict[str, Gauge] = {}
    for name, gauge in antenna.board["gauges"].items():
        names = [f"{name}{number}" for number in range(1, CHANNELS + 1)] if name.endswith("_") else [name]
        found |= dict.fromkeys(names, Gauge(*gauge))
    return found


def channel_parts(antenna: Antenna, channel: int) -> tuple[Placed, ...]:
    """The parts of a channel, 0 to 3."""
    return tuple(_placed(antenna, channel, table) for table in antenna.channel)


def header(antenna: Antenna) -> Placed:
    """The header, with the nets of the rank board's."""
    like, table = fullest(read_description())[_LIKE], antenna.board["header"]
    kind = replace(like.kind, **{key: antenna.types["strip_header"][key] for key in ("name", "footprint")})
    part = replace(like, ref=table["ref"], kind=kind, place="antenna board")
    middle = antenna.coil_middle(CHANNELS - 1)
    return Placed(part, _footprint(kind), _plus(middle, table["at"]), table["turn"] // 90)


def _parts(antenna: Antenna) -> Iterator[Placed]:
    for channel in range(CHANNELS):
        yield from channel_parts(antenna, channel)
    yield header(antenna)
    kind = _kind(antenna, "fiducial")
    for number, at in enumerate(antenna.board["fiducials"], 1):
        yield Placed(Part(f"FID{number}", kind, {}), _footprint(kind), tuple(at), 0)


def _placed(antenna: Antenna, channel: int, table: Mapping[str, Any]) -> Placed:
    words = {"n": channel + 1, "line": channel}
    kind = _kind(antenna, table["type"])
    joins = {pin: net.format(**words) for pin, net in table["joins"].items()}
    if unknown := set(joins) - {pin.name for pin in kind.pins}:
        raise ValueError(f"{table['ref']}: {kind.key} has no pin {min(unknown)}.")
    value = value_text(antenna.network, table.get("value", ""))
    part = Part(table["ref"].format(**words), kind, joins, value, beside=table.get("beside", "").format(**words))
    *at, turn = table["at"]
    return Placed(part, _footprint(kind), _plus(antenna.coil_middle(channel), at), turn // 90)


def _kind(antenna: Antenna, key: str) -> PartKind:
    table = antenna.types[key]
    pins = tuple(Pin(number, name, PinKind(what)) for number, name, what in (text.split() for text in table["pins"]))
    return PartKind(key, **{**table, "pins": pins})


def _footprint(kind: PartKind) -> Footprint:
    return read_footprints(_FOLDER / "footprints.toml")[kind.footprint]


def value_text(network: Network, value: str) -> str:
    """A value as it is printed: a name of the network's stands for its number there.

    >>> value_text(read_antenna().network, "filter_henry"), value_text(read_antenna().network, "100n")
    ('560nH', '100n')
    """
    name, _, index = value.partition(".")
    if not hasattr(network, name or "-"):
        return value
    number = getattr(network, name)
    number = number[int(index)] if index else number
    unit = name.rpartition("_")[2]
    if unit == "ohm":
        return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}R"
    size, letter = next((each for each in _UNITS[unit] if number >= 0.999 * each[0]), _UNITS[unit][-1])
    return f"{number / size:.3g}{letter}"


def _plane(antenna: Antenna) -> Iterator[Point]:
    """A comb: a band along the front edge, and from it a tooth beside each coil; no ring of copper goes around any."""
    table = antenna.board["plane"]
    left, right, down = table["fields"]
    edge = 0.5
    yield edge, edge
    last = antenna.coil_middle(CHANNELS - 1)[0] + right
    yield last, edge
    for channel in reversed(range(CHANNELS)):
        x, y = antenna.coil_middle(channel)
        yield x + right, y + down
        yield max(x + left, edge), y + down
        if channel:
            yield x + left, table["band"]
            yield antenna.coil_middle(channel - 1)[0] + right, table["band"]


def _words(antenna: Antenna) -> Iterator[Words]:
    for channel in range(CHANNELS):
        middle = antenna.coil_middle(channel)
        for text, x, y, size in antenna.board["words"]["channel"]:
            yield Words(text.format(file=FILES[channel], n=channel + 1), _plus(middle, (x, y)), size)
    for text, x, y, size, turned in antenna.board["words"]["board"]:
        yield Words(text.format(revision=antenna.revision), (x, y), size, turned)


def _plus(point: Point, more: Any) -> Point:  # noqa: ANN401 # a list of a file
    return point[0] + more[0], point[1] + more[1]


def _from_middle(antenna: Antenna, channel: int, box: Any) -> Box:  # noqa: ANN401 # a list of a file
    return (*_plus(antenna.coil_middle(channel), box[:2]), *_plus(antenna.coil_middle(channel), box[2:]))
