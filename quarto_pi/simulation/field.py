"""The air over the board: which antenna reaches which tag, and what comes back when several answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from quarto_pi.simulation.clock import Durations
from quarto_pi.simulation.registers import NO_ERROR, Error
from quarto_pi.simulation.tag import Frame, Tag

Distortion = Callable[[Frame], Frame]


class Noise(Enum):
    """What a disturbed answer looks like to the receiver."""

    FLIPPED = auto()  # a bit and its parity bit: only a CRC or a BCC can tell
    PARITY = auto()
    PROTOCOL = auto()
    COLLISION = auto()
    LOST = auto()
    GHOST = auto()  # a few bits where nobody answered


@dataclass(frozen=True, slots=True)
class Reception:
    """What a receiver got: bits, when they came, the first collided bit (1-based), and the errors it saw."""

    frame: Frame
    starts_at: int
    ends_at: int
    collision: int | None = None
    errors: Error = NO_ERROR


@dataclass(frozen=True, slots=True)
class Link:
    """How well an antenna and a tag hear each other, and what the way does to the tag's answers."""

    strength: float
    distortion: Distortion | None = None


class Field:
    """All antennas and tags of the board, and the noise between them."""

    def __init__(self, rng: random.Random, durations: Durations | None = None) -> None:
        self._rng = rng
        self._durations = durations or Durations()
        self._links: dict[str, dict[Tag, Link]] = {}
        self._noise: dict[str, tuple[float, tuple[Noise, ...]]] = {}
        self._disturbance: dict[frozenset[str], float] = {}
        self._broken: set[str] = set()
        self.on: set[str] = set()
        self.most_on = 0

    def link(self, tag: Tag, cell: str, at: int, strength: float = 1.0, distortion: Distortion | None = None) -> None:
        """Couple a tag to an antenna; a strength below one is the probability that it answers a frame."""
        self._links.setdefault(cell, {})[tag] = Link(strength, distortion)
        self._repower(tag, at)

    def unlink(self, tag: Tag, at: int, cell: str | None = None) -> None:
        """Take a tag out of reach of one antenna, or of all."""
        for linked_cell, tags in self._links.items():
            if cell in (None, linked_cell):
                tags.pop(tag, None)
        self._repower(tag, at)

    def links_at(self, cell: str) -> Mapping[Tag, Link]:
        """Return the tags that an antenna reaches, and how well."""
        return self._links.get(cell, {})

    def noise_at(self, cell: str) -> float:
        """Return the share of a cell's exchanges that is disturbed."""
        return self._noise.get(cell, (0.0, ()))[0]

    def heard_by(self) -> dict[str, list[str]]:
        """Return, for each UID in reach of any antenna, the cells of those antennas."""
        cells_by_uid: dict[str, list[str]] = {}
        for cell, tags in self._links.items():
            for tag in tags:
                cells_by_uid.setdefault(tag.uid.hex().upper(), []).append(cell)
        return cells_by_uid

    def add_noise(self, cell: str, probability: float, kinds: tuple[Noise, ...] = tuple(Noise)) -> None:
        """Disturb that share of a cell's exchanges."""
        self._noise[cell] = (probability, kinds)

    def break_antenna(self, cell: str) -> None:
        """Cut an antenna off from its chip: no tag in its reach gets power from it or is heard by it again."""
        self._broken.add(cell)
        self.set_antenna(cell, on=False, at=0)

    def disturb(self, cell: str, other: str, probability: float) -> None:
        """Make two fields that are on together spoil that share of each other's exchanges."""
        self._disturbance[frozenset((cell, other))] = probability

    def set_antenna(self, cell: str, *, on: bool, at: int) -> None:
        """Switch an antenna, with what that does to the tags in its reach."""
        on = on and cell not in self._broken
        if on == (cell in self.on):
            return
        if on:
            self.on.add(cell)
            self.most_on = max(self.most_on, len(self.on))
        else:
            self.on.discard(cell)
        for tag in self._links.get(cell, ()):
            self._repower(tag, at)

    def _repower(self, tag: Tag, at: int) -> None:
        powered = any(tag in self._links.get(cell, ()) for cell in self.on)
        if powered != tag.is_powered:
            if powered:
                tag.power_up(at, self._durations.draw(self._durations.spans.guard))
            else:
                tag.power_down()

    def transmit(self, cell: str, frame: Frame, starts_at: int, sensitivity: float = 1.0) -> Reception | None:
        """Send a frame from an antenna and return what its receiver gets, None for silence."""
        if cell not in self.on:
            return None
        answers = []
        late = self._durations.draw(self._durations.spans.answer)
        for tag, link in list(self._links.get(cell, {}).items()):
            chance = link.strength * sensitivity
            if chance < 1.0 and self._rng.random() >= chance:
                continue
            answer = tag.hear(frame, starts_at, late)
            if answer is not None:
                answers.append(link.distortion(answer) if link.distortion else answer)
        first_bit_at = starts_at + frame.duration_ns + frame.answer_delay_ns + late
        reception = _superpose(answers, first_bit_at) if answers else None
        return self._disturbed(cell, reception, first_bit_at)

    def _disturbed(self, cell: str, reception: Reception | None, at: int) -> Reception | None:
        probability, kinds = self._noise.get(cell, (0.0, ()))
        if self._disturbance and len(self.on) > 1:
            for other in self.on:
                mutual = self._disturbance.get(frozenset((cell, other)), 0.0)
                if other != cell and mutual > probability:
                    probability, kinds = mutual, tuple(Noise)
        if probability == 0.0 or self._rng.random() >= probability:
            return reception
        return self._spoil(self._rng.choice(kinds), reception, at)

    def _spoil(self, kind: Noise, reception: Reception | None, at: int) -> Reception | None:
        if reception is None:
            if kind is not Noise.GHOST:
                return None
            debris = Frame(bytes((self._rng.randrange(16),)), last_bits=4)
            return Reception(debris, at, at + debris.duration_ns, errors=Error.PROTOCOL)
        match kind:
            case Noise.LOST:
                return None
            case Noise.PARITY:
                return replace(reception, errors=reception.errors | Error.PARITY)
            case Noise.PROTOCOL | Noise.GHOST:
                return replace(reception, errors=reception.errors | Error.PROTOCOL)
            case Noise.COLLISION:
                position = self._rng.randrange(1, reception.frame.bit_count + 1)
                return _superpose([reception.frame, _with_bit_flipped(reception.frame, position - 1)], at)
            case Noise.FLIPPED:
                flipped = _with_bit_flipped(reception.frame, self._rng.randrange(reception.frame.bit_count))
                return replace(reception, frame=flipped)


