"""The kinds of readers that a board can have instead of those on the Pi's SPI, each with a section of its own.

A kind is a module that ends with `KIND`, its usual settings: their fields are the keys of the section, and `hang` opens
what they describe. Its name stands in `MODULES`, and nothing else has to know it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import Field, dataclass
from importlib import import_module
from typing import Any, ClassVar, Final, Protocol

from quarto_pi.clock import Clock
from quarto_pi.devices.lights.patterns import PanelLamps, PanelLightsSettings
from quarto_pi.devices.movement import Buttons
from quarto_pi.devices.readers.fields import FieldPlan
from quarto_pi.devices.readers.interface import Readers

MODULES: Final[tuple[str, ...]] = (
    "quarto_pi.devices.node.settings",
)  # fmt: skip
"""The first whose section is present has the board's readers; without any, they are on the Pi's own SPI."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a board has, whoever reads it: its cells, the select line of each square, and what else hangs on it.

    `plan` says which fields may be on together, and `trouble` why that is no more, if there is a reason.
    """

    cells: tuple[str, ...]
    lines: Mapping[str, int]
    plan: FieldPlan
    trouble: str | None
    buttons: tuple[str, ...]
    panel_lights: PanelLightsSettings | None


@dataclass(frozen=True, slots=True)
class Hung:
    """Readers that were opened, and the buttons and the panel's lights if they hang there, too."""

    readers: Readers
    buttons: Buttons | None = None
    panel: PanelLamps | None = None


class ReaderKind(Protocol):
    """The settings of a kind of readers; a frozen dataclass that raises `SettingsError` for what cannot be."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def section(self) -> str:
        """The section of the configuration that is about it."""

    @property
    def only_readers(self) -> bool:
        """Whether buttons and the panel's lights stay on the Pi's own header."""

    def hang(self, around: Surroundings, clock: Clock, stack: ExitStack, tell: Callable[[str], None]) -> Hung:
        """Open what these settings describe; the stack closes it.

        What is not there raises nothing: it shows when it is spoken to. `ImportError` is raised for packages that are
        missing; `tell` is told in sentences what people should know.
        """


def kinds() -> tuple[ReaderKind, ...]:
    """All kinds with their usual settings, in the order in which they are looked for."""
    return tuple(_kind_in(name) for name in MODULES)


def _kind_in(name: str) -> ReaderKind:
    kind: ReaderKind = import_module(name).KIND
    return kind
