"""The Pi itself: which one it is, its memory, its temperature, and whether it gets enough voltage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.config import Config

MODEL: Final = "proc/device-tree/model"
THROTTLED: Final = "sys/devices/platform/soc*/*firmware*/get_throttled"
VOLT_ALARM: Final = "sys/class/hwmon/hwmon*/in0_lcrit_alarm"
TOO_HOT_DEGREES: Final = 80.0
"""Where every Pi begins to slow down."""
LEAST_FREE_MB: Final = 48
MOST_OF_MEMORY: Final = 0.5
"""The share of the memory that the search may have: the rest of the system needs some too."""

# Raspberry Pi documentation, "vcgencmd": get_throttled. Sixteen bits up: it has happened since the start.
UNDER_VOLTAGE: Final = 0
STATES: Final = {
    UNDER_VOLTAGE: "under-voltage",
    1: "the processor's clock is capped",
    2: "throttled",
    3: "near its temperature limit",
}
SINCE_START: Final = 16


def pi(machine: Machine) -> Iterator[Finding]:
    """Which Pi it is; of a Pi also its temperature and its voltage."""
    model = machine.text(MODEL)
    if model is None or "Raspberry Pi" not in model:
        detail = "this is none" if model is None else f"this is none, but {model}"
        yield Finding("pi", ok=True, detail=f"{detail}: temperature and voltage are not looked at")
        return
    yield Finding("pi", ok=True, detail=model)
    yield _temperature(machine)
    yield _power(machine)


def memory(machine: Machine, config: Config) -> Iterator[Finding]:
    """Whether there is memory enough for the search and for the rest."""
    figures = dict(_meminfo(machine.text("proc/meminfo") or ""))
    if not {"MemTotal", "MemAvailable"} <= set(figures):
        return
    total, free, table = figures["MemTotal"], figures["MemAvailable"], config.engine.table_mb
    detail = f"{free} of {total} MB are free, and the search may take {table}"
    if table > total * MOST_OF_MEMORY:
        less = max(1, total // 8)
        yield Finding("memory", ok=False, detail=detail, fix=f"quarto-pi config set engine.table_mb {less}")
    elif free < LEAST_FREE_MB:
        yield Finding("memory", ok=False, detail=detail, fix="end other programs, such as a desktop or a browser")
    else:
        yield Finding("memory", ok=True, detail=detail)


def _meminfo(text: str) -> Iterator[tuple[str, int]]:
    """The figures in megabytes (proc(5): each line is a name and kilobytes)."""
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        kilobytes = rest.removesuffix("kB").strip()
        if kilobytes.isdecimal():
            yield name, int(kilobytes) // 1024


def _temperature(machine: Machine) -> Finding:
    zones = machine.texts("sys/class/thermal/thermal_zone*/temp")
    degrees = [int(text) / 1000 for text in zones.values() if text.lstrip("-").isdecimal()]
    if not degrees:
        return Finding("temperature", ok=True, detail="the kernel does not tell it")
    detail = f"{max(degrees):.0f} degrees Celsius"
    if max(degrees) < TOO_HOT_DEGREES:
        return Finding("temperature", ok=True, detail=detail)
    return Finding("temperature", ok=False, detail=detail, fix="let air to the Pi, or give it a heat sink or a fan")


def _power(machine: Machine) -> Finding:
    bits = _throttled(machine)
    if bits is None:
        return Finding("power", ok=True, detail="the firmware does not tell whether the voltage is enough")
    now = [word for bit, word in STATES.items() if bits >> bit & 1]
    before = [word for bit, word in STATES.items() if bits >> bit + SINCE_START & 1]
    told = [f"now {', '.join(now)}"] if now else []
    told += [f"since the start {', '.join(before)}"] if before else []
    if not told:
        return Finding("power", ok=True, detail="voltage and clock were always as they should be")
    low = bits >> UNDER_VOLTAGE & 1 or bits >> UNDER_VOLTAGE + SINCE_START & 1
    supply = "use the Pi's own power supply and a short cable, and feed readers and lights from another one"
    return Finding("power", ok=False, detail="; ".join(told), fix=supply if low else "let air to the Pi")


def _throttled(machine: Machine) -> int | None:
    """All that kernel and firmware know of it; they differ in how long they remember."""
    told = machine.output("vcgencmd", "get_throttled") or ""
    words = [told.strip().removeprefix("throttled="), *machine.texts(THROTTLED).values()]
    known = [int(word, base=16) for word in words if _is_hex(word)]
    known += [int(text) << SINCE_START for text in machine.texts(VOLT_ALARM).values() if text in ("0", "1")]
    bits = 0
    for each in known:
        bits |= each
    return bits if known else None


def _is_hex(word: str) -> bool:
    try:
        int(word, base=16)
    except ValueError:
        return False
    return True
