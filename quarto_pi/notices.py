"""What other services have the board say: a file for each, in memory until the machine is switched off.

A file is named by the word of an `Impairment`, with dashes, and holds one sentence for the log and `quarto-pi check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from quarto_pi.files import put_whole
from quarto_pi.referee.messages import Impairment

NOTICES_FOLDER: Final = Path("/run/quarto-pi-notices")
TOLD_BY_OTHERS: Final = (Impairment.WENT_BACK, Impairment.SETTINGS_FILE)
"""What can be told so, the most serious first."""
LONGEST_NOTICE: Final = 500


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
