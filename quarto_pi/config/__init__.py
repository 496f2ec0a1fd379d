"""The configuration file: every key read, checked and given to the part that needs it.

A key that nobody reads is an error that names the file, the section, the key and the nearest right one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from quarto_pi.config.page import PageConfig, read_page
from quarto_pi.config.play import MOST_TABLE_MB, EngineConfig, GameConfig, read_engine, read_game
from quarto_pi.config.section import ConfigError, Section
from quarto_pi.config.state import state_folder
from quarto_pi.config.wiring import ButtonsConfig, FieldsConfig, ReadersConfig, read_buttons, read_fields, read_readers
from quarto_pi.devices.light_settings import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.oled_settings import OledSettings
from quarto_pi.devices.settings import SettingsError
from quarto_pi.devices.speech import SpeechSettings
from quarto_pi.rules import QuartoError, hint
from quarto_pi.sensing.times import DEFAULT_TIMES, NAMES, SensingTimes

__all__ = [
    "MOST_TABLE_MB",
    "ButtonsConfig",
    "Config",
    "ConfigError",
    "EngineConfig",
    "FieldsConfig",
    "GameConfig",
    "PageConfig",
    "ReadersConfig",
    "parse_config",
    "read_config",
    "state_folder",
]

_D = TypeVar("_D", OledSettings, PanelLightsSettings, SquareLightsSettings, SpeechSettings)


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration."""

    engine: EngineConfig = field(default_factory=EngineConfig)
    readers: ReadersConfig = field(default_factory=ReadersConfig)
    fields: FieldsConfig = field(default_factory=FieldsConfig)
    sensing: SensingTimes = field(default_factory=SensingTimes)
    game: GameConfig = field(default_factory=GameConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    oled: OledSettings | None = None
    panel_lights: PanelLightsSettings | None = None
    square_lights: SquareLightsSettings | None = None
    speech: SpeechSettings | None = None
    page: PageConfig | None = None

    def __post_init__(self) -> None:
        used: dict[int, str] = {}
        for key, pin in self._pins():
            if pin in used:
                raise ConfigError(f"{key} is {pin}: {used[pin]} has this pin already; choose another one.")
            used[pin] = key

    def _pins(self) -> Iterator[tuple[str, int]]:
        """Every pin that is driven or read, by its key; what is not on the board needs none."""
        readers, buttons = self.readers, self.buttons
        yield from (("[readers] address_pins", pin) for pin in readers.address_pins)
        yield from (("[readers] enable_pin", readers.enable_pin), ("[readers] offer_pin", readers.offer_pin))
        if self.panel_lights is not None:
            yield from (("[panel_lights] pins", pin) for pin in self.panel_lights.pins)
        if self.oled is not None:
            yield from ((f"[oled] {key}", pin) for key, pin in self.oled.pins)
        yield "[buttons] call_pin", buttons.call_pin
        if self.game.buttons == 2:
            yield "[buttons] second_pin", buttons.second_pin
        if buttons.menu_pin:
            yield "[buttons] menu_pin", buttons.menu_pin


def read_config(file: Path) -> Config:
    """The configuration in a file."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file}: the configuration cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: the configuration is not UTF-8 text (byte {error.start}).") from error
    try:
        return parse_config(text)
    except QuartoError as error:
        raise ConfigError(f"{file}: {error}") from error


def parse_config(text: str) -> Config:
    r"""The configuration in a text.

    >>> parse_config("[readers]\noffer = false").readers.offer
    False
    """
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"this is not TOML: {error}.") from error
    for name, section in whole.items():
        if name not in _READERS:
            raise ConfigError(f"[{name}] is not a section: {hint(name, tuple(_READERS))}")
        if not isinstance(section, dict):
            raise ConfigError(f"{name} stands alone: write a section [{name}] with keys below it.")
    parts = {name: read(whole[name]) for name, read in _READERS.items() if name in whole}
    return Config(**parts)  # type: ignore[arg-type] # each reader makes the part that Config has under its name


def _read_device(name: str, plain: _D) -> Callable[[Mapping[str, object]], _D | None]:
    """A reader for the section of a device that a board may have: its keys are the fields of its settings."""

    def read(keys: Mapping[str, object]) -> _D | None:
        section = Section(name, keys)
        present = section.take("present", True)
        values: dict[str, Any] = {name: section.like(name, getattr(plain, name)) for name in _keys_of(plain)}
        section.close()
        try:
            return replace(plain, **values) if present else None
        except SettingsError as error:
            raise section.wrong(error.key, error.value, error.todo) from error

    return read


def _keys_of(plain: _D) -> list[str]:
    # How long a device is waited for is not a matter of wiring.
    return [each.name for each in fields(plain) if each.name != "patience"]


def _read_sensing(keys: Mapping[str, object]) -> SensingTimes:
    section = Section("sensing", keys)
    times = {name: section.take(name, getattr(DEFAULT_TIMES, name)) for name in NAMES}
    section.close()
    return SensingTimes(**times)


_READERS: Final = {
    "engine": read_engine,
    "readers": read_readers,
    "fields": read_fields,
    "sensing": _read_sensing,
    "game": read_game,
    "buttons": read_buttons,
    "oled": _read_device("oled", OledSettings()),
    "panel_lights": _read_device("panel_lights", PanelLightsSettings()),
    "square_lights": _read_device("square_lights", SquareLightsSettings()),
    "speech": _read_device("speech", SpeechSettings()),
    "page": read_page,
}
