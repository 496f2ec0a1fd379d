"""The time of day as far as somebody knows it: a Pi has no clock of its own that goes on without the plug.

After it was switched off its clock shows April, or the moment at which it was switched off. Neither is the time. What
is known is known from the network, from a clock with a battery, or from whoever has the PIN, and goes on steadily.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from quarto_pi.files import put_whole
from quarto_pi.rules import QuartoError

UNKNOWN_TIME: Final = 0.0
"""Stands in the journal for a moment that nobody knew."""
EARLIEST_KNOWN: Final = datetime(2026, 11, 1, tzinfo=UTC).timestamp()
LATEST_KNOWN: Final = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
"""No clock that shows an earlier moment than this program was written at, or a later one than this, is right."""
TOLD_FILE: Final = "told-time"
"""In memory, for the next start of the service on a machine that stays on."""


class TimeRefused(QuartoError, ValueError):
    """A time of day that cannot be; the text says why."""


def never() -> bool:
    """No."""
    return False


class KnownTime:
    """The time of day in seconds since 1970, or None while nobody knows it."""

    def __init__(  # noqa: PLR0913 - who may know it, and what a test puts in their place
        self,
        is_synchronised: Callable[[], bool] = never,
        has_battery: Callable[[], bool] = never,
        *,
        folder: Path | None = None,
        zone: str = "",
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_synchronised, self._has_battery = is_synchronised, has_battery
        self._file = None if folder is None else folder / TOLD_FILE
        self._zone = ZoneInfo(zone) if zone else None
        self._wall, self._steady = wall, steady
        self._floor = EARLIEST_KNOWN
        self._offset = self._kept()

    def now(self) -> float | None:
        """The time, from whoever knows it best."""
        wall = self._wall()
        # What the network says counts whatever was told before: somebody's phone may have been wrong.
        if EARLIEST_KNOWN <= wall <= LATEST_KNOWN and self._is_synchronised():
            return wall
        if self._offset is not None:
            return self._offset + self._steady()
        return wall if self._floor <= wall <= LATEST_KNOWN and self._has_battery() else None

    def stamp(self) -> float:
        """The time for the journal; `UNKNOWN_TIME` where nobody knows it."""
        now = self.now()
        return UNKNOWN_TIME if now is None else now

    def on_the_wall(self) -> datetime | None:
        """What a clock on the wall shows, in the house's time zone."""
        now = self.now()
        # Without a zone of its own the house has the machine's.
        return None if now is None else datetime.fromtimestamp(now, self._zone).replace(tzinfo=None)

    def never_before(self, moment: float) -> None:
        """It is later than this: then something was written down."""
        if EARLIEST_KNOWN <= moment <= LATEST_KNOWN:
            self._floor = max(self._floor, moment)

    def tell(self, moment: float) -> None:
        """Take somebody's word for the time."""
        if not self._floor <= moment <= LATEST_KNOWN:
            raise TimeRefused("that isn't the time: it is later than the last game, and earlier than 2100.")
        self._offset = moment - self._steady()
        if self._file is not None:
            with suppress(OSError):
                put_whole(self._file, f"{self._offset!r}\n".encode())

    def _kept(self) -> float | None:
        try:
            return None if self._file is None else float(self._file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None


# --- Who knows the time on this machine -------------------------------------------------------------------------------

SYNCHRONISED_MARK: Final = "run/systemd/timesync/synchronized"
"""systemd-timesyncd makes it once the network has told the time."""
MODEL_FILE: Final = "proc/device-tree/model"
CLOCKS: Final = "sys/class/rtc"
MOST_APART_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class ClocksOfMachine:
    """Who knows the time on a machine, by its files below a root."""

    root: Path = Path("/")

    def is_synchronised(self) -> bool:
        """Whether the network has told it; the clock of a machine that is no small board is believed."""
        return (self.root / SYNCHRONISED_MARK).exists() or not (self.root / MODEL_FILE).exists()

    def has_battery(self) -> bool:
        """Whether there is a clock that goes on without the plug, and shows what the machine's clock shows."""
        with suppress(OSError, ValueError):
            for clock in (self.root / CLOCKS).iterdir():
                shown = float((clock / "since_epoch").read_text(encoding="ascii"))
                if abs(shown - time.time()) <= MOST_APART_SECONDS:
                    return True
        return False


def time_of_machine(environ: Mapping[str, str], zone: str = "", root: Path = Path("/")) -> KnownTime:
    """The time as it is known on this machine, in this time zone, or in the machine's."""
    clocks = ClocksOfMachine(root)
    folder = environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return KnownTime(clocks.is_synchronised, clocks.has_battery, folder=Path(folder) if folder else None, zone=zone)
