"""The protocol by itself: whole frames out of whatever comes in, and nothing that was never sent."""

from __future__ import annotations

import random
from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.firmware.protocol import (
    CRC,
    LIGHTS,
    MARK,
    MOST_BYTES,
    STATE,
    STEP,
    VERSION,
    Damaged,
    Reader,
    Writer,
    since,
)
from quarto_pi.firmware.said_by_host import Expectation, Hello, Lights
from quarto_pi.firmware.said_by_node import State, Welcome
from tests.pico.damage import noise
from tests.pico.samples import READERS, frame_in, message_of, written
from tests.pico.soak import soak

UID = "04A1B2C3D4E5F6A7B8C9"


def at_the_node() -> Reader:
    return Reader(hears_host=True)


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
    writer, reader = Writer(), at_the_node()
    reader.feed(lights(1, writer) + lights(2, writer) + written(Hello(7), writer))
    frames = [reader.next() for _ in range(3)]
    assert [frame.number for frame in frames if frame] == [0, 1, 2]
    assert all(frame.version == VERSION for frame in frames if frame)
    assert reader.next() is None


def test_frame_in_single_bytes_is_a_frame() -> None:
    reader = at_the_node()
    for byte in lights(7, Writer()):
        assert reader.next() is None
        reader.feed(bytes((byte,)))
    assert levels_in(reader) == [7]


def test_checksum_is_the_usual_crc_32_of_what_was_to_be_said() -> None:
    frame = lights(7, Writer())
    body = frame[5:-1]
    assert MARK not in body
    assert int.from_bytes(body[-CRC:], "little") == crc32(body[:-CRC])


def test_fullest_board_fits_into_a_frame() -> None:
    frame = written(fullest_state(), Writer())
    assert len(frame) <= MOST_BYTES
    assert len(frame) % STEP == 0
    read = frame_in(frame)
    assert read is not None
    assert State.read(read.payload).looks[16].uids() == [bytes.fromhex(UID)] * 4


@given(st.lists(st.sampled_from((MARK, MARK, 0, 255, MARK ^ 255)) | st.integers(0, 255), max_size=900))
def test_mark_stands_at_both_ends_of_a_frame_and_nowhere_in_it(said: list[int]) -> None:
    writer = Writer()
    writer.begin(STATE)
    writer.bytes(bytes(said), len(said))
    frame = bytes(writer.finish())
    assert frame[0] == frame[-1] == MARK
    assert MARK not in frame[1:-1]
    read = frame_in(frame)
    assert read is not None
    assert read.payload.startswith(bytes(said))
    assert not any(read.payload[len(said) :])


def test_damaged_frame_costs_only_itself() -> None:
    writer, reader = Writer(), at_the_node()
    first, second, third = lights(1, writer), bytearray(lights(2, writer)), lights(3, writer)
    second[11] ^= 4
    reader.feed(first + bytes(second) + third)
    assert levels_in(reader) == [1, 3]
    assert reader.damaged == 1


@pytest.mark.parametrize("length", range(47))
def test_frame_that_is_cut_off_anywhere_costs_only_itself(length: int) -> None:
    writer, reader = Writer(), at_the_node()
    cut = written(Expectation(1, [(0, bytes(7)), (1, bytes(10))]), writer)
    assert len(cut) == 48
    reader.feed(cut[:length] + lights(3, writer))
    assert levels_in(reader) == [3]


def test_beginning_of_a_frame_that_never_ends_swallows_no_frame_after_it() -> None:
    writer, reader = Writer(), Reader()
    state = written(fullest_state(), writer)
    reader.feed(state[:20] + state)
    read = reader.next()
    assert read is not None
    assert read.kind == STATE


@pytest.mark.parametrize("seed", range(6))
def test_garbage_with_any_beginnings_costs_no_frame_after_it(seed: int) -> None:
    writer, reader, rng = Writer(), at_the_node(), random.Random(seed)
    for level in range(20):
        reader.feed(noise(rng, rng.randrange(3_000)) + lights(level, writer))
        assert levels_in(reader)[-1:] == [level]


def test_frames_that_run_into_each_other_cost_those_two() -> None:
    writer, reader = Writer(), at_the_node()
    first, second, third = (lights(level, writer) for level in (1, 2, 3))
    reader.feed(first[:-1] + second[1:] + third)
    assert levels_in(reader) == [3]


def test_what_comes_back_is_not_taken_for_what_the_other_side_says() -> None:
    writer, host, node = Writer(), Reader(), at_the_node()
    both = lights(1, writer) + written(fullest_state(), writer)
    host.feed(both)
    node.feed(both)
    heard = host.next(), node.next()
    assert [frame.kind for frame in heard if frame] == [STATE, LIGHTS]
    assert (host.next(), host.came_back, host.damaged) == (None, 1, 0)
    assert (node.next(), node.came_back, node.damaged) == (None, 1, 0)


def test_flood_of_noise_is_forgotten() -> None:
    reader, rng = at_the_node(), random.Random(1)
    for _ in range(100):
        reader.feed(rng.randbytes(5_000))
        while reader.next() is not None:
            raise AssertionError("noise is no frame")
    reader.feed(lights(9, Writer()))
    assert levels_in(reader) == [9]


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
        reader.feed(data[start : start + step])
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
    welcome = {"boot": 1, "build": "", "board": "", "serial": "1", "broke": text, "session": 0}
    frame = written(message_of("welcome", welcome), Writer())
    read = frame_in(frame)
    assert read is not None
    assert Welcome.read(read.payload).broke == text[:most]


def test_clock_that_starts_again_goes_on() -> None:
    assert since(0x3FFFFFFE, 3) == 5
    assert since(7, 7) == 0
