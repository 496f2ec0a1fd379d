"""The tracks of the antenna board: coils and bus as calculated, the rest found for one channel and repeated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from hardware.antenna.coil import corners, lines
from hardware.antenna.design import Antenna, read_antenna
from hardware.antenna.strip import CHANNELS, antenna_board, channel_parts, gauges, header
from hardware.carrier.copper import Copper, Side, Track, Via, from_line, whole
from hardware.carrier.fine_router import Task, route_closely
from hardware.carrier.footprints import Box, Pad
from hardware.carrier.layout import Placed
from hardware.carrier.smoothing import smoothed
from hardware.dimensions import Point
from hardware.wiring import GROUND

_CHANNEL: Final[Box] = (-50.5, -34.5, -25.5, 15.0)
"""Around the middle of a coil: where the tracks of its channel run."""
_HEADER: Final[Box] = (-53.5, -34.5, -26.25, -11.5)
"""The same for those of the header, in the last channel."""
_UNDER_HEADER: Final[Box] = (-52, -26.25, -25, -12.0)
"""Where the header's pads are: channels keep to the other side there, so that all of them can be alike."""
_ON_LINE: Final = 0.01


def strip_copper() -> Copper:
    """Every track and via."""
    antenna = read_antenna()
    last = CHANNELS - 1
    bus = _bus(antenna)
    template = _together(route_closely(_channel_task(antenna)), _stitches(antenna))
    taps = _together(*(_tap(antenna, number) for number in range(CHANNELS)))
    channels = [_moved(antenna, template, number) for number in range(CHANNELS)]
    joined = route_closely(_header_task(antenna, _together(bus, channels[last], _tap(antenna, last))))
    # What the taps lead to: the last channel's may be joined to the header, and its end at the bus be left over.
    bottoms = {track.end for track in taps.tracks}
    after = [track for each in channels for track in each.tracks if {track.start, track.end} & bottoms]
    rest = [replace(each, tracks=tuple(track for track in each.tracks if track not in after)) for each in channels]
    found = _together(*rest, joined)
    lines_there = _together(bus, taps, Copper(tuple(after), ()))
    drawn = smoothed(antenna_board(), _together(_trimmed(lines_there, found), found))
    # Coils come last: their corners are calculated with, and stay as they are.
    return _together(drawn, *(coil_copper(antenna, number) for number in range(CHANNELS)))


def _together(*parts: Copper) -> Copper:
    return Copper(
        tuple(track for part in parts for track in part.tracks), tuple(via for part in parts for via in part.vias)
    )


def coil_copper(antenna: Antenna, channel: int) -> Copper:
    """A channel's coil on the lower side, and how its ends come to the damping resistors."""
    coil, net = antenna.coil, f"COIL_{channel + 1}"
    gauge = gauges(antenna)[net]
    middle = antenna.coil_middle(channel)

    def at(x: float, y: float) -> Point:
        return whole(middle[0] + x), whole(middle[1] + y)

    turns = [Track(net, Side.BOTTOM, at(*start), at(*end), coil.width) for start, end in lines(coil)]
    outer, inner = corners(coil)[0], corners(coil)[-1]
    out, home = (coil.feed[0], outer[1]), (coil.feed[0], inner[1])
    pads = {placed.part.ref[2:]: placed for placed in channel_parts(antenna, channel) if placed.part.ref[0] == "R"}
    ends = [next(pad.at for pad, of in pads[ref].pads if of == net) for ref in ("05", "06")]
    tracks = [
        Track(net, Side.BOTTOM, at(*outer), at(*out), coil.width),
        Track(net, Side.TOP, at(*inner), at(*home), coil.width),
    ]
    for (x, y), from_coil in zip(ends, (out, home), strict=True):
        bend = at(from_coil[0] - abs(y - middle[1] - from_coil[1]), 0)[0], whole(y)
        tracks.append(Track(net, Side.TOP, at(*from_coil), bend, coil.width))
        tracks.append(Track(net, Side.TOP, bend, (whole(x), whole(y)), coil.width))
    vias = [Via(net, at(*point), gauge.via, gauge.drill) for point in (inner, out)]
    return Copper((*turns, *tracks), tuple(vias))


def _bus(antenna: Antenna) -> Copper:
    """The lines along the front edge: a select line only as far as it goes."""
    begin, end = _CHANNEL[0], whole(antenna.coil_middle(CHANNELS - 1)[0] + _CHANNEL[2])

    def line(net: str, y: float, width: float) -> Track:
        channel = int(net[-1]) if net.startswith("SELECT_") else 0
        x, y0 = antenna.coil_middle(channel)
        side = Side.BOTTOM if net == GROUND else Side.TOP
        return Track(net, side, (whole(x + begin), whole(y0 + y)), (end, whole(y0 + y)), width)

    return Copper(tuple(line(net, y, width) for net, (y, width) in antenna.bus.items()), ())


