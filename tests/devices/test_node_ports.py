"""Finding the node among the serial ports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from quarto_pi.devices.node_ports import PRODUCT, VENDOR, find_node, nodes, open_port
from quarto_pi.devices.upkeep import Trouble


@dataclass
class Listed:
    """What the system says about a port."""

    device: str
    vid: int | None = None
    product: str | None = None


MODEM = Listed("/dev/ttyUSB0", 0x0403, "a modem")
PLAIN = Listed("/dev/ttyACM0", VENDOR, "Board in FS mode")
NODE = Listed("/dev/ttyACM1", VENDOR, PRODUCT)


def test_node_is_found_by_its_maker_and_its_name() -> None:
    assert find_node([Listed("/dev/ttyS0"), MODEM, PLAIN, NODE]) == "/dev/ttyACM1"
    assert nodes([MODEM, PLAIN]) == []


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ([MODEM], "no node is plugged in: plug the Pico in"),
        ([PLAIN], "it does not call itself a node: run 'quarto-pi firmware'"),
        ([NODE, Listed("/dev/ttyACM2", VENDOR, PRODUCT)], "there are 2 nodes (/dev/ttyACM1, /dev/ttyACM2): name"),
    ],
)
def test_what_is_not_one_node_is_told_with_what_to_do(there: list[Listed], said: str) -> None:
    with pytest.raises(Trouble) as told:
        find_node(there)
    assert said in str(told.value)


def test_port_that_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="plug the Pico in"):
        open_port(str(tmp_path / "port"))
