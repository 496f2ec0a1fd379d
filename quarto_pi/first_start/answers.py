"""What a phone has answered at the first start: kept until the next start takes it over into the configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from quarto_pi.files import put_whole
from quarto_pi.first_start.owner_settings import OWNER_SETTINGS, find_owner_setting

ANSWERS_FILE: Final = "first-start-answers.json"
"""Its name in the folder of the board's state."""


def checked_answers(answers: Mapping[str, str]) -> dict[str, str]:
    """Answers by the names of the owner's settings, each right; raises `Mistaken` for the first that is not."""
    return {
        row.name: find_owner_setting(row.name).value(answers[row.name])
        for row in OWNER_SETTINGS
        if answers.get(row.name)
    }


def keep_answers(folder: Path, answers: Mapping[str, str]) -> None:
    """Keep answers for the next start; nobody but the board and root reads the PIN among them."""
    folder.mkdir(parents=True, exist_ok=True)
    put_whole(folder / ANSWERS_FILE, (json.dumps(answers, ensure_ascii=False) + "\n").encode(), 0o640)


def forget_answers(folder: Path) -> None:
    """Remove answers that have been taken over."""
    (folder / ANSWERS_FILE).unlink(missing_ok=True)
