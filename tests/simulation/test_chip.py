"""The simulated MFRC522 against the datasheet, register by register."""

from __future__ import annotations

import random

import pytest

from quarto_pi.simulation.chip import SimulatedChip
from quarto_pi.simulation.field import Field
from quarto_pi.simulation.registers import ChipCommand, ComIrq, Error, Register
from quarto_pi.simulation.tag import Tag, crc_of_frame

US = 1000
BYTE_NS = 2 * US
FIELD_IS_READY = 6_000 * US


class Host:
    """A chip with its air, and a host that talks to it at moments it chooses."""

    def __init__(self, version: int = 0x92) -> None:
        self.field = Field(random.Random(1))
        self.chip = SimulatedChip("a1", self.field, version)
        self.at = 100 * US

    def write(self, register: Register, *values: int) -> None:
        self.chip.transfer([register << 1, *values], self.at, BYTE_NS)
        self.at += BYTE_NS * (1 + len(values))

    def read(self, *registers: Register) -> list[int]:
        data = [register << 1 | 0x80 for register in registers]
        answer = self.chip.transfer([*data, 0], self.at, BYTE_NS)[1:]
        self.at += BYTE_NS * (1 + len(data))
        return answer

    def switch_field_on(self) -> None:
        self.write(Register.TX_ASK, 0x40)
        self.write(Register.MODE, 0x3D)
        self.write(Register.TX_CONTROL, 0x83)
        self.at += FIELD_IS_READY

    def send(self, frame: bytes, *, framing: int = 0, wait_us: int = 2_000) -> None:
        self.write(Register.COMMAND, ChipCommand.IDLE)
        self.write(Register.COM_IRQ, 0x7F)
        self.write(Register.FIFO_LEVEL, 0x80)
        self.write(Register.BIT_FRAMING, framing)
        self.write(Register.FIFO_DATA, *frame)
        self.write(Register.COMMAND, ChipCommand.TRANSCEIVE)
        self.write(Register.BIT_FRAMING, framing, framing | 0x80)
        self.at += wait_us * US

    def fifo(self) -> bytes:
        (level,) = self.read(Register.FIFO_LEVEL)
        return bytes(self.read(*[Register.FIFO_DATA] * level)) if level else b""


@pytest.fixture
def host() -> Host:
    return Host()


def select(level: bytes) -> bytes:
    frame = b"\x93\x70" + level
    return frame + crc_of_frame(frame)


@pytest.mark.parametrize("version", [0x91, 0x92, 0x88, 0x82, 0x12])
def test_the_version_register_names_the_maker(version: int) -> None:
    # 9.3.4.8
    assert Host(version).read(Register.VERSION) == [version]


def test_registers_hold_the_tabled_values_after_a_reset(host: Host) -> None:
    # 9.3.1.2, 9.3.1.5, 9.3.2.2, 9.3.2.5, 9.3.3.6
    registers = (Register.COMMAND, Register.COM_IRQ, Register.MODE, Register.TX_CONTROL, Register.RF_CFG)
    assert host.read(*registers) == [0x20, 0x14, 0x3F, 0x80, 0x48]


def test_a_read_frame_answers_each_address_one_byte_later(host: Host) -> None:
    # 8.1.2.1
    frame = [Register.VERSION << 1 | 0x80, Register.TX_CONTROL << 1 | 0x80, 0]
    assert host.chip.transfer(frame, host.at, BYTE_NS) == [0, 0x92, 0x80]


def test_a_write_frame_puts_every_byte_into_the_same_register(host: Host) -> None:
    # 8.1.2.2
    host.write(Register.FIFO_DATA, 1, 2, 3)
    host.write(Register.T_RELOAD_LOW, 5, 6)
    assert host.fifo() == b"\x01\x02\x03"
    assert host.read(Register.T_RELOAD_LOW) == [6]


def test_a_frame_goes_on_while_the_select_line_stays_low(host: Host) -> None:
    # 8.1.2: only a falling select line makes a byte an address
    host.chip.transfer([Register.FIFO_DATA << 1, 1], host.at, BYTE_NS)
    host.chip.transfer([2, 3], host.at, BYTE_NS, continued=True)
    assert host.fifo() == b"\x01\x02\x03"


def test_the_fifo_holds_64_bytes_and_flags_the_65th(host: Host) -> None:
    # 8.3, 9.3.1.7
    host.write(Register.FIFO_DATA, *range(65))
    assert host.read(Register.FIFO_LEVEL, Register.ERROR) == [64, Error.OVERFLOW]
    host.write(Register.FIFO_LEVEL, 0x80)
    assert host.read(Register.FIFO_LEVEL, Register.ERROR) == [0, 0]


