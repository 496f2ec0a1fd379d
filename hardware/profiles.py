"""The configuration's wiring profiles, `quarto_pi/config/profiles/`: what the program has to know of each wiring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.decoding import line_of
from hardware.wiring import Wiring
from quarto_pi.sensing.readings import LINES, SQUARE_NAMES

_ORDER: Final = ("readers", "fields", "node", "oled", "panel_lights", "square_lights", "buttons", "game")
_LISTS: Final = ("address_pins", "pins", "light_pins")


def profile_text(wiring: Wiring) -> str:
    """The profile as the text of a configuration file."""
    sections = profile_sections(wiring)
    lines = [f"# {wiring.profile.summary}", "# Made from hardware/board.toml by `make hardware`; change it there."]
    for name in (*_ORDER, "readers.lines"):
        if name in sections:
            lines += ["", f"[{name}]", *(_line(key, value) for key, value in sections[name].items())]
    return "\n".join(lines) + "\n"


def profile_sections(wiring: Wiring) -> Mapping[str, Mapping[str, object]]:
    """The profile's keys by section."""
    sections: dict[str, dict[str, object]] = {"readers": {"offer": "offer" in wiring.profile.fittings}}
    for fitting in wiring.profile.fittings:
        if meaning := wiring.description.fittings.get(fitting):
            sections.setdefault(meaning.section, {}).update(meaning.keys)
    for hub, signal in wiring.signals:
        if hub.key not in signal.keys:
            continue
        section, key = signal.keys[hub.key].split(".")
        keys = sections.setdefault(section, {})
        if key in _LISTS:
            listed = keys.setdefault(key, [])
            assert isinstance(listed, list)  # noqa: S101 # for mypy: it was made one line above
            listed.append(signal.pins[hub.key])
        else:
            keys[key] = signal.pins[hub.key]
    sections["fields"] = {"supply_ma": wiring.description.power.readers_supply_ma}
    sections["game"] = {"buttons": 2 if "second button" in wiring.profile.fittings else 1}
    # Only what is wired otherwise than the program takes for usual.
    unusual: dict[str, object] = {square: line for square, line in _lines(wiring).items() if line != LINES[square]}
    if unusual:
        sections["readers.lines"] = unusual
    return sections


def _lines(wiring: Wiring) -> Mapping[str, int]:
    selects = {part.joins["SDA"]: part.ref.removeprefix("READER_") for part in wiring.of_kind("reader")}
    outputs = {selects[net]: line for net, line in line_of(wiring).items()}
    return {square: outputs[square] for square in SQUARE_NAMES}


def _line(key: str, value: object) -> str:
    match value:
        case bool():
            return f"{key} = {str(value).lower()}"
        case str():
            return f'{key} = "{value}"'
        case int() if key.endswith("address"):
            return f"{key} = {value:#04x}"
        case _:
            return f"{key} = {value}"
