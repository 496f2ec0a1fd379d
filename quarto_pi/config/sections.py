"""The sections that there are, and who reads each: keys in, the parts of a `Config` out.

A section whose device need not be there is as good as `present = false` where nobody has written it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from quarto_pi.config.journal import read_journal
from quarto_pi.config.kiosk import read_kiosk
from quarto_pi.config.page import read_page
from quarto_pi.config.play import read_engine, read_game
from quarto_pi.config.section import ConfigError, Section, Taken
from quarto_pi.config.whole import Config
from quarto_pi.config.wiring import read_buttons, read_fields, read_readers
from quarto_pi.devices.light_settings import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.oled_settings import OledSettings
from quarto_pi.devices.reader_kinds import kinds
from quarto_pi.devices.settings import SettingsError
from quarto_pi.devices.speech import SpeechSettings
from quarto_pi.rules import hint
from quarto_pi.sensing.errors import TimesError
from quarto_pi.sensing.times import DEFAULT_TIMES, NAMES, SensingTimes

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

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
    "journal": read_journal,
    "kiosk": read_kiosk,
}
_MAY_BE_MISSING: Final = frozenset({"oled", "panel_lights", "square_lights", "speech", "page"})
_PARTS: Final = frozenset(each.name for each in fields(Config))
