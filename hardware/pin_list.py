"""Every pin of every wiring in one list: which net it is on, and in which profiles."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from hardware.wiring import Wiring

HEAD: Final = ("part", "pin", "name", "net", "only in")

Joined = tuple[str, str, str, str]
"""A part, its pin's number and name, and the net that the pin is on."""


def joined_pins(wiring: Wiring) -> Iterator[Joined]:
    """Every pin of a wiring that is joined to anything."""
    for part in wiring.parts:
        for pin in part.kind.pins:
            net = part.net(pin)
            if net is not None:
                yield part.ref, pin.number, pin.name, net


def pin_list(wirings: Sequence[Wiring]) -> str:
    """The list as CSV; the last column names the profiles where not all of them join this pin to this net."""
    found: defaultdict[Joined, list[str]] = defaultdict(list)
    for wiring in wirings:
        for joined in joined_pins(wiring):
            found[joined].append(wiring.profile.name)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(HEAD)
    for joined, profiles in found.items():
        table.writerow([*joined, "" if len(profiles) == len(wirings) else " ".join(profiles)])
    return text.getvalue()


def pins_of(text: str, profile: str) -> set[Joined]:
    """What a list says of one profile."""
    rows = csv.reader(io.StringIO(text))
    next(rows)
    return {(ref, pin, name, net) for ref, pin, name, net, only in rows if not only or profile in only.split()}
