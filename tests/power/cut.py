"""Starts from what a power cut has left: nothing that was acknowledged may be missing, and the file has to be sound."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from quarto_pi.journal.journal import games, wishes
from quarto_pi.journal.repair import open_checked
from quarto_pi.journal.writer import remember
from quarto_pi.referee import Settings, start
from tests.power.storage import Storage
from tests.power.tap import Act, Kind


@dataclass
class Promises:
    """What has been acknowledged by now, and what was about to be kept since."""

    records: dict[int, str] = field(default_factory=dict)
    language: str | None = None
    next_records: dict[int, str] = field(default_factory=dict)
    next_language: str | None = None

    def hear(self, text: str) -> None:
        """Hear what the program says."""
        verb, _, said = text.partition(" {")
        told = json.loads("{" + said)
        records = {int(number): record for number, record in told["records"].items()}
        if verb == "about to keep":
            self.next_records, self.next_language = records, told["language"]
            return
        self.records |= records
        self.language = told["language"] or self.language
        self.next_records, self.next_language = {}, None

    def may_be(self, records: dict[int, str]) -> bool:
        """Whether these are the games that were acknowledged, with or without what was about to be kept as a whole."""
        return records in (self.records, {**self.records, **self.next_records})


@dataclass
class Outcome:
    """What cuts have been survived."""

    acts: int = 0
    cuts: int = 0
    records: int = 0


def cut_everywhere(acts: Iterable[Act], folder: Path, rng: random.Random, share: float, ways: int) -> Outcome:
    """Cut the power after this share of all acts, in so many ways each."""
    storage, promises, outcome = Storage(), Promises(), Outcome()
    for act in acts:
        storage.do(act)
        if act.kind is Kind.MARK:
            promises.hear(act.data.decode())
        outcome.acts += 1
        if rng.random() >= share:
            continue
        for way in range(ways):
            place = folder / f"{outcome.cuts}-{way}"
            place.mkdir()
            for name, content in storage.after_cut(rng).items():
                (place / name).write_bytes(content)
            check(place, promises)
            outcome.records += len(promises.records)
            for file in place.iterdir():
                file.unlink()
            place.rmdir()
        outcome.cuts += 1
    return outcome


def check(folder: Path, promises: Promises) -> None:
    """Start from what is left in a folder."""
    file = Settings()
    connection, note = open_checked(folder)
    with closing(connection):
        # No cut damages the file: whatever it leaves is a state that once was.
        assert note is None, note
        kept = dict(connection.execute("SELECT number, record FROM games").fetchall())
        assert len(list(games(connection, unfinished=True))) == len(kept)
        assert promises.may_be(kept), f"{kept} instead of {promises.records}, and perhaps {promises.next_records}"
        language = wishes(connection, file).language
        assert language in {promises.language or file.language, promises.next_language or promises.language or "en"}
        remembered = remember(connection, file)
        state, _ = start(remembered.wishes, 7, before=remembered.before)
        assert state.number == max(kept, default=1)
