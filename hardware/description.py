"""`board.toml` as data: kinds of parts, hubs with their pins, signals, fittings and wiring profiles."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent


class PinKind(Enum):
    """What a pin does."""

    IN = "in"
    OUT = "out"
    TRISTATE = "tristate"
    IO = "io"
    OPEN = "open"
    PASSIVE = "passive"
    SUPPLY = "supply"
    SOURCE = "source"
    GROUND = "ground"


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin: its number on the package, its name, what it does."""

    number: str
    name: str
    kind: PinKind


@dataclass(frozen=True, slots=True)
class PartKind:
    """A kind of part: its pins, the volts that it runs on, those that its inputs hear, and what it takes."""

    key: str
    name: str
    pins: tuple[Pin, ...]
    footprint: str = ""
    volts: float = 0.0
    hears_volts: float = 0.0
    ma: float = 0.0


@dataclass(frozen=True, slots=True)
class Hub:
    """Something with numbered pins and a program: the Pi or the Pico."""

    key: str
    kind: PartKind
    ref: str
    prefix: str
    own_supply: str
    ma_per_pin: float
    reserved: Mapping[str, str]

    def pin(self, number: int) -> Pin:
        """The header's pin for a number that programs use."""
        name = f"{self.prefix}{number}"
        for pin in self.kind.pins:
            if pin.name == name:
                return pin
        raise ValueError(f"{self.kind.name} has no pin {name}: choose one of its header.")


@dataclass(frozen=True, slots=True)
class Signal:
    """What a hub's pin is for: its net, for each hub its number and where the configuration names it, and in words."""

    net: str
    pins: Mapping[str, int]
    keys: Mapping[str, str] = field(default_factory=dict)
    function: str = ""
    fitting: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a fitting means for the configuration."""

    section: str
    keys: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to wire the board."""

    name: str
    summary: str
    readers_on: str
    fittings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """What the supply gives and what is taken, in mA."""

    supply_volts: float
    supply_ma: float
    pi_ma: float
    buck_efficiency: float
    buck_ma: float
    reader_ma: float
    field_ma: float
    readers_supply_ma: float
    strip_ma: float
    pi_fuse_ma: float
    board_fuse_ma: float
    node_ma: float


@dataclass(frozen=True, slots=True)
class Timing:
    """Delays and loads of the fast lines."""

    spi_hz: float
    driver_ns: float
    gate_ns: float
    reader_ns: float
    setup_ns: float
    ns_per_m: float
    pf_per_m: float
    input_pf: float
    board_pf: float
    rise_ns: float
    ribbon_ohm_per_m: float
    lead_ohm_per_m: float
    copper_ohm_mm2_per_m: float
    supply_lead_mm2: float
    pi_lead_mm2: float
    strip_lead_mm2: float
    least_reader_volts: float


@dataclass(frozen=True, slots=True)
class Radio:
    """What is assumed of antenna and tag."""

    range_mm: float


@dataclass(frozen=True, slots=True)
class PartRule:
    """Parts of the description before they are made for each square, rank, address line or light."""

    ref: str
    kind: str
    joins: Mapping[str, str]
    value: str = ""
    each: str = ""
    fitting: str = ""
    place: str = ""
    beside: str = ""
    spare: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """Everything that `board.toml` says."""

    hubs: Mapping[str, Hub]
    kinds: Mapping[str, PartKind]
    signals: tuple[Signal, ...]
    fittings: Mapping[str, Fitting]
    profiles: Mapping[str, Profile]
    power: Power
    timing: Timing
    radio: Radio
    rules: tuple[PartRule, ...]


@cache
def read_description(file: Path = FOLDER / "board.toml") -> Description:
    """The description in a file."""
    whole = tomllib.loads(file.read_text(encoding="utf-8"))
    return Description(
        hubs={key: _hub(key, table) for key, table in whole["hubs"].items()},
        kinds={key: _kind(key, table) for key, table in whole["types"].items()},
        signals=tuple(_signal(table, whole["hubs"]) for table in whole["signals"]),
        fittings={key: Fitting(table["section"], table["keys"]) for key, table in whole["sections"].items()},
        profiles={
            name: Profile(name, table["summary"], table["readers_on"], tuple(table["fittings"]))
            for name, table in whole["profiles"].items()
        },
        power=Power(**whole["power"]),
        timing=Timing(**whole["timing"]),
        radio=Radio(**whole["radio"]),
        rules=tuple(_rule(table) for table in whole["parts"]),
    )


def _pins(texts: list[str]) -> tuple[Pin, ...]:
    parts = (text.split() for text in texts)
    return tuple(Pin(number, name, PinKind(kind)) for number, name, kind in parts)


def _kind(key: str, table: Mapping[str, Any]) -> PartKind:
    return PartKind(key, **{**table, "pins": _pins(table["pins"])})


def _hub(key: str, table: Mapping[str, Any]) -> Hub:
    kind = PartKind(
        key,
        table["name"],
        _pins(table["pins"]),
        footprint=table["footprint"],
        volts=table["volts"],
    )
    return Hub(
        key, kind, table["ref"], table["prefix"], table["own_supply"], table["ma_per_pin"], table.get("reserved", {})
    )


def _signal(table: Mapping[str, Any], hubs: Mapping[str, object]) -> Signal:
    pins = {hub: table[hub] for hub in hubs if hub in table}
    words = (table.get(name, "") for name in ("as", "with", "what"))
    return Signal(table["net"], pins, table.get("key", {}), *words)


def _rule(table: Mapping[str, Any]) -> PartRule:
    names = {"type": "kind", "for": "each", "with": "fitting"}
    keys = {names.get(key, key): value for key, value in table.items()}
    keys["spare"] = tuple(keys.get("spare", ()))
    return PartRule(**keys)
