"""How long things take below the drivers; what lies between two bounds is drawn anew each time, from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, Self

from quarto_pi.simulation.iso14443 import GUARD_NS

NS_PER_US: Final = 1000
Span = tuple[int, int]
"""The least and the most that something may take, in nanoseconds."""
NOTHING: Final[Span] = (0, 0)


@dataclass(frozen=True, slots=True)
class Spans:
    """What the parts of a board take: the bounds that each duration lies between."""

    before_transfer: Span = (30_000, 30_000)  # system call, driver and select lines; the hardware facts' figure
    after_transfer: Span = NOTHING
    latency: Span = NOTHING  # in the chip, from the end of a byte on the air to the FIFO
    guard: Span = (GUARD_NS, GUARD_NS)  # from field on until a tag understands
    answer: Span = NOTHING  # by which a tag answers after its frame delay time
    clock: Span = NOTHING  # each time the host reads its clock
    waking: Span = NOTHING  # by which a host that has waited goes on too late

    @classmethod
    def of_host(cls, delay: Span, latency: Span) -> Self:
        """Return the bounds of a host and a chip with these delays, in microseconds, where all the rest varies."""
        return cls(
            before_transfer=(delay[0] * NS_PER_US, delay[1] * NS_PER_US),
            after_transfer=(0, 5_000),
            latency=(latency[0] * NS_PER_US, latency[1] * NS_PER_US),
            guard=(1_000_000, GUARD_NS),
            answer=(0, 400),
            clock=(100, 1_500),
            waking=(0, 2_000),
        )


VARIED: Final = Spans.of_host((5, 200), (0, 25))
"""All that nobody can exclude on a Pi, within one run."""


class Durations:
    """Draws durations; equal seeds draw equal ones, and draw nothing from anybody else's source."""

    def __init__(self, spans: Spans | None = None, seed: int = 0) -> None:
        self.spans = spans or Spans()
        self._rng = random.Random(f"durations {seed}")  # noqa: S311 - repeatable times, not secrets

    def draw(self, span: Span) -> int:
        """Return a duration within these bounds."""
        least, most = span
        return least if least == most else self._rng.randint(least, most)
