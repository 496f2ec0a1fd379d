"""The node's buttons and lights: a press keeps its moment, whatever happens to the frame that tells of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from quarto_pi.firmware import pins
from quarto_pi.wiring.board import open_node
from tests.pico.conftest import OpenAtHost

pytestmark = pytest.mark.slow


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
    for index in range(10):
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


def test_pin_that_was_a_button_before_the_board_was_wired_anew_is_none_any_more(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.node.close()
    config = host.under.config
    assert config.node is not None
    with open_node(config, replace(config.node, call_pin=20), host.under.platform) as node:
        node.bank.start()
        assert node.buttons.movements() == []
        for press in (host.under.call.drive_low, host.under.call.drive_high):
            press()
            for _ in range(3):
                node.bank.round()
            assert node.buttons.movements() == []


def test_button_of_a_node_that_is_unplugged_is_not_held_for_ever(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.under.call.drive_low()
    host.wait(300)
    assert host.node.buttons.held == ("call",)
    host.pico.unplug()
    host.wait(2_500)
    assert [moved.down for moved in host.movements] == [True, False]


def test_button_that_is_held_while_every_frame_is_lost_is_one_press(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.under.call.drive_low()
    host.wait(300)
    host.pico.cable.damage = lambda _: b""
    host.wait(1_000)
    assert not host.link.is_up
    host.pico.cable.damage = lambda data: data
    host.wait_for(lambda: host.link.is_up)
    host.wait(300)
    assert [moved.down for moved in host.movements] == [True]


def test_lights_shine_and_go_out_when_the_host_falls_silent(open_at_host: OpenAtHost) -> None:
    host = open_at_host("[panel_lights]\n")
    host.begin()
    host.link.light(bytes((255, 0, 128)))
    host.wait(300)
    assert [host.pico.dimmed[pin] for pin in pins.LIGHTS] == [65_535, 0, 128 * 65_535 // 255]
    host.pico.run_until(host.board.clock.now() + 4_000_000)
    assert [host.pico.dimmed[pin] for pin in pins.LIGHTS] == [0, 0, 0]


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


def test_held_button_has_not_moved_by_what_the_node_says_after_a_silence(
    open_at_host: OpenAtHost,
) -> None:
    host = open_at_host()
    host.begin()
    host.under.call.drive_low()
    host.wait(300)
    assert host.link.state is not None
    before = host.link.state.buttons[0]
    host.pico.cable.damage = lambda _: b""
    host.wait(1_500)
    host.pico.cable.damage = lambda data: data
    host.wait(500)
    after = host.link.state.buttons[0]
    assert (before.count, before.down) == (after.count, after.down) == (1, True)
    assert abs(after.at[0] - before.at[0]) <= 1
