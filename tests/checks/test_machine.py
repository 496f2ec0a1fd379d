"""What the Pi tells about itself, and what is to be done about it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.checks import Finding
from quarto_pi.checks.devices import buses, nodes_of, tags
from quarto_pi.checks.installation import LEFT_VERSION, service_health
from quarto_pi.checks.machine import clock, memory, pi, storage
from quarto_pi.checks.plan import journal
from quarto_pi.config import JournalConfig, parse_config
from quarto_pi.sensing.tags import format_tags
from quarto_pi.simulation.board import UIDS
from quarto_pi.wiring.platform import simulated_tags
from tests.checks.workbench import NOON, Workbench

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
SPI = "dev/spidev0.0"


def by_device(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.device: finding for finding in findings}


def the_bus(bench: Workbench, text: str = "", *groups: int) -> Finding:
    """What is found out about the readers' bus, by a user in these groups."""
    return by_device(list(buses(bench.as_user(*groups), nodes_of(parse_config(text)))))["spi 0.0"]


def test_pi_that_is_well_is_told_by_its_name(bench: Workbench) -> None:
    found = by_device(list(pi(bench.machine)))
    assert all(finding.ok for finding in found.values())
    assert found["pi"].detail == "Raspberry Pi 4 Model B Rev 1.5"
    assert found["temperature"].detail == "48 degrees Celsius"
    assert found["power"].detail == "voltage and clock were always as they should be"


def test_computer_that_is_no_pi_is_not_looked_at_any_closer(bench: Workbench) -> None:
    bench.remove("proc/device-tree/model")
    assert [(finding.device, finding.ok) for finding in pi(bench.machine)] == [("pi", True)]


@pytest.mark.parametrize(
    ("bits", "detail", "fix"),
    [
        ("50005", "now under-voltage, throttled; since the start under-voltage, throttled", "power supply"),
        ("50000", "since the start under-voltage, throttled", "power supply"),
        ("0x1", "now under-voltage", "power supply"),
        ("20002", "now the processor's clock is capped; since the start the processor's clock is capped", "let air"),
        ("80008", "now near its temperature limit; since the start near its temperature limit", "let air"),
    ],
)
def test_bits_of_the_firmware_are_told_in_words(bench: Workbench, bits: str, detail: str, fix: str) -> None:
    bench.write(THROTTLED, f"{bits}\n")
    power = by_device(list(pi(bench.machine)))["power"]
    assert (power.ok, power.detail) == (False, detail)
    assert fix in (power.fix or "")


def test_what_the_kernel_has_forgotten_the_firmware_may_still_know(bench: Workbench) -> None:
    bench.program("vcgencmd", 'echo "throttled=0x10000"')
    assert by_device(list(pi(bench.machine)))["power"].detail == "since the start under-voltage"


def test_alarm_of_the_voltage_is_heard_where_nothing_else_tells(bench: Workbench) -> None:
    bench.remove(THROTTLED)
    bench.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    power = by_device(list(pi(bench.machine)))["power"]
    # The kernel remembers that it was low, and does not tell whether it is so still.
    assert (power.ok, power.detail) == (False, "since the start under-voltage")
    bench.remove("sys/class/hwmon/hwmon1/in0_lcrit_alarm")
    assert "does not tell" in by_device(list(pi(bench.machine)))["power"].detail


def test_pi_that_is_too_hot_wants_air(bench: Workbench) -> None:
    bench.write("sys/class/thermal/thermal_zone0/temp", "83210\n")
    temperature = by_device(list(pi(bench.machine)))["temperature"]
    assert (temperature.ok, temperature.detail) == (False, "83 degrees Celsius")


def test_search_may_not_take_more_memory_than_there_is(bench: Workbench) -> None:
    (well,) = memory(bench.machine, parse_config(""))
    assert (well.ok, well.detail) == (True, "3232 of 3794 MB are free, and the search may take 64")
    (greedy,) = memory(bench.machine, parse_config("[engine]\ntable_mb = 3000\n"))
    assert (greedy.ok, greedy.fix) == (False, "quarto-pi config set engine.table_mb 474")
    bench.write("proc/meminfo", "MemTotal: 500000 kB\nMemAvailable: 20000 kB\n")
    (full,) = memory(bench.machine, parse_config(""))
    assert not full.ok


