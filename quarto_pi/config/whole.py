"""The whole configuration of a board, each part from the section of its name; how it is played on, among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from quarto_pi.config.section import ConfigError, KeyPath, Section, Taken
from quarto_pi.config.service import (
    ChainConfig,
    JournalConfig,
    KioskConfig,
    NetworkConfig,
    PageConfig,
    read_chain,
    read_journal,
    read_kiosk,
    read_network,
    read_page,
)
from quarto_pi.config.wiring import ButtonsConfig, FieldsConfig, ReadersConfig, read_buttons, read_fields, read_readers
from quarto_pi.devices.light_patterns import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.devices.readers.interface import ReaderKind, kinds
from quarto_pi.devices.settings import OledSettings, SettingsError
from quarto_pi.devices.speech import SpeechSettings
from quarto_pi.referee.all_settings import CHOSEN, IN_FILE
from quarto_pi.referee.settings import Settings
from quarto_pi.rules import hint
from quarto_pi.rules.kinds import Medium, ValueRefused, WholeNumber
from quarto_pi.rules.options import LEVEL, Row, Setting, Within
from quarto_pi.sensing.readings import DEFAULT_TIMES, NAMES, SensingTimes, TimesError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

TABLE_MB: Final = WholeNumber(1, 16_384)
"""Megabytes for what a search remembers."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What the search may use."""

    table_mb: int = 64


@dataclass(frozen=True, slots=True)
class GameConfig:
    """How the board is played on until people choose otherwise in its menu, and the computer's level in a trace."""

    chosen: Settings = field(default_factory=Settings)
    level: int = 3

    def settings(self, offer_reader: bool) -> Settings:
        """The settings with which an evening begins, on a board with or without a give place."""
        return replace(self.chosen, offer_reader=offer_reader)

    @property
    def buttons(self) -> int:
        """How many buttons call."""
        return self.chosen.buttons

    @property
    def language(self) -> str:
        """The language that the board speaks first."""
        return self.chosen.language


def chosen_keys(wished: Settings, file: Settings) -> Mapping[str, object]:
    """The keys of `[game]` that people chose to be otherwise than the file says, with their values."""
    said = {row.key: (row.write(file, Medium.FILE), row.write(wished, Medium.FILE)) for row in CHOSEN}
    return {key: now for key, (before, now) in said.items() if now != before}


def _rows() -> Iterator[Row[GameConfig]]:
    """The keys of `[game]` in their order: those of the table of settings, and the level beside the players."""
    for row in IN_FILE:
        if row.key == "starter":
            yield Setting[GameConfig, int](
                "level",
                "the computer's in a trace that names none",
                LEVEL,
                lambda game: game.level,
                lambda game, value: replace(game, level=value),
            )
        yield Within[GameConfig, Settings](
            row, lambda game: game.chosen, lambda game, settings: replace(game, chosen=settings)
        )


def read_game(section: Section) -> GameConfig:
    """The section `[game]`."""
    game, rows = GameConfig(), tuple(_rows())
    written = {row.key: section.like(row.key, row.write(game, Medium.FILE)) for row in rows}
    section.close()
    for row in rows:
        try:
            game = row.read(game, written[row.key], Medium.FILE)
        except ValueRefused as error:
            raise section.refused(row.key, error) from error
    return game