def test_an_empty_fifo_reads_as_zero(host: Host) -> None:
    # 8.3.1
    assert host.read(Register.FIFO_DATA) == [0]


def test_water_levels_raise_their_alerts(host: Host) -> None:
    # 8.3.3: at most, and at most that many free
    host.write(Register.COM_IRQ, 0x7F)
    host.write(Register.FIFO_DATA, *range(56))
    (irq,) = host.read(Register.COM_IRQ)
    assert irq & ComIrq.HI_ALERT
    host.write(Register.COM_IRQ, 0x7F)
    host.read(*[Register.FIFO_DATA] * 48)
    assert host.read(Register.COM_IRQ)[0] & ComIrq.LO_ALERT


def test_interrupt_bits_are_set_and_cleared_by_marks(host: Host) -> None:
    # 9.3.1.5: Set1
    host.write(Register.COM_IRQ, 0x7F)
    host.write(Register.COM_IRQ, 0x80 | ComIrq.RX | ComIrq.TIMER)
    assert host.read(Register.COM_IRQ) == [ComIrq.RX | ComIrq.TIMER]
    host.write(Register.COM_IRQ, ComIrq.RX)
    assert host.read(Register.COM_IRQ) == [ComIrq.TIMER]


def test_read_only_registers_ignore_writes(host: Host) -> None:
    host.write(Register.VERSION, 0x55)
    host.write(Register.ERROR, 0xFF)
    assert host.read(Register.VERSION, Register.ERROR) == [0x92, 0]


def test_the_coprocessor_computes_the_crc_of_the_fifo(host: Host) -> None:
    # 8.2, 10.3.1.4; ISO 14443-3, 6.4.3 gives HLTA's CRC as 57 CD
    host.write(Register.MODE, 0x3D)
    host.write(Register.DIV_IRQ, 0x7F)
    host.write(Register.FIFO_DATA, 0x50, 0x00)
    host.write(Register.COMMAND, ChipCommand.CALC_CRC)
    host.at += 10 * US
    assert host.read(Register.DIV_IRQ)[0] & 0x04
    assert host.read(Register.CRC_RESULT_LOW, Register.CRC_RESULT_HIGH) == [0x57, 0xCD]


def test_the_crc_starts_from_the_preset_of_the_mode_register(host: Host) -> None:
    # 9.3.2.2: CRCPreset 0
    host.write(Register.MODE, 0x3C)
    host.write(Register.FIFO_DATA, 0x00)
    host.write(Register.COMMAND, ChipCommand.CALC_CRC)
    host.at += 10 * US
    assert host.read(Register.CRC_RESULT_LOW, Register.CRC_RESULT_HIGH) == [0, 0]


@pytest.mark.parametrize(
    ("prescaler", "reload", "expected_us"),
    [(0xD3E, 30, 15_500), (169, 9, 250)],
    ids=["the package's 15.5 ms", "a quarter millisecond"],
)
def test_the_timer_runs_out_after_reload_and_prescaler(
    host: Host, prescaler: int, reload: int, expected_us: int
) -> None:
    # 8.5: (2 * TPrescaler + 1) * (TReload + 1) / 13.56 MHz
    host.write(Register.COM_IRQ, 0x7F)
    host.write(Register.T_MODE, prescaler >> 8)
    host.write(Register.T_PRESCALER, prescaler & 0xFF)
    host.write(Register.T_RELOAD_LOW, reload)
    host.write(Register.CONTROL, 0x40)
    started_at = host.at
    host.at = started_at + expected_us * US - 20 * US
    assert not host.read(Register.COM_IRQ)[0] & ComIrq.TIMER
    host.at = started_at + expected_us * US + 5 * US
    assert host.read(Register.COM_IRQ)[0] & ComIrq.TIMER


def test_the_counter_shows_what_is_left_of_the_timer(host: Host) -> None:
    # 9.3.3.13
    host.write(Register.T_PRESCALER, 169)
    host.write(Register.T_RELOAD_LOW, 100)
    host.write(Register.CONTROL, 0x40)
    host.at += 1_250 * US
    assert 49 <= host.read(Register.T_COUNTER_LOW)[0] <= 51
    host.write(Register.CONTROL, 0x80)
    assert host.read(Register.STATUS1)[0] & 0x08 == 0


def test_tauto_starts_the_timer_at_the_end_of_a_frame(host: Host) -> None:
    # 8.5, 9.3.3.10
    host.write(Register.T_MODE, 0x80)
    host.write(Register.T_PRESCALER, 169)
    host.write(Register.T_RELOAD_LOW, 9)
    host.switch_field_on()
    host.send(b"\x26", framing=7, wait_us=310)
    assert not host.read(Register.COM_IRQ)[0] & ComIrq.TIMER
    host.at += 30 * US
    assert host.read(Register.COM_IRQ)[0] & ComIrq.TIMER


