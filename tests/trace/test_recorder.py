"""A recording that cannot go on: it is told once, and nobody waits for that."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from threading import Thread, current_thread

from quarto_pi.referee import Begin, Settings
from quarto_pi.rules import Player
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.recorder import Recorder

TAGS = TagTable.from_codes({"04A1B2C3": "LTRF"})
FULL = Path("/dev/full")


def begin(player: Player) -> Begin:
    return Begin(0, 1, player, Settings())


def test_disk_that_fills_later_is_told_once_with_the_file_that_it_cut_off(tmp_path: Path) -> None:
    file, second, said = tmp_path / "evening.trace", tmp_path / "evening-2.trace", list[str]()
    second.symlink_to(FULL)
    with Recorder(file, TAGS, said.append) as recorder:
        recorder.begin(begin(Player.A))
        recorder.sweep(Sweep(100))
        recorder.begin(begin(Player.B))
        recorder.sweep(Sweep(200))
        recorder.begin(begin(Player.A))
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2
    why = f"{second} cannot be written ({os.strerror(errno.ENOSPC)})."
    assert said == [f"nothing more is recorded, but the game goes on: {why}"]
    assert not (tmp_path / "evening-3.trace").exists()


def test_it_is_told_in_another_thread_than_that_of_the_game() -> None:
    told_by: list[Thread] = []
    with Recorder(FULL, TAGS, lambda _: told_by.append(current_thread())) as recorder:
        recorder.begin(begin(Player.A))
    assert len(told_by) == 1
    assert current_thread() not in told_by


def test_older_recording_is_kept_and_the_new_one_gets_the_next_free_number(tmp_path: Path) -> None:
    file, said = tmp_path / "evening.trace", list[str]()
    file.write_text("yesterday\n")
    file.with_name("evening-2.trace").write_text("the day before\n")
    with Recorder(file, TAGS, said.append) as recorder:
        recorder.begin(begin(Player.A))
        recorder.sweep(Sweep(100))
        recorder.begin(begin(Player.B))
    new = tmp_path / "evening-3.trace"
    assert file.read_text() == "yesterday\n"
    assert file.with_name("evening-2.trace").read_text() == "the day before\n"
    assert [new.read_text().count("\n"), (tmp_path / "evening-4.trace").read_text().count("\n")] == [2, 2]
    assert said == [f"{file} is kept as it was: what the sensors see is recorded in {new}."]


def test_every_evening_of_a_service_keeps_its_own_file(tmp_path: Path) -> None:
    for at in (100, 200, 300):
        with Recorder(tmp_path / "evening.trace", TAGS, lambda _: None) as recorder:
            recorder.begin(begin(Player.A))
            recorder.sweep(Sweep(at))
    kept = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert kept.keys() == {"evening.trace", "evening-2.trace", "evening-3.trace"}
    assert '"t":200' in kept["evening-2.trace"]


def test_empty_file_is_written_into(tmp_path: Path) -> None:
    file, said = tmp_path / "evening.trace", list[str]()
    file.touch()
    with Recorder(file, TAGS, said.append) as recorder:
        recorder.begin(begin(Player.A))
    assert file.read_text()
    assert said == []
    assert list(tmp_path.iterdir()) == [file]
