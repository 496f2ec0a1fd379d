"""Tags as the state machine of ISO 14443-3, figure 7."""

from __future__ import annotations

import pytest

from quarto_pi.simulation.tag import Frame, Tag, TagState, crc_of_frame

MS = 1_000_000
REQA = Frame(b"\x26", last_bits=7)
WUPA = Frame(b"\x52", last_bits=7)
HLTA = Frame(bytes.fromhex("500057CD"))


class Caller:
    """Sends frames to a tag, well apart."""

    def __init__(self, uid: str) -> None:
        self.tag = Tag(uid)
        self.tag.power_up(0)
        self.at = 10 * MS

    def say(self, frame: Frame) -> bytes | None:
        self.at += 5 * MS
        answer = self.tag.hear(frame, self.at)
        return answer.data if answer else None

    def select(self, command: int, level: bytes) -> bytes | None:
        frame = bytes((command, 0x70)) + level
        return self.say(Frame(frame + crc_of_frame(frame)))


def test_a_four_byte_tag_is_selected_in_one_level() -> None:
    caller = Caller("DEADBEEF")
    assert caller.say(REQA) == b"\x04\x00"
    assert caller.say(Frame(b"\x93\x20")) == bytes.fromhex("DEADBEEF22")
    assert caller.select(0x93, bytes.fromhex("DEADBEEF22")) == b"\x08" + crc_of_frame(b"\x08")
    assert caller.tag.state is TagState.ACTIVE


def test_a_seven_byte_tag_is_selected_in_two_levels() -> None:
    caller = Caller("04A1B2C3D4E5F6")
    caller.say(REQA)
    first = caller.say(Frame(b"\x93\x20"))
    assert first is not None
    assert first[:4] == bytes.fromhex("8804A1B2")
    assert caller.select(0x93, first) == b"\x04" + crc_of_frame(b"\x04")
    second = caller.say(Frame(b"\x95\x20"))
    assert second is not None
    assert second[:4] == bytes.fromhex("C3D4E5F6")
    assert caller.select(0x95, second) == b"\x00" + crc_of_frame(b"\x00")
    assert caller.tag.state is TagState.ACTIVE


def test_a_tag_that_was_answered_falls_back_at_the_next_call_and_answers_the_one_after() -> None:
    caller = Caller("DEADBEEF")
    assert [caller.say(REQA) is not None for _ in range(4)] == [True, False, True, False]


def test_a_halted_tag_answers_wupa_only() -> None:
    caller = Caller("DEADBEEF")
    caller.say(REQA)
    caller.select(0x93, bytes.fromhex("DEADBEEF22"))
    assert caller.say(HLTA) is None
    assert caller.tag.state is TagState.HALT
    assert caller.say(REQA) is None
    assert caller.say(WUPA) == b"\x04\x00"


def test_a_tag_woken_from_halt_falls_back_to_halt() -> None:
    caller = Caller("DEADBEEF")
    caller.say(REQA)
    caller.select(0x93, bytes.fromhex("DEADBEEF22"))
    caller.say(HLTA)
    caller.say(WUPA)
    caller.say(REQA)
    assert caller.tag.state is TagState.HALT


@pytest.mark.parametrize(
    "frame",
    [
        bytes.fromhex("9370DEADBEEF22") + b"\x00\x00",
        bytes.fromhex("9370DEADBEEE23") + crc_of_frame(bytes.fromhex("9370DEADBEEE23")),
        bytes.fromhex("9520"),
        bytes.fromhex("9300"),
    ],
    ids=["a wrong CRC", "another UID", "a level it has not reached", "an impossible length"],
)
def test_a_frame_that_does_not_fit_sends_a_ready_tag_back_to_idle(frame: bytes) -> None:
    caller = Caller("DEADBEEF")
    caller.say(REQA)
    assert caller.say(Frame(frame)) is None
    assert caller.tag.state is TagState.IDLE


def test_a_part_of_another_uid_leaves_a_tag_ready_and_silent() -> None:
    caller = Caller("DEADBEEF")
    caller.say(REQA)
    assert caller.say(Frame(b"\x93\x28\x00"[:2] + b"\xdf", last_bits=0)) is None
    assert caller.say(Frame(b"\x93\x30\xdf")) is None
    caller = Caller("DEADBEEF")
    caller.say(REQA)
    assert caller.say(Frame(b"\x93\x30\xdf")) is None
    assert caller.tag.state is TagState.READY
    assert caller.say(Frame(b"\x93\x30\xde")) == bytes.fromhex("ADBEEF22")


def test_a_tag_answers_nothing_within_the_guard_time_after_field_on() -> None:
    tag = Tag("DEADBEEF")
    tag.power_up(0)
    assert tag.hear(REQA, 5_099_000) is None
    assert tag.hear(REQA, 5_100_000) is not None


def test_a_tag_does_not_hear_a_frame_that_follows_its_answer_too_closely() -> None:
    tag = Tag("DEADBEEF")
    tag.power_up(0)
    assert tag.hear(REQA, 10 * MS) is not None
    answered_at = 10 * MS + 346_100
    assert tag.hear(Frame(b"\x93\x20"), answered_at + 80_000) is None
    assert tag.hear(Frame(b"\x93\x20"), answered_at + 87_000) is not None


def test_a_tag_without_field_forgets_its_state() -> None:
    caller = Caller("DEADBEEF")
    caller.say(REQA)
    caller.tag.power_down()
    assert caller.say(REQA) is None
    caller.tag.power_up(caller.at)
    caller.at += 6 * MS
    assert caller.say(REQA) is not None


def test_a_uid_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="4, 7 or 10 bytes"):
        Tag("DEADBE")
