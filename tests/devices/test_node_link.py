"""The host's end of the cable by itself, at a terminal at whose other end a node speaks, or something else."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from quarto_pi.devices.node.board import LOOK_EVERY_US, Node
from quarto_pi.devices.node.link import NodeLink
from quarto_pi.devices.node.ports import SerialPort, open_port
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.readers.interface import Movement
from quarto_pi.devices.settings import DevicePatience
from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import EDGES
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.simulation.clock import SimulatedClock
from tests.pico.scripted_node import ScriptedNode, ScriptedTime

US_PER_MS = 1000


class AtTheHost:
    """A host with one button on its node, and what it hears."""

    def __init__(self, path: Path, build: str | None = None, port: str | None = None) -> None:
        self.clock = SimulatedClock()
        self.other = ScriptedNode(path, self.clock)
        self.time = ScriptedTime(self.clock, self.other)
        self.told: list[str] = []
        wiring = Configuration()
        wiring.number = 7
        settings = NodeSettings(
            port=str(path) if port is None else port, patience=DevicePatience(first_ms=500, most_ms=2_000)
        )
        self.link = NodeLink(settings, wiring, self.time, tell=self.told.append, build=build)
        self.node = Node(self.link, self.time, (), {"call": 0})
        self.movements: list[Movement] = []

    @property
    def now(self) -> int:
        return self.clock.now() // US_PER_MS

    def step(self) -> None:
        """Look once."""
        self.link.step()
        self.movements += self.node.buttons.movements()
        self.time.wait_until(self.clock.now() + LOOK_EVERY_US)

    def wait(self, milliseconds: int) -> None:
        """Go on for a while."""
        end = self.now + milliseconds
        while self.now < end:
            self.step()

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Go on until this has happened; a terminal hands on when it likes."""
        for _ in range(1_000_000):
            if happened():
                return
            self.step()
        pytest.fail(f"it has not happened: {self.link.condition}")

    def begin(self) -> None:
        """Plug the node in and wait until it works."""
        self.other.plug_in()
        self.wait_for(lambda: self.link.is_up)
        self.step()

    def hear(self) -> None:
        """Wait for the next frame."""
        before = self.link.frames
        self.wait_for(lambda: self.link.frames > before)

    def move(self, *, down: bool) -> None:
        """Let the button move, and the host hear of it."""
        self.other.move(down=down)
        self.other.tell()
        self.hear()

    @property
    def downs(self) -> list[bool]:
        return [movement.down for movement in self.movements]


@pytest.fixture
def host(tmp_path: Path) -> AtTheHost:
    return AtTheHost(tmp_path / "port")


def test_frames_that_are_lost_are_counted_though_their_numbers_begin_again(host: AtTheHost) -> None:
    host.begin()
    host.other._writer._number = 0xFFFE
    host.hear()
    lost = host.link.lost
    for number in range(6):
        host.other.talks = number != 4
        host.other.tell()
        host.wait(50)
    host.other.talks = True
    host.hear()
    assert host.link.lost - lost in (2, 4, 6), "of each time that it told, two frames"
    host.link.close()


def test_nothing_is_believed_of_a_node_that_has_started_again_with_the_cable_in(host: AtTheHost) -> None:
    host.begin()
    first = host.link.welcome
    host.other.start()
    host.wait_for(lambda: host.link.welcome is None)
    assert (host.link.state, host.link.health, host.link.is_up) == (None, None, False)
    host.wait_for(lambda: host.link.is_up)
    assert host.link.welcome not in (None, first)


# -- what is a node ----------------------------------------------------------------------------------------------------


class Echo(ScriptedNode):
    """A plug whose wires lead back."""

    def work(self) -> None:
        if self.cable.is_plugged_in and (came := self.cable.from_host()):
            self.cable.send(came)


class Modem(ScriptedNode):
    """What answers anything with a word, and offers itself."""

    def work(self) -> None:
        if self.cable.is_plugged_in and (self.cable.from_host() or self._clock.now() % 1_000_000 < LOOK_EVERY_US):
            self.cable.send(b"\r\nERROR\r\nRING\r\n+CREG: 0\xa5\x5a\x02\r\n")


class NodeOfAnotherConnection(ScriptedNode):
    """A node that is answering somebody else, whose frames come here as well."""

    def welcome(self, session: int) -> None:
        super().welcome((session + 1) & protocol.TICKS)


@pytest.mark.parametrize("kind", [Echo, Modem, NodeOfAnotherConnection])
def test_what_does_not_answer_on_this_connection_is_no_node(kind: type[ScriptedNode], tmp_path: Path) -> None:
    host = AtTheHost(tmp_path / "port")
    other = kind(tmp_path / "port", host.clock)
    host.time.nodes = (other,)
    other.plug_in()
    host.wait_for(lambda: not host.link.condition.ok)
    for _ in range(300):
        host.step()
        assert not host.link.is_up
        assert host.link.welcome is None
        assert host.link.state is None
    assert "[node] port" in host.link.condition.todo
    assert ("sends back what it is told" in host.link.condition.detail) is (kind is Echo)
    assert host.link.condition.detail.startswith("what is plugged in")
    assert len(host.told) == 1
    # What is a node is believed as soon as it is there.
    other.unplug()
    host.time.nodes = (host.other,)
    host.begin()
    assert host.link.condition.ok


