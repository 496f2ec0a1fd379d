"""A cable that goes at any instant: no call into pyserial ends a run, and the node is found again."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from quarto_pi.devices.node.ports import PRODUCT
from tests.devices.test_node_link import AtTheHost
from tests.pico.usb import Listing, Usb, errors_of

NAME: Final = "ttyACM0"
LISTING: Final = Listing(PRODUCT, "e6616408431f2a2b")
AT_WORK_MS: Final = 60
CALLS: Final = (
    *("list.glob", "list.realpath", "list.open", "os.open", "fcntl.flock", "fcntl.ioctl", "termios.tcgetattr"),
    *("termios.tcsetattr", "termios.tcflush", "select.select", "os.write", "os.read", "os.close"),
)
"""What pyserial asks of the system, from looking for the node to leaving it."""


class Cut:
    """Pulls the cable out before a call, by its number or its name; `errors` tells what it and all after it raise then.

    Without errors, they raise what the kernel says of a terminal whose other end is gone.
    """

    def __init__(self, root: Path, at: int | str, errors: random.Random | None) -> None:
        self.usb = Usb(root)
        self.host = AtTheHost(self.usb.port(NAME), port="")
        self.happened = ""
        self._at, self._errors = at, errors
        self._gone = False

    @contextmanager
    def computer(self) -> Iterator[None]:
        """The computer, with the node plugged in."""
        with self.usb.below_pyserial(), ExitStack() as stack:
            stack.callback(self.host.other.unplug)
            self.plug_in()
            self.usb.before_call = self._before
            yield

    def plug_in(self) -> None:
        """Put the cable in, for the first time or again."""
        self._gone = False
        self.usb.plug_in(NAME, LISTING)
        self.host.other.plug_in()

    def _before(self, call: str) -> None:
        if not self.happened and self._at in (len(self.usb.calls), call):
            self.happened = call
            self.usb.unplug(NAME)
            self.host.other.unplug()
            self._gone = True
        errors = errors_of(call)
        if self._gone and self._errors is not None and errors:
            raise self._errors.choice(errors)


@pytest.fixture(autouse=True, scope="module")
def all_is_collected() -> None:
    """What earlier tests have left to be collected is no file of these; in a long run that takes a while."""
    gc.collect()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def go_through(root: Path, at: int | str, errors: random.Random | None) -> str:
    """Work with the node whose cable goes before this call, and find it again; return which call it was."""
    before = open_files()
    cut = Cut(root, at, errors)
    host = cut.host
    with cut.computer():
        host.wait_for(lambda: bool(cut.happened) or host.link.is_up)
        host.wait(AT_WORK_MS)
        if cut.happened:
            host.wait(100)
            assert not host.link.is_up
            cut.plug_in()
            host.wait_for(lambda: host.link.is_up)
            assert host.link.condition.ok
        # Its last words, and closing: the cable may go in them as well.
        host.node.close()
    assert open_files() == before
    return cut.happened


HOW_IT_GOES: Final = pytest.mark.parametrize(
    "errors", [None, 1, 2], ids=["as a terminal", "as USB, one way", "as USB, another way"]
)


@pytest.mark.slow
@HOW_IT_GOES
def test_cable_that_goes_at_any_call_is_found_again(errors: int | None, tmp_path: Path) -> None:
    # How many calls there are is never quite the same: threads make them.
    called = 0
    while go_through(tmp_path / str(called), called + 1, None if errors is None else random.Random(errors + called)):
        called += 1
    assert called > len(CALLS)


@HOW_IT_GOES
@pytest.mark.parametrize("call", CALLS)
def test_cable_that_goes_before_each_kind_of_call_is_found_again(call: str, errors: int | None, tmp_path: Path) -> None:
    assert go_through(tmp_path, call, None if errors is None else random.Random(errors)) == call
