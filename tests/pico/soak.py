"""A million frames over a bad cable: `make soak`, or `python -m tests.pico.soak FRAMES SEED`.

A frame that comes through has to be one that was sent, and each that nothing has happened to has to come through at
once, whatever came before it.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from typing import Final

from quarto_pi.firmware.protocol import FIRST_OF_HOST, MOST_BYTES, Damaged, Frame, Reader, Writer
from quarto_pi.firmware.said_by_node import Health, State, Welcome
from tests.pico.damage import damaged, noise
from tests.pico.samples import READERS, frame_in, message_of, written
from tests.soak.arguments import how_much_and_seed

FRAMES: Final = 1_000_000
REPORT_EVERY: Final = 50_000
REMEMBERED: Final = 64


class Wrong(AssertionError):
    """Something came through that was never sent, or something sent well did not."""


class Line:
    """A sender, a bad cable and a receiver."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._writer = Writer()
        self._reader = Reader()
        self._sent: deque[tuple[int, int, bytes]] = deque(maxlen=REMEMBERED)
        self._newest: tuple[int, int, bytes] | None = None
        self.sent = self.spoilt = self.received = 0

    def send(self, *, spoil: bool) -> None:
        """Send a frame, over a cable that spoils this one or does not."""
        data = self._some_frame()
        self.sent += 1
        frame = frame_in(data)
        assert frame is not None
        sent = (frame.kind, frame.number, frame.payload)
        self._sent.append(sent)
        self.spoilt += spoil
        if spoil:
            data = damaged(data, self._rng)
            if self._rng.random() < 0.01:
                data += noise(self._rng, self._rng.randrange(10 * MOST_BYTES))
        self._newest = None
        # in pieces, as they come
        while data:
            count = self._rng.randrange(1, 200)
            self._receive(data[:count])
            data = data[count:]
        if not spoil and self._newest != sent:
            raise Wrong(f"frame {frame.number} was sent well and did not come through")

    def _receive(self, data: bytes) -> None:
        self._reader.feed(data)
        while (frame := self._reader.next()) is not None:
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        self._newest = (frame.kind, frame.number, frame.payload)
        if frame.kind >= FIRST_OF_HOST or self._newest not in self._sent:
            raise Wrong(f"frame {frame.number} of kind {frame.kind} was never sent: {frame.payload.hex()}")
        try:
            READERS[frame.kind].read(frame.payload)
        except Damaged as error:
            raise Wrong("a frame that was sent cannot be read") from error
        self.received += 1

    def _some_frame(self) -> bytes:
        rng = self._rng
        kind = rng.random()
        if kind < 0.7:
            return bytes(written(_some_state(rng), self._writer))
        if kind < 0.8:
            return bytes(written(_some_health(rng), self._writer))
        return bytes(written(Welcome(rng.randrange(1 << 16), "build", rng.choice(("", "~~~~")), ""), self._writer))


def _some_state(rng: random.Random) -> State:
    looks = []
    for _ in range(17):
        outcome = rng.choice((0, 0, 0, 1, 1, 1, 2, 3, 4))
        count = 1 if outcome == 1 else rng.randrange(2, 5) if outcome == 2 else 0
        uids = [rng.randbytes(rng.choice((4, 7, 10))).hex() for _ in range(count)]
        looks.append([rng.randrange(256), outcome, rng.randrange(8), rng.randrange(1 << 30), uids])
    numbers = {key: rng.randrange(1 << 16) for key in ("boot", "sweeps", "configured", "expected", "damaged", "free")}
    buttons = [[rng.randrange(1 << 16), [rng.randrange(1 << 30) for _ in range(rng.randrange(9))]] for _ in range(3)]
    fields = {**numbers, "at": rng.randrange(1 << 30), "lights": list(rng.randbytes(3)), "looks": looks}
    state: State = message_of("state", {**fields, "buttons": buttons})
    return state


def _some_health(rng: random.Random) -> Health:
    rows = [[rng.randrange(256), 1, *(rng.randrange(1 << 30) for _ in range(4)), 1, 0, 5] for _ in range(17)]
    health: Health = message_of("health", {"boot": 1, "at": rng.randrange(1 << 30), "tests": 0, "figures": rows})
    return health


def soak(frames: int, seed: int = 0, *, report: bool = False) -> Line:
    """Send so many frames, with stretches of a bad cable between stretches of a good one."""
    line, rng = Line(seed), random.Random(seed + 1)
    next_report = REPORT_EVERY
    while line.sent < frames:
        share = rng.choice((0.02, 0.3, 0.9))
        for _ in range(rng.randrange(1, 200)):
            line.send(spoil=rng.random() < share)
        if report and line.sent >= next_report:
            next_report += REPORT_EVERY
            print(f"{line.sent} frames, {line.spoilt} damaged, {line.received} came through", flush=True)
    return line


def main() -> int:
    """Send a million frames; 1 if one came through that was never sent."""
    frames, seed = how_much_and_seed("tests.pico.soak", __doc__, "frames", FRAMES)
    try:
        line = soak(frames, seed, report=True)
    except Wrong as wrong:
        print(f"seed {seed}: {wrong}", file=sys.stderr)
        return 1
    print(
        f"{line.sent} frames, {line.spoilt} of them damaged: {line.received} came through, all as they were sent, "
        "and among them every one that was not damaged"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
