"""Single steps of the chip driver against the simulated registers."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from quarto_pi.devices.readers.chip import AnswerKind, Chip
from quarto_pi.devices.readers.health import Gain, Version
from quarto_pi.simulation.chip import SimulatedChip
from quarto_pi.simulation.field import Field
from quarto_pi.simulation.registers import ChipCommand, Register
from quarto_pi.simulation.tag import Tag

TRANSFER_NS = 40_000
WUPA = b"\x52"
CALL_BITS = 7


class DirectPort:
    """A chip's bus without the decoder, on a time that stands still between transfers."""

    def __init__(self, chip: SimulatedChip) -> None:
        self._chip = chip
        self.at = 1_000_000
        self.frames: list[list[int]] = []
        self.lose: Callable[[list[int]], bool] = lambda _: False

    def xfer2(self, values: list[int]) -> list[int]:
        self.frames.append(values)
        if self.lose(values):
            return [0xFF] * len(values)
        answer = self._chip.transfer(values, self.at, 2_000)
        self.at += TRANSFER_NS
        return answer


class Desk:
    """A driver, its chip, and the tags in its field."""

    def __init__(self) -> None:
        self.field = Field(random.Random(1))
        self.simulated = SimulatedChip("a1", self.field)
        self.port = DirectPort(self.simulated)
        self.chip = Chip(self.port)

    def call(self) -> None:
        self.chip.field_on()
        self.chip.prepare(WUPA, CALL_BITS)
        self.port.at += 6_000_000
        self.chip.start(CALL_BITS)


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.chip.configure()
    return desk


def test_configuring_reads_back_as_configured() -> None:
    desk = Desk()
    assert not desk.chip.holds_configuration()
    desk.chip.configure()
    assert desk.chip.holds_configuration()


@pytest.mark.parametrize("register", [Register.TX_ASK, Register.T_MODE, Register.T_RELOAD_LOW, Register.RF_CFG])
def test_a_changed_register_is_noticed(desk: Desk, register: Register) -> None:
    desk.simulated.register[register] ^= 0x02
    assert not desk.chip.holds_configuration()


def test_the_gain_is_what_was_asked_for() -> None:
    desk = Desk()
    Chip(desk.port, Gain.DB_48).configure()
    assert desk.simulated.register[Register.RF_CFG] == 0x78


def test_a_soft_reset_is_over_when_power_down_reads_zero(desk: Desk) -> None:
    desk.chip.soft_reset()
    desk.port.at -= TRANSFER_NS - 4_000
    assert not desk.chip.is_awake()
    desk.port.at += 1_000_000
    assert desk.chip.is_awake()
    assert not desk.chip.holds_configuration()


def test_a_whole_frame_goes_into_the_fifo_in_one_transfer(desk: Desk) -> None:
    before = len(desk.port.frames)
    desk.chip.load(bytes(range(9)))
    assert len(desk.port.frames) - before == 1
    assert list(desk.simulated.fifo) == list(range(9))


def test_state_and_answer_come_in_one_transfer(desk: Desk) -> None:
    desk.field.link(Tag("DEADBEEF"), "a1", 0)
    desk.call()
    desk.port.at += 400_000
    before = len(desk.port.frames)
    answer = desk.chip.answer(2)
    assert (answer.kind, answer.data) == (AnswerKind.DATA, b"\x04\x00")
    assert len(desk.port.frames) - before == 1


def test_a_clean_time_out_is_silence_and_not_before_it_is_over(desk: Desk) -> None:
    desk.call()
    desk.port.at += 100_000
    assert desk.chip.answer(2).kind is AnswerKind.PENDING
    desk.port.at += 300_000
    assert desk.chip.answer(2).kind is AnswerKind.SILENCE


def test_an_answer_read_too_early_is_completed_by_the_next_look(desk: Desk) -> None:
    desk.field.link(Tag("DEADBEEF"), "a1", 0)
    desk.call()
    desk.port.at += 150_000
    early = desk.chip.answer(2)
    assert early.kind is AnswerKind.PENDING
    desk.port.at += 250_000
    assert desk.chip.more(2, early.partial).data == b"\x04\x00"


