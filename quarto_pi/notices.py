"""What other services have the board say: a file for each, in memory until the machine is switched off.

A file is named by the word of an `Impairment`, with dashes, and holds one sentence for the log and `quarto-pi check`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from quarto_pi.files import put_whole
from quarto_pi.referee.messages import Impairment

NOTICES_FOLDER: Final = Path("/run/quarto-pi-notices")
TOLD_BY_OTHERS: Final = (
    Impairment.CARD_FAILS,
    Impairment.WENT_BACK,
    Impairment.SETTINGS_FILE,
    Impairment.CHAIN_FOLDER,
)
"""What can be told so, the most serious first."""
LONGEST_NOTICE: Final = 500


NETWORK_PATIENCE_SECONDS: Final = 180.0
"""A Wi-Fi that is there takes its time after the plug, and is away for a moment now and then."""


class NetworkWatch:
    """Knows whether the network has been away for so long that somebody should know."""

    def __init__(self, has_network: Callable[[], bool], now: Callable[[], float] = time.monotonic) -> None:
        self._has_network, self._now = has_network, now
        self._had_at = now()

    def is_missing(self) -> bool:
        """Look, and say whether there is none, and was none for a while."""
        if self._has_network():
            self._had_at = self._now()
        return self._now() - self._had_at >= NETWORK_PATIENCE_SECONDS


def notice_name(why: Impairment) -> str:
    """The file's name.

    >>> notice_name(Impairment.WENT_BACK)
    'update-went-back'
    """
    return why.value.replace(" ", "-")


def notices_in(folder: Path) -> Iterator[tuple[Impairment, str]]:
    """What has been told, the most serious first, each with its sentence."""
    for why in TOLD_BY_OTHERS:
        with suppress(OSError):
            text = (folder / notice_name(why)).read_text(encoding="utf-8", errors="replace")
            yield why, text[:LONGEST_NOTICE].strip()


def set_notice(folder: Path, why: Impairment, sentence: str | None) -> None:
    """Tell the board something, or take it back (None)."""
    file = folder / notice_name(why)
    if sentence is None:
        file.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    put_whole(file, f"{sentence}\n".encode())
