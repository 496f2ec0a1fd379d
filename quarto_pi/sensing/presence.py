"""Something that rests on a cell, and how it is doubted away again.

How many time-outs it takes depends on the tag: one that has always answered is believed to be gone after few, one
that often keeps silent is given more. The measure is how unlikely the run of time-outs is for a tag that still stands
there, in bits: a tag that misses half of the looks adds one bit with every time-out, one that misses a tenth three.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.looks import Evidence
from quarto_pi.sensing.times import SensingTimes

# before much is known of a tag it is taken for one that misses one look in six
MISSES_ASSUMED = 1
LOOKS_ASSUMED = 6
# beyond so many looks the older half of what is known counts half, so that a tag may change
LOOKS_REMEMBERED = 256
# a square that does not touch the tag's own all but never hears it
LOOKS_ASSUMED_FAR = 256


@dataclass(frozen=True, slots=True)
class Presence:
    """A thing that rests on a cell: how often it answered so far, and for how long it has not.

    `missing_since` and `missing_from` are the time and the number of the sweep that missed it first. `echoes` says
    which other cells heard it while it answered here: those that have done so prove little by doing it again.
    """

    thing: Thing
    looks: int = 0
    missed: int = 0
    misses: int = 0
    missing_since: int = 0
    missing_from: int = 0
    echoes: tuple[tuple[str, int], ...] = ()

    @property
    def doubt(self) -> float:
        """How unlikely the present run of time-outs would be if the thing still stood here, in bits."""
        return self.misses * self.silence_bits

    @property
    def silence_bits(self) -> float:
        """What one time-out tells, in bits; never less than one, so that doubt always ends."""
        return max(1.0, log2((self.looks + LOOKS_ASSUMED) / (self.missed + MISSES_ASSUMED)))

    def echo_bits(self, cell: str, *, near: bool) -> float:
        """What it tells, in bits, that this other cell hears the thing."""
        heard = dict(self.echoes).get(cell, 0)
        assumed = LOOKS_ASSUMED if near else LOOKS_ASSUMED_FAR
        return max(0.0, log2((self.looks - self.missed + assumed) / (heard + 1)))

    def after(self, evidence: Evidence, at: int, sweep: int) -> Presence:
        """This presence after one more look at its cell."""
        match evidence:
            case Evidence.UNCLEAR:
                # an error may well be a tag that began to answer: it takes a time-out back
                return replace(self, misses=self.misses - 1) if self.misses else self
            case Evidence.HEARD:
                return self._heard()
            case Evidence.MISSED if self.misses:
                return replace(self, misses=self.misses + 1)
            case Evidence.MISSED:
                return replace(self, misses=1, missing_since=at, missing_from=sweep)

    def answered(self, times: int) -> Presence:
        """This presence after so many more looks that it has answered."""
        presence = self
        while times:
            # Up to the next time that what is known is halved, looks are only counted.
            counted = min(times - 1, max(0, LOOKS_REMEMBERED - presence.looks - presence.misses))
            if counted:
                presence = replace(presence, looks=presence.looks + counted)
            presence = presence.after(Evidence.HEARD, 0, 0)
            times -= counted + 1
        return presence

    def echoed_by(self, cell: str) -> Presence:
        """This presence after another cell has heard the thing too."""
        counts = dict(self.echoes)
        counts[cell] = counts.get(cell, 0) + 1
        return replace(self, echoes=tuple(counts.items()))

    def cleared(self) -> Presence:
        """This presence with nothing held against it: its reader has not been able to look."""
        return replace(self, misses=0) if self.misses else self

    def is_gone(self, at: int, times: SensingTimes) -> bool:
        """Whether the time-outs are enough, long and unlikely enough."""
        return (
            self.misses >= times.removed_after_sweeps
            and at - self.missing_since >= times.removed_after_ms
            and self.doubt >= times.removed_confidence
        )

    def _heard(self) -> Presence:
        looks, missed, echoes = self.looks + self.misses + 1, self.missed + self.misses, self.echoes
        if looks > LOOKS_REMEMBERED:
            looks, missed = looks // 2, missed // 2
            echoes = tuple((cell, count // 2) for cell, count in echoes if count > 1)
        return Presence(self.thing, looks, missed, echoes=echoes)
