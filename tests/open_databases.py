"""Databases that nobody closes are told by every Python as by 3.13: with a warning, which makes a test fail."""

from __future__ import annotations

import sqlite3
import traceback
import warnings
from typing import Any, Final

_OPEN: Final = sqlite3.connect
_FRAMES: Final = 8


class ToldDatabase(sqlite3.Connection):
    """A database that says, where it goes without having been closed, who has opened it."""

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - sqlite3's
        self._opened = ""
        super().__init__(*arguments, **named)
        self._opened = "".join(traceback.format_list(traceback.extract_stack(limit=_FRAMES)[:-2]))

    def close(self) -> None:
        self._opened = ""
        super().close()

    def __del__(self) -> None:
        if self._opened:
            opened, self._opened = self._opened, ""
            # What 3.13 says by itself need not be said twice.
            super().close()
            warnings.warn(f"unclosed database, opened by\n{opened}", ResourceWarning, stacklevel=1, source=self)


def _connected(*arguments: Any, **named: Any) -> sqlite3.Connection:  # noqa: ANN401 - sqlite3's
    named.setdefault("factory", ToldDatabase)
    connection: sqlite3.Connection = _OPEN(*arguments, **named)
    return connection


def tell_open_databases() -> None:
    """Have every database that is opened from now on tell it, if nobody closes it."""
    sqlite3.connect = _connected  # type: ignore[assignment] # it takes all that the other takes
