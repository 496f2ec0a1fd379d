"""What the supply does with plugs that it is not made for, with shorts and with a dead converter: tried in ngspice."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Final

from hardware.description import FOLDER, read_description
from hardware.markdown import markdown
from hardware.spice import CORNERS, circuit_of, run
from hardware.wiring import Wiring, wire

VERDICT: Final = FOLDER / "made" / "power-safety.toml"
"""What ngspice measured, and in which circuits."""
KELVIN_PER_WATT: Final = 62.0
"""How much warmer a TO-220 gets that stands in free air (its datasheets)."""
_CALM_MS: Final = 900
"""From here to the end of a trial heat and current are averaged: whatever happens has begun by 800 ms."""
_LOADS: Final = {True: (8.5, 170.0, 11.8), False: (2.1, 17.0, 1.64)}
"""Ohm of Pi, lights and readers: nearly idle, which is worse for what is too high, and all that they ever take."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Something that happens to the supply: what is plugged in, what is broken, and how it is plugged."""

    name: str
    volts: str
    """What the supply gives without a load: a number, or a source that ngspice calls PWL."""
    broken: str = ""
    """What becomes of the circuit besides."""
    hangs: bool = False
    """Whether the converter stops converting after 800 ms."""
    idle: bool = True
    charged: bool = False
    """Whether the board's capacitors are still full, and the plug bounces."""
    works: bool = False
    """Whether the board has to be on at the end."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What a measured value may be at most, or at least, and why."""

    value: str
    bound: float
    why: str
    least: bool = False
    of_working: bool = False
    """Whether only trials are held to it at whose end the board is on."""


def _shorted(net: str, at_ms: float) -> str:
    return (
        f"Vshort short 0 PWL(0 0 {at_ms}m 0 {at_ms + 0.001}m 1)\nSshort {net} 0 short 0 shorted\n"
        ".model shorted SW(VT=0.5 VH=0.1 RON=50m ROFF=10Meg)"
    )


# A transistor of the converter has fused: its input is joined to its output by the coil alone.
_FUSED: Final = "Shung n5v_converter hung1 hung 0 contact\nLhung hung1 hung2 4.7u\nRhung hung2 n3v3 0.05"

TRIALS: Final = (
    Trial("5.1 V, everything on", "5.1", idle=False, works=True),
    Trial("5.1 V, nearly idle", "5.1", works=True),
    Trial("5.1 V again, capacitors full, plug bounces", "5.1", charged=True, works=True),
    Trial("5.1 V reversed", "-5.1"),
    Trial("12 V reversed", "-12.6"),
    Trial("12 V reversed, capacitors full, plug bounces", "-12.6", charged=True),
    Trial("12 V", "12.6"),
    Trial("12 V, capacitors full, plug bounces", "12.6", charged=True),
    Trial("5.1 V that becomes 12 V within 0.1 ms", "PWL(0 5.1 800m 5.1 800.1m 12.6)"),
    Trial("6 V", "6.0"),
    Trial("short behind F1", "5.1", _shorted("n5v_pi", 800), idle=False),
    Trial("short behind F2", "5.1", _shorted("n5v", 800), idle=False),
    Trial("short behind F1 before it is plugged in", "5.1", _shorted("n5v_pi", 0.1), idle=False),
    Trial("converter hung, readers idle", "5.1", _FUSED, hangs=True),
    Trial("converter hung, all fields on", "5.1", _FUSED, hangs=True, idle=False),
)

LIMITS: Final = (
    Limit("pi_highest", 6.0, "a Pi's input for an instant"),
    Limit("pi_lowest", -0.3, "a Pi's input", least=True),
    Limit("pi_last", 5.5, "a Pi's input, for hours (USB: 5.5 V)"),
    Limit("readers_highest", 4.0, "MFRC522, limiting values"),
    Limit("readers_lowest", -0.3, "the same", least=True),
    Limit("drain_source", 40.0, "the weaker of the MOSFETs on the list"),
    Limit("sense_highest", 36.0, "LM339 and LM393"),
    Limit("sense_lowest", -0.3, "the same", least=True),
    Limit("warmer", 80.0, "a MOSFET for 175 degrees in a case of 60, with room"),
    Limit("clamp_watts", 0.1, "the diode that is there for surges is not heated"),
    Limit("pi_last", 4.63, "where a Pi tells of under-voltage", least=True, of_working=True),
    Limit("readers_last", 3.2, "the readers, before their cables", least=True, of_working=True),
)

