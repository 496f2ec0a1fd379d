"""The MFRC522's timer unit (8.5): a prescaler, a reload value, and one deadline."""

from __future__ import annotations

from quarto_pi.simulation.iso14443 import CARRIER_HZ, NS


class Timer:
    """A countdown that is either stopped or runs out at a known moment."""

    def __init__(self) -> None:
        self.runs_out_at: int | None = None
        self._tick_ns = 1
        self._reload = 0

    def start(self, at: int, prescaler: int, reload: int) -> None:
        """Start at the reload value; the interrupt comes reload + 1 ticks later (8.5, equation 4)."""
        self._tick_ns = (2 * prescaler + 1) * NS // CARRIER_HZ
        self._reload = reload
        self.runs_out_at = at + (reload + 1) * self._tick_ns

    def stop(self) -> None:
        """Stop where it is."""
        self.runs_out_at = None

    def value(self, at: int) -> int:
        """Return the counter as TCounterValReg shows it."""
        if self.runs_out_at is None:
            return 0
        return max(0, min(self._reload, (self.runs_out_at - at) // self._tick_ns))
