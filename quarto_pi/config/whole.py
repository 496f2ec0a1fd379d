"""The whole configuration of a board, each part from the section of its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from quarto_pi.config.journal import JournalConfig
from quarto_pi.config.kiosk import KioskConfig
from quarto_pi.config.page import PageConfig
from quarto_pi.config.play import EngineConfig, GameConfig
from quarto_pi.config.section import ConfigError, KeyPath
from quarto_pi.config.wiring import ButtonsConfig, FieldsConfig, ReadersConfig
from quarto_pi.devices.fields import FieldMode
from quarto_pi.devices.light_settings import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.node_settings import NodeSettings
from quarto_pi.devices.oled_settings import OledSettings
from quarto_pi.devices.reader_kinds import ReaderKind
from quarto_pi.devices.speech import SpeechSettings
from quarto_pi.referee import Settings
from quarto_pi.sensing.times import SensingTimes


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
    node: NodeSettings | None = None
    journal: JournalConfig | None = field(default_factory=JournalConfig)
    kiosk: KioskConfig = field(default_factory=KioskConfig)
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
