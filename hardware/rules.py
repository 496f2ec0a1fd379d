"""Rules that every wiring has to keep; each yields one sentence for whatever breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Final

from hardware.decoding import ADDRESSES, selected
from hardware.description import PinKind
from hardware.levels import net_volts
from hardware.wiring import GROUND, RANKS, Part, Wiring

Rule = Callable[[Wiring], Iterator[str]]

_MUST_BE_JOINED: Final = frozenset({PinKind.IN, PinKind.SUPPLY, PinKind.GROUND, PinKind.PASSIVE, PinKind.OUT})
_CHIPS: Final = ("decoder", "gates", "drivers", "shifter", "comparator")
_HIGH_SHARE: Final = 0.7
"""From this share of its supply on, an HC input hears a high level (datasheets of the 74HC family)."""
_TTL_HIGH: Final = 2.0
"""From here on an AHCT input does, whatever its supply."""
_BOOT_PULL_OHM: Final = 50_000
"""What pulls a hub's pin down while it boots (Pi 4: 50 to 60 kOhm; Pico: 50 to 80)."""
_LED_VOLTS: Final = 1.8
_THOUSANDS: Final = {"k": 1e3, "M": 1e6}
_MOST_PULL_DOWN_OHM: Final = 8_200
"""A pin of a Pico 2 that listens is sure to be pulled down by no more than this (erratum RP2350-E9)."""
_LEAK_MA: Final = 0.12
"""What such a pin leaks by the same erratum."""
_BASE_VOLTS: Final = (0.5, 0.75)
"""Up to the first a transistor is off; when it is on, it has no more than the second (BC337)."""
_SURE_GAIN: Final = 20
"""With so much of its base current a transistor is as good as a switch."""
_MODULE_PULL_UP_OHM: Final = 10_000
"""What many modules bring along at their RST."""


def pins_have_one_use(wiring: Wiring) -> Iterator[str]:
    """A hub's pin serves one signal, and a pin with a function of its own serves that one."""
    used: dict[tuple[str, int], str] = {}
    for hub, signal in wiring.signals:
        number = signal.pins[hub.key]
        name = hub.pin(number).name
        if other := used.get((hub.key, number)):
            yield f"{name} of the {hub.key} is for {other} and for {signal.net}: give one of them another pin."
        used[hub.key, number] = signal.net
        function = hub.reserved.get(name, "")
        if function != signal.function and (function or hub.reserved):
            yield f"{name} of the {hub.key} is reserved for {function or 'nothing'}, and {signal.net} is on it."


def pins_are_joined(wiring: Wiring) -> Iterator[str]:
    """No input floats, no chip is without supply or ground, and no net ends in the air."""
    for part in wiring.parts:
        for pin in part.kind.pins:
            if pin.kind in _MUST_BE_JOINED and part.net(pin) is None and pin.name not in part.spare:
                yield f"{part.ref} pin {pin.number} ({pin.name}) is not joined to anything."
    for net, pins in wiring.nets.items():
        if len(pins) < 2:
            part, pin = pins[0]
            yield f"{net} ends at {part.ref} pin {pin.number}: join it to something."


def nets_have_one_driver(wiring: Wiring) -> Iterator[str]:
    """Nothing drives against anything else: outputs that let go may share a net, others may not."""
    for net, pins in wiring.nets.items():
        steady = [part.ref for part, pin in pins if pin.kind in (PinKind.OUT, PinKind.SOURCE)]
        shared = [part.ref for part, pin in pins if pin.kind is PinKind.TRISTATE]
        if len(steady) > 1 or (steady and shared):
            yield f"{net} is driven by {' and by '.join(steady + shared)}: only one may."


def levels_fit(wiring: Wiring) -> Iterator[str]:
    """No input gets more volts than its supply, and every input is given enough to hear a high level."""
    volts = net_volts(wiring)
    for part in wiring.parts:
        for pin in part.kind.pins:
            net = part.net(pin)
            if net is None or pin.kind not in (PinKind.IN, PinKind.IO) or part.kind.volts == 0:
                continue
            if volts[net] > part.kind.volts:
                yield f"{part.ref} {pin.name} works on {part.kind.volts:g} V and would get {volts[net]:g} V from {net}."
            least = _TTL_HIGH if part.kind.hears_volts else _HIGH_SHARE * part.kind.volts
            if 0 < volts[net] < least:
                yield f"{part.ref} {pin.name} hears a high level from {least:g} V on, and {net} has {volts[net]:g} V."