def test_answer_to_an_older_connection_is_none(host: AtTheHost) -> None:
    host.begin()
    host.link.close()
    host.other.talks = False
    host.wait_for(lambda: host.link._session != 0 and protocol.HELLO in host.other.heard)
    old = host.link._session
    host.link.close()
    host.wait(10)
    assert host.link._session != old
    host.other.talks = True
    host.other.welcome(old)
    host.other.tell()
    assert host.link.welcome is None
    host.wait_for(lambda: host.link.is_up)


@pytest.mark.parametrize(
    ("build", "told"),
    [("build", []), ("ours", ["the node works with the firmware of another build: run 'quarto-pi firmware'."])],
)
def test_firmware_of_another_build_is_told_once_with_what_to_do(build: str, told: list[str], tmp_path: Path) -> None:
    host = AtTheHost(tmp_path / "port", build)
    host.begin()
    host.other.welcome(host.link._session)
    host.hear()
    assert host.told == told


# -- its button --------------------------------------------------------------------------------------------------------


def test_press_is_told_though_the_count_of_them_begins_again(host: AtTheHost) -> None:
    host.other.plug_in()
    host.other.start(count=0xFFFF)
    host.wait_for(lambda: host.link.is_up)
    host.step()
    assert host.downs == []
    host.move(down=True)
    host.move(down=False)
    assert host.downs == [True, False]


def test_press_of_a_node_that_has_started_again_is_one_press(host: AtTheHost) -> None:
    host.begin()
    host.other.talks = False
    host.other.start()
    host.other.move(down=True)
    host.wait(50)
    host.other.move(down=False)
    host.other.talks = True
    host.wait_for(lambda: host.link.is_up and bool(host.movements))
    assert host.downs == [True, False]


@pytest.mark.parametrize("silence", [700, 1_900, 2_800, 20_000])
def test_button_that_is_held_while_the_cable_is_silent_is_one_press(silence: int, host: AtTheHost) -> None:
    host.begin()
    host.move(down=True)
    host.other.talks = False
    host.wait(silence)
    assert not host.link.is_up
    host.other.talks = True
    host.wait_for(lambda: host.link.is_up)
    host.wait(300)
    host.move(down=False)
    host.step()
    assert host.downs == [True, False]


def test_press_keeps_its_length_over_a_silence_that_is_shorter_than_a_long_press(host: AtTheHost) -> None:
    host.begin()
    host.move(down=True)
    pressed_at = host.now
    host.other.talks = False
    host.wait(1_000)
    released_at = host.now
    host.other.move(down=False)
    host.wait(1_000)
    assert host.downs == [True]
    host.other.talks = True
    host.wait_for(lambda: len(host.movements) == 2)
    assert abs(host.movements[1].at - host.movements[0].at - (released_at - pressed_at)) <= 20


def test_button_that_is_held_while_its_node_is_plugged_in_again_is_one_press(host: AtTheHost) -> None:
    host.begin()
    host.move(down=True)
    host.other.unplug()
    host.wait(4_000)
    assert host.downs == [True, False]
    host.other.plug_in()
    host.other.presses[0].down = True
    host.wait_for(lambda: host.link.is_up)
    host.wait(300)
    assert host.downs == [True, False]
    host.move(down=False)
    host.move(down=True)
    host.step()
    assert host.downs == [True, False, True]


def test_button_that_is_held_when_the_program_begins_is_no_press(host: AtTheHost) -> None:
    host.other.plug_in()
    host.other.presses[0].down = True
    host.wait_for(lambda: host.link.is_up)
    host.wait(300)
    host.move(down=False)
    host.wait(100)
    assert host.downs == []
    host.move(down=True)
    host.step()
    assert host.downs == [True]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(2, 6))])
def test_as_many_presses_are_told_as_were_made_whatever_the_cable_does(seed: int, tmp_path: Path) -> None:
    host, rng = AtTheHost(tmp_path / "port"), random.Random(seed)
    host.begin()
    down, made, untold = False, [], 0
    for _ in range(60):
        match rng.randrange(4):
            case 0 | 1 if untold < EDGES:
                untold += 1
                down = not down
                host.other.move(down=down)
                made.append((down, host.now))
            case 2:
                host.other.talks = not host.other.talks
        before = host.link.frames
        host.wait(rng.choice([60, 150, 700, 3_000]))
        untold = untold if host.link.frames == before else 0
    host.other.talks = True
    host.wait_for(lambda: host.link.is_up)
    host.wait(300)
    pressed = [at for is_down, at in made if is_down]
    told = [movement.at for movement in host.movements if movement.down]
    assert len(told) == len(pressed)
    assert max(map(abs, (one - two for one, two in zip(told, pressed, strict=True))), default=0) <= 20
    assert host.downs[-1:] == [down][: len(made)]


def test_port_that_is_not_there_is_tried_again_after_longer_and_longer_waits() -> None:
    clock, tried = SimulatedClock(), []

    def open_nothing(_: str) -> SerialPort:
        tried.append(clock.now() // US_PER_MS)
        return open_port("/nowhere")

    link = NodeLink(
        NodeSettings(patience=DevicePatience(first_ms=500, most_ms=2_000)), Configuration(), clock, open_nothing
    )
    began = clock.now() // US_PER_MS
    for _ in range(1_000):
        link.step()
        clock.wait_until(clock.now() + 10 * US_PER_MS)
    assert [at - began for at in tried] == [0, 500, 1_500, 3_500, 5_500, 7_500, 9_500]
    assert link.condition.detail == "there is no /nowhere"
