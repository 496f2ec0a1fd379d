"""Tables of transitions: where an occurrence leads from each stage that something may be in.

Whatever goes on in stages has one: the phases of the board in phases.py, all else in stages.py. A stage that is None
means that it is not going on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from quarto_pi.rules import IllegalAction

StageT = TypeVar("StageT", bound=Enum | None)
OccurrenceT = TypeVar("OccurrenceT", bound=Enum)


class NoSuchTransition(IllegalAction):
    """A transition that the table does not know: a fault of the program, not of the players."""


@dataclass(frozen=True, slots=True)
class Transitions(Generic[StageT, OccurrenceT]):
    """Where each occurrence leads from each stage of what is called `name`; it begins in the stage `first`."""

    name: str
    first: StageT
    ways: Mapping[StageT, Mapping[OccurrenceT, StageT]]

    def follow(self, stage: StageT, occurrence: OccurrenceT) -> StageT:
        """The stage after an occurrence; `NoSuchTransition` where it cannot happen in this stage."""
        try:
            return self.ways[stage][occurrence]
        except KeyError:
            now = "while there is none" if stage is None else f"'{stage.value}'"
            raise NoSuchTransition(f"in the {self.name} {now} it cannot be that {occurrence.value}.") from None

    def lead(self, stage: StageT, occurrence: OccurrenceT, to: StageT) -> None:
        """Make sure that an occurrence leads from one stage to another; `NoSuchTransition` where it does not."""
        if self.follow(stage, occurrence) is not to:
            there = "none" if to is None else f"'{to.value}'"
            raise NoSuchTransition(f"in the {self.name} it does not lead to {there} that {occurrence.value}.")

    def diagram(self) -> str:
        """The table as a state diagram in the language of Mermaid."""
        stages = [stage for stage in self.ways if stage is not None]
        lines = ["stateDiagram-v2"]
        if self.first is not None:
            lines.append(f"    [*] --> {_node(self.first)}")
        lines += [f'    state "{stage.value}" as {_node(stage)}' for stage in stages]
        for stage, ways in self.ways.items():
            lines += [f"    {_node(stage)} --> {_node(to)}: {occurrence.value}" for occurrence, to in ways.items()]
        return "\n".join(lines) + "\n"


def _node(stage: Enum | None) -> str:
    return "[*]" if stage is None else stage.name.lower()
