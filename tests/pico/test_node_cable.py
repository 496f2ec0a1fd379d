"""The cable between node and host: noise at both ends, and a host that does not read."""

from __future__ import annotations

import random

from quarto_pi.sensing.readings import CELLS, SQUARES, Outcome
from quarto_pi.simulation.board import UIDS
from tests.pico.conftest import OpenAtHost
from tests.pico.damage import damaged, noise

SEVEN = "04A1B2C3D4E5F6"


def test_anything_from_the_host_leaves_the_node_at_work(open_at_host: OpenAtHost) -> None:
    host, rng = open_at_host(), random.Random(5)
    cable = host.pico.cable
    host.board.table.rest(SEVEN, "a1")
    host.begin()
    cable.damage_from_host = lambda data: data + (noise(rng, rng.randrange(400)) if rng.random() < 0.1 else b"")
    host.wait(1_500)
    cable.damage_from_host = lambda data: damaged(data, rng) if data else data
    host.wait(1_500)
    cable.damage_from_host = lambda data: data
    host.wait(1_000)
    assert host.pico.printed == ""
    assert host.pico.boots == 1
    assert host.link.state is not None
    assert host.link.state.damaged
    assert {reading.uids for reading in host.readings if reading.cell == "a1"} == {(SEVEN,)}


def test_bad_cable_tells_the_host_nothing_wrong(open_at_host: OpenAtHost) -> None:
    host, rng = open_at_host(), random.Random(6)
    host.board.set_up()
    host.begin()
    host.readings.clear()
    host.pico.cable.damage = lambda data: damaged(data, rng) if rng.random() < 0.5 else data
    host.wait(4_000)
    host.pico.cable.damage = lambda data: data
    good_since = host.now
    host.readings.clear()
    host.wait_for(lambda: len(host.outcomes()) == len(CELLS))
    assert host.now - good_since < 1_000
    wrong = [r for r in host.readings if r.outcome is not Outcome.DEAD and r.uids not in ((), (_uid_on(r.cell),))]
    assert wrong == []
    assert host.link.damaged


def test_host_that_does_not_read_holds_nothing_up(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.pico.run_until(host.board.clock.now() + 5_000_000)
    assert host.pico.boots == 1
    assert host.pico.cable.lost_frames or not host.pico.cable.has_room
    host.wait(1_000)
    assert host.link.is_up
    assert {reading.at > host.now - 1_500 for reading in host.seen().values()} == {True}


def _uid_on(cell: str) -> str:
    return UIDS[SQUARES.index(cell)] if cell in SQUARES else ""
