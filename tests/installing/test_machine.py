"""Which packages which Pi gets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from installing.machine import Board, Machine
from installing.system import packages_for
from installing.telling import InstallError

PI_5, PI_4, ZERO = "Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 4 Model B Rev 1.5", "Raspberry Pi Zero 2 W Rev 1.0"


def machine(
    model: str, kernel: tuple[int, int] = (6, 12), word: str = "aarch64", python: tuple[int, int] = (3, 13)
) -> Machine:
    return Machine(model, "Debian GNU/Linux", kernel, word, python)


@pytest.mark.parametrize(
    ("model", "kernel", "board"),
    [
        (PI_5, (6, 1), Board.PI5),
        (PI_4, (6, 1), Board.PI4),
        (PI_4, (6, 6), Board.PI5),
        (ZERO, (6, 12), Board.PI5),
    ],
)
def test_rpi_gpio_is_chosen_only_where_it_can_still_watch_pins(
    model: str, kernel: tuple[int, int], board: Board
) -> None:
    assert machine(model, kernel).board() is board


def test_other_computer_is_told_how_to_simulate() -> None:
    with pytest.raises(InstallError, match="--board simulated"):
        machine("").board()


@pytest.mark.parametrize("python", [(3, 9), (3, 14)])
def test_other_python_is_refused(python: tuple[int, int]) -> None:
    with pytest.raises(InstallError, match=r"needs 3\.11 to 3\.13"):
        replace(machine(PI_4), python=python).refuse_if_unfit(Board.SIMULATED)


def test_system_s_packages_are_those_that_this_machine_needs() -> None:
    plain = packages_for(machine(PI_4), Board.SIMULATED, voice=False, display=False)
    assert "espeak-ng" not in plain
    assert "libjpeg-dev" not in plain
    small = packages_for(machine(ZERO, word="armhf"), Board.PI5, voice=True, display=True)
    more = {"libjpeg-dev", "zlib1g-dev", "libfreetype-dev", "python3-lgpio", "espeak-ng", "chromium", "cage"}
    assert set(small) == {*plain, *more}


def test_pi_5_with_debians_own_kernel_is_refused_before_anything_is_fetched() -> None:
    debian = replace(machine("Raspberry Pi 5 Model B Rev 1.0"), is_pi_kernel=False)
    for board in (Board.PI5, Board.PI4):
        with pytest.raises(InstallError, match="use Raspberry Pi OS, or say --board simulated"):
            debian.refuse_if_unfit(board)
    debian.refuse_if_unfit(Board.SIMULATED)
    replace(debian, is_pi_kernel=True).refuse_if_unfit(Board.PI5)
    replace(machine(PI_4), is_pi_kernel=False).refuse_if_unfit(Board.PI5)
