"""Measures which readers hear or disturb each other, with a piece standing on every square."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations

from quarto_pi.clock import Clock
from quarto_pi.devices.readers.chip import Chip
from quarto_pi.devices.readers.fields import NOT_TOUCHING, FieldMode, FieldPlan, Pair, pair
from quarto_pi.devices.readers.polling import Poll
from quarto_pi.devices.readers.scheduler import PollResult, Scheduler


@dataclass(frozen=True, slots=True)
class PairFigure:
    """How often, of so many looks, a reader heard another's piece, and failed to read its own beside its field."""

    cell: str
    other: str
    looks: int
    heard: int
    disturbed: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """The figures of all measured pairs, and the cells that read UIDs which stand nowhere."""

    figures: tuple[PairFigure, ...]
    strays: tuple[str, ...]

    def apart(self, most_share: float = 0.0) -> frozenset[Pair]:
        """Return the pairs that may be warm together: measured both ways, heard and disturbed no more than that."""
        good = {
            (figure.cell, figure.other)
            for figure in self.figures
            if max(figure.heard, figure.disturbed) <= most_share * figure.looks
            and figure.cell not in self.strays
            and figure.other not in self.strays
        }
        return frozenset(pair(cell, other) for cell, other in good if (other, cell) in good)


class _Measurement:
    """Looks at cells alone and in pairs, with full anticollision each time."""

    def __init__(self, chips: Mapping[str, Chip], clock: Clock, looks: int) -> None:
        self._chips = chips
        self._clock = clock
        self._looks = looks
        self._alone = Scheduler(clock, FieldPlan(FieldMode.ONE_AT_A_TIME, frozenset(), 1))

    def look_alone(self, cell: str) -> Counter[bytes]:
        """Return how often each UID was read with no other field on."""
        seen: Counter[bytes] = Counter()
        for _ in range(self._looks):
            self._alone.run([(cell, self._poll(cell))], lambda result: seen.update(result.finding.uids))
        return seen

    def count_disturbed(self, cell: str, other: str, own: bytes) -> int:
        """Return how often a cell did not read its own piece while the other field was on."""
        plan = FieldPlan(FieldMode.IN_TURN, frozenset({pair(cell, other)}), 2)
        together = Scheduler(self._clock, plan)
        # the first of a pair is asked while the second is warm
        results: list[PollResult] = []
        for _ in range(self._looks):
            together.run([(cell, self._poll(cell)), (other, self._poll(other))], results.append)
        return sum(result.cell == cell and own not in result.finding.uids for result in results)

    def _poll(self, cell: str) -> Poll:
        return Poll(self._chips[cell], self._clock)


def calibrate(
    chips: Mapping[str, Chip],
    clock: Clock,
    *,
    looks: int = 5,
    pairs: Iterable[Pair] = NOT_TOUCHING,
) -> Calibration:
    """Measure all pairs of which both cells hold a piece; those without one are left out, hence not allowed."""
    measurement = _Measurement(chips, clock, looks)
    seen = {cell: measurement.look_alone(cell) for cell in chips}
    home = _homes(seen)
    wanted = frozenset(pairs)
    figures = tuple(
        PairFigure(
            cell,
            other,
            looks,
            heard=seen[cell][home[other]],
            disturbed=measurement.count_disturbed(cell, other, home[cell]),
        )
        for cell, other in permutations(home, 2)
        if pair(cell, other) in wanted
    )
    known = set(home.values())
    strays = tuple(cell for cell, counts in seen.items() if not known.issuperset(counts))
    return Calibration(figures, strays)


def _homes(seen: Mapping[str, Counter[bytes]]) -> dict[str, bytes]:
    """Return which UID stands on which cell: those who read only one are sure, the others take what is left."""
    homes: dict[str, bytes] = {}
    for cell in sorted(seen, key=lambda cell: len(seen[cell])):
        for uid, _ in seen[cell].most_common():
            if uid not in homes.values():
                homes[cell] = uid
                break
    return homes
