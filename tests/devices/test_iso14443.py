"""Frames, checks and times on the host's side, against the standard's examples and the simulation's own reckoning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.devices.readers import exchange as host
from quarto_pi.simulation import tag as air


def test_the_crc_of_halt_is_the_standards() -> None:
    assert bytes.fromhex("500057CD") == host.HALT


@given(st.binary(min_size=1, max_size=20))
def test_host_and_tags_reckon_the_same_crc(data: bytes) -> None:
    assert host.crc_a(data) == air.crc_of_frame(data)
    assert host.has_crc(host.with_crc(data))


@given(st.binary(min_size=1, max_size=20), st.integers(0, 7), st.integers(0, 19))
def test_a_flipped_bit_breaks_the_crc(data: bytes, bit: int, place: int) -> None:
    frame = bytearray(host.with_crc(data))
    frame[place % len(frame)] ^= 1 << bit
    assert not host.has_crc(bytes(frame))


@pytest.mark.parametrize(
    ("sent", "last_bits", "answered", "expected_us"),
    [(1, 7, 2, 346), (2, 0, 5, 705), (9, 0, 3, 1129)],
    ids=["REQA", "anticollision", "SELECT"],
)
def test_exchanges_take_the_times_of_the_hardware_facts(
    sent: int, last_bits: int, answered: int, expected_us: int
) -> None:
    assert abs(host.exchange_us(sent, last_bits, answered) - expected_us) <= 1


def test_a_four_byte_uid_has_one_level_and_a_seven_byte_uid_two() -> None:
    assert host.levels_of(bytes.fromhex("DEADBEEF")) == (bytes.fromhex("DEADBEEF22"),)
    first, second = host.levels_of(bytes.fromhex("04A1B2C3D4E5F6"))
    assert (first[:4], second[:4]) == (bytes.fromhex("8804A1B2"), bytes.fromhex("C3D4E5F6"))
    assert host.has_check_byte(first)
    assert host.has_check_byte(second)


def test_level_of_a_uid_whose_check_byte_is_another_or_missing_is_not_right() -> None:
    assert not host.has_check_byte(bytes.fromhex("DEADBEEF23"))
    assert not host.has_check_byte(bytes.fromhex("DEADBEEF"))


def test_frame_that_has_nothing_but_a_crc_is_none() -> None:
    of_nothing = host.with_crc(b"")
    assert len(of_nothing) == 2
    assert not host.has_crc(of_nothing)
