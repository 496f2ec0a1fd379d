"""The supply: what ngspice measured, it measured in this very circuit; a circuit that does not protect is found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace

import pytest

from hardware.description import FOLDER
from hardware.power_safety import (
    LIMITS,
    TRIALS,
    VERDICT,
    Trial,
    broken_limits,
    digest_of,
    measured,
    tried_wiring,
    verdict,
)
from hardware.shopping import read_items
from hardware.spice import CORNERS, amount, circuit_of
from hardware.wiring import Part, Wiring, wire

pytestmark = pytest.mark.slow

BY_NAME = {trial.name: trial for trial in TRIALS}
MAIN = ("pi_highest", "readers_highest", "warmer")


def test_what_was_measured_was_measured_in_these_very_circuits() -> None:
    said = tomllib.loads(VERDICT.read_text(encoding="utf-8"))
    assert said["sha256"] == digest_of(tried_wiring()), "run 'make power-safety' and 'make hardware'"


def test_every_profile_has_the_same_supply() -> None:
    description = tried_wiring().description
    circuits = [circuit_of(wire(description, profile), "typical") for profile in description.profiles.values()]
    # Profiles leave chips out, and the capacitors beside them.
    assert len({tuple(line for line in text.splitlines() if line[0] in "MQXDV") for text in circuits}) == 1


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_every_trial_kept_every_limit(trial: Trial) -> None:
    assert list(broken_limits(trial, verdict()[trial.name])) == []


@pytest.mark.parametrize(
    "name",
    [
        "12 V",
        "5.1 V that becomes 12 V within 0.1 ms",
        pytest.param("converter hung, readers idle", marks=pytest.mark.campaign),
    ],
)
def test_a_trial_shows_again_what_was_kept(name: str) -> None:
    again = measured(tried_wiring(), BY_NAME[name], "typical")
    assert list(broken_limits(BY_NAME[name], again)) == []
    for value in MAIN:
        assert again[value] <= verdict()[name][value] * 1.1 + 0.3, value


def changed(ref: str, change: Callable[[Part], Part]) -> Wiring:
    wiring = tried_wiring()
    return replace(wiring, parts=tuple(change(part) if part.ref == ref else part for part in wiring.parts))


def worth(ref: str, value: str) -> Wiring:
    return changed(ref, lambda part: replace(part, value=value))


def without(ref: str) -> Wiring:
    wiring = tried_wiring()
    return replace(wiring, parts=tuple(part for part in wiring.parts if part.ref != ref))


@pytest.mark.parametrize(
    ("wiring", "name", "value"),
    [
        (worth("R63", "330k"), "12 V", "pi_last"),
        (worth("R73", "470k"), "converter hung, readers idle", "readers_highest"),
        (without("R65"), "5.1 V, nearly idle", "pi_last"),
        (
            changed("Q1", lambda part: replace(part, joins={**part.joins, "D": "5V_MID", "S": "5V_IN"})),
            "12 V reversed",
            "pi_lowest",
        ),
    ],
    ids=["no over-voltage cut-off", "no cut-off for the converter", "always off", "Q1 turned round"],
)
def test_a_circuit_that_does_not_protect_is_found(wiring: Wiring, name: str, value: str) -> None:
    found = list(broken_limits(BY_NAME[name], measured(wiring, BY_NAME[name], "typical")))
    assert any(f": {value} is " in sentence for sentence in found), found


def test_every_limit_is_one_of_something_that_is_measured() -> None:
    for values in verdict().values():
        assert {limit.value for limit in LIMITS} <= set(values)
    assert set(CORNERS) == {"typical", "early", "late"}


def divided(upper: str, lower: str) -> float:
    """From how many volts on a divider reaches the reference."""
    over, under = (amount(tried_wiring().part(ref).value) for ref in (upper, lower))
    return 1.24 * (1 + over / under)


def test_the_volts_that_the_pages_name_are_those_of_the_dividers() -> None:
    at_the_diode = 0.27
    least, most = divided("R65", "R66") + at_the_diode, divided("R63", "R64") + at_the_diode
    assert (f"{least:.1f}", f"{most:.1f}", f"{divided('R73', 'R74'):.1f}") == ("4.2", "5.6", "3.7")
    for name in ("wiring.md", "trouble.md"):
        page = (FOLDER / name).read_text(encoding="utf-8")
        assert f"{least:.1f} to {most:.1f} V" in page
        assert "3.7 V" in page


def test_the_fuses_that_a_supply_for_5_a_never_blows_are_not_said_to() -> None:
    pages = " ".join((FOLDER / name).read_text(encoding="utf-8") for name in ("README.md", "wiring.md", "trouble.md"))
    assert "blows the fuse" not in pages
    assert "F1 and F2 blow" not in pages
    assert {item.counts for item in read_items() if item.counts.startswith("fuse")} == {"fuse T3.15A", "fuse T2.5A"}
