"""The configuration file: every key read, checked and given to the part that needs it.

A key that nobody reads is an error that names the file, the section, the key and the nearest right one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from quarto_pi.devices.fields import BudgetTooSmall, CurrentBudget, FieldMode
from quarto_pi.referee.settings import LANGUAGES, LEVELS, PERSON, Seat, Settings, Starter
from quarto_pi.rules import (
    ALL_TRAITS,
    Calling,
    FalseCall,
    Options,
    QuartoError,
    TimeOut,
    Trait,
    format_traits,
    hint,
    parse_traits,
)
from quarto_pi.sensing.readings import SQUARES
from quarto_pi.sensing.times import DEFAULT_TIMES, NAMES, SensingTimes

_T = TypeVar("_T", bool, int, str)

HEADER_PINS: Final = range(28)
# What the header's pins are already used for: the identification EEPROM, the first I2C bus, SPI0, the UART.
RESERVED_PINS: Final = {
    0: "the identification EEPROM",
    1: "the identification EEPROM",
    2: "I2C (the OLED)",
    3: "I2C (the OLED)",
    9: "SPI (MISO)",
    10: "SPI (MOSI)",
    11: "SPI (clock)",
    14: "the serial line",
    15: "the serial line",
}
DECODER_OUTPUTS: Final = range(16)
MOST_TABLE_MB: Final = 16_384
LONGEST_CLOCK_SECONDS: Final = 3_600
FIELD_MODES: Final = tuple(mode.value for mode in FieldMode)


class ConfigError(QuartoError, ValueError):
    """A configuration that no board can work with; the text names file, section and key."""


@dataclass(frozen=True, slots=True)
class ReadersConfig:
    """How the readers are wired."""

    spi_bus: int = 0
    spi_device: int = 0
    spi_hz: int = 4_000_000
    address_pins: tuple[int, int, int, int] = (17, 27, 22, 23)
    enable_pin: int = 24
    offer_pin: int = 25
    offer: bool = True
    tags: str = ""
    lines: Mapping[str, int] = field(default_factory=lambda: {square: line for line, square in enumerate(SQUARES)})


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The pins of the push buttons; with two for calling, the first is player 1's. A menu button is not needed: 0."""

    call_pin: int = 5
    second_pin: int = 6
    menu_pin: int = 0


@dataclass(frozen=True, slots=True)
class FieldsConfig:
    """How many readers' fields may be on at once: the mode, the supply, and where the calibration stands."""

    mode: FieldMode = FieldMode.ONE_AT_A_TIME
    budget: CurrentBudget = field(default_factory=CurrentBudget)
    calibration: str = ""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What the search may use."""

    table_mb: int = 64


@dataclass(frozen=True, slots=True)
class GameConfig:
    """How the board is played on until people choose otherwise in its menu; `opponent` 0 is another person."""

    squares: bool = False
    traits: tuple[Trait, ...] = ALL_TRAITS
    calling: Calling = Calling.BUTTON
    false_call: FalseCall = FalseCall.REFUSE
    time_out: TimeOut = TimeOut.SHOW
    clock_seconds: int = 0
    opponent: int = 0
    level: int = 3
    starter: Starter = Starter.A
    buttons: int = 1
    undo: bool = True
    coach: bool = False
    language: str = "en"

    def settings(self, offer_reader: bool) -> Settings:
        """The settings with which an evening begins, on a board with or without a give place."""
        rules = Options(
            squares=self.squares,
            traits=self.traits,
            calling=self.calling,
            false_call=self.false_call,
            time_out=self.time_out,
            clock_ms=self.clock_seconds * 1000 or None,
        )
        return Settings(
            rules=rules,
            seats=(PERSON, Seat(self.opponent or None)),
            starter=self.starter,
            offer_reader=offer_reader,
            buttons=self.buttons,
            undo=self.undo,
            coach=self.coach,
            language=self.language,
        )


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration."""

    engine: EngineConfig = field(default_factory=EngineConfig)
    readers: ReadersConfig = field(default_factory=ReadersConfig)
    fields: FieldsConfig = field(default_factory=FieldsConfig)
    sensing: SensingTimes = field(default_factory=SensingTimes)
    game: GameConfig = field(default_factory=GameConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)

    def __post_init__(self) -> None:
        readers, buttons = self.readers, self.buttons
        used = dict.fromkeys((*readers.address_pins, readers.enable_pin, readers.offer_pin), "[readers]")
        pins = {"call_pin": buttons.call_pin}
        pins |= {"second_pin": buttons.second_pin} if self.game.buttons == 2 else {}
        pins |= {"menu_pin": buttons.menu_pin} if buttons.menu_pin else {}
        for key, pin in pins.items():
            if pin in used:
                raise ConfigError(f"[buttons] {key} is {pin}: {used[pin]} uses this pin already; choose another one.")
            used[pin] = f"[buttons] {key}"


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


