"""The router for chips: it joins what belongs together, touches nothing else, and says when there is no way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.carrier.checks import complaints
from hardware.carrier.copper import Copper, Gauge, Rules, Side, Track
from hardware.carrier.fine_router import Task, route_closely
from hardware.carrier.footprints import Pad
from hardware.carrier.reading import Drawn

RULES = Rules(0.15, Gauge(0.2, 0.6, 0.3), 0.25, holes=0.25)
NOTHING = Copper((), ())


def chip(x: float, y: float, number: str = "1") -> Pad:
    """A pad on one side, like those of a chip."""
    return Pad(number, (x, y), 0.25, 0.0, square=True, along=0.875)


def task(pads: dict[str, list[Pad]], copper: Copper = NOTHING) -> Task:
    return Task("trial", (1, 0.5, 9, 9.5), pads, copper, {}, RULES)


def drawn(of: Task, found: Copper) -> Drawn:
    pads = tuple(("U", pad, net) for net, each in of.pads.items() for pad in each)
    copper = Copper((*of.copper.tracks, *found.tracks), (*of.copper.vias, *found.vias))
    return Drawn((10, 10), pads, {}, (), copper, (), ())


def test_pads_half_a_millimetre_apart_are_joined_in_reverse_order() -> None:
    pads = {f"N{number}": [chip(3 + number / 2, 3), chip(6 - number / 2, 7)] for number in range(4)}
    trial = task(pads)
    found = route_closely(trial)
    assert list(complaints(drawn(trial, found), {}, RULES.clearance)) == []
    assert found.vias  # four lines that change places cannot do so on one side


def test_a_wall_of_foreign_copper_is_passed_on_the_other_side() -> None:
    wall = Track("WALL", Side.TOP, (0.8, 5), (9.2, 5), 0.3)
    trial = task({"A": [chip(5, 2), chip(5, 8)]}, Copper((wall,), ()))
    found = route_closely(trial)
    assert list(complaints(drawn(trial, found), {}, RULES.clearance)) == []
    assert len(found.vias) == 2
    assert all(min(abs(via.at[1] - 2), abs(via.at[1] - 8)) > 0.4375 + 0.2 for via in found.vias), "a via in a pad"


def test_copper_that_is_there_is_joined_where_it_is_nearest() -> None:
    line = Track("A", Side.TOP, (2, 8), (8, 8), 0.3)
    found = route_closely(task({"A": [chip(5, 3)]}, Copper((line,), ())))
    assert {track.net for track in found.tracks} == {"A"}
    assert all(abs(x - 5) < 0.3 for track in found.tracks for x, _ in (track.start, track.end))


def test_where_there_is_no_way_a_sentence_says_so() -> None:
    walls = [Track("WALL", side, (0.5, 5), (9.5, 5), 0.3) for side in Side]
    with pytest.raises(ValueError, match=r"^trial: A is walled in: give its parts other places\.$"):
        route_closely(task({"A": [chip(5, 2), chip(5, 8)]}, Copper(tuple(walls), ())))


def test_bare_places_stay_bare_and_nets_that_are_whole_are_left_alone() -> None:
    trial = task({"A": [chip(2, 5), chip(8, 5)], "B": [chip(3, 2), chip(7, 2)]})
    found = route_closely(
        replace(trial, bare=((Side.TOP, (4, 0, 6, 10)), (Side.BOTTOM, (4, 0, 6, 7))), left_alone=frozenset("B"))
    )
    assert {track.net for track in found.tracks} == {"A"}
    for track in found.tracks:
        for x, y in (track.start, track.end):
            assert not 4 < x < 6 or (track.side is Side.BOTTOM and y >= 7)
