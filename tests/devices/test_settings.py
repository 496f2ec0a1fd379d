"""Settings are read before it is known which packages are there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from quarto_pi.devices.settings import OledSettings, SettingsError

PACKAGES = ("gpiozero", "luma", "PIL", "smbus2", "spidev", "RPi")


@pytest.mark.parametrize("module", ["settings", "light_patterns", "node.settings", "speech"])
def test_settings_need_no_package(module: str) -> None:
    without = f"import sys; sys.modules.update(dict.fromkeys({PACKAGES}))"
    subprocess.run(  # noqa: S603 - this Python
        [sys.executable, "-c", f"{without}; import quarto_pi.devices.{module}"], check=True
    )


def test_an_error_of_a_setting_is_one_sentence_and_names_the_key() -> None:
    error = SettingsError("rotate", 7, "write 0 to 3")
    assert str(error) == "rotate is 7: write 0 to 3."
    assert (error.key, error.value, error.todo) == ("rotate", 7, "write 0 to 3")


@pytest.mark.parametrize("contrast", [-1, 256])
def test_a_contrast_that_no_byte_holds_is_refused(contrast: int) -> None:
    with pytest.raises(SettingsError, match="contrast"):
        OledSettings(contrast=contrast)
    assert [OledSettings(contrast=each).contrast for each in (0, 255)] == [0, 255]
