"""A guide at a table in memory: tags put on cells, looks at them, fingers on the button."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from quarto_pi.enrolment import (
    Gesture,
    Gestured,
    GuideEffect,
    GuideInput,
    GuideState,
    SpeakGuide,
    Store,
    TagsStored,
    Task,
    fold_guide,
    start_guide,
)
from quarto_pi.enrolment.state import GuideMessage, GuideNotice, GuidePrompt
from quarto_pi.referee import Button, ButtonName
from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.readings import CELLS, Outcome, Reading
from quarto_pi.sensing.tags import TagTable

SWEEP_MS = 100
_RNG = random.Random(7)
UIDS = tuple(f"04{_RNG.getrandbits(48):012X}" for _ in range(18))
"""Tags that are not like one another: sixteen for the pieces, and two more."""

TABLE = TagTable(dict(zip(UIDS, PIECES, strict=False)))
"""All pieces with their tags."""

Look = Callable[[str, tuple[str, ...]], Reading | None]


def read_well(cell: str, uids: tuple[str, ...]) -> Reading:
    """What a reader without any trouble makes of the tags on its cell."""
    outcome = (Outcome.EMPTY, Outcome.TAG)[len(uids)] if len(uids) < 2 else Outcome.SEVERAL
    return Reading(cell, outcome, uids, 0)


@dataclass
class Guided:
    """A guide, what lies on its board, and all that it has wanted."""

    state: GuideState
    effects: list[GuideEffect]
    lying: dict[str, tuple[str, ...]] = field(default_factory=dict)
    disk: bool = True
    stored: list[TagTable] = field(default_factory=list)
    look: Look = read_well

    def asks(self) -> GuidePrompt:
        return self.state.prompt

    @property
    def notice(self) -> GuideNotice | None:
        return None if self.state.told is None else self.state.told.notice

    @property
    def table(self) -> Mapping[str, object]:
        return self.state.roll.table.pieces

    @property
    def said(self) -> list[GuideMessage]:
        return [effect.message for effect in self.effects if isinstance(effect, SpeakGuide)]

    def feed(self, received: GuideInput) -> None:
        self.state, effects = fold_guide(self.state, received)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Store):
                if self.disk:
                    self.stored.append(effect.table)
                self.feed(TagsStored(self.state.now, self.disk))

    def sweep(self, count: int = 1) -> None:
        for _ in range(count):
            if self.state.ended:
                return
            at = self.state.now + SWEEP_MS
            looks = [self.look(cell, self.lying.get(cell, ())) for cell in self.state.cells]
            self.feed(Sweep(at, tuple(look for look in looks if look is not None)))

    def put(self, uid: str, cell: str, sweeps: int = 20) -> None:
        self.lying[cell] = (*self.lying.get(cell, ()), uid)
        self.sweep(sweeps)

    def take(self, cell: str, sweeps: int = 10) -> None:
        del self.lying[cell]
        self.sweep(sweeps)

    def press(self) -> None:
        self._finger(100)

    def hold(self) -> None:
        self._finger(1_200)

    def tap_on_the_page(self, gesture: Gesture) -> None:
        self.feed(Gestured(self.state.now, gesture))

    def _finger(self, milliseconds: int) -> None:
        at = self.state.now + 10
        self.feed(Button(at, ButtonName.CALL, down=True))
        self.feed(Button(at + milliseconds, ButtonName.CALL, down=False))
        self.sweep(2)


def guided(
    task: Task | None = None, table: TagTable | None = None, *, checked: bool = True, cells: tuple[str, ...] = CELLS
) -> Guided:
    """A guide that begins; its readers are checked already unless told otherwise."""
    guide = Guided(*(_listed(start_guide(task or Task(waits=True), table or TagTable(), cells, "en", 0))))
    if checked:
        guide.sweep(40)
    return guide


def _listed(begun: tuple[GuideState, tuple[GuideEffect, ...]]) -> tuple[GuideState, list[GuideEffect]]:
    return begun[0], list(begun[1])
