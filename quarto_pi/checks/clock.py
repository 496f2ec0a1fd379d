"""The time of day: a Pi has none of its own after it was unplugged, until somebody tells it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine

SYNCHRONISED: Final = "run/systemd/timesync/synchronized"
LATEST: Final = 4_102_444_800
"""The year 2100."""


def clock(machine: Machine, installed_at: float) -> Finding:
    """Whether the clock is set, which it is not if it shows a time before this program was installed."""
    now = machine.now()
    shown = datetime.fromtimestamp(min(max(now, 0), LATEST), UTC).strftime("%Y-%m-%d %H:%M UTC")
    if not installed_at <= now <= LATEST:
        return Finding(
            "clock",
            ok=False,
            detail=f"not set: it shows {shown}, and the program is younger than that",
            fix="connect the Pi to a network, or set it: sudo timedatectl set-time '2026-01-31 18:00'",
        )
    if _is_synchronised(machine):
        return Finding("clock", ok=True, detail=f"{shown}, synchronised")
    return Finding(
        "clock",
        ok=True,
        detail=f"{shown}, not synchronised: without a network the Pi goes on from when it was last on",
        fix="connect it to a network now and then, or give it a battery clock",
    )


def _is_synchronised(machine: Machine) -> bool:
    if machine.path(SYNCHRONISED).exists():
        return True
    return (machine.output("timedatectl", "show", "--property=NTPSynchronized", "--value") or "").strip() == "yes"
