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
from quarto_pi.journal.settled import history_of, newest_action
from quarto_pi.journal.writer import remember
from quarto_pi.referee import Settings, start
from tests.power.storage import Storage
from tests.power.tap import Act, Kind

Queued = dict[tuple[str, int, int], str]
"""Settled actions by history, game and number."""


@dataclass
class Promises:
    """What has been acknowledged by now, and what was about to be kept since."""

    records: dict[int, str] = field(default_factory=dict)
    language: str | None = None
    next_records: dict[int, str] = field(default_factory=dict)
    next_language: str | None = None
    sent: Queued = field(default_factory=dict)
    taken: dict[int, int] = field(default_factory=dict)

    def hear(self, text: str) -> None:
        """Hear what the program says."""
        verb, _, said = text.partition(" {")
        told = json.loads("{" + said)
        if verb == "sent":
            for game, number, event in told["rows"]:
                assert self.sent.setdefault((told["history"], game, number), event) == event, "a number for two bodies"
            return
        if verb == "taken":
            self.taken[told["game"]] = max(told["number"], self.taken.get(told["game"], 0))
            return
        records = {int(number): record for number, record in told["records"].items()}
        if verb == "about to keep":
            self.next_records, self.next_language = records, told["language"]
            return
        self.records |= records
        self.language = told["language"] or self.language
        self.next_records, self.next_language = {}, None

    def check_queue(self, history: str | None, queued: Queued, newest: tuple[int, int]) -> None:
        """What was sent is there with the same body until the hub has it, and no number is missing or used again."""
        for key, event in self.sent.items():
            assert key[0] == history, "a history that was sent is not the journal's"
            assert queued.get(key, event) == event, f"{key} has another body"
            assert key in queued or key[2] <= self.taken.get(key[1], 0), f"{key} is lost"
            assert newest >= key[1:], f"the number {key} would be used again"
        for game in {game for _, game, _ in queued}:
            numbers = sorted(number for _, each, number in queued if each == game)
            assert numbers == list(range(numbers[0], numbers[-1] + 1)), f"game {game} has {numbers}"
            assert numbers[0] <= self.taken.get(game, 0) + 1, f"game {game} has {numbers}"

    def may_be(self, records: dict[int, str]) -> bool:
        """Whether these are the games that were acknowledged, with or without what was about to be kept as a whole."""
        return records in (self.records, {**self.records, **self.next_records})


@dataclass
class Outcome:
    """What cuts have been survived."""

    acts: int = 0
    cuts: int = 0
    records: int = 0
    sent: int = 0


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
            outcome.sent += len(promises.sent)
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
        rows = connection.execute("SELECT history, game, number, told FROM settled").fetchall()
        newest = newest_action(connection)
        queued = {(history, game, number): told for history, game, number, told in rows}
        promises.check_queue(history_of(connection), queued, (newest.game, newest.number))
        remembered = remember(connection, file)
        state, _ = start(remembered.wishes, 7, before=remembered.before)
        assert state.number == max(kept, default=1)
