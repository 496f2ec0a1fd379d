"""A node that comes and goes: plugged in and out, hung, broken, or with a firmware that the host does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarto_pi.devices.readers.fields import NOT_TOUCHING, write_calibration
from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import Writer
from quarto_pi.firmware.said_by_host import Restart
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome
from quarto_pi.simulation.board import UIDS
from tests.pico.conftest import OpenAtHost

pytestmark = pytest.mark.slow

SEVEN = "04A1B2C3D4E5F6"


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
    assert all(host.seen()[cell].uids == (uid,) for cell, uid in zip(SQUARE_NAMES, UIDS, strict=True))


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
    host.link._send(Restart(protocol.AGAIN).write(Writer()))
    told = host.link.welcome
    host.wait_for(lambda: host.link.welcome not in (None, told))
    assert host.link.welcome.broke == "", "it is told once"


def test_restart_to_the_bootloader_takes_the_node_off_the_cable(open_at_host: OpenAtHost, tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    write_calibration(file, NOT_TOUCHING)
    # Several fields are on together while the node listens.
    host = open_at_host(f'[fields]\nmode = "in turn"\ncalibration = "{file}"\n')
    host.begin()
    host.link._send(Restart(protocol.TO_BOOTLOADER).write(Writer()))
    host.wait(300)
    assert host.pico.bootloader
    assert not host.board.field.on


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
    assert "run 'quarto-pi firmware' to put the firmware on it" in host.link.condition.todo