class _Section:
    """The keys of a section, each taken once and by its type; `close` finds those that nobody took."""

    def __init__(self, name: str, keys: Mapping[str, object]) -> None:
        self.name = name
        self._keys = dict(keys)
        self._known: list[str] = []

    def take(self, key: str, default: _T) -> _T:
        """The value of a key, which has to be of its default's type."""
        self._known.append(key)
        value = self._keys.pop(key, default)
        # A truth value is a whole number to Python, but not to the writer of a file.
        if not isinstance(value, type(default)) or isinstance(value, bool) is not isinstance(default, bool):
            raise self.wrong(key, value, f"write {_AS_WORDS[type(default)]}, such as {_as_toml(default)}")
        return value

    def word(self, key: str, words: type[Enum], default: Enum) -> str:
        """The value of a key that has to be one of an enum's words."""
        value = self.take(key, str(default.value))
        known = [str(word.value) for word in words]
        if value not in known:
            raise self.wrong(key, value, hint(value, known).rstrip(".?"))
        return value

    def number(self, key: str, default: float) -> float:
        """The value of a key that may have a fraction."""
        self._known.append(key)
        value = self._keys.pop(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, value, f"write a number, such as {default:g}")
        return float(value)

    def pins(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of as many pins as the default has."""
        self._known.append(key)
        value = self._keys.pop(key, list(default))
        whole = isinstance(value, list) and all(type(pin) is int for pin in value)
        if not isinstance(value, list) or not whole or len(value) != len(default):
            raise self.wrong(key, value, f"write a list of {len(default)} pins, such as {list(default)}")
        return tuple(value)

    def subsection(self, key: str) -> Mapping[str, object]:
        """The keys of a section below this one."""
        self._known.append(key)
        value = self._keys.pop(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, f"write a section [{self.name}.{key}]")
        return value

    def wrong(self, key: str, value: object, todo: str) -> ConfigError:
        """The error of a key."""
        return ConfigError(f"[{self.name}] {key} is {_as_toml(value)}: {todo}.")

    def close(self) -> None:
        """Make sure that every key was taken."""
        for key in self._keys:
            raise ConfigError(f"[{self.name}] {key} is not a key of this section: {hint(key, tuple(self._known))}")


_AS_WORDS: Final = {bool: "true or false", int: "a whole number", str: "a text"}


def _as_toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def _read_readers(keys: Mapping[str, object]) -> ReadersConfig:
    section = _Section("readers", keys)
    plain = ReadersConfig()
    spi_bus = section.take("spi_bus", plain.spi_bus)
    spi_device = section.take("spi_device", plain.spi_device)
    spi_hz = section.take("spi_hz", plain.spi_hz)
    address = section.pins("address_pins", plain.address_pins)
    enable_pin = section.take("enable_pin", plain.enable_pin)
    offer_pin = section.take("offer_pin", plain.offer_pin)
    offer = section.take("offer", plain.offer)
    tags = section.take("tags", plain.tags)
    lines = _read_lines(section.subsection("lines"))
    section.close()
    if spi_bus < 0 or spi_device < 0:
        key = "spi_bus" if spi_bus < 0 else "spi_device"
        raise section.wrong(key, min(spi_bus, spi_device), "devices are numbered from 0")
    if not 100_000 <= spi_hz <= 10_000_000:
        raise section.wrong("spi_hz", spi_hz, "the MFRC522 takes 100000 to 10000000, and cables 1000000 to 4000000")
    used: dict[int, str] = {}
    for key, pin in [*(("address_pins", pin) for pin in address), ("enable_pin", enable_pin), ("offer_pin", offer_pin)]:
        if pin not in HEADER_PINS:
            raise section.wrong(key, pin, "the header has GPIO 0 to 27")
        if pin in RESERVED_PINS:
            raise section.wrong(key, pin, f"GPIO {pin} belongs to {RESERVED_PINS[pin]}; choose another pin")
        if pin in used:
            raise section.wrong(key, pin, f"{used[pin]} has this pin already; choose another one")
        used[pin] = key
    first, second, third, fourth = address
    return ReadersConfig(
        spi_bus, spi_device, spi_hz, (first, second, third, fourth), enable_pin, offer_pin, offer, tags, lines
    )


def _read_lines(keys: Mapping[str, object]) -> Mapping[str, int]:
    """The decoder output of each square; those that are not named keep theirs."""
    section = _Section("readers.lines", keys)
    plain = ReadersConfig().lines
    lines = {square: section.take(square, plain[square]) for square in SQUARES}
    section.close()
    used: dict[int, str] = {}
    for square, line in lines.items():
        if line not in DECODER_OUTPUTS:
            raise section.wrong(square, line, "the decoder has outputs 0 to 15")
        if line in used:
            raise section.wrong(square, line, f"{used[line]} is on this select line already; each reader needs its own")
        used[line] = square
    return lines


def _read_buttons(keys: Mapping[str, object]) -> ButtonsConfig:
    section = _Section("buttons", keys)
    plain = ButtonsConfig()
    buttons = ButtonsConfig(
        section.take("call_pin", plain.call_pin),
        section.take("second_pin", plain.second_pin),
        section.take("menu_pin", plain.menu_pin),
    )
    section.close()
    for key in ("call_pin", "second_pin", "menu_pin"):
        pin = getattr(buttons, key)
        if key == "menu_pin" and pin == 0:
            continue
        if pin not in HEADER_PINS:
            raise section.wrong(key, pin, "the header has GPIO 0 to 27")
        if pin in RESERVED_PINS:
            raise section.wrong(key, pin, f"GPIO {pin} belongs to {RESERVED_PINS[pin]}; choose another pin")
    return buttons


def _read_fields(keys: Mapping[str, object]) -> FieldsConfig:
    section = _Section("fields", keys)
    plain = FieldsConfig()
    mode = section.take("mode", plain.mode.value)
    supply_ma = section.number("supply_ma", plain.budget.supply_ma)
    field_ma = section.number("field_ma", plain.budget.field_ma)
    reader_ma = section.number("reader_ma", plain.budget.reader_ma)
    calibration = section.take("calibration", plain.calibration)
    section.close()
    if mode not in FIELD_MODES:
        raise section.wrong("mode", mode, hint(mode, FIELD_MODES).rstrip(".?"))
    for key, value in ("field_ma", field_ma), ("reader_ma", reader_ma):
        if value <= 0:
            raise section.wrong(key, value, "a current is above 0")
    try:
        budget = CurrentBudget(supply_ma, field_ma, reader_ma)
    except BudgetTooSmall as error:
        raise section.wrong("supply_ma", supply_ma, f"{error}; 2000 is right for seventeen readers") from error
    if mode != FieldMode.ONE_AT_A_TIME.value and not calibration:
        raise section.wrong("mode", mode, "it needs a calibration; run 'quarto-pi calibrate' and name its file here")
    return FieldsConfig(FieldMode(mode), budget, calibration)


def _read_game(keys: Mapping[str, object]) -> GameConfig:
    section = _Section("game", keys)
    plain = GameConfig()
    traits = section.take("traits", format_traits(plain.traits))
    game = GameConfig(
        squares=section.take("squares", plain.squares),
        traits=plain.traits,
        calling=Calling(section.word("calling", Calling, plain.calling)),
        false_call=FalseCall(section.word("false_call", FalseCall, plain.false_call)),
        time_out=TimeOut(section.word("time_out", TimeOut, plain.time_out)),
        clock_seconds=section.take("clock_seconds", plain.clock_seconds),
        opponent=section.take("opponent", plain.opponent),
        level=section.take("level", plain.level),
        starter=Starter(section.word("starter", Starter, plain.starter)),
        buttons=section.take("buttons", plain.buttons),
        undo=section.take("undo", plain.undo),
        coach=section.take("coach", plain.coach),
        language=section.take("language", plain.language),
    )
    section.close()
    if not 0 <= game.clock_seconds <= LONGEST_CLOCK_SECONDS:
        raise section.wrong("clock_seconds", game.clock_seconds, f"write 1 to {LONGEST_CLOCK_SECONDS}, or 0 for none")
    if game.opponent not in (0, *LEVELS):
        raise section.wrong("opponent", game.opponent, "write a level from 1 to 10, or 0 for another person")
    if game.level not in LEVELS:
        raise section.wrong("level", game.level, "write a level from 1 to 10")
    if game.buttons not in (1, 2):
        raise section.wrong("buttons", game.buttons, "a board has 1 or 2")
    if game.language not in LANGUAGES:
        raise section.wrong("language", game.language, hint(game.language, LANGUAGES).rstrip(".?"))
    try:
        return replace(game, traits=parse_traits(traits))
    except QuartoError as error:
        raise section.wrong("traits", traits, f"{error}".rstrip(".")) from error


def _read_engine(keys: Mapping[str, object]) -> EngineConfig:
    section = _Section("engine", keys)
    table_mb = section.take("table_mb", EngineConfig().table_mb)
    section.close()
    if not 1 <= table_mb <= MOST_TABLE_MB:
        raise section.wrong("table_mb", table_mb, f"write 1 to {MOST_TABLE_MB}, and leave the system some memory")
    return EngineConfig(table_mb)


def _read_sensing(keys: Mapping[str, object]) -> SensingTimes:
    section = _Section("sensing", keys)
    times = {name: section.take(name, getattr(DEFAULT_TIMES, name)) for name in NAMES}
    section.close()
    return SensingTimes(**times)


_READERS: Final = {
    "engine": _read_engine,
    "readers": _read_readers,
    "fields": _read_fields,
    "sensing": _read_sensing,
    "game": _read_game,
    "buttons": _read_buttons,
}