def supplies_fit(wiring: Wiring) -> Iterator[str]:
    """Every chip and module is on the supply that it is made for."""
    volts = net_volts(wiring)
    for part in wiring.parts:
        for pin in part.kind.pins:
            net = part.net(pin)
            if pin.kind is PinKind.SUPPLY and net is not None and volts[net] != part.kind.volts:
                yield f"{part.ref} needs {part.kind.volts:g} V and is on {net} with {volts[net]:g} V."


def misos_are_gated(wiring: Wiring) -> Iterator[str]:
    """A reader reaches MISO through a gate of its own, which its own select line opens."""
    gates = [gate for part in wiring.of_kind("gates") for gate in _gates(part)]
    for reader in wiring.of_kind("reader"):
        own = (reader.joins.get("SDA"), reader.joins.get("MISO"), "MISO")
        if gates.count(own) != 1:
            yield f"{reader.ref}: no gate leads from {own[1]} to MISO while {own[0]} is low."
    for net, pins in wiring.nets.items():
        if net == "MISO" and any(part.kind.key == "reader" for part, _ in pins):
            yield "MISO: a reader is joined to it directly, and clones do not let go of it."


def _gates(part: Part) -> Iterator[tuple[str | None, ...]]:
    for n in range(1, 5):
        if f"{n}Y" in part.joins:
            yield tuple(part.joins.get(f"{n}{pin}") for pin in ("OE", "A", "Y"))


def decoders_select_one(wiring: Wiring) -> Iterator[str]:
    """Each address selects one reader, another one than every other address; nothing is selected unless enabled."""
    seen: dict[str, int] = {}
    for address in range(ADDRESSES):
        nets = selected(wiring, address)
        if len(nets) != 1:
            yield f"Address {address} selects {' and '.join(nets) or 'nothing'}: it has to select one line."
        for net in nets:
            if net in seen:
                yield f"{net} is selected by address {seen[net]} and by {address}."
            seen[net] = address
        for net in selected(wiring, address, enabled=False):
            yield f"{net} is selected by address {address} even while ENABLE is high."


def gates_never_hear_nothing(wiring: Wiring) -> Iterator[str]:
    """Every input of a gate or a driver has a level even while its reader or its hub lets go."""
    pulled = {
        net
        for key in ("resistor", "resistor_network")
        for part in wiring.of_kind(key)
        if {GROUND, "3V3"} & set(part.joins.values())
        for net in part.joins.values()
    }
    for chip in (*wiring.of_kind("gates"), *wiring.of_kind("drivers")):
        for pin in chip.kind.pins:
            net = chip.net(pin)
            signal = pin.kind is PinKind.IN and not pin.name.endswith("OE")
            if signal and net is not None and net not in pulled and net != GROUND:
                yield f"{chip.ref} {pin.name}: nothing holds {net} while nobody drives it; give it a pull-down."


def selects_stay_high(wiring: Wiring) -> Iterator[str]:
    """While the hub boots and pulls its pins down, pull-ups keep everything deselected."""
    for net in ("ENABLE", "OFFER"):
        if net not in wiring.nets:
            continue
        pull_ups = _pulls(wiring, net, "3V3")
        volts = 3.3 * _BOOT_PULL_OHM / (_BOOT_PULL_OHM + min(pull_ups)) if pull_ups else 0.0
        if volts < _HIGH_SHARE * 3.3:
            yield f"{net} has {volts:.2f} V while the hub boots: it needs a stronger pull-up to 3V3."


def miso_rests_low(wiring: Wiring) -> Iterator[str]:
    """While no reader is selected, MISO is low for every hub."""
    if min(_pulls(wiring, "MISO", GROUND), default=float("inf")) > _MOST_PULL_DOWN_OHM:
        yield f"MISO: a Pico 2 needs {_MOST_PULL_DOWN_OHM} ohm or less to ground."