def _passing(copper: Copper) -> Copper:
    """The bus as it is beside a channel in the middle: every line comes from one side and goes to the other."""
    left = min(track.start[0] for track in copper.tracks) - 10
    return replace(copper, tracks=tuple(replace(track, start=(left, track.start[1])) for track in copper.tracks))


def _trimmed(there: Copper, found: Copper) -> Copper:
    """Bus, taps and what follows them, as far as something is joined to them: until no end is left over."""
    lines_left, vias = there.tracks, there.vias
    before = 0
    while before != len(lines_left) + len(vias):
        before = len(lines_left) + len(vias)
        vias = tuple(via for via in vias if len({line.side for line in lines_left if _touches(line, via.at)}) > 1)
        fixed = [(via.net, side, via.at) for via in (*found.vias, *vias) for side in Side]
        fixed += _ends(found.tracks)
        lines_left = tuple(
            replace(line, start=points[0], end=points[-1])
            for line in lines_left
            if len(points := _joined_to(line, [*fixed, *_ends(other for other in lines_left if other != line)])) > 1
        )
    return Copper(lines_left, vias)


def _ends(tracks: Iterable[Track]) -> list[tuple[str, Side, Point]]:
    return [(track.net, track.side, point) for track in tracks for point in (track.start, track.end)]


def _joined_to(line: Track, ends: Iterable[tuple[str, Side, Point]]) -> list[Point]:
    """Where something ends on a line, from one end of it to the other."""
    found = {point for net, side, point in ends if (net, side) == (line.net, line.side) and _touches(line, point)}
    return sorted(found)


def _touches(line: Track, point: Point) -> bool:
    return from_line(point, line.start, line.end) < _ON_LINE


def _stitches(antenna: Antenna) -> Copper:
    """Vias that join the ground of both sides; every one has a track as well."""
    x0, y0 = antenna.coil_middle(0)
    gauge = gauges(antenna)[GROUND]
    return Copper((), tuple(Via(GROUND, (x0 + x, y0 + y), gauge.via, gauge.drill) for x, y in antenna.ways["stitches"]))


def _tap(antenna: Antenna, channel: int) -> Copper:
    """From a channel's select line down to where the channel's own tracks begin."""
    net = f"SELECT_{channel}"
    (middle, y0), (x, y) = antenna.coil_middle(channel), antenna.ways["tap"]
    top = middle + x, whole(y0 + antenna.bus[net][0])
    signal = antenna_board().rules.signal
    track = Track(net, Side.BOTTOM, top, (middle + x, y0 + y), signal.width)
    return Copper((track,), (Via(net, top, signal.via, signal.drill),))


def _channel_task(antenna: Antenna) -> Task:
    """The tracks of the first channel, where a select line has the longest way down."""
    return Task(
        "antenna board, a channel",
        _at(antenna.coil_middle(0), _CHANNEL),
        _pads_by_net(channel_parts(antenna, 0)),
        _together(_passing(_bus(antenna)), _tap(antenna, 0), coil_copper(antenna, 0), _stitches(antenna)),
        gauges(antenna),
        antenna_board().rules,
        # There the header of the last channel stands.
        ((Side.TOP, _at(antenna.coil_middle(0), _UNDER_HEADER)),),
        frozenset(("COIL_1", *(f"SELECT_{number}" for number in range(1, CHANNELS)))),
    )


def _header_task(antenna: Antenna, there: Copper) -> Task:
    last = CHANNELS - 1
    return Task(
        "antenna board, its header",
        _at(antenna.coil_middle(last), _HEADER),
        _pads_by_net((*channel_parts(antenna, last), header(antenna))),
        there,
        gauges(antenna),
        antenna_board().rules,
    )


def _at(middle: Point, box: Box) -> Box:
    return middle[0] + box[0], middle[1] + box[1], middle[0] + box[2], middle[1] + box[3]


def _pads_by_net(parts: tuple[Placed, ...]) -> Mapping[str, tuple[Pad, ...]]:
    pads: dict[str, list[Pad]] = {}
    for part in parts:
        for pad, net in part.pads:
            pads.setdefault(net, []).append(pad)
    return {net: tuple(each) for net, each in pads.items()}


def _moved(antenna: Antenna, copper: Copper, channel: int) -> Copper:
    """The tracks of the first channel where those of another one are, on its nets."""
    aside = antenna.coil_middle(channel)[0] - antenna.coil_middle(0)[0]

    def moved(point: Point) -> Point:
        return whole(point[0] + aside), point[1]

    tracks = (replace(t, net=_of(t.net, channel), start=moved(t.start), end=moved(t.end)) for t in copper.tracks)
    return Copper(tuple(tracks), tuple(replace(v, net=_of(v.net, channel), at=moved(v.at)) for v in copper.vias))


def _of(net: str, channel: int) -> str:
    """A net of the first channel, as it is called in another one."""
    if net == "SELECT_0":
        return f"SELECT_{channel}"
    own = net.endswith("_1") and net not in ("SCK_1", "MOSI_1")
    return f"{net[:-1]}{channel + 1}" if own else net
