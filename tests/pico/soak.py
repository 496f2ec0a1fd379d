"""A million frames over a bad cable: `make soak`, or `python -m tests.pico.soak FRAMES SEED`.

A frame that comes through has to be one that was sent, and soon after the cable is good again frames come through.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from typing import Final

from quarto_pi.firmware.protocol import MOST_BYTES, WAIT_MS, Damaged, Frame, Reader, Writer
from quarto_pi.firmware.said_by_host import Lights
from quarto_pi.firmware.said_by_node import Health, State
from tests.pico.damage import damaged, noise
from tests.pico.samples import READERS, message_of, written

FRAMES: Final = 1_000_000
REPORT_EVERY: Final = 50_000
REMEMBERED: Final = 64
FRAME_MS: Final = 20


class Wrong(AssertionError):
    """Something came through that was never sent, or nothing came through any more."""


class Line:
    """A sender, a bad cable and a receiver."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._writer = Writer()
        self._reader = Reader()
        self._sent: deque[tuple[int, int, bytes]] = deque(maxlen=REMEMBERED)
        self._now = 0
        self.sent = self.spoilt = self.received = 0
        self.longest_ms = 0
        self._good_since: int | None = None

    def send(self, *, spoil: bool) -> None:
        """Send a frame, over a cable that spoils this one or does not."""
        frame = self._some_frame()
        self.sent += 1
        self._now += FRAME_MS
        self._sent.append((frame[3], int.from_bytes(frame[4:6], "little"), frame[9:-4]))
        self.spoilt += spoil
        data = damaged(frame, self._rng) if spoil else frame
        if spoil and self._rng.random() < 0.01:
            data += noise(self._rng, self._rng.randrange(10 * MOST_BYTES))
        # in pieces, as they come
        while data:
            count = self._rng.randrange(1, 200)
            self._receive(data[:count])
            data = data[count:]

    def check_recovery(self) -> None:
        """Make sure that a good cable is a good cable after a bounded time."""
        before, waited = self.received, 0
        while self.received == before:
            self.send(spoil=False)
            waited += FRAME_MS
            if waited > WAIT_MS + 2 * FRAME_MS:
                raise Wrong(f"nothing has come through for {waited} ms")
        self.longest_ms = max(self.longest_ms, waited)

    def _receive(self, data: bytes) -> None:
        self._reader.feed(data, self._now)
        while (frame := self._reader.next()) is not None:
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        if (frame.kind, frame.number, frame.payload) not in self._sent:
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
        return bytes(written(Lights(rng.randbytes(3)), self._writer))


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
        line.check_recovery()
        if report and line.sent >= next_report:
            next_report += REPORT_EVERY
            print(f"{line.sent} frames, {line.spoilt} damaged, {line.received} came through", flush=True)
    return line


def main() -> int:
    """Send a million frames; 1 if one came through that was never sent."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else FRAMES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    try:
        line = soak(frames, seed, report=True)
    except Wrong as wrong:
        print(f"seed {seed}: {wrong}", file=sys.stderr)
        return 1
    print(
        f"{line.sent} frames, {line.spoilt} of them damaged: {line.received} came through, all as they were sent; "
        f"after damage it took {line.longest_ms} ms at most until one came through"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