def readers_run_unless_reset(wiring: Wiring) -> Iterator[str]:
    """The reset line is up whatever hub is there or not, and its transistor can pull it down against all pull-ups."""
    readers = wiring.of_kind("reader")
    for net in sorted({reader.joins["RST"] for reader in readers if "RST" in reader.joins} - {"3V3"}):
        ups = _pulls(wiring, net, "3V3")
        if len(ups) < len(RANKS):
            yield f"{net}: each rank board needs a pull-up to 3V3, or a broken wire keeps its readers in reset."
        for transistor in (part for part in wiring.of_kind("npn") if part.joins["C"] == net):
            base = transistor.joins["B"]
            (series,) = [ohms(part.value) for part in wiring.of_kind("resistor") if part.joins["B"] == base]
            down = min(_pulls(wiring, base, GROUND), default=inf)
            if _LEAK_MA * down / 1000 > _BASE_VOLTS[0]:
                yield f"{transistor.ref}: a Pico 2 that boots would switch it on: {base} needs a stronger pull-down."
            drive = (3.3 - _BASE_VOLTS[1]) / series - _BASE_VOLTS[1] / down
            taken = 3.3 * (sum(1 / up for up in ups) + len(readers) / _MODULE_PULL_UP_OHM)
            if drive * _SURE_GAIN < taken:
                yield f"{transistor.ref}: {drive * 1000:.2f} mA at its base do not pull {taken * 1000:.1f} mA down."


def _pulls(wiring: Wiring, net: str, to: str) -> list[float]:
    return [ohms(part.value) for part in wiring.of_kind("resistor") if part.joins["A"] == net and part.joins["B"] == to]


def chips_are_decoupled(wiring: Wiring) -> Iterator[str]:
    """Every chip has 100 nF of its own between its supply and ground."""
    for chip in (part for key in _CHIPS for part in wiring.of_kind(key)):
        beside = [part for part in wiring.of_kind("capacitor") if part.beside == chip.ref]
        if not any(part.joins == {"A": chip.joins["VCC"], "B": "GND"} for part in beside):
            yield f"{chip.ref} has no capacitor beside it."


def cables_agree(wiring: Wiring) -> Iterator[str]:
    """Both ends of a rank's ribbon cable carry the same on the same pin, fast lines between grounds."""
    for rank in RANKS:
        hub, far = wiring.part(f"J1{rank}"), wiring.part(f"J2{rank}")
        if hub.joins != far.joins:
            yield f"{hub.ref} and {far.ref} are the ends of one cable and differ."
        nets = [far.joins[pin.name] for pin in far.kind.pins]
        for index, net in enumerate(nets):
            if net.startswith(("SCK", "MOSI", "MISO")) and {nets[index - 1], nets[index + 1]} != {"GND"}:
                yield f"{far.ref} pin {index + 1}: {net} has no ground beside it."


def lights_spare_the_pins(wiring: Wiring) -> Iterator[str]:
    """A light takes no more than a pin of its hub likes to give."""
    for resistor in wiring.of_kind("resistor"):
        if not resistor.joins["A"].startswith("LIGHT_"):
            continue
        hub = next(hub for hub, signal in wiring.signals if signal.net == resistor.joins["A"])
        ma = (hub.kind.volts - _LED_VOLTS) / ohms(resistor.value) * 1000
        if ma > hub.ma_per_pin + 1:
            yield f"{resistor.ref}: {ma:.1f} mA from a pin of the {hub.key} that gives {hub.ma_per_pin:g}."


def ohms(value: str) -> float:
    """A resistor's value, written as 330, 4k7, 10k or 2M2.

    >>> ohms("4k7"), ohms("1M")
    (4700.0, 1000000.0)
    """
    unit = next((letter for letter in _THOUSANDS if letter in value), "")
    whole, _, rest = value.partition(unit) if unit else (value, "", "")
    return float(f"{whole}.{rest or 0}") * _THOUSANDS.get(unit, 1)


RULES: Final[tuple[Rule, ...]] = (
    pins_have_one_use,
    pins_are_joined,
    nets_have_one_driver,
    levels_fit,
    supplies_fit,
    misos_are_gated,
    decoders_select_one,
    gates_never_hear_nothing,
    selects_stay_high,
    miso_rests_low,
    readers_run_unless_reset,
    chips_are_decoupled,
    cables_agree,
    lights_spare_the_pins,
)


def broken_rules(wiring: Wiring) -> list[str]:
    """A sentence for each rule that a wiring breaks."""
    return [sentence for rule in RULES for sentence in rule(wiring)]