_COARSE: Final = "abstol=1n vntol=10u gmin=1e-10 itl4=100 cshunt=10p"
SOLVERS: Final = (
    f"method=gear reltol=3e-3 {_COARSE}",
    f"method=trap reltol=3e-3 {_COARSE}",
    f"method=gear reltol=1e-3 {_COARSE}",
    f"method=gear reltol=1e-2 trtol=1 {_COARSE}",
)
"""How ngspice steps through time: where it gets stuck one way it is asked to go another, through the same circuit."""

_HEAT: Final = {
    "q1_watts": "(v(n5v_in)-v(n5v_mid))*i(vq1)",
    "q2_watts": "(v(n5v_on)-v(n5v_mid))*i(vq2)",
    "q3_watts": "(v(n5v_converter)-v(n5v))*i(vq3)",
    "clamp_watts": "v(n5v_on)*i(vd1)",
}
_MEASURES: Final = {
    "pi_highest": "MAX v(n5v_pi)",
    "pi_lowest": "MIN v(n5v_pi)",
    "pi_last": "FIND v(n5v_pi) AT=1499m",
    "readers_highest": "MAX v(n3v3)",
    "readers_lowest": "MIN v(n3v3)",
    "readers_last": "FIND v(n3v3) AT=1499m",
    "sense_highest": "MAX v(n5v_sense)",
    "sense_lowest": "MIN v(n5v_sense)",
    "surge": "MAX par('abs(i(vin))')",
    "current": f"AVG i(vin) from={_CALM_MS}m to=1499m",
    "q1_volts": "MAX par('abs(v(n5v_in)-v(n5v_mid))')",
    "q2_volts": "MAX par('abs(v(n5v_mid)-v(n5v_on))')",
    **{name: f"AVG par('{power}') from={_CALM_MS}m to=1499m" for name, power in _HEAT.items()},
}


def deck_of(wiring: Wiring, trial: Trial, corner: str, solver: str = SOLVERS[0]) -> str:
    """The whole circuit of a trial, with the supply, its cord, the converter and what the board feeds."""
    pi, strip, readers = _LOADS[trial.idle]
    contact = "0 0 1m 0 1.001m 1" + (" 2m 1 2.001m 0 2.5m 0 2.501m 1 4m 1 4.001m 0 4.1m 0 4.101m 1" * trial.charged)
    hung = "PWL(0 0 800m 0 800.001m 1)" if trial.hangs else "0"
    full = ".ic v(n5v_on)=5 v(n5v)=5 v(n5v_pi)=5 v(n5v_converter)=5 v(n3v3)=3.3 v(pic)=5" if trial.charged else ""
    measures = "\n".join(f".meas tran {name} {how}" for name, how in _MEASURES.items())
    return f"""* {trial.name}
{circuit_of(wiring, corner)}
* A supply of 6 A with 1000 uF: into a short it goes on giving that, which is worse than one that pauses.
Vsupply supply 0 {trial.volts}
Blimit supply limited V = abs(i(Vsupply)) > 6 ? sgn(-i(Vsupply)) * (abs(i(Vsupply)) - 6) * 5 : 0
Rsupply limited kept 0.03
Csupply kept 0 1000u
* 1.2 m of cord, the plug, and the socket's wires.
Rcord limited cord 0.05
Lcord cord plug 1.5u
Splug plug inside contact 0 contact
Vin inside n5v_in 0
Vcontact contact 0 PWL({contact})
.model contact SW(VT=0.5 VH=0.1 RON=10m ROFF=10Meg)
* Pi, lights, readers; and the converter, which gives 4 A at most, from 3.8 V on.
Rpi n5v_pi 0 {pi}
Rpic n5v_pi pic 0.05
Cpi pic 0 220u
Rstrip n5v 0 {strip}
Rreaders n3v3 0 {readers}
Vhung hung 0 {hung}
Bwants wants 0 V = (1 + tanh((v(n5v_converter) - 3.8) * 10)) * (1 - v(hung)) * (1 + tanh((3.32 - v(n3v3)) * 40))
Rwants wants gives 1k
Cwants gives 0 10n
Bout 0 n3v3 I = v(gives)
Bfrom n5v_converter 0 I = v(gives) * v(n3v3) / (0.85 * max(v(n5v_converter), 2))
Rconverter n5v_converter input 0.02
Cconverter input 0 22u
{trial.broken}
{full}
.options {solver}
.tran 20u 1500m 0 100u
{measures}
.end
"""


