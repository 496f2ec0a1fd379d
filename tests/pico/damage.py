"""What a bad cable does to bytes."""

from __future__ import annotations

import random

from quarto_pi.firmware.protocol import MARK


def damaged(data: bytes, rng: random.Random) -> bytes:
    """These bytes with one damage: flipped bits, a hole, a cut, something twice, noise between, or nothing left."""
    match rng.randrange(10):
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
        case 7:
            return data * rng.randrange(2, 4)
        case 8:
            # what comes before and after runs into it
            return data.strip(bytes((MARK,)))
        case _:
            return b""


def with_flips(data: bytes, rng: random.Random, count: int) -> bytes:
    """These bytes with some bits the other way round."""
    flipped = bytearray(data)
    for _ in range(count):
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def noise(rng: random.Random, count: int) -> bytes:
    """Any bytes, among them more ends and beginnings of frames than chance would have."""
    return b"".join(_some_noise(rng) for _ in range(count))


def _some_noise(rng: random.Random) -> bytes:
    chance = rng.random()
    if chance < 0.03:
        return bytes((MARK,))
    if chance < 0.05:
        # a beginning: five bytes of links, and who says what
        return bytes((MARK, *rng.choices((0, 1, MARK ^ 255, 255), k=4), 2, rng.choice((1, 2, 3, 16, 19, 21))))
    return rng.randbytes(1)