def test_clock_from_before_the_program_was_installed_is_not_set(bench: Workbench) -> None:
    assert clock(bench.machine, NOON - 1).detail == "2026-03-01 12:00 UTC, synchronised"
    for now in (NOON - 1, -5.0, 1e12):
        assert not clock(bench.at(now), NOON).ok


def test_clock_that_nobody_sets_right_is_told_of_and_well(bench: Workbench) -> None:
    bench.remove("run/systemd/timesync/synchronized")
    alone = clock(bench.machine, NOON)
    assert alone.ok
    assert "not synchronised" in alone.detail
    assert alone.fix
    bench.program("timedatectl", "echo yes")
    assert clock(bench.machine, NOON).detail.endswith(", synchronised")


def test_bus_that_is_switched_off_is_told_with_the_command_that_switches_it_on(bench: Workbench) -> None:
    assert the_bus(bench).fix == "sudo raspi-config nonint do_spi 0, and restart the Pi"


@pytest.mark.parametrize("line", ["dtparam=spi=on", "dtparam=i2c_arm=on,spi=on", "dtparam=spi"])
def test_bus_that_is_switched_on_and_still_not_there_wants_a_restart(bench: Workbench, line: str) -> None:
    bench.write("boot/firmware/config.txt", f"[all]\n{line}\n")
    assert the_bus(bench).fix == "restart the Pi"


def test_second_bus_needs_an_overlay(bench: Workbench) -> None:
    found = by_device(list(buses(bench.machine, nodes_of(parse_config('profile = "pi"\n')))))
    assert list(found) == ["gpio", "spi 0.0", "spi 1.0", "i2c 1"]
    assert "'dtoverlay=spi1-1cs' to /boot/firmware/config.txt" in (found["spi 1.0"].fix or "")
    assert found["i2c 1"].fix == "sudo modprobe i2c-dev, and add the line 'i2c-dev' to /etc/modules"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to a group")
def test_user_who_is_not_in_the_group_is_told_how_to_come_in(bench: Workbench) -> None:
    os.chown(bench.write(SPI, "", 0o660), 0, 997)
    refused = the_bus(bench)
    assert refused.detail == "/dev/spidev0.0 belongs to the group i2c, and keeper is not in it"
    assert refused.fix == "sudo usermod -aG i2c keeper, then log in again"
    assert the_bus(bench, "", 997).ok


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to a group")
def test_user_who_is_in_the_group_but_not_in_this_session_logs_in_again(bench: Workbench) -> None:
    os.chown(bench.write(SPI, "", 0o660), 0, 998)
    assert the_bus(bench).fix == "log in again: the group is new to you"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to root")
def test_node_for_root_alone_is_told(bench: Workbench) -> None:
    for mode in (0o600, 0o660):
        os.chown(bench.write(SPI, "", mode), 0, 0)
        # Nobody is told to join root's group.
        assert "udev" in (the_bus(bench).fix or "")
    assert next(iter(buses(bench.machine, nodes_of(parse_config(""))[1:]))).ok == (bench.machine.user.number == 0)


def test_service_that_runs_is_well_and_its_restarts_are_told(bench: Workbench) -> None:
    assert service_health(bench.machine).detail.startswith("not installed")
    states = "LoadState=loaded\\nActiveState=active\\nSubState=running\\nResult=success\\nUnitFileState=enabled"
    bench.program("systemctl", f"printf '{states}\\nNRestarts=3\\n'")
    running = service_health(bench.machine)
    assert (running.ok, running.detail) == (True, "active (running), started again 3 times")
    assert "journalctl" in (running.fix or "")
    left = bench.machine.path(LEFT_VERSION)
    left.parent.mkdir(parents=True)
    left.write_text("0.2.0-abc\n", encoding="utf-8")
    assert "version 0.2.0-abc kept dying and was left" in service_health(bench.machine).detail


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ("ActiveState=failed\\nSubState=failed\\nResult=exit-code", "ended with exit-code"),
        ("ActiveState=activating\\nSubState=auto-restart\\nResult=watchdog", "ended with watchdog"),
        ("ActiveState=active\\nSubState=running\\nUnitFileState=disabled", "will not start with the Pi"),
    ],
)
def test_service_that_fails_is_told_with_what_to_do(bench: Workbench, states: str, said: str) -> None:
    bench.program("systemctl", f"printf 'LoadState=loaded\\n{states}\\n'")
    found = service_health(bench.machine)
    assert not found.ok
    assert said in found.detail
    assert found.fix