def measured(wiring: Wiring, trial: Trial, corner: str) -> Mapping[str, float]:
    """What a trial shows with such transistors."""
    values = dict(_run(wiring, trial, corner))
    hottest = max(values.pop(f"q{number}_watts") for number in (1, 2, 3))
    values["warmer"] = hottest * KELVIN_PER_WATT
    values["drain_source"] = max(values.pop("q1_volts"), values.pop("q2_volts"))
    return {name: round(value, 2) + 0.0 for name, value in sorted(values.items())}


def _run(wiring: Wiring, trial: Trial, corner: str) -> Mapping[str, float]:
    *first, last = SOLVERS
    for solver in first:
        with suppress(ValueError):
            return run(deck_of(wiring, trial, corner, solver))
    return run(deck_of(wiring, trial, corner, last))


def broken_limits(trial: Trial, values: Mapping[str, float]) -> Iterator[str]:
    """A sentence for each limit that a trial does not keep."""
    for limit in LIMITS:
        value = values[limit.value]
        if limit.of_working and not trial.works:
            continue
        if value < limit.bound if limit.least else value > limit.bound:
            most = "at least" if limit.least else "at most"
            yield f"{trial.name}: {limit.value} is {value:g}, and may be {most} {limit.bound:g} ({limit.why})."


def worst(several: list[Mapping[str, float]]) -> Mapping[str, float]:
    """Of each value the one that is nearest to its limit, or else the highest."""
    least = {limit.value for limit in LIMITS if limit.least and not limit.of_working}
    return {name: (min if name in least else max)(each[name] for each in several) for name in several[0]}


def tried_wiring() -> Wiring:
    """The wiring that is tried: its supply is that of every profile."""
    description = read_description()
    return wire(description, description.profiles["pi-two-buttons"])


def digest_of(wiring: Wiring) -> str:
    """A digest of every circuit that is tried: whatever changes in one of them changes it."""
    decks = (deck_of(wiring, trial, corner) for trial, corner in product(TRIALS, CORNERS))
    return sha256("".join(decks).encode()).hexdigest()


def try_all(wiring: Wiring, file: Path = VERDICT) -> list[str]:
    """Run every trial with transistors of every kind, and keep the worst; a sentence for each limit that is broken."""
    sentences: list[str] = []
    lines = ["# What ngspice measured; written by `make power-safety`.", f'sha256 = "{digest_of(wiring)}"']
    for trial in TRIALS:
        several = [measured(wiring, trial, corner) for corner in CORNERS]
        sentences += [sentence for values in several for sentence in broken_limits(trial, values)]
        lines += ["", f'["{trial.name}"]', *(f"{name} = {value}" for name, value in worst(several).items())]
    if not sentences:
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sentences


def verdict(file: Path = VERDICT) -> Mapping[str, Mapping[str, float]]:
    """What was measured, by trial."""
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    return {trial.name: said[trial.name] for trial in TRIALS}


def power_table() -> str:
    """What was measured, as a table."""
    rows = [
        (
            name,
            f"{values['pi_highest']:.1f} V",
            f"{values['readers_highest']:.1f} V",
            f"{values['surge']:.1f} A",
            f"{values['current']:.2f} A",
            f"{values['warmer']:.0f} K",
        )
        for name, values in verdict().items()
    ]
    head = ["what happens", "Pi, highest", "readers, highest", "surge", "then, on average", "warmest MOSFET"]
    return markdown(head, rows)
