"""The host's end of the cable: keeps a node connected, configured and up to date, and knows what it said last.

Everything that goes either way is a state that is said again until the other side has it, so nothing here minds a frame
that is lost. Nothing waits either: `step` does what can be done at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.node.firmware import ASK, FirstReader
from quarto_pi.devices.node.ports import SerialPort, open_port
from quarto_pi.devices.node.settings import NodeClock, NodeSettings
from quarto_pi.devices.upkeep import DeviceCondition, Trouble
from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import Damaged, Frame, Reader, Taker, Writer
from quarto_pi.firmware.said_by_host import Configuration, Expectation, Hello, Lights, self_test
from quarto_pi.firmware.said_by_node import Health, State, Welcome

AGAIN_MS: Final = 300
"""How often something is said again that the node has not taken note of."""
ALIVE_MS: Final = 500
"""How often the host speaks at the least: after three seconds of silence the node puts its lights out."""
NODE_SILENT_MS: Final = 600
"""How long a node may be silent: it sends a frame each sweep, and five a second while it does not sweep."""
DEAF_MS: Final = 3_000
"""How long a port may stay open without a single frame, or a node without taking its configuration."""

RECENT: Final = 256
"""How many frames back one is that has come a second time, or late; from farther back none comes."""

UPDATE: Final = "run 'quarto-pi firmware'"
NO_NODE: Final = "name the node's port or serial number in [node] port"


def new_session() -> int:
    """A number for a new connection, which nothing that comes from an older one knows."""
    return secrets.randbelow(protocol.TICKS) + 1


def answers(frame: Frame, session: int) -> bool:
    """Whether this is a node's answer to the HELLO of this connection; before version 2 its number was not in it."""
    if frame.kind != protocol.WELCOME:
        return False
    return frame.version < protocol.NUMBERED_SINCE or Hello.read(frame.payload).session == session


@dataclass(slots=True)
class _Spoken:
    """When each kind of frame was sent last."""

    hello: int = -AGAIN_MS
    configuration: int = -AGAIN_MS
    expectation: int = -AGAIN_MS
    lights: int = -ALIVE_MS


