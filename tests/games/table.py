"""A small model of a table: things that hands put down, readers that hear them, and the trace that comes of it.

It knows nothing of the sensing layer or the referee. Hands plan changes ahead; `run` lets time pass and sweeps with a
reader's usual unrest: sweeps are 95 to 125 ms apart, and a tag that comes near is heard more and more often.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import CELLS

_RNG = random.Random(25)
UIDS = {piece.letters: f"04{_RNG.getrandbits(48):012X}" for piece in PIECES}
STRANGERS = {"card": "7A90C3F1", "key": "045D11FFE0A7B2", "phone": "08C4B71E"}
"""Things with a tag that are no pieces."""

NEAR_MS = 150
STAGES = (0.2, 0.5, 0.8)
LULL_MS = 60_000
SELDOM = 10
"""While hands are away for longer than that, only every so manyth sweep is written down: all say the same."""

Cells = dict[str, object]


@dataclass
class Table:
    """What is heard where; `says` is the trace so far, without its header."""

    seed: int = 1
    interval: tuple[int, int] = (95, 125)
    heard: dict[str, dict[str, float]] = field(default_factory=dict)
    answers: dict[str, float] = field(default_factory=dict)
    overheard: dict[tuple[str, str], tuple[float, bool]] = field(default_factory=dict)
    dead: set[str] = field(default_factory=set)
    noise: float = 0.0
    says: list[str] = field(default_factory=list)
    at: int = 0
    _plans: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    _planned: int = 0
    _next_sweep: int = 0
    _before: Cells = field(default_factory=dict)
    _rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)
        self._before = dict.fromkeys(CELLS)

    # --- what hands do ------------------------------------------------------------------------------------------------

    def comes(self, thing: str, cell: str, at: int) -> int:
        """Lower a thing onto a cell; it rests at the time that is returned."""
        for index, strength in enumerate(STAGES):
            self._hear(at + NEAR_MS * index // 3, thing, {cell: strength})
        self._hear(at + NEAR_MS, thing, {cell: 1.0})
        return at + NEAR_MS

    def goes(self, thing: str, cell: str, at: int) -> int:
        """Take a thing up from a cell; it is out of reach at the time that is returned."""
        for index, strength in enumerate(reversed(STAGES)):
            self._hear(at + NEAR_MS * index // 3, thing, {cell: strength})
        self._hear(at + NEAR_MS, thing, {})
        return at + NEAR_MS

    def slides(self, thing: str, path: tuple[str, ...], at: int, duration: int) -> int:
        """Push a thing over cells without taking it up."""
        step = duration // (len(path) - 1)
        for index, (here, there) in enumerate(pairwise(path)):
            begin = at + index * step
            self._hear(begin, thing, {here: 0.7})
            self._hear(begin + step // 4, thing, {here: 0.4, there: 0.3})
            self._hear(begin + step // 2, thing, {here: 0.1, there: 0.5})
            self._hear(begin + step * 3 // 4, thing, {there: 0.8})
        self._hear(at + duration, thing, {path[-1]: 1.0})
        return at + duration

    def hovers(self, thing: str, cell: str, at: int, duration: int) -> int:
        """Hold a thing over a cell without putting it down."""
        self._hear(at, thing, {cell: 0.5})
        self._hear(at + duration, thing, {})
        return at + duration

    def plan(self, at: int, change: Callable[[], None]) -> None:
        """Let something change at a time that has not come yet."""
        self._plans.append((at, self._planned, change))
        self._planned += 1

    def button(self, at: int, name: str, down: bool) -> None:
        """Let a button go down or up."""
        line = json.dumps({"t": at, "button": name, "down": down}, separators=(",", ":"))
        self.plan(at, lambda: self.says.append(line))

    def _hear(self, at: int, thing: str, heard: dict[str, float]) -> None:
        def change() -> None:
            self.heard[thing] = heard

        self.plan(at, change)

    # --- what readers see ---------------------------------------------------------------------------------------------

    def run(self, until: int) -> None:
        """Let time pass up to, and not including, a moment."""
        self._plans.sort(key=lambda plan: plan[:2])
        still_since = self._next_sweep
        while self._next_sweep < until:
            if self._plans and self._plans[0][0] <= self._next_sweep:
                still_since = self._next_sweep
            self._carry_out(self._next_sweep)
            self._sweep(self._next_sweep)
            next_change = min(until, self._plans[0][0]) if self._plans else until
            is_lull = self._next_sweep - still_since > LULL_MS < next_change - self._next_sweep
            self._next_sweep += self._rng.randint(*self.interval) * (SELDOM if is_lull else 1)
        self._carry_out(until - 1)
        self.at = until

    def close(self, at: int) -> None:
        """The last sweep of all."""
        self.run(at)
        self._sweep(at)

    def _carry_out(self, until: int) -> None:
        while self._plans and self._plans[0][0] <= until:
            self._plans.pop(0)[2]()

    def _sweep(self, at: int) -> None:
        near: dict[str, list[str]] = {}
        for thing, strengths in self.heard.items():
            if strengths:
                overheard = [cell for other, cell in self.overheard if other == thing and cell not in strengths]
                for cell in (*strengths, *overheard):
                    near.setdefault(cell, []).append(thing)
        seen = {cell: self._reading(cell, near[cell]) if cell in near else self._nothing(cell) for cell in CELLS}
        changed = {cell: value for cell, value in seen.items() if value != self._before[cell]}
        self._before = seen
        self.says.append(json.dumps({"t": at, "sweep": changed}, separators=(",", ":")))

    def _reading(self, cell: str, near: Sequence[str]) -> object:
        uids = [uid for thing in near for uid in self._uids_heard(thing, cell)]
        if self._nothing(cell) is not None:
            return "error"
        if len(uids) > 1:
            return sorted(uids)
        return uids[0] if uids else None

    def _nothing(self, cell: str) -> object:
        """What a reader says that nothing is near."""
        return "error" if cell in self.dead or self._rng.random() < self.noise else None

    def _uids_heard(self, thing: str, cell: str) -> list[str]:
        strengths = self.heard[thing]
        share, garbled = self.overheard.get((thing, cell), (0.0, False))
        if cell in strengths:
            share, garbled = strengths[cell] * self.answers.get(thing, 1.0), False
        if not (share and self._rng.random() < share):
            return []
        uid = uid_of(thing)
        return [self._wrong(uid) if garbled else uid]

    def _wrong(self, uid: str) -> str:
        """The UID as a neighbour's antenna gets it wrong: all bits shifted, or a byte replaced."""
        length = len(uid) // 2
        if self._rng.random() < 0.5:
            octets = int.from_bytes(bytes.fromhex(uid), "little") << self._rng.randrange(1, 4)
            return (octets & ((1 << 8 * length) - 1)).to_bytes(length, "little").hex().upper()
        octets = int(uid, 16) ^ (self._rng.randrange(1, 256) << 8 * self._rng.randrange(length))
        return f"{octets:0{2 * length}X}"


def uid_of(thing: str) -> str:
    """The UID of a piece, or of a thing that is none."""
    return UIDS.get(thing) or STRANGERS[thing]
