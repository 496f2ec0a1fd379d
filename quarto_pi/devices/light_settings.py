"""How the lights on the panel and under the squares are connected, and how bright they may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from quarto_pi.devices.settings import CLOCKS_HZ, SettingsError, check_pins
from quarto_pi.devices.upkeep import Patience
from quarto_pi.sensing.readings import SQUARES

_SIDE: Final = 4


def _snake() -> tuple[str, ...]:
    ranks = [SQUARES[start : start + _SIDE] for start in range(0, len(SQUARES), _SIDE)]
    return tuple(square for index, rank in enumerate(ranks) for square in (rank[::-1] if index % 2 else rank))


ROWS: Final = SQUARES
"""Every row of the strip begins on the left."""
SNAKE: Final = _snake()
"""The strip goes to and fro, which needs the least wire."""


class PanelKind(Enum):
    """What is on the panel."""

    THREE = "three lights"
    RGB = "one rgb light"


@dataclass(frozen=True, slots=True)
class PanelLightsSettings:
    """The panel's lights: the pins of A, B and attention, or of red, green and blue (BCM numbers).

    `active_high` is False for lights that shine while their pin is low, such as an RGB light with a common anode.
    """

    kind: PanelKind = PanelKind.THREE
    pins: tuple[int, int, int] = (5, 6, 13)
    active_high: bool = True
    brightness: float = 1.0

    def __post_init__(self) -> None:
        if len(self.pins) != 3:
            raise SettingsError("pins", list(self.pins), "write three pins")
        check_pins([(f"pins[{index}]", pin) for index, pin in enumerate(self.pins)])
        if not 0 < self.brightness <= 1:
            raise SettingsError("brightness", self.brightness, "write a share above 0 and up to 1")


@dataclass(frozen=True, slots=True)
class SquareLightsSettings:
    """The strip: its bus, the squares in the order in which it passes below them, how bright it may be."""

    spi_port: int = 1
    spi_device: int = 0
    spi_hz: int = 1_000_000
    order: tuple[str, ...] = SNAKE
    brightness: float = 0.5
    budget_ma: float = 300.0
    patience: Patience = field(default_factory=lambda: Patience(refresh_ms=5_000))

    def __post_init__(self) -> None:
        for key in ("spi_port", "spi_device"):
            if getattr(self, key) < 0:
                raise SettingsError(key, getattr(self, key), "buses and devices are numbered from 0")
        if self.spi_hz not in CLOCKS_HZ:
            raise SettingsError("spi_hz", self.spi_hz, f"choose from {', '.join(map(str, CLOCKS_HZ))}")
        if sorted(self.order) != sorted(SQUARES):
            raise SettingsError("order", list(self.order), "name each of the sixteen squares once")
        if not 0 < self.brightness <= 1:
            raise SettingsError("brightness", self.brightness, "write a share above 0 and up to 1")
        if self.budget_ma <= 0:
            raise SettingsError("budget_ma", self.budget_ma, "a current is above 0")
