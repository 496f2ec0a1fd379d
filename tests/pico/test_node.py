"""The node on its cable: the real firmware on MicroPython above simulated chips, the real pyserial at the host."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from quarto_pi.app import open_node
from quarto_pi.devices.calibration_file import write_calibration
from quarto_pi.devices.fields import NOT_TOUCHING
from quarto_pi.devices.reader_terms import Version
from quarto_pi.firmware import pins, protocol
from quarto_pi.firmware.protocol import Writer
from quarto_pi.firmware.said_by_host import Restart
from quarto_pi.sensing.readings import CELLS, SQUARES, Outcome
from quarto_pi.simulation.board import UIDS
from quarto_pi.simulation.faults import NOTHING_ANSWERS_LOW, LineFault
from tests.pico.conftest import OpenAtHost
from tests.pico.damage import damaged, noise

SEVEN = "04A1B2C3D4E5F6"
FOUR = "7A90C3F1"
TEN = "08112233445566778899"


def test_every_reader_is_read_with_any_length_of_uid(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    for uid, cell in ((SEVEN, "a1"), (FOUR, "d4"), (TEN, "offer")):
        host.board.table.rest(uid, cell)
    host.begin()
    seen = host.seen()
    assert {cell: seen[cell].uids for cell in ("a1", "d4", "offer")} == {"a1": (SEVEN,), "d4": (FOUR,), "offer": (TEN,)}
    assert Counter(host.outcomes().values()) == {Outcome.TAG: 3, Outcome.EMPTY: 14}


def test_two_tags_on_a_square_are_both_named(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "b2")
    host.board.table.rest(FOUR, "b2")
    host.begin()
    assert (host.seen()["b2"].outcome, host.seen()["b2"].uids) == (Outcome.SEVERAL, tuple(sorted((SEVEN, FOUR))))


def test_piece_is_told_soon_after_it_has_come_and_gone(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.board.table.rest(SEVEN, "c3")
    host.wait(300)
    assert host.outcomes()["c3"] is Outcome.TAG
    host.board.table.lift(SEVEN)
    host.wait(300)
    assert host.outcomes()["c3"] is Outcome.EMPTY


def test_readings_have_the_moment_of_the_look(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.readings.clear()
    began = host.now
    host.wait(2_000)
    looks = [reading.at for reading in host.readings if reading.cell == "a1"]
    assert len(looks) > 10
    assert looks == sorted(looks)
    assert all(began - 200 < at <= host.now for at in looks)


def test_press_keeps_its_moment(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    wanted = []
    for index in range(8):
        down, up = host.now + 37.4 + 11 * index, host.now + 90.1 + 17 * index
        host.board.clock.plan(down, host.under.call.drive_low)
        host.board.clock.plan(up, host.under.call.drive_high)
        wanted += [("call", True, down), ("call", False, up)]
        host.wait(400)
    assert [(moved.name, moved.down) for moved in host.movements] == [(name, down) for name, down, _ in wanted]
    late = [moved.at - at for moved, (_, _, at) in zip(host.movements, wanted, strict=True)]
    assert max(map(abs, late)) <= 8, late


def test_press_keeps_its_moment_though_it_comes_while_a_frame_is_made(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.pico.unplug()
    node = host.pico.flash / "quarto_pi" / "firmware" / "node.py"
    # A Pico's processor goes through its whole heap to count what is free.
    slow = node.read_text().replace("gc.mem_free()", "(sleep_ms(6), gc.mem_free())[1]")
    assert "sleep_ms(6)" in slow
    node.write_text(slow)
    host.pico.plug_in()
    host.begin()
    wanted = []
    for index in range(30):
        down, up = host.now + 37.4 + 11 * index % 100, host.now + 190.1 + 17 * index % 100
        host.board.clock.plan(down, host.under.call.drive_low)
        host.board.clock.plan(up, host.under.call.drive_high)
        wanted += [(True, down), (False, up)]
        host.wait(500)
    assert [moved.down for moved in host.movements] == [down for down, _ in wanted]
    late = [moved.at - at for moved, (_, at) in zip(host.movements, wanted, strict=True)]
    assert max(map(abs, late)) <= 8, late


def test_press_is_told_though_every_frame_of_its_time_was_lost(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    at = host.now + 50
    host.board.clock.plan(at, host.under.call.drive_low)
    host.board.clock.plan(at + 120, host.under.call.drive_high)
    host.pico.cable.damage = lambda _: b""
    host.wait(400)
    assert host.movements == []
    host.pico.cable.damage = lambda data: data
    host.wait(300)
    assert [(moved.down, abs(moved.at - at) < 8) for moved in host.movements[:1]] == [(True, True)]
    assert [(moved.down, abs(moved.at - at - 120) < 8) for moved in host.movements[1:]] == [(False, True)]


def test_bouncing_button_ends_as_it_is(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    start = host.now + 20
    for bounce in range(31):
        press = host.under.call.drive_low if bounce % 2 == 0 else host.under.call.drive_high
        host.board.clock.plan(start + 0.7 * bounce, press)
    host.wait(500)
    downs = [moved.down for moved in host.movements]
    assert downs[-1] is True
    assert all(one != two for one, two in pairwise(downs))


def test_button_of_a_node_that_is_unplugged_is_not_held_for_ever(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.under.call.drive_low()
    host.wait(300)
    assert host.node.buttons.held == ("call",)
    host.pico.unplug()
    host.wait(300)
    assert [moved.down for moved in host.movements] == [True, False]


def test_every_reader_is_dead_without_a_node_and_comes_back_with_it(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "a1")
    host.begin()
    host.pico.unplug()
    host.wait(300)
    assert set(host.outcomes().values()) == {Outcome.DEAD}
    assert set(host.outcomes()) == set(CELLS)
    assert (host.link.condition.ok, host.link.condition.todo) == (False, "plug it in")
    host.wait(3_000)
    host.pico.plug_in()
    host.wait_for(lambda: host.outcomes()["a1"] is Outcome.TAG)
    assert host.link.condition.ok
    assert set(host.outcomes().values()) == {Outcome.TAG, Outcome.EMPTY}


def test_node_that_begins_anew_is_told_what_stood_where(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.pico.unplug()
    host.wait(700)
    host.pico.plug_in()
    host.wait_for(lambda: host.link.is_up)
    host.wait(500)
    assert host.link.state is not None
    assert host.link.state.expected == 1
    assert all(host.seen()[cell].uids == (uid,) for cell, uid in zip(SQUARES, UIDS, strict=True))


def test_node_that_is_not_there_at_first_may_come_later(open_at_host: OpenAtHost) -> None:
    host = open_at_host(plugged=False)
    host.node.bank.start()
    host.wait(500)
    assert set(host.outcomes().values()) == {Outcome.DEAD}
    host.pico.plug_in()
    host.wait_for(lambda: host.outcomes()["a1"] is Outcome.EMPTY)


def test_firmware_that_hangs_is_started_again_by_the_watchdog(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    node = host.pico.flash / "quarto_pi" / "firmware" / "node.py"
    plain = node.read_text()
    host.pico.unplug()
    node.write_text(
        plain.replace("    def turn(self) -> None:\n", "    def turn(self) -> None:\n        sleep_ms(20_000)\n")
    )
    host.pico.plug_in()
    host.wait(4_000)
    node.write_text(plain)
    assert host.pico.boots == 2
    host.wait_for(lambda: host.link.is_up, 12_000)
    assert host.pico.boots == 3


def test_firmware_that_breaks_starts_again_and_says_why(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    node = host.pico.flash / "quarto_pi" / "firmware" / "node.py"
    plain = node.read_text()
    host.pico.unplug()
    node.write_text(plain.replace("    def turn(self) -> None:\n", "    def turn(self) -> None:\n        1 // 0\n"))
    host.pico.plug_in()
    host.wait(1_000)
    assert host.pico.boots == 3
    (host.pico.flash / "quarto_pi" / "firmware" / "node.py").write_text(plain)
    host.pico.unplug()
    host.pico.plug_in()
    host.wait_for(lambda: host.link.is_up)
    host.wait_for(lambda: host.link.welcome is not None)
    assert host.link.welcome is not None
    assert host.link.welcome.broke == "ZeroDivisionError: divide by zero"


def test_dead_reader_is_dead_alone_and_recovers(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.board.faults.set("c2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(1_500)
    assert [cell for cell, outcome in host.outcomes().items() if outcome is Outcome.DEAD] == ["c2"]
    host.wait_for(lambda: not host.node.bank.health()["c2"].answers)
    host.board.faults.clear("c2")
    host.wait_for(lambda: host.outcomes()["c2"] is Outcome.TAG)


def test_board_without_a_single_reader_does_not_drown_the_host_in_frames(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    for cell in CELLS:
        host.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(500)
    frames = host.link.frames
    host.wait(1_000)
    assert host.link.frames - frames < 60
    assert set(host.outcomes().values()) == {Outcome.DEAD}


def test_health_is_that_of_the_chips(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "a1")
    host.begin()
    host.wait(2_500)
    health = host.node.bank.health()
    assert {figures.version for figures in health.values()} == {Version.NXP}
    assert all(figures.answers and figures.polls > 10 for figures in health.values())
    last_seen = health["a1"].last_seen
    assert last_seen is not None
    assert host.now - 1_500 < last_seen <= host.now
    assert health["b1"].last_seen is None


def test_brown_out_of_all_chips_is_recovered_from(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.set_up()
    host.begin()
    host.board.brown_out()
    host.wait(3_000)
    assert {host.outcomes()[cell] for cell in SQUARES} == {Outcome.TAG}


def test_self_test_resets_the_readers_and_shows_every_lamp(open_at_host: OpenAtHost) -> None:
    host = open_at_host("[panel_lights]\n")
    host.begin()
    host.wait(1_500)
    resets = host.node.bank.health()["a1"].resets
    host.link.test()
    shone = set()
    for _ in range(30):
        host.wait(20)
        shone |= {pin for pin, duty in host.pico.dimmed.items() if duty}
    host.wait_for(lambda: host.link.health is not None and host.link.health.tests == 1)
    assert host.node.bank.health()["a1"].resets == resets + 1
    assert shone == set(pins.LIGHTS)


def test_self_test_costs_no_reader_a_look_and_the_host_no_patience(open_at_host: OpenAtHost) -> None:
    host = open_at_host("[panel_lights]\n")
    host.board.set_up()
    host.begin()
    host.wait(1_500)
    host.readings.clear()
    host.link.test()
    host.wait_for(lambda: host.link.health is not None and host.link.health.tests == 1)
    host.wait(1_500)
    assert host.link.condition.ok
    assert {reading.outcome for reading in host.readings} == {Outcome.TAG, Outcome.EMPTY}
    assert {figures.errors for figures in host.node.bank.health().values()} == {0}


def test_board_that_is_wired_anew_shows_nothing_of_its_old_wiring(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "d4")
    host.begin()
    assert host.outcomes()["d4"] is Outcome.TAG
    host.node.close()
    a1, d4 = (SQUARES.index(cell) for cell in ("a1", "d4"))
    lines = {cell: {a1: d4, d4: a1}.get(line, line) for line, cell in enumerate(SQUARES)}
    config = replace(host.under.config, readers=replace(host.under.config.readers, lines=lines))
    assert config.node is not None
    for bounce in range(400):
        press = host.under.call.drive_low if bounce % 2 == 0 else host.under.call.drive_high
        host.board.clock.plan(host.now + 2 * bounce, press)
    with open_node(config, config.node, host.under.below) as node:
        readings = []
        end = host.now + 1_500
        while host.now < end:
            readings += node.bank.round()
    assert {reading.cell for reading in readings if reading.uids} == {"a1"}
    assert {reading.outcome for reading in readings if reading.cell == "a1"} == {Outcome.DEAD, Outcome.TAG}


def test_lights_shine_and_go_out_when_the_host_falls_silent(open_at_host: OpenAtHost) -> None:
    host = open_at_host("[panel_lights]\n")
    host.begin()
    host.link.light(bytes((255, 0, 128)))
    host.wait(300)
    assert [host.pico.dimmed[pin] for pin in pins.LIGHTS] == [65_535, 0, 128 * 65_535 // 255]
    host.pico.run_until(host.board.clock.now() + 4_000_000)
    assert [host.pico.dimmed[pin] for pin in pins.LIGHTS] == [0, 0, 0]


def test_restart_to_the_bootloader_takes_the_node_off_the_cable(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.link._send(Restart(protocol.TO_BOOTLOADER).write(Writer()))
    host.wait(300)
    assert host.pico.bootloader
    assert not host.board.field.on


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


def test_node_that_speaks_another_version_is_told_with_what_to_do(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.pico.unplug()
    file = host.pico.flash / "quarto_pi" / "firmware" / "protocol.py"
    file.write_text(file.read_text().replace(f"VERSION = {protocol.VERSION}\n", "VERSION = 0\n"))
    host.pico.plug_in()
    host.node.bank.start()
    host.wait(500)
    assert not host.link.condition.ok
    assert "version 0" in host.link.condition.detail
    assert host.link.condition.todo == "run 'quarto-pi firmware'"
    assert set(host.outcomes().values()) == {Outcome.DEAD}


def test_pico_without_the_firmware_is_told_with_what_to_do(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.pico.unplug()
    (host.pico.flash / "main.py").unlink()
    host.pico.plug_in()
    host.node.bank.start()
    host.wait(1_500)
    assert host.link.condition.todo == "run 'quarto-pi firmware' to put the firmware on it"


def test_fields_are_on_together_as_far_as_calibration_and_current_allow(
    open_at_host: OpenAtHost, tmp_path: Path
) -> None:
    file = tmp_path / "apart.toml"
    write_calibration(file, NOT_TOUCHING)
    host = open_at_host(f'[fields]\nmode = "in turn"\nsupply_ma = 600\ncalibration = "{file}"\n')
    host.board.set_up()
    host.begin()
    assert host.board.field.most_on == 3
    assert set(host.outcomes().values()) == {Outcome.TAG, Outcome.EMPTY}


def test_lost_readers_take_their_share_of_the_current(open_at_host: OpenAtHost, tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    write_calibration(file, NOT_TOUCHING)
    host = open_at_host(f'[fields]\nmode = "in turn"\nsupply_ma = 600\ncalibration = "{file}"\n')
    host.begin()
    for cell in ("a1", "c1"):
        host.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    host.wait(300)
    host.board.field.most_on = 0
    host.wait(500)
    assert host.board.field.most_on - len(host.board.field.on & {"a1", "c1"}) == 1


def _uid_on(cell: str) -> str:
    return UIDS[SQUARES.index(cell)] if cell in SQUARES else ""
