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
