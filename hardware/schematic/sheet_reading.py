"""Reads a schematic back from its file, and works out which pins are joined, as KiCad does: by where lines end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from hardware.carrier.reading import List, parsed

Place = tuple[int, int]
"""In micrometres, so that what meets is equal."""


def nets_of_schematic(file: Path) -> Mapping[str, frozenset[tuple[str, str]]]:
    """The pins of each net, as names of parts and numbers; a net without a label is called by its first pin."""
    whole = parsed(file.read_text(encoding="utf-8"))
    groups = _Groups()
    for wire in _lists(whole, "wire"):
        (points,) = _lists(wire, "pts")
        ends = [_place(each[1], each[2]) for each in _lists(points, "xy")]
        for end in ends[1:]:
            groups.join(("at", ends[0]), ("at", end))
    for label in _lists(whole, "label"):
        (at,) = _lists(label, "at")
        groups.join(("net", str(label[1])), ("at", _place(at[1], at[2])))
    pins = dict(_pins(whole))
    for pin, place in pins.items():
        groups.join(("pin", pin), ("at", place))
    return groups.nets(sorted(pins))


class _Groups:
    """What is joined to what: pins, names and places."""

    def __init__(self) -> None:
        self.above: dict[object, object] = {}

    def top(self, thing: object) -> object:
        while (above := self.above.get(thing, thing)) != thing:
            thing = above
        return thing

    def join(self, one: object, other: object) -> None:
        self.above.setdefault(one, one)
        self.above.setdefault(other, other)
        self.above[self.top(one)] = self.top(other)

    def nets(self, pins: list[tuple[str, str]]) -> Mapping[str, frozenset[tuple[str, str]]]:
        names: defaultdict[object, list[str]] = defaultdict(list)
        for thing in self.above:
            if isinstance(thing, tuple) and thing[0] == "net":
                names[self.top(thing)].append(str(thing[1]))
        found: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        for pin in pins:
            called = names.get(self.top(("pin", pin)))
            # Two names on one line would be a short circuit: it is called by both.
            found[" and ".join(sorted(called)) if called else "-".join(pin)].add(pin)
        return {name: frozenset(each) for name, each in found.items()}


def _pins(whole: List) -> Iterator[tuple[tuple[str, str], Place]]:
    """Every pin of every part, and where it ends."""
    (library,) = _lists(whole, "lib_symbols")
    ends = {str(symbol[1]): list(_ends(symbol)) for symbol in _lists(library, "symbol")}
    for symbol in _lists(whole, "symbol"):
        (name,), (at,) = _lists(symbol, "lib_id"), _lists(symbol, "at")
        (x, y) = _place(at[1], at[2])
        ref = next(str(each[2]) for each in _lists(symbol, "property") if each[1] == "Reference")
        for number, (across, up) in ends[str(name[1])]:
            yield (ref, number), (x + across, y - up)


def _ends(symbol: List) -> Iterator[tuple[str, Place]]:
    for unit in _lists(symbol, "symbol"):
        for pin in _lists(unit, "pin"):
            (at,), (number,) = _lists(pin, "at"), _lists(pin, "number")
            yield str(number[1]), _place(at[1], at[2])


def _lists(of: List, name: str) -> list[List]:
    return [each for each in of if isinstance(each, list) and each and each[0] == name]


def _place(x: object, y: object) -> Place:
    return round(float(str(x)) * 1000), round(float(str(y)) * 1000)