def test_an_answer_stops_the_timer(host: Host) -> None:
    # 8.5
    host.write(Register.T_MODE, 0x80)
    host.write(Register.T_PRESCALER, 169)
    host.write(Register.T_RELOAD_LOW, 9)
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    irq = host.read(Register.COM_IRQ)[0]
    assert irq & ComIrq.RX
    assert not irq & ComIrq.TIMER


def test_a_soft_reset_restores_registers_and_takes_the_field_away(host: Host) -> None:
    # 10.3.1.9
    host.switch_field_on()
    host.write(Register.FIFO_DATA, 1, 2)
    host.write(Register.COMMAND, ChipCommand.SOFT_RESET)
    assert host.read(Register.COMMAND)[0] & 0x10
    host.at += 50 * US
    assert host.read(Register.COMMAND, Register.TX_CONTROL, Register.TX_ASK) == [0x20, 0x80, 0]
    assert host.fifo() == b""
    assert not host.field.on


def test_a_counterfeit_resets_its_registers_only() -> None:
    host = Host(0x12)
    host.write(Register.FIFO_DATA, 1, 2)
    host.write(Register.COMMAND, ChipCommand.SOFT_RESET)
    host.at += 50 * US
    assert host.fifo() == b"\x01\x02"


def test_power_down_takes_the_field_away_and_shows_until_the_chip_is_up_again(host: Host) -> None:
    # 8.6.2
    host.switch_field_on()
    host.write(Register.COMMAND, 0x10)
    assert not host.field.on
    host.write(Register.COMMAND, 0x00)
    assert host.read(Register.COMMAND)[0] & 0x10
    host.at += 3_000 * US
    assert not host.read(Register.COMMAND)[0] & 0x10


def test_an_unknown_command_ends_in_idle_with_an_interrupt_and_the_hosts_idle_sets_none(host: Host) -> None:
    # 9.3.1.5
    host.write(Register.COM_IRQ, 0x7F)
    host.write(Register.COMMAND, ChipCommand.IDLE)
    assert not host.read(Register.COM_IRQ)[0] & ComIrq.IDLE
    host.write(Register.COMMAND, 0x05)
    assert host.read(Register.COM_IRQ)[0] & ComIrq.IDLE
    assert host.read(Register.COMMAND)[0] & 0x0F == ChipCommand.IDLE


def test_start_send_means_nothing_outside_transceive(host: Host) -> None:
    # 9.3.1.14
    host.switch_field_on()
    host.write(Register.COM_IRQ, 0x7F)
    host.write(Register.FIFO_DATA, 0x26)
    host.write(Register.BIT_FRAMING, 0x87)
    host.at += 1_000 * US
    assert not host.read(Register.COM_IRQ)[0] & ComIrq.TX


def test_transceive_repeats_sending_and_receiving(host: Host) -> None:
    # 10.3.1.8
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    assert host.fifo() == b"\x04\x00"
    host.write(Register.FIFO_DATA, 0x93, 0x20)
    host.write(Register.BIT_FRAMING, 0x00, 0x80)
    host.at += 1_000 * US
    assert host.fifo() == bytes.fromhex("DEADBEEF22")


def test_transmit_sends_and_ends_in_idle_without_listening(host: Host) -> None:
    # 10.3.1.6
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.write(Register.FIFO_DATA, 0x26)
    host.write(Register.BIT_FRAMING, 0x07)
    host.write(Register.COM_IRQ, 0x7F)
    host.write(Register.COMMAND, ChipCommand.TRANSMIT)
    host.at += 1_000 * US
    assert host.read(Register.COM_IRQ)[0] & (ComIrq.TX | ComIrq.IDLE) == ComIrq.TX | ComIrq.IDLE
    assert host.fifo() == b""


def test_a_tag_needs_full_modulation(host: Host) -> None:
    # 9.3.2.6: Force100ASK
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.write(Register.TX_ASK, 0x00)
    host.send(b"\x26", framing=7)
    assert host.fifo() == b""


def test_less_gain_hears_a_tag_less_often() -> None:
    # 9.3.3.6: RxGain
    heard = {}
    for gain in (0x08, 0x48):
        host = Host()
        host.field.link(Tag("DEADBEEF"), "a1", 0)
        host.switch_field_on()
        host.write(Register.RF_CFG, gain)
        heard[gain] = 0
        for _ in range(50):
            host.send(b"\x52", framing=7)
            heard[gain] += host.fifo() != b""
    assert heard[0x08] < heard[0x48]


