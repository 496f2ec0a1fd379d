"""What the appliance installs: all of it pinned, with checksums, and within what the project says it works with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from installing.wheelhouse import is_for_newest
from packaging.requirements import Requirement

PROJECT = Path(__file__).parent.parent.parent
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = SETTINGS["project"]["optional-dependencies"]
WITHOUT_DEPENDENCIES = SETTINGS["tool"]["quarto-pi"]["without-dependencies"]
SETS = {
    **{name: EXTRAS[name] + EXTRAS["chain"] + WITHOUT_DEPENDENCIES for name in ("pi4", "pi5", "simulation")},
    "build": SETTINGS["build-system"]["requires"],
}


def pins(name: str) -> dict[str, tuple[str, int]]:
    """The version of each package, and how many checksums it has."""
    text = (PROJECT / f"systemd/requirements-{name}.txt").read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = [(re.match(r"([A-Za-z0-9._-]+)==([^ ;]+)", line), line.count("--hash=sha256:")) for line in lines]
    return {canonical(match[1]): (match[2], checksums) for match, checksums in found if match}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("name", SETS)
def test_every_package_is_pinned_within_its_bounds_with_checksums(name: str) -> None:
    pinned = pins(name)
    for requirement in map(Requirement, SETS[name]):
        version, _ = pinned[canonical(requirement.name)]
        assert requirement.specifier.contains(version), f"run `make pins`: {requirement} is pinned to {version}"
    assert all(checksums for _, checksums in pinned.values())


def test_each_kind_of_pi_gets_one_module_for_its_pins() -> None:
    assert "rpi-gpio" in pins("pi4")
    assert "rpi-lgpio" not in pins("pi4")
    assert "rpi-gpio" not in pins("pi5")
    assert {"rpi-lgpio", "lgpio", "mfrc522"} <= set(pins("pi5"))


def test_what_only_an_older_python_needs_is_not_fetched_for_the_newest() -> None:
    lines = (PROJECT / "systemd/requirements-pi5.txt").read_text(encoding="utf-8").splitlines()
    markers = {line.partition("==")[0]: line.partition(";")[2] for line in lines if "==" in line}
    assert not is_for_newest(markers["lgpio"])
    assert is_for_newest(markers["typing-extensions"])
    assert is_for_newest(markers["pillow"])
    assert {name for name, marker in markers.items() if marker} == {"lgpio", "typing-extensions"}


@pytest.mark.parametrize("name", SETS)
def test_pins_name_no_place_to_fetch_them_from(name: str) -> None:
    text = (PROJECT / f"systemd/requirements-{name}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
