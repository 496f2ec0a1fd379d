"""SPI and I2C in the Pi's boot configuration."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from installing.bus import SECOND_BUS, USUAL, enable, with_line
from installing.places import Places
from installing.telling import InstallError, Report

FRESH = "# For more options see the documentation\n#dtparam=i2c_arm=on\n#dtparam=spi=on\n\n[cm4]\notg_mode=1\n\n[all]\n"


@pytest.fixture
def pi(tmp_path: Path) -> Places:
    places = Places(tmp_path)
    places.boot_configs[0].parent.mkdir(parents=True)
    places.boot_configs[0].write_text(FRESH, encoding="utf-8")
    return places


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#dtparam=spi=on\n", "dtparam=spi=on\n"),
        ("# dtparam=spi=on\n", "dtparam=spi=on\n"),
        ("dtparam=spi=off\n", "dtparam=spi=on\n"),
        ("dtparam=spi=on\n", "dtparam=spi=on\n"),
        ("", "dtparam=spi=on\n"),
        ("[pi4]\ndtparam=spi=on\n", "[pi4]\ndtparam=spi=on\n\n[all]\ndtparam=spi=on\n"),
        ("dtparam=spi=on,audio=on\n", "dtparam=spi=on,audio=on\n"),
        ("dtparam=spi=off,audio=on\n", "dtparam=spi=on,audio=on\n"),
        ("[pi4]\narm_boost=1\n[all]\n", "[pi4]\narm_boost=1\n[all]\ndtparam=spi=on\n"),
    ],
)
def test_line_counts_for_every_model_afterwards(before: str, after: str) -> None:
    assert with_line(before, "dtparam=spi=on") == after
    assert with_line(after, "dtparam=spi=on") == after


def test_overlay_stands_beside_others() -> None:
    assert with_line("dtoverlay=vc4-kms-v3d\n", SECOND_BUS) == "dtoverlay=vc4-kms-v3d\ndtoverlay=spi1-1cs\n"


def test_fresh_pi_needs_a_restart_once(pi: Places) -> None:
    report = Report(1, io.StringIO())
    assert enable(pi, (*USUAL, SECOND_BUS), report)
    text = pi.boot_configs[0].read_text(encoding="utf-8")
    assert {*USUAL, SECOND_BUS} <= set(text.splitlines())
    assert not enable(pi, (*USUAL, SECOND_BUS), report)
    assert pi.boot_configs[0].with_name("config.txt.before-quarto-pi").read_text(encoding="utf-8") == FRESH


def test_what_is_not_utf8_in_the_boot_configuration_stays_as_it_is(pi: Places) -> None:
    file = pi.boot_configs[0]
    file.write_bytes("# für den Bildschirm\n".encode("latin-1"))
    assert enable(pi, (SECOND_BUS,), Report(1, io.StringIO()))
    assert file.read_bytes() == "# für den Bildschirm\ndtoverlay=spi1-1cs\n".encode("latin-1")


def test_system_without_a_boot_configuration_is_told_what_to_add(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="add 'dtparam=spi=on'"):
        enable(Places(tmp_path), USUAL, Report(1, io.StringIO()))
