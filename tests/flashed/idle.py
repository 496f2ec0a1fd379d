"""How much is written to a card while nobody plays, and by an evening of games."""

from __future__ import annotations

import re
from typing import Final

from card.partitions import SECTOR

from tests.flashed.emulator import Machine
from tests.flashed.trials import HEALTHY_SECONDS, Trials, put_file, wait_until_judged
from tests.rules.script import FULL

SETTLING_SECONDS: Final = 180
"""What a start still has to write is written by then."""
NIGHT_HOURS: Final = 10
GAMES: Final = 20
"""Of an evening."""
_WRITTEN: Final = 6
"""The column of sectors that were written, in what Linux says of a partition."""
_PARTITIONS: Final = (1, 2, 3, 5, 6, 7)
_DATA: Final = 7
_EVENING: Final = f"""\
import time
from contextlib import ExitStack
from pathlib import Path
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import PIECES, SQUARES, Game, Give, Place, Player, apply
folder = Path("/data/evening")
folder.mkdir()
actions = 0
with ExitStack() as stack:
    writer = open_journal(folder, Settings(), stack).writer
    for number in range(1, {GAMES} + 1):
        game = Game()
        writer.keep((Begin(0, number, Player.A, Settings()),))
        for word in "{FULL}".split():
            square = "abcd".find(word[0]) + 4 * "1234".find(word[-1])
            game = apply(game, Give(PIECES[int(word, 16)]) if len(word) == 1 else Place(SQUARES[square]))
            ticket = writer.keep((*(Tell(0, event) for event in game.news), Save(0, game)))
            while ticket is not None and not writer.is_safe(ticket):
                time.sleep(0.02)
            actions += 1
print("safe actions", actions)
"""
"""The games are kept as the board keeps its own, in a folder beside them: without readers nobody can play them."""


def nobody_plays(trials: Trials) -> None:
    """A board that is on and that nobody touches writes to the partition of the games alone; how much is told."""
    machine = trials.on()
    wait_until_judged(machine)
    machine.run(f"sleep {SETTLING_SECONDS}; sync; touch /run/began", HEALTHY_SECONDS)
    before = _written(machine)
    machine.run(f"sleep {trials.idle_minutes * 60}; sync", HEALTHY_SECONDS)
    kilobytes = _to_games_alone(machine, before)
    files = machine.run("find /data -xdev -type f -newer /run/began -printf '%p %s, '")
    a_night = kilobytes * NIGHT_HOURS * 60 / trials.idle_minutes / 1000
    trials.figures[f"kB written in {trials.idle_minutes} minutes of nothing"] = f"{kilobytes:.0f}"
    trials.figures[f"MB in a night of {NIGHT_HOURS} hours, if it goes on like that"] = f"{a_night:.1f}"
    trials.figures["files that were written to meanwhile, with their sizes"] = files


def an_evening_is_played(trials: Trials) -> None:
    """Twenty whole games, each action safe before the next, are written to the partition of the games alone."""
    machine = trials.on()
    wait_until_judged(machine)
    put_file(machine, "/run/evening", _EVENING)
    # An earlier run may have been ended in the middle of it.
    machine.run("rm -rf /data/evening; sync")
    before = _written(machine)
    told = machine.run("cd / && /opt/quarto-pi/current/venv/bin/python /run/evening; sync", HEALTHY_SECONDS)
    assert re.search(rf"safe actions {GAMES * len(FULL.split())}\b", told), told
    kilobytes = _to_games_alone(machine, before)
    trials.figures[f"kB written by an evening of {GAMES} games"] = f"{kilobytes:.0f}"
    machine.run("rm -r /data/evening; sync")


def _to_games_alone(machine: Machine, before: dict[int, int]) -> float:
    """Kilobytes that were written since, all of them to the partition of the games."""
    written = {number: count - before[number] for number, count in _written(machine).items()}
    assert not any(count for number, count in written.items() if number != _DATA), written
    return written[_DATA] / 1000


def _written(machine: Machine) -> dict[int, int]:
    """Bytes that were written into each partition since the start."""
    shown = machine.run("".join(f"cat /sys/block/mmcblk0/mmcblk0p{number}/stat;" for number in _PARTITIONS))
    return {
        number: int(line.split()[_WRITTEN]) * SECTOR
        for number, line in zip(_PARTITIONS, shown.splitlines(), strict=True)
    }
