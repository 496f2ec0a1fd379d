"""Which checks there are, which of them somebody wants, and a board that somebody else has."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.checks.devices import (
    BAD,
    FALSE_ALARM,
    GOOD,
    MISSED,
    MOST_LOOKS,
    SWEEPS,
    is_doubtful,
    reader,
)
from quarto_pi.checks.plan import (
    Check,
    ChosenDevices,
    UnknownDevice,
    checks_of_board,
    checks_of_installation,
    checks_of_machine,
    checks_of_program,
    choose_devices,
    device_names,
    go_through,
)
from quarto_pi.config import parse_config
from quarto_pi.config.layers import ConfigPlace
from quarto_pi.devices.readers.health import ReaderHealth, Version
from quarto_pi.devices.readers.interface import BoardInUse
from quarto_pi.devices.readers.spi import Spi
from quarto_pi.sensing.readings import CELLS
from quarto_pi.simulation.board import UIDS, SimulatedBoard
from quarto_pi.simulation.field import Noise
from quarto_pi.wiring.platform import HardwareMissing, Platform, simulated_hardware
from tests.checks.workbench import Workbench

pytestmark = pytest.mark.slow

CONFIG = parse_config('profile = "pi"\n')


def board() -> tuple[list[Check], SimulatedBoard]:
    platform, simulated = simulated_hardware(config=CONFIG)
    return checks_of_board(CONFIG, platform), simulated


def devices(checks: list[Check], *names: str) -> list[str]:
    return [finding.device for finding in go_through(checks, choose_devices(checks, names))]


def test_every_device_that_is_named_is_told_of(bench: Workbench) -> None:
    checks = [*checks_of_machine(bench.machine, CONFIG), *checks_of_installation(bench.machine, CONFIG), *board()[0]]
    bench.machine.path("var/lib/quarto-pi").mkdir(parents=True)
    assert [finding.name for finding in go_through(checks, ChosenDevices())] == device_names(checks)


def test_only_what_is_wanted_is_looked_at() -> None:
    checks, simulated = board()
    assert devices(checks, "reader-a1", "oled") == ["reader a1", "oled"]
    assert simulated.oled.on
    assert devices(checks, "button-call") == ["button call"]


def test_name_that_no_device_has_is_told_with_the_nearest_one() -> None:
    with pytest.raises(UnknownDevice, match="there is no 'reader-e1' to be checked: did you mean 'reader-"):
        choose_devices(board()[0], ["reader-a1", "reader-e1"])


def test_counterfeit_and_clone_are_told_and_well() -> None:
    checks, simulated = board()
    simulated.chips["b2"].version = 0x12
    simulated.chips["c3"].version = 0x88
    found = {
        finding.device: finding for finding in go_through(checks, choose_devices(checks, ["reader-b2", "reader-c3"]))
    }
    assert found["reader b2"].ok
    assert "counterfeit" in found["reader b2"].detail
    assert "another module" in (found["reader b2"].fix or "")
    assert "clone" in found["reader c3"].detail


def test_reader_that_errs_in_a_tenth_of_its_looks_is_not_well() -> None:
    figures = ReaderHealth("b2", Version.NXP, 60, 0, 1, 0, 0, None, None, answers=True)
    assert reader(figures).ok
    failing = reader(replace(figures, errors=6))
    assert not failing.ok
    assert "10% errors" in failing.detail


def test_share_of_good_readers_that_are_called_bad_and_of_bad_ones_that_are_called_good_is_as_stated() -> None:
    dice = random.Random(1)

    def is_called_bad(share: float) -> bool:
        figures = ReaderHealth("b2", Version.NXP, 0, 0, 0, 0, 0, None, None, answers=True)
        figures = replace(figures, polls=SWEEPS, errors=sum(dice.random() < share for _ in range(SWEEPS)))
        while is_doubtful(figures) and figures.polls < MOST_LOOKS:
            figures = replace(figures, polls=figures.polls + 1, errors=figures.errors + (dice.random() < share))
        return not reader(figures).ok

    readers = 1_000
    assert sum(is_called_bad(GOOD) for _ in range(readers)) <= 2 * FALSE_ALARM * readers
    assert sum(not is_called_bad(BAD) for _ in range(readers)) <= 2 * MISSED * readers


def test_one_bad_reader_among_good_ones_is_found_through_its_chip() -> None:
    checks, simulated = board()
    simulated.set_up()
    simulated.field.add_noise("b2", 0.15, (Noise.PARITY,))
    found = list(go_through(checks, choose_devices(checks, [f"reader-{cell}" for cell in ("a1", "b2", "c3", "d4")])))
    assert [finding.device for finding in found if not finding.ok] == ["reader b2"]


@pytest.mark.parametrize("names", [[], ["reader-b2"]], ids=["all", "this one alone"])
def test_antenna_that_is_dead_among_readers_that_hear_pieces_is_noticed(names: list[str]) -> None:
    checks, simulated = board()
    simulated.set_up()
    simulated.field.break_antenna("b2")
    names = names or [f"reader-{cell}" for cell in CELLS]
    found = list(go_through(checks, choose_devices(checks, names)))
    (dead,) = [finding for finding in found if not finding.ok]
    assert dead.device == "reader b2"
    assert "nothing read" in dead.detail
    assert "8 readers around it hear a piece" in dead.detail
    assert "put a piece there" in (dead.fix or "")


def test_empty_square_among_empty_ones_is_well() -> None:
    checks, simulated = board()
    simulated.set_up()
    for uid in UIDS[4:]:
        simulated.table.lift(uid)
    found = list(go_through(checks, choose_devices(checks, [f"reader-{cell}" for cell in CELLS])))
    assert all(finding.ok for finding in found)


def test_chip_that_wants_its_command_again_is_told_and_well() -> None:
    checks, simulated = board()
    simulated.set_up()
    simulated.chips["c3"].forgetful = True
    simulated.chips["offer"].forgetful = True
    found = {
        finding.device: finding for finding in go_through(checks, choose_devices(checks, ["reader-c3", "reader-offer"]))
    }
    assert all(finding.ok for finding in found.values())
    assert "wants its command again for every frame" in found["reader c3"].detail
    # nothing stands there: it has never had a second frame to send
    assert "command" not in found["reader offer"].detail


@pytest.mark.parametrize(
    ("section", "ok", "said"),
    [
        ('mode = "one at a time"', True, "one at a time"),
        ('mode = "one at a time"\ncalibration = "gone.toml"', True, "one at a time"),
        ('mode = "in turn"', False, "names no file"),
        ('mode = "interleaved"\ncalibration = "gone.toml"', False, "gone.toml: the calibration cannot be read"),
    ],
)
def test_fields_that_are_on_one_at_a_time_for_want_of_a_calibration_are_told(
    tmp_path: Path, section: str, ok: bool, said: str
) -> None:
    config = parse_config(f"[fields]\n{section}\n")
    checks = checks_of_program(ConfigPlace(tmp_path / "quarto-pi.toml"), config)
    (found,) = go_through(checks, choose_devices(checks, ["fields"]))
    assert found.ok is ok
    assert said in found.detail
    assert ("quarto-pi calibrate" in (found.fix or "")) is not ok


def test_who_asks_for_a_reader_is_told_that_its_bus_is_not_there() -> None:
    def open_spi(bus: int, device: int, _speed_hz: int) -> Spi:
        raise HardwareMissing(f"/dev/spidev{bus}.{device} is not there")

    checks = checks_of_board(CONFIG, replace(simulated_hardware(config=CONFIG)[0], open_spi=open_spi))
    (found,) = go_through(checks, choose_devices(checks, ["reader-a1"]))
    assert (found.device, found.ok, found.detail) == ("readers", False, "/dev/spidev0.0 is not there")


def in_use_by(user: str) -> Platform:
    def open_spi(_bus: int, _device: int, _speed_hz: int) -> Spi:
        raise BoardInUse(user)

    return replace(simulated_hardware(config=CONFIG)[0], open_spi=open_spi)


def test_board_that_is_played_on_is_left_alone_and_that_is_well() -> None:
    (found,) = go_through(checks_of_board(CONFIG, in_use_by("quarto-pi run (pid 7)")), ChosenDevices())
    assert (found.device, found.ok) == ("board", True)
    assert found.detail.startswith("in use by quarto-pi run (pid 7): ")
    assert "sudo systemctl stop quarto-pi" in (found.fix or "")


@pytest.mark.parametrize("name", ["reader-a1", "button-call", "oled"])
def test_who_asks_for_a_part_of_a_board_in_use_gets_no_answer(name: str) -> None:
    checks = checks_of_board(CONFIG, in_use_by("another program"))
    (found,) = go_through(checks, choose_devices(checks, [name]))
    assert (found.device, found.ok) == ("board", False)