def _with_bit_flipped(frame: Frame, index: int) -> Frame:
    data = bytearray(frame.data)
    position = frame.skip + index
    data[position // 8] ^= 1 << position % 8
    return replace(frame, data=bytes(data))


def shifted_by_one_bit(frame: Frame) -> Frame:
    """Return an answer as a late receiver reads it: every bit one place further, parity in order."""
    value = int.from_bytes(frame.data, "little") << 1
    return replace(frame, data=(value & ((1 << 8 * len(frame.data)) - 1)).to_bytes(len(frame.data), "little"))


def _superpose(answers: list[Frame], starts_at: int) -> Reception:
    """Overlay answers bit by bit; the first differing bit is a collision (ISO 14443-3, 6.2.3)."""
    longest = max(answers, key=lambda answer: answer.bit_count)
    ends_at = starts_at + longest.duration_ns
    if len(answers) == 1:
        return Reception(longest, starts_at, ends_at)
    columns = [answer.bits() for answer in answers]
    for index in range(longest.bit_count):
        present = {bits[index] for bits in columns if index < len(bits)}
        if len(present) > 1:
            position = longest.skip + index
            data = bytearray(longest.data)
            data[position // 8] |= 1 << position % 8
            return Reception(
                replace(longest, data=bytes(data)), starts_at, ends_at, collision=index + 1, errors=Error.COLLISION
            )
    return Reception(longest, starts_at, ends_at)
