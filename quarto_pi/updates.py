"""Updates that come over the page or by the hub: handed to the card's service, which has RAUC check and install them.

The board may not write into a system. It puts a file into a folder of its own, a service of the card takes it from
there, and tells in a file in memory what has become of it (`systemd/card/update.py`).
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from quarto_pi.files import sync_folder

OUTCOME_FOLDER: Final = Path("/run/quarto-pi-card")
"""A folder that only a card has."""
CARD_VERSION_FILE: Final = Path("/usr/share/quarto-pi/version")
OUTCOME_FILE: Final = "page-update"
UPDATE_FOLDER: Final = "update"
RECEIVED_UPDATE: Final = "received.raucb"
_UNFINISHED: Final = "unfinished.raucb"
_LONGEST_SENTENCE: Final = 500
_KEPT_FREE: Final = 67_108_864
"""Games and log go on being written while an update lies there."""


class UpdateStage(Enum):
    """What has become of the last update that came over the page."""

    NONE = "none"
    CHECKING = "checking"
    REFUSED = "refused"
    SAME = "same version"
    INSTALLED = "installed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CardUpdates:
    """Hands updates to the card, where there is one; `folder` is the one that the board keeps its games in."""

    folder: Path
    told_in: Path = OUTCOME_FOLDER
    version_file: Path = CARD_VERSION_FILE

    @property
    def is_card(self) -> bool:
        """Whether this board runs from a card that takes updates."""
        return self.told_in.is_dir()

    def version(self) -> str:
        """The version that runs from the card; empty where nobody knows."""
        with suppress(OSError, ValueError):
            return self.version_file.read_text(encoding="ascii").strip()
        return ""

    def room(self) -> int:
        """How many bytes an update may have."""
        seen = os.statvfs(self.folder)
        return max(0, seen.f_bavail * seen.f_frsize - _KEPT_FREE)

    def unfinished(self) -> Path:
        """The file that an update is written into until it is whole."""
        folder = self.folder / UPDATE_FOLDER
        folder.mkdir(exist_ok=True)
        return folder / _UNFINISHED

    def forget_unfinished(self) -> None:
        """Make room where the plug was pulled while an update was being sent."""
        with suppress(OSError):
            (self.folder / UPDATE_FOLDER / _UNFINISHED).unlink(missing_ok=True)

    def hand_over(self) -> None:
        """The unfinished file is whole: the card may take it."""
        self.hand_over_file(self.unfinished())

    def hand_over_file(self, whole: Path) -> None:
        """A file of the same folder is a whole update: the card may take it."""
        with whole.open("rb") as file:
            os.fsync(file.fileno())
        whole.rename(whole.with_name(RECEIVED_UPDATE))
        sync_folder(whole.parent)

    def is_sent_by_hand(self) -> bool:
        """Whether somebody hands in an update over the page just now."""
        return (self.folder / UPDATE_FOLDER / _UNFINISHED).exists()

    def progress(self) -> tuple[str, str]:
        """What has become of the last one, as a word, and a sentence where there is something to tell."""
        if (self.folder / UPDATE_FOLDER / RECEIVED_UPDATE).exists():
            return UpdateStage.CHECKING.value, ""
        try:
            text = (self.told_in / OUTCOME_FILE).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return UpdateStage.NONE.value, ""
        word, _, sentence = text.partition("\n")
        is_known = word in {stage.value for stage in UpdateStage}
        return word if is_known else UpdateStage.NONE.value, sentence.strip()[:_LONGEST_SENTENCE]
