"""Which checks there are, which of them somebody wants, and a board that somebody else has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.below import Below, HardwareMissing, simulated_hardware
from quarto_pi.checks.plan import (
    Check,
    Choice,
    UnknownDevice,
    checks_of_board,
    checks_of_installation,
    checks_of_machine,
    choose,
    go_through,
    names_of,
)
from quarto_pi.checks.readers import reader
from quarto_pi.config import parse_config
from quarto_pi.devices.health import ReaderHealth
from quarto_pi.devices.in_use import BoardInUse
from quarto_pi.devices.reader_terms import Version
from quarto_pi.devices.spi import Spi
from quarto_pi.simulation.board import SimulatedBoard
from tests.checks.workbench import Workbench

CONFIG = parse_config('profile = "pi"\n')


def board() -> tuple[list[Check], SimulatedBoard]:
    below, simulated = simulated_hardware(config=CONFIG)
    return checks_of_board(CONFIG, below), simulated


def devices(checks: list[Check], *names: str) -> list[str]:
    return [finding.device for finding in go_through(checks, choose(checks, names))]


def test_every_device_that_is_named_is_told_of(bench: Workbench) -> None:
    checks = [*checks_of_machine(bench.machine, CONFIG), *checks_of_installation(bench.machine, CONFIG), *board()[0]]
    bench.machine.path("var/lib/quarto-pi").mkdir(parents=True)
    assert [finding.name for finding in go_through(checks, Choice())] == names_of(checks)


def test_only_what_is_wanted_is_looked_at() -> None:
    checks, simulated = board()
    assert devices(checks, "reader-a1", "oled") == ["reader a1", "oled"]
    assert simulated.oled.on
    assert devices(checks, "button-call") == ["button call"]


def test_name_that_no_device_has_is_told_with_the_nearest_one() -> None:
    with pytest.raises(UnknownDevice, match="there is no 'reader-e1' to be checked: did you mean 'reader-"):
        choose(board()[0], ["reader-a1", "reader-e1"])


def test_counterfeit_and_clone_are_told_and_well() -> None:
    checks, simulated = board()
    simulated.chips["b2"].version = 0x12
    simulated.chips["c3"].version = 0x88
    found = {finding.device: finding for finding in go_through(checks, choose(checks, ["reader-b2", "reader-c3"]))}
    assert found["reader b2"].ok
    assert "counterfeit" in found["reader b2"].detail
    assert "another module" in (found["reader b2"].fix or "")
    assert "clone" in found["reader c3"].detail


def test_reader_that_errs_in_a_quarter_of_its_looks_is_not_well() -> None:
    figures = ReaderHealth("b2", Version.NXP, 20, 0, 4, 0, 0, None, None, answers=True)
    assert reader(figures).ok
    failing = reader(replace(figures, errors=5))
    assert not failing.ok
    assert "25% errors" in failing.detail


def test_who_asks_for_a_reader_is_told_that_its_bus_is_not_there() -> None:
    def open_spi(bus: int, device: int, _speed_hz: int) -> Spi:
        raise HardwareMissing(f"/dev/spidev{bus}.{device} is not there")

    checks = checks_of_board(CONFIG, replace(simulated_hardware(config=CONFIG)[0], open_spi=open_spi))
    (found,) = go_through(checks, choose(checks, ["reader-a1"]))
    assert (found.device, found.ok, found.detail) == ("readers", False, "/dev/spidev0.0 is not there")


def in_use_by(user: str) -> Below:
    def open_spi(_bus: int, _device: int, _speed_hz: int) -> Spi:
        raise BoardInUse(user)

    return replace(simulated_hardware(config=CONFIG)[0], open_spi=open_spi)


def test_board_that_is_played_on_is_left_alone_and_that_is_well() -> None:
    (found,) = go_through(checks_of_board(CONFIG, in_use_by("quarto-pi run (pid 7)")), Choice())
    assert (found.device, found.ok) == ("board", True)
    assert found.detail.startswith("in use by quarto-pi run (pid 7): ")
    assert "sudo systemctl stop quarto-pi" in (found.fix or "")


@pytest.mark.parametrize("name", ["reader-a1", "button-call", "oled"])
def test_who_asks_for_a_part_of_a_board_in_use_gets_no_answer(name: str) -> None:
    checks = checks_of_board(CONFIG, in_use_by("another program"))
    (found,) = go_through(checks, choose(checks, [name]))
    assert (found.device, found.ok) == ("board", False)
