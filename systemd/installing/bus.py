"""SPI and I2C: switched on in the Pi's boot configuration."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from installing import shell
from installing.places import Places
from installing.telling import InstallError, Report

USUAL: Final = ("dtparam=spi=on", "dtparam=i2c_arm=on")
SECOND_BUS: Final = "dtoverlay=spi1-1cs"
"""The strip of lights under the squares has no select line, so it needs a bus of its own."""
RASPI_CONFIG: Final = {"dtparam=spi=on": "spi", "dtparam=i2c_arm=on": "i2c"}
_AS_IT_IS: Final = "surrogateescape"
"""People write comments into that file on whatever computer they have."""


def enable(places: Places, wanted: Sequence[str], report: Report) -> bool:
    """Switch these on, and return whether the machine has to be restarted for that."""
    needs_restart = False
    for line in wanted:
        if line in RASPI_CONFIG and shell.succeeds("raspi-config", "nonint", f"get_{RASPI_CONFIG[line]}"):
            needs_restart |= _by_raspi_config(RASPI_CONFIG[line], report)
        else:
            needs_restart |= _by_hand(places, line, report)
    return needs_restart


def _by_raspi_config(name: str, report: Report) -> bool:
    if shell.run("raspi-config", "nonint", f"get_{name}").strip() == "0":
        report.right(f"{name.upper()} is on")
        return False
    shell.run("raspi-config", "nonint", f"do_{name}", "0", what=f"Switching {name.upper()} on")
    report.changed(f"{name.upper()} switched on")
    return True


def _by_hand(places: Places, line: str, report: Report) -> bool:
    file = next((file for file in places.boot_configs if file.is_file()), None)
    if file is None:
        raise InstallError(f"There is no {places.boot_configs[0]}: add '{line}' to this system's boot configuration.")
    before = file.read_text(encoding="utf-8", errors=_AS_IT_IS)
    after = with_line(before, line)
    if after == before:
        report.right(f"'{line}' stands in {file}")
        return False
    kept = file.with_name("config.txt.before-quarto-pi")
    if not kept.exists():
        kept.write_text(before, encoding="utf-8", errors=_AS_IT_IS)
    _replace(file, after)
    report.changed(f"'{line}' written into {file}; as it was: {kept.name}")
    return True


def with_line(text: str, line: str) -> str:
    r"""The boot configuration with this line in force for every model; what says the opposite there is taken out.

    >>> print(with_line("#dtparam=spi=on\n[pi4]\ndtparam=spi=on\n", "dtparam=spi=on"), end="")
    dtparam=spi=on
    [pi4]
    dtparam=spi=on
    """
    lines = text.splitlines()
    for_all = [number for number, section in enumerate(_sections(lines)) if section == "all"]
    # A parameter may have others behind it, such as the speed of its bus: those stay.
    if any(line in (lines[number].strip(), _first(lines[number])) for number in for_all):
        return text
    key = line.rpartition("=")[0] + "="
    for number in for_all:
        said = lines[number].strip()
        is_the_opposite = line.startswith("dtparam=") and said.startswith(key)
        if is_the_opposite or said.lstrip("# ") == line:
            lines[number] = line + said[len(_first(said)) :] if is_the_opposite else line
            return "\n".join(lines) + "\n"
    heading = [] if not lines or _sections(lines)[-1] == "all" else ["", "[all]"]
    return "\n".join([*lines, *heading, line]) + "\n"


def _first(said: str) -> str:
    return said.strip().partition(",")[0] if said.lstrip().startswith("dtparam=") else said


def _sections(lines: Sequence[str]) -> list[str]:
    """For which models each line counts."""
    sections, section = [], "all"
    for line in lines:
        said = line.strip()
        if said.startswith("[") and said.endswith("]"):
            section = said[1:-1].lower()
        sections.append(section)
    return sections


def _replace(file: Path, text: str) -> None:
    # The boot partition knows no journal: a power cut must leave one of the two files whole.
    new = file.with_name(f"{file.name}.new")
    with new.open("w", encoding="utf-8", errors=_AS_IT_IS) as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
    os.sync()
