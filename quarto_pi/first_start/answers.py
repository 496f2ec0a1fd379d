"""What a phone has answered at the first start: kept until the next start takes it over into the configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from quarto_pi.files import put_whole
from quarto_pi.first_start.owner_settings import OWNER_SETTINGS, find_owner_setting
from quarto_pi.first_start.set_up import SetUpAnswers

ANSWERS_FILE: Final = "first-start-answers.json"
TRIED_FILE: Final = "first-start-answers.tried"
"""Their names in the folder of the board's state: answers that have worked, and such as are being tried."""
NETWORK_EXPECTED: Final = "network expected"
"""Stands among the answers of who has named a Wi-Fi."""


def checked_answers(answers: Mapping[str, str]) -> dict[str, str]:
    """Answers by the names of the owner's settings, each right; raises `Mistaken` for the first that is not."""
    return {
        row.name: find_owner_setting(row.name).value(answers[row.name])
        for row in OWNER_SETTINGS
        if answers.get(row.name)
    }


def keep_answers(folder: Path, answers: Mapping[str, str], name: str = ANSWERS_FILE) -> None:
    """Keep answers for the next start; nobody but the board and root reads the PIN among them."""
    folder.mkdir(parents=True, exist_ok=True)
    put_whole(folder / name, (json.dumps(answers, ensure_ascii=False) + "\n").encode(), 0o640)


class AnswersInFolder:
    """Where the answers of a set-up by phone are kept; a board that is cut off while it joins a Wi-Fi loses none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep_tried(self, answers: SetUpAnswers) -> None:
        """Keep answers that are only about to be tried."""
        keep_answers(self._folder, _as_values(answers), TRIED_FILE)

    def keep(self, answers: SetUpAnswers) -> None:
        """Keep answers that have worked."""
        keep_answers(self._folder, _as_values(answers))
        self.forget_tried()

    def forget_tried(self) -> None:
        """Remove answers that have not; where that cannot be done they count only with a network."""
        with suppress(OSError):
            (self._folder / TRIED_FILE).unlink(missing_ok=True)

    def believe_tried(self, *, has_network: bool) -> bool:
        """Let answers count that were being tried when the plug was pulled, if there is a network; whether they do."""
        if not (self._folder / TRIED_FILE).exists():
            return False
        if not has_network:
            self.forget_tried()
            return False
        (self._folder / TRIED_FILE).replace(self._folder / ANSWERS_FILE)
        return True

    def forget(self) -> None:
        """Remove answers that have been taken over; one that can't be removed is taken over once all the same."""
        with suppress(OSError):
            (self._folder / ANSWERS_FILE).unlink(missing_ok=True)


def _as_values(answers: SetUpAnswers) -> dict[str, str]:
    expected = {} if answers.wifi is None else {NETWORK_EXPECTED: "yes"}
    return {**answers.settings, **expected}
