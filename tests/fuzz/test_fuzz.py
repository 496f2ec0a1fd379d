"""The short version of `make fuzz`: the seeds, seeds with something changed in them, and bytes at random."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import TARGETS, seeds_of

pytestmark = pytest.mark.slow

SEEDS = [(name, seed) for name in TARGETS for seed in seeds_of(name)]
INPUTS = dict.fromkeys(TARGETS, 60) | {"engine": 8, "commands": 12, "sensing": 5, "journal": 3, "chips": 2}
"""So many of each kind; a table of readers takes its time."""


@pytest.mark.parametrize(("name", "seed"), SEEDS, ids=[f"{name}-{seed.name}" for name, seed in SEEDS])
def test_what_a_campaign_begins_with_breaks_nothing(name: str, seed: Path) -> None:
    TARGETS[name](seed.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_seed_with_something_changed_breaks_nothing(name: str) -> None:
    draw = random.Random(name)
    seeds = [seed.read_bytes() for seed in seeds_of(name)]
    for _ in range(INPUTS[name]):
        TARGETS[name](_changed(draw, seeds))


@pytest.mark.parametrize("name", TARGETS)
def test_bytes_at_random_break_nothing(name: str) -> None:
    @settings(max_examples=INPUTS[name])
    @given(data=st.binary(max_size=200))
    def tried(data: bytes) -> None:
        TARGETS[name](data)

    tried()


def _changed(draw: random.Random, seeds: list[bytes]) -> bytes:
    """A seed with some of it left out, doubled, changed, or taken from another one."""
    data = bytearray(draw.choice(seeds))
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(data) + 1)
        end = min(len(data), start + draw.choice((1, 1, 4, 30)))
        other = draw.choice(seeds)
        borrowed = draw.randrange(len(other) + 1)
        piece = draw.choice(
            (b"", bytes(data[start:end]) * 2, draw.randbytes(end - start), other[borrowed : borrowed + 20])
        )
        data[start:end] = piece
    return bytes(data)