@pytest.mark.parametrize(
    ("frames", "expected_us"),
    [
        ([b"\x26"], 346),
        ([b"\x26", b"\x93\x20"], 705),
        ([b"\x26", select(bytes.fromhex("DEADBEEF22"))], 1129),
    ],
    ids=["REQA", "anticollision", "SELECT"],
)
def test_an_exchange_takes_the_time_of_its_bits_and_the_frame_delay(
    host: Host, frames: list[bytes], expected_us: int
) -> None:
    # hardware facts, after ISO 14443-3, 6.2.1; the delay is 5 us shorter after a 0
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    for frame in frames:
        host.send(frame, framing=7 if len(frame) == 1 else 0, wait_us=0)
        began_at = host.at
        (level,) = host.read(Register.FIFO_LEVEL)
        while not host.read(Register.COM_IRQ)[0] & ComIrq.RX:
            assert host.at - began_at < 2_000 * US
        took_us = (host.at - began_at) / US
        host.at += 100 * US
    assert level == 0
    assert expected_us - 6 <= took_us <= expected_us + 10


def test_two_tags_collide_at_the_first_bit_that_differs(host: Host) -> None:
    # 9.3.1.15; 0x10 and 0x11 differ in their first bit sent, 0xDEADBEEF and 0xDEADBFEF in bit 17
    host.write(Register.COLL, 0x00)
    for uid in ("DEADBEEF", "DEADBFEF"):
        host.field.link(Tag(uid), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    assert host.fifo() == b"\x04\x00"
    host.send(b"\x93\x20")
    assert host.read(Register.ERROR, Register.COLL) == [Error.COLLISION, 17]
    assert host.fifo() == b"\xde\xad\x01\x00\x00"


def test_a_collision_in_the_32nd_bit_reads_as_position_zero(host: Host) -> None:
    # 9.3.1.15
    for uid in ("1020307F", "102030FF"):
        host.field.link(Tag(uid), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    host.send(b"\x93\x20")
    assert host.read(Register.COLL)[0] & 0x3F == 0


def test_values_after_a_collision_stay_when_asked_for(host: Host) -> None:
    # 9.3.1.15: ValuesAfterColl
    host.write(Register.COLL, 0x80)
    for uid in ("10203040", "11203040"):
        host.field.link(Tag(uid), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    host.send(b"\x93\x20")
    assert host.fifo()[1:4] == b"\x20\x30\x40"


def test_a_part_of_a_uid_narrows_the_tags_down_and_its_answer_is_aligned(host: Host) -> None:
    # 9.3.1.14: RxAlign and TxLastBits; ISO 14443-3, 6.5.3.3
    for uid in ("DEADBEEF", "DEADBFEF"):
        host.field.link(Tag(uid), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    host.send(b"\x93\x20")
    host.send(bytes((0x93, 0x41, 0xDE, 0xAD, 0x01)), framing=0x11)
    assert host.read(Register.ERROR) == [0]
    answer = host.fifo()
    assert answer[0] & 0xFE == 0xBE
    assert bytes((0xDE, 0xAD, answer[0] | 1)) + answer[1:] == bytes.fromhex("DEADBFEF23")


def test_the_receiver_checks_and_strips_a_crc_when_told_to(host: Host) -> None:
    # 9.3.2.4: RxCRCEn
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    host.write(Register.RX_MODE, 0x80)
    host.send(select(bytes.fromhex("DEADBEEF22")))
    assert host.fifo() == b"\x08"
    assert host.read(Register.ERROR) == [0]


def test_an_answer_without_crc_is_a_crc_error_when_one_is_asked_for(host: Host) -> None:
    # 9.3.1.7: CRCErr
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.write(Register.RX_MODE, 0x80)
    host.send(b"\x26", framing=7)
    assert host.read(Register.ERROR)[0] & Error.CRC
    assert host.read(Register.COM_IRQ)[0] & ComIrq.ERR


def test_the_transmitter_appends_a_crc_when_told_to(host: Host) -> None:
    # 9.3.2.3: TxCRCEn
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.send(b"\x26", framing=7)
    host.write(Register.TX_MODE, 0x80)
    host.send(b"\x93\x70" + bytes.fromhex("DEADBEEF22"))
    assert host.fifo()[:1] == b"\x08"


def test_nothing_answers_without_a_field(host: Host) -> None:
    host.field.link(Tag("DEADBEEF"), "a1", 0)
    host.switch_field_on()
    host.write(Register.TX_CONTROL, 0x80)
    host.send(b"\x26", framing=7)
    assert host.fifo() == b""