def read_engine(section: Section) -> EngineConfig:
    """The section `[engine]`."""
    table_mb = section.take("table_mb", EngineConfig().table_mb)
    section.close()
    if table_mb not in TABLE_MB.range:
        todo = f"write {TABLE_MB.lowest} to {TABLE_MB.highest}, and leave the system some memory"
        raise section.wrong("table_mb", table_mb, todo)
    return EngineConfig(table_mb)


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; `further` are the readers of other kinds that have a section in it."""

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
    network: NetworkConfig | None = None
    node: NodeSettings | None = None
    journal: JournalConfig | None = field(default_factory=JournalConfig)
    kiosk: KioskConfig = field(default_factory=KioskConfig)
    chain: ChainConfig | None = None
    further: tuple[ReaderKind, ...] = ()

    def __post_init__(self) -> None:
        used: dict[int, str] = {}
        for path, pin in self._pins():
            section, key = path
            if pin in used:
                said = f"[{section}] {key} is {pin}: {used[pin]} has this pin already; choose another one."
                raise ConfigError(said, path)
            used[pin] = f"[{section}] {key}"
        if self.node is not None and self.fields.mode is FieldMode.INTERLEAVED:
            said = '[fields] mode is "interleaved": a node takes its readers "one at a time" or "in turn".'
            raise ConfigError(said, ("fields", "mode"))

    @property
    def hung_on(self) -> ReaderKind | None:
        """What the readers hang on; None where they are on the Pi's own SPI."""
        present = (*(() if self.node is None else (self.node,)), *self.further)
        return present[0] if present else None

    @property
    def settings(self) -> Settings:
        """The settings with which an evening begins, until people choose otherwise."""
        settings = self.game.settings(self.readers.offer)
        return replace(settings, voice=None if self.speech is None else True, languages=self.kiosk.languages)

    def _pins(self) -> Iterator[tuple[KeyPath, int]]:
        """Every pin of the header that is driven or read, by its key; what is not there, or on a node, needs none."""
        readers, buttons, kind = self.readers, self.buttons, self.hung_on
        on_header = kind is None or kind.only_readers
        if kind is None:
            yield from ((("readers", "address_pins"), pin) for pin in readers.address_pins)
            yield ("readers", "enable_pin"), readers.enable_pin
            yield ("readers", "offer_pin"), readers.offer_pin
            if readers.reset_pin:
                yield ("readers", "reset_pin"), readers.reset_pin
        if on_header and self.panel_lights is not None:
            yield from ((("panel_lights", "pins"), pin) for pin in self.panel_lights.pins)
        if self.oled is not None:
            yield from ((("oled", key), pin) for key, pin in self.oled.pins)
        if not on_header:
            return
        yield ("buttons", "call_pin"), buttons.call_pin
        if self.game.buttons == 2:
            yield ("buttons", "second_pin"), buttons.second_pin
        if buttons.menu_pin:
            yield ("buttons", "menu_pin"), buttons.menu_pin


# --- The sections that there are, and who reads each: keys in, the parts of a `Config` out ----------------------------
#
# A section whose device need not be there is as good as `present = false` where nobody has written it.

_D = TypeVar("_D", bound="DataclassInstance")

PROFILE: Final = "profile"
"""The one key that stands above all sections: the wiring profile that they change."""


def read_sections(whole: Mapping[str, object]) -> tuple[Config, tuple[Taken, ...]]:
    """The configuration that these sections make, and every key that there is with its value."""
    hung_on = {kind.section: _read_device(kind) for kind in kinds()}
    readers: Mapping[str, Callable[[Section], object]] = {**_READERS, **hung_on}
    may_be_missing = _MAY_BE_MISSING | hung_on.keys()
    known = (PROFILE, *readers)
    parts: dict[str, object] = {}
    taken: list[Taken] = []
    for name, keys in whole.items():
        if name not in known:
            raise ConfigError(f"[{name}] is not a section: {hint(name, known)}", (name,))
        if name != PROFILE and not isinstance(keys, dict):
            said = f"{name} stands alone: write a section [{name}] with keys below it."
            raise ConfigError(said, (name,))
    for name, read in readers.items():
        section = Section(name, _keys_of_section(whole, name, {"present": False} if name in may_be_missing else {}))
        parts[name] = read(section)
        taken.extend(section.taken())
    further = tuple(part for name in hung_on if name not in _PARTS and (part := parts.pop(name)) is not None)
    return Config(**parts, further=further), tuple(taken)  # type: ignore[arg-type] # each reader makes the part that Config has there


def _keys_of_section(whole: Mapping[str, object], name: str, otherwise: Mapping[str, object]) -> Mapping[str, object]:
    keys = whole.get(name, otherwise)
    return keys if isinstance(keys, Mapping) else {}


def _read_device(plain: _D) -> Callable[[Section], _D | None]:
    """A reader for the section of a device that a board may have: its keys are the fields of its settings."""

    def read(section: Section) -> _D | None:
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


def _read_sensing(section: Section) -> SensingTimes:
    times = {name: section.take(name, getattr(DEFAULT_TIMES, name)) for name in NAMES}
    section.close()
    try:
        return SensingTimes(**times)
    except TimesError as error:
        raise ConfigError(str(error), (section.name, error.key)) from error


_READERS: Final = {
    "engine": read_engine,
    "readers": read_readers,
    "fields": read_fields,
    "sensing": _read_sensing,
    "game": read_game,
    "buttons": read_buttons,
    "oled": _read_device(OledSettings()),
    "panel_lights": _read_device(PanelLightsSettings()),
    "square_lights": _read_device(SquareLightsSettings()),
    "speech": _read_device(SpeechSettings()),
    "page": read_page,
    "network": read_network,
    "journal": read_journal,
    "kiosk": read_kiosk,
    "chain": read_chain,
}
_MAY_BE_MISSING: Final = frozenset({"oled", "panel_lights", "square_lights", "speech", "page", "network", "chain"})
_PARTS: Final = frozenset(each.name for each in fields(Config))