@pytest.mark.parametrize("late_ns", range(0, 90_000, 500))
def test_a_byte_that_comes_while_the_fifo_is_read_is_not_lost(desk: Desk, late_ns: int) -> None:
    tag = Tag("DEADBEEF", atqa=0x0344)
    desk.field.link(tag, "a1", 0)
    desk.call()
    # WUPA takes 85 us, the pause 86 to 91, two bytes 179: this goes from before the second byte's end to after it
    desk.port.at += 225_000 + late_ns
    answer = desk.chip.answer(2)
    if answer.kind is AnswerKind.PENDING:
        desk.port.at += 60_000
        answer = desk.chip.more(2, answer.partial)
    if answer.kind is AnswerKind.PENDING:
        answer = desk.chip.concluded(2, answer.partial)
    assert (answer.kind, answer.data) == (AnswerKind.DATA, b"\x44\x03")


def test_a_frame_that_stays_in_the_fifo_is_told_from_an_answer(desk: Desk) -> None:
    desk.field.link(Tag("DEADBEEF"), "a1", 0)
    desk.call()
    desk.port.at += 400_000
    assert desk.chip.answer(2).kind is AnswerKind.DATA
    desk.simulated.command = ChipCommand.IDLE
    desk.chip.load(b"\x93\x20")
    desk.chip.start()
    desk.port.at += 1_000_000
    assert desk.chip.answer(5).kind is AnswerKind.UNSENT


def test_a_field_that_does_not_go_off_at_the_first_write_is_written_again(desk: Desk) -> None:
    desk.chip.field_on()
    lost = iter((True, False, False, False))
    desk.port.lose = lambda values: values[0] == 0x28 and next(lost)
    assert desk.chip.field_off()
    assert desk.field.on == set()


def test_a_field_that_never_goes_off_is_not_said_to_be_off(desk: Desk) -> None:
    desk.chip.field_on()
    desk.port.lose = lambda values: values[0] == 0x28
    assert not desk.chip.field_off()
    assert desk.field.on == {"a1"}


def test_a_chip_that_was_reset_meanwhile_is_found_out_by_its_field(desk: Desk) -> None:
    desk.call()
    desk.simulated.power_on_reset(desk.port.at)
    desk.port.at += 400_000
    assert desk.chip.answer(2).kind is AnswerKind.RESET


def test_a_line_that_nobody_drives_is_no_answer_of_a_chip(desk: Desk) -> None:
    desk.call()
    desk.port.at += 400_000
    # Whatever is asked, every bit is high: as if the field were on, and the FIFO full.
    desk.port.lose = lambda _: True
    assert desk.chip.answer(2).kind is AnswerKind.NO_CHIP


def test_an_audit_compares_the_registers_within_the_same_transfer(desk: Desk) -> None:
    desk.call()
    desk.port.at += 400_000
    assert desk.chip.answer(2, audit=True).kind is AnswerKind.SILENCE
    desk.simulated.register[Register.TX_ASK] = 0
    before = len(desk.port.frames)
    assert desk.chip.answer(2, audit=True).kind is AnswerKind.MISCONFIGURED
    assert len(desk.port.frames) - before == 1


def test_more_bytes_than_expected_are_garbled_and_flushed_before_the_next_frame(desk: Desk) -> None:
    desk.field.link(Tag("DEADBEEF"), "a1", 0)
    desk.call()
    desk.port.at += 400_000
    assert desk.chip.answer(1).kind is AnswerKind.GARBLED
    desk.chip.prepare(WUPA, CALL_BITS)
    assert list(desk.simulated.fifo) == list(WUPA)


@pytest.mark.parametrize(
    ("value", "version"),
    [
        (0x91, Version.NXP),
        (0x92, Version.NXP),
        (0x88, Version.CLONE),
        (0x82, Version.CLONE),
        (0x12, Version.COUNTERFEIT),
        (0x00, Version.NO_CHIP),
        (0xFF, Version.NO_CHIP),
        (0xB2, Version.UNKNOWN),
    ],
)
def test_a_version_tells_the_maker(value: int, version: Version) -> None:
    assert Version.of(value) is version
