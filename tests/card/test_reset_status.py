from pathlib import Path

import pytest
from card.reset_status import NoPowerManagerError, ResetStatus, power_manager, requested, requesting
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(0, 2**32 - 1), st.integers(0, 62))
def test_a_request_is_read_back_and_nothing_else_changes(before: int, partition: int) -> None:
    after = requesting(before, partition)
    assert requested(after) == partition
    assert (after ^ before) & 0x00FFFFFF & ~0x555 == 0


def test_the_bits_are_those_that_the_firmware_reads() -> None:
    """As Raspberry Pi's own kernel writes them for `reboot 2`, `reboot 3`, and for a halt."""
    assert [requesting(0x1000, number) & 0xFFF for number in (2, 3, 63)] == [0x4, 0x5, 0x555]


def test_every_write_has_the_password() -> None:
    assert requesting(0xFF000000, 0) == 0x5A000000


def test_a_machine_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    assert power_manager(b"raspberrypi,3-model-b\0brcm,bcm2837\0") == 0x3F100000
    assert power_manager(b"raspberrypi,4-model-b\0brcm,bcm2711\0") == 0xFE100000
    compatible = tmp_path / "compatible"
    compatible.write_bytes(b"raspberrypi,5-model-b\0brcm,bcm2712\0")
    memory = tmp_path / "mem"
    memory.write_bytes(b"untouched")
    with pytest.raises(NoPowerManagerError, match="no Raspberry Pi 3, 4 or Zero 2 W"):
        ResetStatus(memory, compatible).request(3)
    assert memory.read_bytes() == b"untouched"
