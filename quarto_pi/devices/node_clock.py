"""The node's clock in terms of the host's, so that a press keeps its moment."""

from __future__ import annotations

from typing import Final

from quarto_pi.firmware.protocol import since

WINDOW_MS: Final = 10_000
"""How long the fastest frame counts. Two clocks that differ by 100 ppm drift apart by 1 ms in that time."""


class NodeClock:
    """Learns from every frame when it was sent and when it came.

    A frame may be late, but it never comes before it was sent. So the least difference between the two clocks is the
    one of the fastest frame; that of the present window and of the one before is what counts, because clocks drift.
    """

    def __init__(self) -> None:
        self._newest = 0  # the node's count, as it was in the newest frame
        self._sent = 0  # the same without starting again
        self._least: int | None = None
        self._least_before: int | None = None
        self._window_ends = 0

    def note(self, node_at: int, host_at: int) -> None:
        """Take a frame into account: the millisecond at which it was sent, and the one at which it came."""
        if self._least is None:
            self._sent, self._window_ends = 0, host_at + WINDOW_MS
        else:
            self._sent += since(self._newest, node_at)
        self._newest = node_at
        if host_at >= self._window_ends:
            self._least_before, self._least = self._least, None
            self._window_ends = host_at + WINDOW_MS
        difference = host_at - self._sent
        self._least = difference if self._least is None else min(self._least, difference)

    def to_host(self, node_at: int) -> int:
        """Return the host's millisecond of a moment that lies before the newest frame."""
        differences = [least for least in (self._least, self._least_before) if least is not None]
        return self._sent - since(node_at, self._newest) + min(differences, default=0)
