"""Switching off: what is asked for, and what is said when it is refused."""

import sys

import pytest

from quarto_pi.referee import ShutDown
from quarto_pi.service import PowerOffRefused, PowerSwitch, power_off


def test_switch_is_thrown_by_the_menu() -> None:
    switch = PowerSwitch()
    assert not switch.off
    switch.perform(ShutDown())
    assert switch.off


def test_refusal_says_why_and_what_to_do() -> None:
    refusing = "import sys; sys.exit('Call failed: Interactive authentication required.')"
    with pytest.raises(PowerOffRefused) as told:
        power_off([sys.executable, "-c", refusing])
    assert str(told.value) == (
        "the machine can't be switched off (Interactive authentication required): run the installer again for the rule "
        "that lets the board do it."
    )


def test_machine_without_systemd_is_told_in_one_sentence() -> None:
    with pytest.raises(PowerOffRefused, match="no-such-busctl does not work"):
        power_off(["no-such-busctl"])


def test_promise_is_enough() -> None:
    power_off([sys.executable, "-c", ""])