class NodeLink:
    """One node at the other end of a cable that may be pulled out and put back at any time.

    A node whose firmware is of another build than this one, where one is named, is told of; it works all the same.
    """

    def __init__(  # noqa: PLR0913 - all that it works with
        self,
        settings: NodeSettings,
        wiring: Configuration,
        clock: Clock,
        open_port: Callable[[str], SerialPort] = open_port,
        tell: Callable[[str], None] = lambda _: None,
        build: str | None = None,
    ) -> None:
        self._settings = settings
        self._wiring = wiring
        self._clock = clock
        self._open_port = open_port
        self._tell = tell
        self._build = build
        self._writer = Writer()
        self._reader = Reader()
        self._first_reader = FirstReader()
        self._session = 0
        self._port: SerialPort | None = None
        self._retry_at = 0
        self._wait_ms = settings.patience.first_ms
        self._condition = DeviceCondition(True, clock.now())
        self._lights = bytes(protocol.LAMPS)
        self._levels_sent = b""
        self._expected: Mapping[int, bytes] = {}
        self._expectation = 0
        self.frames = 0
        self.lost = 0
        self.damaged = 0
        self._forget()

    def _forget(self) -> None:
        """Begin with a node of which nothing is known."""
        self._spoken = _Spoken()
        self._opened_at = self.now_ms
        self._heard_at: int | None = None
        self._number: int | None = None
        self._clock_of_node = NodeClock()
        self.welcome: Welcome | None = None
        self.state: State | None = None
        self.health: Health | None = None
        self._foreign_version: int | None = None
        self._unconfigured_since = self.now_ms

    # -- what is known -------------------------------------------------------------------------------------------------

    @property
    def condition(self) -> DeviceCondition:
        """How the link is doing, and what to do about it."""
        return self._condition

    @property
    def is_up(self) -> bool:
        """Whether a node that has answered on this connection, and is set up as it should be, has spoken lately."""
        if self.state is None or self.state.configured != self._wiring.number or self._heard_at is None:
            return False
        return self.now_ms - self._heard_at < NODE_SILENT_MS

    @property
    def now_ms(self) -> int:
        """The host's millisecond."""
        return self._clock.now() // US_PER_MS

    def to_host(self, node_at: int) -> int:
        """Return the host's millisecond of one of the node's, which is never in the future."""
        return min(self._clock_of_node.to_host(node_at), self.now_ms)

    # -- what is wanted ------------------------------------------------------------------------------------------------

    def light(self, levels: bytes) -> None:
        """Have the three lamps this bright, 0 to 255."""
        self._lights = levels

    def expect(self, uids: Mapping[int, bytes]) -> None:
        """Tell a node that begins anew which tag was last seen on which cell."""
        self._expected = uids

    def test(self) -> None:
        """Have the node test itself; it answers with its readers' health."""
        self._send(self_test(self._writer))

    # -- the work ------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Take what has come and send what is due."""
        now = self.now_ms
        try:
            if self._port is None:
                self._open(now)
            else:
                self._read(self._port, now)
            if self._port is not None:
                self._speak(now)
                self._judge(now)
        except Trouble as trouble:
            self._fail(now, trouble)

    def close(self) -> None:
        """Put the lights out and let go of the port; a second call does nothing."""
        if self._port is not None:
            with suppress(Trouble):
                self._send(Lights(bytes(protocol.LAMPS)).write(self._writer))
            self._port.close()
            self._port = None

    def _open(self, now: int) -> None:
        if now < self._retry_at:
            return
        self._port = self._open_port(self._settings.port)
        self._reader, self._first_reader = Reader(), FirstReader()
        self._session = new_session()
        self._forget()

    def _fail(self, now: int, trouble: Trouble) -> None:
        """Let go of the port, and try again after a while that grows."""
        if self._port is not None:
            port, self._port = self._port, None
            port.close()
            self._wait_ms = self._settings.patience.first_ms
            self._forget()
        self._retry_at = now + self._wait_ms
        self._wait_ms = min(2 * self._wait_ms, self._settings.patience.most_ms)
        self._complain(trouble.detail, trouble.todo)

    def _complain(self, detail: str, todo: str) -> None:
        since = self._clock.now() if self._condition.ok else self._condition.since
        if (detail, todo) != (self._condition.detail, self._condition.todo):
            self._tell(f"{detail}: {todo}.")
        self._condition = DeviceCondition(False, since, detail, todo)

    def _read(self, port: SerialPort, now: int) -> None:
        damaged = self._reader.damaged
        came = port.read()
        self._reader.feed(came)
        while (frame := self._reader.next()) is not None:
            self._take(frame, now)
        if self.welcome is None:
            self._first_reader.feed(came)
            while (frame := self._first_reader.next()) is not None:
                self._take(frame, now)
        self.damaged += self._reader.damaged - damaged

    def _take(self, frame: Frame, now: int) -> None:
        try:
            greets = answers(frame, self._session)
            if greets and frame.version != protocol.VERSION:
                self._foreign_version = frame.version
            # Until a node has answered on this connection, what comes may be an echo, or left over from an older one.
            if frame.version != protocol.VERSION or not (greets or self.welcome):
                return
            if self._is_behind(frame) and self._is_of_this_start(frame):
                return
            match frame.kind:
                case protocol.WELCOME if greets:
                    self._greet(Welcome.read(frame.payload))
                case protocol.STATE:
                    self._take_state(State.read(frame.payload), now)
                case protocol.HEALTH:
                    self.health = Health.read(frame.payload)
                case _:
                    return
        except Damaged:
            self.damaged += 1
            return
        self._heard_at = now
        self.frames += 1
        if self._number is not None:
            self.lost += (frame.number - self._number - 1) & 0xFFFF
        self._number = frame.number

    def _is_behind(self, frame: Frame) -> bool:
        """Whether a frame is the last one over again, or one before it; numbers start again after 65,535."""
        return self._number is not None and (self._number - frame.number) & 0xFFFF < RECENT

    def _is_of_this_start(self, frame: Frame) -> bool:
        """Whether the node has not started again, and begun to count anew, since it was heard last."""
        boot = Welcome.read(frame.payload).boot if frame.kind == protocol.WELCOME else Taker(frame.payload).short()
        return self.welcome is not None and boot == self.welcome.boot

    def _greet(self, welcome: Welcome) -> None:
        if self.welcome is not None and welcome.boot != self.welcome.boot:
            self._forget()
        if self.welcome is None and self._build not in (None, welcome.build):
            self._tell(f"the node works with the firmware of another build: {UPDATE}.")
        self.welcome = welcome

    def _take_state(self, state: State, now: int) -> None:
        if self.welcome is not None and state.boot != self.welcome.boot:
            # It has started again with the cable in: nothing that was known of it holds.
            self._forget()
            return
        self._clock_of_node.note(state.at, now)
        self.state = state

    def _speak(self, now: int) -> None:
        """Say what the node does not know yet; each thing again after a while, until it shows that it knows."""
        spoken, state = self._spoken, self.state
        if self.welcome is None and now - spoken.hello >= AGAIN_MS:
            spoken.hello = now
            self._send(Hello(self._session).write(self._writer))
            self._send(memoryview(ASK))
        if state is None or self._foreign_version is not None:
            return
        if state.configured != self._wiring.number:
            if now - spoken.configuration >= AGAIN_MS:
                spoken.configuration = now
                self._send(self._wiring.write(self._writer))
        elif state.expected == 0 and self._expected and now - spoken.expectation >= AGAIN_MS:
            spoken.expectation = now
            self._send(Expectation(1, list(self._expected.items())).write(self._writer))
        if self._lights != self._levels_sent or now - spoken.lights >= ALIVE_MS:
            spoken.lights, self._levels_sent = now, self._lights
            self._send(Lights(self._lights).write(self._writer))

    def _send(self, frame: memoryview) -> None:
        if self._port is not None:
            self._port.write(bytes(frame))

    def _judge(self, now: int) -> None:
        """Find out whether the node is well."""
        if self._foreign_version is not None:
            self._complain(
                f"the node's firmware speaks version {self._foreign_version} of the protocol, this program speaks "
                f"version {protocol.VERSION}",
                UPDATE if self._foreign_version < protocol.VERSION else f"update quarto-pi, or {UPDATE}",
            )
        elif self._heard_at is None:
            if now - self._opened_at >= DEAF_MS and self._reader.came_back:
                self._complain("what is plugged in sends back what it is told: it is no node", NO_NODE)
            elif now - self._opened_at >= DEAF_MS:
                todo = f"if it is a Pico, {UPDATE} to put the firmware on it, if not, {NO_NODE}"
                self._complain("what is plugged in does not speak as a node does", todo)
        elif now - self._heard_at >= NODE_SILENT_MS:
            self._complain("the node is silent", "unplug it and plug it in")
        elif self.state is None or self.state.configured != self._wiring.number:
            if now - self._unconfigured_since >= DEAF_MS:
                self._complain("the node cannot work with its configuration", "look at the pins in the section [node]")
        else:
            self._unconfigured_since = now
            self._wait_ms = self._settings.patience.first_ms
            if not self._condition.ok:
                self._tell("the node works again.")
                self._condition = DeviceCondition(True, self._clock.now())