def test_storage_is_written_to_and_nothing_is_left_there(bench: Workbench) -> None:
    folder = bench.machine.path("var/lib/quarto-pi")
    folder.mkdir(parents=True)
    (found,) = storage(bench.machine)
    assert found.ok
    assert f"free in {folder}; written through" in found.detail
    assert list(folder.iterdir()) == []


def test_folder_that_is_yet_to_be_made_is_tried_where_it_will_be(bench: Workbench) -> None:
    bench.machine.path("home/keeper").mkdir(parents=True)
    (found,) = storage(bench.machine)
    assert found.ok
    assert "home/keeper/.local/state/quarto-pi" in found.detail


def test_folder_that_forgets_is_no_place_for_games(bench: Workbench) -> None:
    bench.machine.path("var/lib/quarto-pi").mkdir(parents=True)
    bench.write("proc/mounts", "overlay / overlay rw 0 0\n/dev/sda1 /var/lib ext4 rw 0 0\n")
    assert [finding.ok for finding in storage(bench.machine)] == [True]
    bench.write("proc/mounts", "/dev/sda1 /var/lib ext4 rw 0 0\noverlay / overlay rw 0 0\n")
    assert [finding.ok for finding in storage(bench.machine)] == [True]
    bench.write("proc/mounts", "overlay / overlay rw 0 0\n")
    (found,) = storage(bench.machine)
    assert not found.ok
    assert found.detail.endswith("is on overlay: a pulled plug empties it")
    # A container stands on one as well, and nobody pulls its plug.
    bench.remove("proc/device-tree/model")
    assert [finding.ok for finding in storage(bench.machine)] == [True]


def test_disk_that_has_room_but_no_place_for_another_file_is_full(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bench.machine.path("var/lib/quarto-pi")
    folder.mkdir(parents=True)
    real = os.statvfs(folder)
    of_ext4 = (*real[:5], 100_000, 50, 50, *real[8:])
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result(of_ext4))
    (found,) = storage(bench.machine)
    assert not found.ok
    assert "make room" in (found.fix or "")
    # Other file systems count no files.
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*real[:5], 0, 0, 0, *real[8:])))
    assert [finding.ok for finding in storage(bench.machine)] == [True]


def test_disk_that_takes_nothing_is_told_with_what_to_do(bench: Workbench) -> None:
    # Nothing can be made there, not even by root.
    machine = replace(bench.machine, environ={**bench.machine.environ, "STATE_DIRECTORY": "/proc/self"})
    (found,) = storage(machine)
    assert not found.ok
    assert found.detail.startswith("/proc/self cannot be written: ")
    assert found.fix


def test_tags_file_is_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "tags.toml"
    file.write_text(format_tags(simulated_tags()))
    config = parse_config(f'[readers]\ntags = "{file}"\n')
    assert tags(config).detail == f"16 tags for sixteen pieces, in {file}"
    file.write_text(format_tags(simulated_tags()).replace(UIDS[3], UIDS[4]))
    doubled = tags(config)
    assert not doubled.ok
    assert "a tag belongs to one piece" in doubled.detail
    # The guide adds to what is there; what is wrong there it can only begin anew.
    assert "quarto-pi enrol --anew" in (doubled.fix or "")
    file.unlink()
    assert tags(config).fix == "run 'quarto-pi enrol'"


def test_journal_is_looked_at_where_the_board_keeps_it(bench: Workbench) -> None:
    folder = bench.machine.path("var/lib/quarto-pi")
    folder.mkdir(parents=True)
    assert journal(bench.machine, JournalConfig()).detail.startswith(f"no game kept yet in {folder}")
    (folder / "journal.sqlite").write_bytes(b"this is no journal" * 100)
    broken = journal(bench.machine, JournalConfig())
    assert not broken.ok
    assert broken.fix


def test_board_on_a_pico_needs_nothing_of_the_header() -> None:
    assert nodes_of(parse_config("[node]\n")) == []
    assert [node.device for node in nodes_of(parse_config("[node]\n[oled]\n"))] == ["i2c 1"]
