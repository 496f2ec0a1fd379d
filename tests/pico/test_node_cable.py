"""The cable between node and host: noise at both ends, and a host that does not read."""

from __future__ import annotations

import random

import pytest

from quarto_pi.firmware import pins, protocol
from quarto_pi.firmware.protocol import Writer
from quarto_pi.firmware.said_by_host import Restart
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome
from quarto_pi.simulation.board import UIDS
from tests.pico.conftest import OpenAtHost
from tests.pico.damage import damaged, noise

pytestmark = pytest.mark.slow

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


def test_frames_that_come_twice_or_late_are_neither_lost_nor_believed(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    sent: list[bytes] = []

    def repeat(data: bytes) -> bytes:
        sent.append(data)
        return data + data + sent[-min(len(sent), 3)]

    lost, frames = host.link.lost, host.link.frames
    host.pico.cable.damage = repeat
    host.wait(2_000)
    assert host.link.lost == lost
    assert host.link.frames - frames == len(sent)
    state = host.link.state
    assert state is not None
    assert host.link.now_ms - host.link.to_host(state.at) < 250, "an older frame was believed"


def test_frames_that_are_lost_are_counted(open_at_host: OpenAtHost) -> None:
    host, dropped = open_at_host(), [0]
    host.begin()

    def drop(data: bytes) -> bytes:
        dropped[0] += 1
        return b"" if dropped[0] % 3 == 0 else data

    lost = host.link.lost
    host.pico.cable.damage = drop
    host.wait(2_000)
    host.pico.cable.damage = lambda data: data
    host.wait(500)
    assert host.link.lost - lost == dropped[0] // 3 > 0


def test_node_that_is_started_again_begins_to_count_anew_and_is_believed(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.link._send(Restart(protocol.AGAIN).write(Writer()))
    host.wait_for(lambda: host.pico.boots == 2)
    host.wait_for(lambda: host.link.is_up)
    assert host.link.lost == 0


def test_node_that_hears_itself_takes_that_for_no_host(open_at_host: OpenAtHost) -> None:
    host = open_at_host("[panel_lights]\n")
    host.begin()
    host.link.light(bytes((255, 0, 0)))
    host.wait(500)
    assert host.pico.dimmed[pins.LIGHTS[0]]
    said: list[bytes] = []

    def listen(data: bytes) -> bytes:
        said.append(data)
        return data

    def come_back(_: bytes) -> bytes:
        back = b"".join(said)
        said.clear()
        return back

    host.pico.cable.damage, host.pico.cable.damage_from_host = listen, come_back
    host.pico.run_until(host.board.clock.now() + 4_000_000)
    assert host.pico.dimmed[pins.LIGHTS[0]] == 0
    assert (host.pico.printed, host.pico.boots) == ("", 1)


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
    return UIDS[SQUARE_NAMES.index(cell)] if cell in SQUARE_NAMES else ""
