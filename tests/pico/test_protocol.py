"""The protocol by itself: whole frames out of whatever comes in, and nothing that was never sent."""

from __future__ import annotations

import random
from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.firmware.protocol import (
    HEADER,
    MOST_BYTES,
    STEP,
    TRAILER,
    VERSION,
    WAIT_MS,
    Damaged,
    Reader,
    Writer,
    since,
)
from quarto_pi.firmware.said_by_host import Expectation, Lights, hello
from quarto_pi.firmware.said_by_node import State, Welcome
from tests.pico.damage import noise
from tests.pico.samples import READERS, message_of, written
from tests.pico.soak import soak

UID = "04A1B2C3D4E5F6A7B8C9"


def lights(level: int, writer: Writer) -> bytes:
    return bytes(written(Lights(bytes((level, 0, 0))), writer))


def levels_in(reader: Reader) -> list[int]:
    found = []
    while (frame := reader.next()) is not None:
        found.append(frame.payload[0])
    return found


def fullest_state() -> State:
    fields = dict.fromkeys(("boot", "sweeps", "configured", "expected", "damaged", "free"), 65535)
    looks = [[255, 2, 7, 0, [UID] * 4]] * 17
    buttons = [[0, [1, 2]]] * 3
    state: State = message_of("state", {**fields, "at": 9, "lights": [1, 2, 3], "looks": looks, "buttons": buttons})
    return state


def test_frames_come_out_in_order_and_numbered() -> None:
    writer, reader = Writer(), Reader()
    reader.feed(lights(1, writer) + lights(2, writer) + bytes(hello(writer)), 0)
    frames = [reader.next() for _ in range(3)]
    assert [frame.number for frame in frames if frame] == [0, 1, 2]
    assert all(frame.version == VERSION for frame in frames if frame)
    assert reader.next() is None


def test_frame_in_single_bytes_is_a_frame() -> None:
    reader = Reader()
    for byte in lights(7, Writer()):
        assert reader.next() is None
        reader.feed(bytes((byte,)), 0)
    assert levels_in(reader) == [7]


def test_checksum_is_the_usual_crc_32() -> None:
    frame = lights(7, Writer())
    assert int.from_bytes(frame[-4:], "little") == crc32(frame[:-4])


def test_fullest_board_fits_into_a_frame() -> None:
    frame = written(fullest_state(), Writer())
    assert len(frame) <= MOST_BYTES
    assert len(frame) % STEP == 0
    reader = Reader()
    reader.feed(frame, 0)
    read = reader.next()
    assert read is not None
    assert State.read(read.payload).looks[16].uids() == [bytes.fromhex(UID)] * 4


def test_damaged_frame_costs_only_itself() -> None:
    writer, reader = Writer(), Reader()
    first, second, third = lights(1, writer), bytearray(lights(2, writer)), lights(3, writer)
    second[11] ^= 4
    reader.feed(first + bytes(second) + third, 0)
    assert levels_in(reader) == [1, 3]
    assert reader.damaged


@pytest.mark.parametrize("length", range(48))
def test_frame_that_is_cut_off_anywhere_costs_only_itself(length: int) -> None:
    writer, reader = Writer(), Reader()
    cut = written(Expectation(1, [(0, bytes(7)), (1, bytes(10))]), writer)[:length]
    reader.feed(cut + lights(3, writer), 0)
    came = levels_in(reader)
    reader.feed(b"", WAIT_MS + 1)
    assert came + levels_in(reader) == [3]


def test_beginning_of_a_frame_that_never_ends_holds_up_the_next_ones_for_a_bounded_time() -> None:
    writer, reader = Writer(), Reader()
    head = written(fullest_state(), writer)[:9]
    reader.feed(head, 0)
    came = []
    for now in range(0, WAIT_MS + 200, 100):
        reader.feed(lights(5, writer), now)
        came += levels_in(reader)
    assert len(came) == 7


def test_flood_of_noise_is_forgotten() -> None:
    reader, rng = Reader(), random.Random(1)
    for now in range(100):
        reader.feed(noise(rng, 5_000), now)
        while reader.next() is not None:
            raise AssertionError("noise is no frame")
    writer = Writer()
    for now in range(200, 200 + WAIT_MS + 100, 50):
        reader.feed(lights(9, writer), now)
    assert 9 in levels_in(reader)


@given(st.binary(max_size=200))
def test_any_payload_is_read_or_damaged_and_nothing_else(payload: bytes) -> None:
    for message in READERS.values():
        try:
            message.read(payload)
        except Damaged:
            continue


@given(st.binary(max_size=1500), st.integers(1, 50))
def test_any_bytes_are_passed_over(data: bytes, step: int) -> None:
    reader = Reader()
    for start in range(0, len(data), step):
        reader.feed(data[start : start + step], start)
        while reader.next() is not None:
            pass


def test_bad_cable_lets_nothing_wrong_through() -> None:
    line = soak(2_000, seed=3)
    assert line.spoilt > 300
    assert line.received > 500


def test_more_than_the_zeros_that_fill_up_a_frame_is_damage() -> None:
    payload = bytes((1, 2, 3))
    assert Lights.read(payload + bytes(STEP - 1)).levels == payload
    for too_much in (bytes(STEP), b"\1", bytes(STEP - 2) + b"\1"):
        with pytest.raises(Damaged):
            Lights.read(payload + too_much)


@pytest.mark.parametrize(("text", "most"), [("x" * 200, 80), ("x" + "ß" * 100, 40), ("xyz" + "棋" * 40, 28)])
def test_text_that_is_too_long_loses_its_end_and_nothing_else(text: str, most: int) -> None:
    welcome = {"boot": 1, "build": "", "board": "", "serial": "1", "broke": text}
    frame = written(message_of("welcome", welcome), Writer())
    assert Welcome.read(frame[HEADER:-TRAILER]).broke == text[:most]


def test_clock_that_starts_again_goes_on() -> None:
    assert since(0x3FFFFFFE, 3) == 5
    assert since(7, 7) == 0
