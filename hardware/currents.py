"""The current budget: what everything takes from the 3.3 V converter, the fuses and the supply, added up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hardware.description import Power
from hardware.wiring import Wiring
from quarto_pi.devices.readers.fields import CurrentBudget

_FUSE_SHARE: Final = 0.8
"""A fuse is made to carry this share of its rating for ever at room temperature."""


@dataclass(frozen=True, slots=True)
class Load:
    """One line of the budget."""

    what: str
    ma: float


@dataclass(frozen=True, slots=True)
class Budget:
    """What a wiring takes at worst."""

    power: Power
    rail: tuple[Load, ...]
    """From the 3.3 V converter."""
    board: tuple[Load, ...]
    """Through the board's fuse, at 5 V."""
    whole: tuple[Load, ...]
    """From the supply."""

    def complaints(self) -> Iterator[str]:
        """A sentence for each part of the supply that is too weak."""
        for what, loads, most in (
            ("3.3 V converter", self.rail, self.power.buck_ma),
            ("board's fuse", self.board, self.power.board_fuse_ma * _FUSE_SHARE),
            ("Pi's fuse", (Load("Pi", self.power.pi_ma),), self.power.pi_fuse_ma * _FUSE_SHARE),
            ("supply", self.whole, self.power.supply_ma),
        ):
            taken = total(loads)
            if taken > most:
                yield f"The {what} is good for {most:.0f} mA and has to give {taken:.0f}."


def total(loads: tuple[Load, ...]) -> float:
    """The sum of a budget's lines."""
    return sum(load.ma for load in loads)


def budget_of(wiring: Wiring) -> Budget:
    """Add up what a wiring takes with as many fields on as its budget ever allows."""
    power = wiring.description.power
    readers = len(wiring.of_kind("reader"))
    fields = most_fields(wiring)
    chips = [part for part in wiring.parts if part.joins.get("VCC") == "3V3" and part.kind.ma]
    rail = (
        Load(f"{readers} readers without a field, {power.reader_ma:g} each", readers * power.reader_ma),
        Load(f"{fields} fields, {power.field_ma:g} each", fields * power.field_ma),
        Load(f"{len(chips)} logic chips", sum(part.kind.ma for part in chips)),
    )
    converted = total(rail) * 3.3 / (power.supply_volts * power.buck_efficiency)
    board = [Load("3.3 V converter, at 5 V", converted)]
    if wiring.of_kind("strip"):
        board.append(Load("square lights", power.strip_ma))
    whole = [*board, Load("Pi", power.pi_ma)]
    if wiring.profile.readers_on == "pico":
        whole.append(Load("Pico, through the Pi", power.node_ma))
    return Budget(power, rail, tuple(board), tuple(whole))


def most_fields(wiring: Wiring) -> int:
    """How many fields the program ever has on at once with that supply: no more than there are readers."""
    power = wiring.description.power
    readers = len(wiring.of_kind("reader"))
    budget = CurrentBudget(power.readers_supply_ma, power.field_ma, power.reader_ma, readers)
    return min(readers, budget.most_fields)
