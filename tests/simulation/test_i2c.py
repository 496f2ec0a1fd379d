"""The simulated I2C bus: messages, control bytes, and the errors that the kernel raises."""

from __future__ import annotations

import errno

import pytest
from smbus2 import i2c_msg

from quarto_pi.simulation.oled_models import Ssd1306
from quarto_pi.simulation.outputs import I2cBus, SMBus, smbus2_over


@pytest.fixture
def bus() -> I2cBus:
    bus = I2cBus()
    bus.attach(Ssd1306())
    return bus


@pytest.fixture
def smbus(bus: I2cBus) -> SMBus:
    opened: SMBus = smbus2_over({1: bus}).SMBus(1)
    return opened


def test_a_message_goes_to_its_display_and_is_counted(bus: I2cBus, smbus: SMBus) -> None:
    smbus.write_i2c_block_data(0x3C, 0x00, [0x81, 0x12])
    assert bus.displays[0x3C].contrast == 0x12
    assert (bus.writes, bus.bytes) == (1, 4)


def test_long_messages_go_through_messages_of_the_real_package(bus: I2cBus, smbus: SMBus) -> None:
    smbus.i2c_rdwr(i2c_msg.write(0x3C, [0x40, *range(100)]))
    assert bytes(bus.displays[0x3C].memory[:100]) == bytes(range(100))
    with pytest.raises(OSError, match="not supported"):
        smbus.i2c_rdwr(i2c_msg.read(0x3C, 1))


def test_control_bytes_may_announce_single_bytes(bus: I2cBus, smbus: SMBus) -> None:
    smbus.write_i2c_block_data(0x3C, 0x80, [0x81, 0x80, 0x55, 0xC0, 0x07, 0x00, 0xA7])
    display = bus.displays[0x3C]
    assert (display.contrast, display.memory[0], display.inverted) == (0x55, 0x07, True)
    smbus.write_i2c_block_data(0x3C, 0x01, [0xA6])
    assert display.faults == ["01 is no control byte"]


def test_a_block_has_at_most_32_bytes(smbus: SMBus) -> None:
    with pytest.raises(ValueError, match="exceed 32"):
        smbus.write_i2c_block_data(0x3C, 0x00, [0] * 33)


@pytest.mark.parametrize("code", [errno.EREMOTEIO, errno.ENXIO])
def test_a_display_that_is_missing_does_not_acknowledge(code: int) -> None:
    bus = I2cBus(no_acknowledge=code)
    with pytest.raises(OSError, match=r"error|address") as caught:
        bus.write(0x3C, b"\x00")
    assert caught.value.errno == code


def test_a_display_can_be_cut_off_in_the_middle_of_a_message(bus: I2cBus) -> None:
    bus.cut_after(4)
    bus.write(0x3C, b"\x00\xe3")
    with pytest.raises(OSError, match="Remote"):
        bus.write(0x3C, b"\x40\x01\x02\x03")
    assert bus.displays[0x3C].memory[0] == 1
    assert not bus.displays[0x3C].plugged


def test_a_stuck_bus_times_out(bus: I2cBus, smbus: SMBus) -> None:
    bus.stuck = True
    with pytest.raises(TimeoutError):
        smbus.write_i2c_block_data(0x3C, 0, [0xE3])


def test_a_bus_is_opened_by_number_and_closed_once(bus: I2cBus, smbus: SMBus) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        smbus2_over({1: bus}).SMBus(7)
    assert caught.value.filename == "/dev/i2c-7"
    smbus.close()
    smbus.close()
    assert bus.openings == 0
    with pytest.raises(OSError, match="Bad file descriptor"):
        smbus.write_i2c_block_data(0x3C, 0, [0xE3])
