"""A wiring profile worked out: every single part, and the net that each of its pins is on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from hardware.description import Description, Hub, PartKind, PartRule, Pin, PinKind, Profile, Signal
from quarto_pi.sensing.readings import SQUARE_NAMES

FILES: Final = tuple(dict.fromkeys(square[0] for square in SQUARE_NAMES))
RANKS: Final = tuple(dict.fromkeys(int(square[1]) for square in SQUARE_NAMES))
GROUND: Final = "GND"
LIGHTS: Final = ("1", "2", "ATTENTION")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the board: its name, its kind, and the net of each pin that is joined."""

    ref: str
    kind: PartKind
    joins: Mapping[str, str]
    value: str = ""
    place: str = ""
    beside: str = ""
    spare: tuple[str, ...] = ()

    def net(self, pin: Pin) -> str | None:
        """The net that a pin is on."""
        return self.joins.get(pin.name)


@dataclass(frozen=True)
class Wiring:
    """All parts of a profile."""

    profile: Profile
    description: Description
    parts: tuple[Part, ...]
    signals: tuple[tuple[Hub, Signal], ...] = field(default=())

    @cached_property
    def nets(self) -> Mapping[str, tuple[tuple[Part, Pin], ...]]:
        """What is joined on each net."""
        nets: defaultdict[str, list[tuple[Part, Pin]]] = defaultdict(list)
        for part in self.parts:
            for pin in part.kind.pins:
                net = part.net(pin)
                if net is not None:
                    nets[net].append((part, pin))
        return {name: tuple(nets[name]) for name in sorted(nets)}

    def of_kind(self, key: str) -> tuple[Part, ...]:
        """The parts of one kind."""
        return tuple(part for part in self.parts if part.kind.key == key)

    def part(self, ref: str) -> Part:
        """The part of that name."""
        return next(part for part in self.parts if part.ref == ref)


def wire(description: Description, profile: Profile) -> Wiring:
    """Work a profile out."""
    signals = tuple(_signals(description, profile))
    parts = [part for rule in description.rules for part in _parts(description, profile, rule)]
    hubs = dict.fromkeys([hub.key for hub, _ in signals])
    return Wiring(profile, description, (*(_hub(description.hubs[key], signals) for key in hubs), *parts), signals)


def _signals(description: Description, profile: Profile) -> Iterator[tuple[Hub, Signal]]:
    for signal in description.signals:
        if signal.fitting and signal.fitting not in profile.fittings:
            continue
        # What a Pico has no pin for stays on the Pi.
        hub = profile.readers_on if profile.readers_on in signal.pins else "pi"
        yield description.hubs[hub], signal


def _hub(hub: Hub, signals: tuple[tuple[Hub, Signal], ...]) -> Part:
    joins = {hub.pin(signal.pins[hub.key]).name: signal.net for owner, signal in signals if owner is hub}
    own = {pin.name: hub.own_supply for pin in hub.kind.pins if pin.kind is PinKind.SOURCE}
    ground = {pin.name: GROUND for pin in hub.kind.pins if pin.kind is PinKind.GROUND}
    return Part(hub.ref, hub.kind, {**joins, **own, **ground})


def _parts(description: Description, profile: Profile, rule: PartRule) -> Iterator[Part]:
    if rule.fitting and rule.fitting not in profile.fittings:
        return
    for words in _each(rule.each):
        joins = {pin: net.format(**words) for pin, net in rule.joins.items()}
        names = {pin.name for pin in description.kinds[rule.kind].pins}
        if unknown := set(joins) - names:
            raise ValueError(f"{rule.ref}: {rule.kind} has no pin {min(unknown)}: it has {', '.join(sorted(names))}.")
        yield Part(
            rule.ref.format(**words),
            description.kinds[rule.kind],
            joins,
            rule.value,
            rule.place,
            rule.beside.format(**words),
            rule.spare,
        )


def _each(what: str) -> Iterator[Mapping[str, object]]:
    match what:
        case "":
            yield {}
        case "squares":
            for line, square in enumerate(SQUARE_NAMES):
                yield {"square": square, "line": line, "rank": square[1]}
        case "ranks":
            for rank in RANKS:
                lines = {f"line_{file}": SQUARE_NAMES.index(f"{file}{rank}") for file in FILES}
                yield {"rank": rank, **lines}
        case "address":
            yield from ({"n": n} for n in range(4))
        case "lights":
            yield from ({"n": n, "light": light} for n, light in enumerate(LIGHTS))
        case _:
            raise ValueError(f'for = "{what}" is not known: write "squares", "ranks", "address" or "lights".')
