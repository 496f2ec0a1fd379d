"""How long and how often something has to be seen before it is believed; docs/sensing.md says why so long."""

from __future__ import annotations

from dataclasses import dataclass, fields

from quarto_pi.sensing.readings import TimesError

SENSING_SECTION = "sensing"
LONGEST_MS = 60_000
MOST_SWEEPS = 100


@dataclass(frozen=True, slots=True)
class SensingTimes:
    """Settling and hysteresis: every judgement takes sweeps *and* milliseconds, so that no sweep rate defeats it.

    `placed_...`: a tag has to be read so often, and to be there so long, to count as a piece that rests.
    `lead_sweeps`: by so many reads one of two cells that hear the same tag has to lead.
    `removed_...`: so many clean time-outs in a row, over so long, make a piece lifted.
    `removed_confidence`: and they have to be that unlikely, in bits, for a tag that answers as this one has so far.
    `moved_within_ms`: a piece that left and is heard elsewhere may rest there so long before it counts as lifted.
    `vanished_after_ms`: three or more pieces gone at the same instant have to be gone so long: it may be the supply.
    `lost_...`, `recovered_...`: so long nothing but errors is a lost reader, so long none a recovered one.
    `garbled_after_ms`: a UID like a neighbour's, read without a gap for so long, is a tag after all.
    `settled_after_ms`: so long after the last event the board counts as settled.
    """

    placed_after_sweeps: int = 2
    placed_after_ms: int = 250
    lead_sweeps: int = 5
    removed_after_sweeps: int = 3
    removed_after_ms: int = 300
    removed_confidence: int = 24
    moved_within_ms: int = 800
    vanished_after_ms: int = 1_500
    lost_after_sweeps: int = 5
    lost_after_ms: int = 1_500
    recovered_after_sweeps: int = 2
    recovered_after_ms: int = 300
    garbled_after_ms: int = 10_000
    settled_after_ms: int = 200

    def __post_init__(self) -> None:
        for name in NAMES:
            _check(name, getattr(self, name))
        if self.moved_within_ms < self.removed_after_ms:
            raise TimesError(
                "moved_within_ms",
                f"[{SENSING_SECTION}] moved_within_ms is {self.moved_within_ms}, less than removed_after_ms "
                f"({self.removed_after_ms}): a piece cannot be looked for elsewhere before it is gone.",
            )
        if self.vanished_after_ms < self.removed_after_ms:
            raise TimesError(
                "vanished_after_ms",
                f"[{SENSING_SECTION}] vanished_after_ms is {self.vanished_after_ms}, less than removed_after_ms "
                f"({self.removed_after_ms}): many pieces at once need more time than one, not less.",
            )


NAMES = tuple(field.name for field in fields(SensingTimes))
"""The keys of the section, in the order of `SensingTimes`."""

_LEAST = {"placed_after_sweeps": 2, "removed_after_sweeps": 2, "removed_confidence": 1, "lead_sweeps": 1}
_WHY = {
    "placed_after_sweeps": "one read alone may be a wrong one",
    "removed_after_sweeps": "one time-out alone may be a missed answer",
}


def _check(name: str, value: int) -> None:
    if name.endswith("_ms"):
        if value < 0:
            raise _wrong(name, value, "a time cannot be negative")
        if value > LONGEST_MS:
            raise _wrong(name, value, f"more than {LONGEST_MS} ms would look like a dead board")
        return
    least = _LEAST.get(name, 1)
    if value < least:
        why = _WHY.get(name)
        raise _wrong(name, value, f"write {least} or more" + (f", {why}" if why else ""))
    if value > MOST_SWEEPS:
        raise _wrong(name, value, f"more than {MOST_SWEEPS} would look like a dead board")


def _wrong(name: str, value: int, todo: str) -> TimesError:
    return TimesError(name, f"[{SENSING_SECTION}] {name} is {value}: {todo}.")


DEFAULT_TIMES = SensingTimes()
