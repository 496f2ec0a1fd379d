"""Garbled UIDs are known by their likeness, and strangers by their lack of it."""

import random

import pytest

from quarto_pi.sensing.tags import garbled_form_of
from tests.sensing.hands import UIDS, garbled

SEVEN, FOUR, TEN = "04A1B2C3CCE5F5", "5BA1B2C3", "04A1B2C3CCE5F5010203"


@pytest.mark.parametrize("tag", [FOUR, SEVEN, TEN])
def test_every_shift_of_one_to_seven_bits_is_recognised_in_both_directions_and_orders(tag: str) -> None:
    octets = bytes.fromhex(tag)
    for order in ("little", "big"):
        value = int.from_bytes(octets, order)
        for places in range(1, 8):
            for shifted in (value << places, value >> places):
                late = (shifted & ((1 << 8 * len(octets)) - 1)).to_bytes(len(octets), order)
                assert garbled_form_of(late.hex().upper(), [tag]) == tag


@pytest.mark.parametrize("tag", [FOUR, SEVEN, TEN])
def test_a_wrong_byte_or_two_wrong_bits_are_recognised(tag: str) -> None:
    rng = random.Random(1)
    for _ in range(500):
        value = int(tag, 16) ^ (rng.randrange(1, 256) << 8 * rng.randrange(len(tag) // 2))
        assert garbled_form_of(f"{value:0{len(tag)}X}", [tag]) == tag
        value = int(tag, 16) ^ (1 << rng.randrange(4 * len(tag))) ^ (1 << rng.randrange(4 * len(tag)))
        uid = f"{value:0{len(tag)}X}"
        assert uid == tag or garbled_form_of(uid, [tag]) == tag


def test_a_uid_cut_off_at_its_first_cascade_level_is_recognised() -> None:
    assert garbled_form_of("8804A1B2", [SEVEN]) == SEVEN
    assert garbled_form_of("C3CCE5F5", [SEVEN]) == SEVEN
    assert garbled_form_of("8805A1B2", [SEVEN]) is None


def test_what_the_simulated_readers_garble_is_recognised() -> None:
    rng = random.Random(2)
    for uid in UIDS.values():
        for _ in range(200):
            wrong = garbled(uid, rng)
            assert wrong == uid or garbled_form_of(wrong, [uid]) == uid


@pytest.mark.slow
@pytest.mark.parametrize(("size", "most"), [(4, 6), (7, 0), (10, 0)])
def test_strangers_are_hardly_ever_taken_for_garbled_ones(size: int, most: int) -> None:
    rng = random.Random(3)
    tags = [rng.randbytes(size).hex().upper() for _ in range(8)]
    taken = sum(garbled_form_of(rng.randbytes(size).hex().upper(), tags) is not None for _ in range(2_000))
    assert taken <= most


def test_the_right_uid_is_no_garbled_form_of_itself() -> None:
    assert garbled_form_of(SEVEN, [SEVEN, FOUR]) is None
