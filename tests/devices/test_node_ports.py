"""Finding the node among the serial ports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from quarto_pi.devices.node.ports import PRODUCT, VENDOR, find_node, find_port, named, nodes, open_port
from quarto_pi.devices.upkeep import Trouble
from tests.pico.usb import Listing as UsbListing
from tests.pico.usb import Usb


@dataclass
class Listed:
    """What the system says about a port."""

    device: str
    vid: int | None = None
    product: str | None = None
    serial_number: str | None = None


MODEM = Listed("/dev/ttyUSB0", 0x0403, "a modem")
PLAIN = Listed("/dev/ttyACM0", VENDOR, "Board in FS mode", "e6616408431f2a2b")
NODE = Listed("/dev/ttyACM1", VENDOR, PRODUCT, "E6616408432F3B3C")
SECOND = Listed("/dev/ttyACM2", VENDOR, PRODUCT)


def test_node_is_found_by_its_maker_and_its_name() -> None:
    assert find_node([Listed("/dev/ttyS0"), MODEM, PLAIN, NODE]) == "/dev/ttyACM1"
    assert nodes([MODEM, PLAIN]) == []


@pytest.mark.parametrize("name", ["e6616408432f3b3c", "E6616408432F3B3C", "/dev/ttyACM1", "/dev/../dev/ttyACM1"])
def test_port_is_found_by_its_serial_number_or_any_of_its_names(name: str) -> None:
    assert find_port(name, [MODEM, PLAIN, NODE]) is NODE


def test_port_that_is_not_listed_is_one_of_which_nothing_is_known() -> None:
    assert named(find_port("/dev/pts/7", [NODE])) == "/dev/pts/7 (product unknown, serial number unknown)"


def test_serial_number_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(Trouble, match=r"e66 is plugged in, only /dev/ttyACM1 \(quarto-pi node, .*: plug it in, or"):
        find_port("e66", [MODEM, NODE])
    with pytest.raises(Trouble, match=r"e66 is plugged in: plug it in$"):
        find_port("e66", [MODEM])


def test_device_that_goes_while_the_ports_are_listed_hides_none_of_the_others(tmp_path: Path) -> None:
    at = 0
    while True:
        usb = Usb(tmp_path / str(at))
        for name, listing in {"ttyACM0": UsbListing(PRODUCT), "ttyACM1": UsbListing("a modem", "x", "0403")}.items():
            usb.plug_in(name, listing)
            usb.port(name).touch()

        def before(_: str, usb: Usb = usb, at: int = at) -> None:
            if len(usb.calls) == at:
                usb.unplug("ttyACM1")

        usb.before_call = before
        with usb.below_pyserial():
            assert find_node() == str(usb.port("ttyACM0"))
        at += 1
        if len(usb.calls) < at:
            break
    assert at > 20


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ([MODEM], "no node is plugged in: plug the Pico in"),
        (
            [PLAIN],
            "it does not call itself a node: /dev/ttyACM0 (Board in FS mode, serial number e6616408431f2a2b): run "
            "'quarto-pi firmware', or name its serial number in [node] port",
        ),
        (
            [NODE, SECOND],
            "there are 2 nodes: /dev/ttyACM1 (quarto-pi node, serial number E6616408432F3B3C), "
            "/dev/ttyACM2 (quarto-pi node, serial number unknown): name the serial number of one in [node] port",
        ),
    ],
)
def test_what_is_not_one_node_is_told_with_what_to_do(there: list[Listed], said: str) -> None:
    with pytest.raises(Trouble) as told:
        find_node(there)
    assert said in str(told.value)


def test_port_that_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="plug the Pico in"):
        open_port(str(tmp_path / "port"))


def test_settings_of_a_terminal_that_is_none_are_trouble_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "port").write_text("a file")
    with pytest.raises(Trouble, match=r"cannot be opened .*: unplug the Pico"):
        open_port(str(tmp_path / "port"))
