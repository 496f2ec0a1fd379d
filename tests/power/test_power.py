"""Power cuts after any change to the journal's files: what was acknowledged is there, and the file is sound."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from quarto_pi.journal import backups
from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.repair import open_checked
from quarto_pi.journal.restore import copy_games, put_back
from tests.power.__main__ import live_and_cut
from tests.power.repair import GAMES, keep_games, prepare
from tests.power.storage import Storage
from tests.power.tap import compile_tap, read_log, tapped

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in (1, 2))])
def test_nothing_acknowledged_is_lost_whenever_the_power_is_cut(seed: int) -> None:
    outcome = live_and_cut(seed, share=0.1, ways=2, turns=40)
    assert outcome.cuts > 20
    assert outcome.records > 50
    assert outcome.sent > 200


def test_cuts_find_what_a_storage_loses_that_is_not_asked_to_sync() -> None:
    with pytest.raises(AssertionError):
        live_and_cut(0, share=0.3, ways=2, turns=40, synchronous="NORMAL")


def test_damaged_journal_is_repaired_whenever_the_power_is_cut_meanwhile(tmp_path: Path) -> None:
    folder, log, place = tmp_path / "kept", tmp_path / "log", tmp_path / "cut"
    for each in (folder, place):
        each.mkdir()
    log.touch()
    damaged = prepare(folder)
    storage, rng = Storage(folder), random.Random(1)
    tapped(compile_tap(tmp_path), folder, log, "tests.power.repair")
    cuts = 0
    for act in read_log(log):
        storage.do(act)
        for _ in range(2):
            for name, content in storage.after_cut(rng).items():
                (place / name).write_bytes(content)
            connection, _note = open_checked(place)
            kept = [row[0] for row in connection.execute("SELECT number FROM games")]
            connection.close()
            # The backup has the finished games, and of the damaged file the running one can still be read.
            assert kept == list(range(1, GAMES + 2)), f"after {cuts} acts"
            # What was damaged is there still, under whatever name.
            assert damaged in [file.read_bytes() for file in place.iterdir()]
            for file in place.iterdir():
                file.unlink()
        cuts += 1
    assert cuts > 10


def test_games_are_put_back_and_those_before_kept_whenever_the_power_is_cut_meanwhile(tmp_path: Path) -> None:
    folder, other, log, place = (tmp_path / name for name in ("kept", "other", "log", "cut"))
    for each in (folder, other, place):
        each.mkdir()
    log.touch()
    for games, where in ((5, folder), (2, other)):
        keep_games(where, games)
    put_back(folder, copy_games(other, tmp_path / "copy.sqlite"))
    for backup in backups.all_in(folder):
        # Nothing but the journal itself has its games.
        backup.unlink()
    storage, rng, cuts = Storage(folder), random.Random(1), 0
    tapped(compile_tap(tmp_path), folder, log, "tests.power.repair")
    for act in read_log(log):
        storage.do(act)
        for _ in range(2):
            for name, content in storage.after_cut(rng).items():
                (place / name).write_bytes(content)
            open_checked(place)[0].close()
            assert backups.games_in(place / JOURNAL_FILE) == 2, f"after {cuts} acts"
            assert 5 in [backups.games_in(file) for file in place.glob("replaced-*.sqlite")], f"after {cuts} acts"
            for file in place.iterdir():
                file.unlink()
        cuts += 1
    assert cuts > 3
