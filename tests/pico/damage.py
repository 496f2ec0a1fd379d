"""What a bad cable does to bytes."""

from __future__ import annotations

import random


def damaged(data: bytes, rng: random.Random) -> bytes:
    """These bytes with one damage: flipped bits, a hole, a cut, something twice, noise between, or nothing left."""
    match rng.randrange(8):
        case 0:
            return with_flips(data, rng, 1)
        case 1:
            return with_flips(data, rng, rng.randrange(2, 40))
        case 2:
            return data[: rng.randrange(len(data) + 1)]
        case 3:
            return data[rng.randrange(len(data) + 1) :]
        case 4:
            start = rng.randrange(len(data) + 1)
            return data[:start] + data[start + rng.randrange(1, 60) :]
        case 5:
            start = rng.randrange(len(data) + 1)
            return data[:start] + data[max(0, start - rng.randrange(1, 60)) :]
        case 6:
            start = rng.randrange(len(data) + 1)
            return data[:start] + noise(rng, rng.randrange(1, 200)) + data[start:]
        case _:
            return b""


def with_flips(data: bytes, rng: random.Random, count: int) -> bytes:
    """These bytes with some bits the other way round."""
    flipped = bytearray(data)
    for _ in range(count):
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def noise(rng: random.Random, count: int) -> bytes:
    """Any bytes, among them more beginnings of frames than chance would have."""
    return b"".join(b"\xa5\x5a" if rng.random() < 0.05 else rng.randbytes(1) for _ in range(count))
