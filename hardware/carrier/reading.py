"""Reads a board back from a KiCad file, so that what is checked is what will be ordered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, radians, sin
from pathlib import Path
from typing import Final

from hardware.carrier.copper import Copper, Side, Track, Via, whole
from hardware.carrier.footprints import Pad
from hardware.dimensions import Point

List = list["str | List"]
_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


@dataclass(frozen=True)
class Drawn:
    """What a file says, in millimetres from the board's upper left corner."""

    size: Point
    pads: tuple[tuple[str, Pad, str], ...]
    """Each with the name of its part before it and its net behind."""
    footprints: Mapping[str, str]
    """The name of each part's footprint in KiCad's library."""
    screws: tuple[tuple[Point, float], ...]
    copper: Copper
    planes: tuple[tuple[str, Side], ...]
    printed: tuple[str, ...]

    @cached_property
    def pads_by_net(self) -> Mapping[str, tuple[Pad, ...]]:
        """The pads of each net; those of no net have the empty name."""
        nets = sorted({net for _, _, net in self.pads})
        return {name: tuple(pad for _, pad, net in self.pads if net == name) for name in nets}

    @cached_property
    def nets(self) -> Mapping[str, frozenset[tuple[str, str]]]:
        """The pins of each net, as names of parts and numbers."""
        nets = sorted({net for _, _, net in self.pads} - {""})
        return {name: frozenset((ref, pad.number) for ref, pad, net in self.pads if net == name) for name in nets}


def read_board(file: Path) -> Drawn:
    """The board in a file."""
    return _board_in(file.read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def _board_in(text: str) -> Drawn:
    """The same text is the same board: pages and tables ask for each again and again."""
    return _Reader(parsed(text)).board()


def parsed(text: str) -> List:
    """Lists in lists, as KiCad writes them.

    >>> parsed('(net 1 "A B" (at 2 3))')
    ['net', '1', 'A B', ['at', '2', '3']]
    """
    stack: list[List] = [[]]
    for quoted, bracket, word in _TOKEN.findall(text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or quoted)
    (whole,) = stack[0]
    assert isinstance(whole, list)  # noqa: S101 # for mypy: a file is one list
    return whole


def _all(of: List, name: str) -> Iterator[List]:
    yield from (each for each in of if isinstance(each, list) and each[0] == name)


def _one(of: List, name: str) -> tuple[str, ...]:
    found = next(_all(of, name), [name])
    return tuple(str(each) for each in found[1:])


class _Reader:
    """Reads one file's lists."""

    def __init__(self, whole: List) -> None:
        self.whole = whole
        outline = next(each for each in _all(whole, "gr_rect") if _one(each, "layer") == ("Edge.Cuts",))
        self.corner = _point(_one(outline, "start"))
        self.opposite = _point(_one(outline, "end"))
        self.nets = {str(number): str(name) for _, number, name in _all(whole, "net")}

    def board(self) -> Drawn:
        """Everything that is looked at."""
        footprints = [(self._reference(each), each) for each in _all(self.whole, "footprint")]
        parts = [(ref, each) for ref, each in footprints if not ref.startswith("H")]
        screws = [pad for ref, each in footprints if ref.startswith("H") for pad, _ in self._pads(each)]
        tracks = tuple(
            Track(
                self._net(each),
                Side(*_one(each, "layer")),
                self._at(each, "start"),
                self._at(each, "end"),
                _size(each, "width"),
            )
            for each in _all(self.whole, "segment")
        )
        vias = tuple(
            Via(self._net(each), self._at(each, "at"), _size(each, "size"), _size(each, "drill"))
            for each in _all(self.whole, "via")
        )
        return Drawn(
            (self.opposite[0] - self.corner[0], self.opposite[1] - self.corner[1]),
            tuple((ref, pad, net) for ref, each in parts for pad, net in self._pads(each)),
            {ref: str(each[1]) for ref, each in parts},
            tuple((pad.at, pad.drill) for pad in screws),
            Copper(tracks, vias),
            tuple((self._net(each), Side(*_one(each, "layer"))) for each in _all(self.whole, "zone")),
            tuple(str(each[1]) for each in _all(self.whole, "gr_text")),
        )

    def _reference(self, footprint: List) -> str:
        return next(str(each[2]) for each in _all(footprint, "fp_text") if each[1] == "reference")

    def _pads(self, footprint: List) -> Iterator[tuple[Pad, str]]:
        at = _one(footprint, "at")
        (x, y), turn = self._at(footprint, "at"), radians(float(at[2]) if len(at) > 2 else 0)
        for pad in _all(footprint, "pad"):
            across, along = _point(_one(pad, "at"))
            place = (
                whole(x + across * cos(turn) + along * sin(turn)),
                whole(y - across * sin(turn) + along * cos(turn)),
            )
            if not pad[1] and "F.Cu" not in _one(pad, "layers") and pad[2] == "smd":
                continue  # a window for paste
            net = _one(pad, "net")
            yield _pad(pad, place, turned=round(sin(turn)) != 0), net[1] if net else ""

    def _net(self, of: List) -> str:
        return self.nets[_one(of, "net")[0]]

    def _at(self, of: List, name: str) -> Point:
        x, y = _point(_one(of, name))
        return whole(x - self.corner[0]), whole(y - self.corner[1])


def _pad(pad: List, place: Point, *, turned: bool) -> Pad:
    across, along = _point(_one(pad, "size"))
    if turned:
        across, along = along, across
    drill = _size(pad, "drill") if _one(pad, "drill") else 0.0
    pasted = bool(drill) or "F.Paste" in _one(pad, "layers")
    return Pad(str(pad[1]), place, across, drill, pad[3] == "rect", 0.0 if along == across else along, pasted)


def _point(words: tuple[str, ...]) -> Point:
    return float(words[0]), float(words[1])


def _size(of: List, name: str) -> float:
    return float(_one(of, name)[0])
