"""Which slot the Pi's firmware boots: one sector, `autoboot.txt`, that is only ever replaced as a whole.

The firmware reads `boot_partition=` in it and nothing else; what else is known of the slots stands beside it as a
comment, so that there is no moment at which the two say different things.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Final

from card.partitions import SECTOR

FILE: Final = "AUTOBOOT.TXT"


class Slot(Enum):
    """One of the two places of a system, by its boot partition; the root partition is three further on."""

    A = 2
    B = 3

    @property
    def boot_partition(self) -> int:
        """The number of its boot partition."""
        return self.value

    @property
    def root_partition(self) -> int:
        """The number of its root partition."""
        return self.value + 3

    @property
    def other(self) -> Slot:
        """The other one."""
        return Slot.B if self is Slot.A else Slot.A


class State(StrEnum):
    """What is known of a slot."""

    GOOD = "good"
    """It was healthy once."""
    BAD = "bad"
    """Nothing whole is in it, or it was left."""
    NEW = "new"
    """An update is in it, whole, that has not been tried."""
    TRIED = "tried"
    """It was booted once, and has not shown yet that it is healthy."""


@dataclass(frozen=True, slots=True)
class BootChoice:
    """The slot that is booted by itself, and what is known of both."""

    usual: Slot = Slot.A
    states: Mapping[Slot, State] = field(default_factory=lambda: {Slot.A: State.GOOD, Slot.B: State.BAD})

    def state(self, slot: Slot) -> State:
        """What is known of a slot."""
        return self.states[slot]

    def marked(self, slot: Slot, state: State) -> BootChoice:
        """The same with something else known of a slot."""
        return replace(self, states={**self.states, slot: state})

    def to_try(self) -> Slot | None:
        """The slot with an update that has not been tried, if there is one."""
        return next((slot for slot in Slot if slot is not self.usual and self.state(slot) is State.NEW), None)

    def after_start(self, running: Slot) -> BootChoice:
        """What is known once a slot has started: where the usual one did, an update that was tried did not do."""
        other = running.other
        if running is self.usual and self.state(other) is State.TRIED:
            return self.marked(other, State.BAD)
        return self

    def on_trial(self, running: Slot) -> bool:
        """Whether the running slot still has to show that it is healthy."""
        return running is not self.usual

    def confirmed(self, running: Slot) -> BootChoice:
        """The running slot is healthy, and is the usual one from now on."""
        return replace(self.marked(running, State.GOOD), usual=running)

    def left(self, running: Slot) -> BootChoice:
        """The running slot is no good; the other is the usual one, where that was good."""
        other = running.other
        if self.state(other) is not State.GOOD:
            return self
        return replace(self.marked(running, State.BAD), usual=other)

    def encoded(self) -> bytes:
        """The whole sector."""
        known = " ".join(f"{slot.name}={self.state(slot)}" for slot in Slot)
        text = (
            f"[all]\nboot_partition={self.usual.boot_partition}\n"
            "# The board writes this file. To go back to the other system by hand, turn 2 into 3, or 3 into 2.\n"
            f"# slots: {known}\n"
        )
        return text.encode("ascii").ljust(SECTOR - 1) + b"\n"


def read_choice(text: bytes) -> BootChoice:
    """What a file says; of what it does not say, what is true of a new card. Somebody may have edited it."""
    lines = text.decode("ascii", errors="replace")
    usual = re.search(r"(?m)^\s*boot_partition\s*=\s*([23])\s*$", lines)
    choice = BootChoice(Slot(int(usual[1])) if usual else Slot.A)
    for name, state in re.findall(r"\b([AB])=(good|bad|new|tried)\b", lines):
        choice = choice.marked(Slot[name], State(state))
    # What is booted by itself was chosen, by the board or by hand.
    return choice.marked(choice.usual, State.GOOD)
