"""The journal: how long people wait for what was settled to be safe, what a game writes, and how long a start takes."""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.journal.journal import write
from quarto_pi.journal.records import GameRecorder
from quarto_pi.journal.repair import open_checked
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import Game, Player, apply
from tests.bench.measure import table
from tests.rules.script import FULL, action, play

GAMES = 20
MANY = 100_000


def run() -> None:
    """Measure it."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        journal = open_journal(folder, Settings(), stack)
        before = _written()
        waits = [wait for number in range(1, GAMES + 1) for wait in _play(journal, number)]
        per_game = (_written() - before) / GAMES
        rows = [
            ["until an action is safe, median", f"{statistics.median(waits) * 1000:.1f} ms"],
            ["the longest of them", f"{max(waits) * 1000:.1f} ms"],
            [f"written for a game of {len(waits) // GAMES} actions", f"{per_game / 1000:.0f} kB"],
        ]
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        size = _fill(Path(name))
        begun = time.perf_counter()
        journal = open_journal(Path(name), Settings(), stack)
        rows.append([f"a start with {MANY} games ({size / 1e6:.0f} MB)", f"{time.perf_counter() - begun:.2f} s"])
        longest = max(_play(journal, MANY + 1))
        rows.append(["the longest wait for an action while they are backed up", f"{longest * 1000:.0f} ms"])
    table("The journal, on this machine's disk", ("what", ""), rows)


def _play(journal: OpenJournal, number: int) -> list[float]:
    """A whole game; how long each action took to be safe."""
    waits = []
    game = Game()
    journal.writer.keep((Begin(0, number, Player.A, Settings()),))
    for word in FULL.split():
        game = apply(game, action(word))
        told = [Tell(0, event) for event in game.news]  # type: ignore[arg-type]
        begun = time.perf_counter()
        ticket = journal.writer.keep((*told, Save(0, game)))
        while ticket is not None and not journal.writer.is_safe(ticket):
            time.sleep(0.0001)
        waits.append(time.perf_counter() - begun)
    return waits


def _fill(folder: Path) -> int:
    """A journal with very many games."""
    connection, _ = open_checked(folder)
    won, game_recorder = play("0 a1 1 b1 2 c1 3 d1 call0"), GameRecorder(Settings(), time.time)
    for start in range(1, MANY, 1000):
        batch = [
            game_recorder.entry_of((Begin(0, number, Player.A, Settings()), Save(0, won)))
            for number in range(start, start + 1000)
        ]
        write(connection, [entry for entry in batch if entry is not None])
    connection.close()
    return sum(file.stat().st_size for file in folder.iterdir())


def _written() -> int:
    """Bytes that this process has sent to the storage (proc(5), /proc/PID/io)."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("write_bytes")))
