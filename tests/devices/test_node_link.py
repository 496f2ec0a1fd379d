"""The host's end of the cable by itself, at a terminal that says what a node would say."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator

import pytest

from quarto_pi.devices.node import Node
from quarto_pi.devices.node_link import NodeLink
from quarto_pi.devices.node_ports import Port, open_port
from quarto_pi.devices.node_settings import NodeSettings
from quarto_pi.devices.upkeep import Patience
from quarto_pi.firmware.protocol import BUTTONS, CELLS, Writer
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.firmware.said_by_node import Look, Presses, State, Welcome
from quarto_pi.simulation.clock import SimulatedClock

US_PER_MS = 1000


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """The node's end of a cable, and the name of the host's."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    yield ours, os.ttyname(theirs)
    os.close(theirs)
    os.close(ours)


def hear(link: NodeLink, frames: int) -> None:
    """Listen until so many frames have come; a terminal hands on when it likes."""
    for _ in range(1_000_000):
        if link.frames >= frames:
            return
        link.step()
    pytest.fail("nothing has come")


def test_frames_that_are_lost_are_counted_though_their_numbers_begin_again(terminal: tuple[int, str]) -> None:
    node, name = terminal
    clock = SimulatedClock()
    link = NodeLink(NodeSettings(port=name), Configuration(), clock)
    link.step()
    writer = Writer()
    writer._number = 0xFFFE
    for number in range(6):
        frame = bytes(Welcome(1, "build", "board", "serial").write(writer))
        if number != 4:
            os.write(node, frame)
    hear(link, 5)
    assert (link.frames, link.lost) == (5, 1)
    link.close()


def test_nothing_is_believed_of_a_node_that_has_started_again_with_the_cable_in(terminal: tuple[int, str]) -> None:
    end, name = terminal
    link = NodeLink(NodeSettings(port=name), Configuration(), SimulatedClock())
    link.step()
    writer, state = Writer(), State([Look() for _ in range(CELLS)], [Presses() for _ in range(BUTTONS)])
    state.boot = 1
    os.write(end, bytes(Welcome(1, "build", "board", "serial").write(writer)) + bytes(state.write(writer)))
    hear(link, 2)
    assert link.welcome is not None
    state.boot = 2
    os.write(end, bytes(state.write(writer)))
    hear(link, 3)
    assert link.welcome is None
    link.close()


class Pressed:
    """A node with one button, whose host hears of every movement."""

    def __init__(self, terminal: tuple[int, str]) -> None:
        self._end, name = terminal
        self._clock = SimulatedClock()
        self._writer = Writer()
        self.node = Node(NodeLink(NodeSettings(port=name), Configuration(), self._clock), self._clock, (), {"call": 0})
        self.node.link.step()
        self.start(boot=1)

    def start(self, boot: int, count: int = 0) -> None:
        """Be a node that has just been started; `count` is how often its button has moved."""
        self.presses = [Presses() for _ in range(BUTTONS)]
        self.presses[0].count = count
        self._state = State([Look() for _ in range(CELLS)], self.presses)
        self._state.boot = boot

    def tell(self) -> list[bool]:
        """What the host hears after a frame."""
        self._state.at = self._clock.now() // US_PER_MS
        os.write(self._end, bytes(self._state.write(self._writer)))
        hear(self.node.link, self.node.link.frames + 1)
        return [movement.down for movement in self.node.buttons.movements()]

    def move(self, *, down: bool) -> None:
        """Let the button move."""
        self._clock.wait_until(self._clock.now() + 50 * US_PER_MS)
        self.presses[0].note(down, self._clock.now() // US_PER_MS)


def test_press_is_told_though_the_count_of_them_begins_again(terminal: tuple[int, str]) -> None:
    pressed = Pressed(terminal)
    pressed.start(boot=1, count=0xFFFF)
    assert pressed.tell() == []
    pressed.move(down=True)
    assert pressed.tell() == [True]
    pressed.move(down=False)
    assert pressed.tell() == [False]
    pressed.node.close()


def test_press_of_a_node_that_has_started_again_is_one_press(terminal: tuple[int, str]) -> None:
    pressed = Pressed(terminal)
    pressed.start(boot=1, count=6)
    assert pressed.tell() == []
    pressed.start(boot=2)
    pressed.move(down=True)
    pressed.move(down=False)
    assert pressed.tell() == [True, False]
    pressed.node.close()


@pytest.mark.parametrize(
    ("build", "told"),
    [("ours", []), ("older", ["the node works with the firmware of another build: run 'quarto-pi firmware'."])],
)
def test_firmware_of_another_build_is_told_once_with_what_to_do(
    build: str, told: list[str], terminal: tuple[int, str]
) -> None:
    end, name = terminal
    said: list[str] = []
    writer = Writer()
    link = NodeLink(NodeSettings(port=name), Configuration(), SimulatedClock(), tell=said.append, build="ours")
    link.step()
    for _ in range(2):
        os.write(end, bytes(Welcome(1, build, "board", "serial").write(writer)))
    hear(link, 2)
    assert said == told
    link.close()


def test_port_that_is_not_there_is_tried_again_after_longer_and_longer_waits() -> None:
    clock, tried = SimulatedClock(), []

    def open_nothing(_: str) -> Port:
        tried.append(clock.now() // US_PER_MS)
        return open_port("/nowhere")

    link = NodeLink(NodeSettings(patience=Patience(first_ms=500, most_ms=2_000)), Configuration(), clock, open_nothing)
    began = clock.now() // US_PER_MS
    for _ in range(1_000):
        link.step()
        clock.wait_until(clock.now() + 10 * US_PER_MS)
    assert [at - began for at in tried] == [0, 500, 1_500, 3_500, 5_500, 7_500, 9_500]
    assert link.condition.detail == "there is no /nowhere"
