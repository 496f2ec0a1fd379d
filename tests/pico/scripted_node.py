"""A node that is only its words: it says and counts what the firmware does, in no time, and never looks at a reader."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import BUTTONS, CELLS, TICKS, Reader, Writer
from quarto_pi.firmware.said_by_host import Configuration, Expectation, Hello
from quarto_pi.firmware.said_by_node import Figures, Health, Look, Presses, State, Welcome
from quarto_pi.simulation.clock import SimulatedClock
from tests.pico.cable import Cable

BEAT_MS: Final = 100
US_PER_MS: Final = 1000


class ScriptedNode:
    """What is plugged in at `cable`; `port` is the name under which the host finds it."""

    def __init__(self, port: Path, clock: SimulatedClock, boot: int = 0) -> None:
        self.cable = Cable(port)
        self.port = str(port)
        self.build = "build"
        self.talks = True
        self.heard: list[int] = []
        self._clock = clock
        self._boot = boot
        self.presses = [Presses() for _ in range(BUTTONS)]

    def plug_in(self) -> None:
        """Put the cable in: the node gets power and begins."""
        self.cable.plug_in()
        self.start()

    def unplug(self) -> None:
        """Pull the cable out."""
        self.cable.unplug()

    def start(self, count: int = 0) -> None:
        """Start again; `count` is how often the first button has moved since."""
        self._boot += 1
        self.presses = [Presses() for _ in range(BUTTONS)]
        self.presses[0].count = count
        self._state = State([Look() for _ in range(CELLS)], self.presses)
        self._health = Health([Figures() for _ in range(CELLS)])
        self._state.boot = self._health.boot = self._boot
        self._writer, self._reader = Writer(), Reader(hears_host=True)
        self._beat_at = self._now

    @property
    def _now(self) -> int:
        return self._clock.now() // US_PER_MS

    def move(self, *, down: bool) -> None:
        """Let the first button move."""
        self.presses[0].note(down, self._now & TICKS)

    def work(self) -> None:
        """Do what is to be done by now: answer the host, and speak."""
        if not self.cable.is_plugged_in:
            return
        self._reader.feed(self.cable.from_host())
        while (frame := self._reader.next()) is not None:
            self.heard.append(frame.kind)
            if frame.kind == protocol.HELLO:
                self.welcome(Hello.read(frame.payload).session)
            elif frame.kind == protocol.CONFIGURE:
                self._state.configured = Configuration.read(frame.payload).number
            elif frame.kind == protocol.EXPECT:
                self._state.expected = Expectation.read(frame.payload).number
        if self._now >= self._beat_at:
            self.tell()

    def welcome(self, session: int) -> None:
        """Say who this is."""
        welcome = Welcome(self._boot, self.build, "board", "serial")
        welcome.session = session
        self._send(welcome.write(self._writer))

    def tell(self) -> None:
        """Say how everything is."""
        self._beat_at = self._now + BEAT_MS
        self._state.at = self._health.at = self._now & TICKS
        self._send(self._state.write(self._writer))
        self._send(self._health.write(self._writer))

    def _send(self, frame: memoryview) -> None:
        if self.talks and self.cable.is_plugged_in:
            self.cable.send(bytes(frame))


class ScriptedTime:
    """The host's clock while such nodes are on its cables: who waits on it lets them work."""

    def __init__(self, clock: SimulatedClock, *nodes: ScriptedNode) -> None:
        self._clock = clock
        self.nodes = nodes

    def now(self) -> int:
        """Return the simulated microseconds since the start."""
        return self._clock.now()

    def wait_until(self, moment: int) -> None:
        """Let the time pass, and the nodes work."""
        self._clock.wait_until(moment)
        for node in self.nodes:
            node.work()
