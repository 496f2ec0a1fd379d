"""A start that finds a damaged journal, as a program with the tap below it: `python -m tests.power.repair FOLDER`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.referee import Begin, Save, Settings
from quarto_pi.rules import Game, Player
from tests.rules.script import play

GAMES = 60
WON, BEGUN = play("0 a1 1 b1 2 c1 3 d1 call0"), play("0 a1 1")


def prepare(folder: Path) -> bytes:
    """A journal with games, a backup of it, and a page in its middle that a worn-out card has lost."""
    for games in (range(1, GAMES), range(GAMES, GAMES + 1)):
        with ExitStack() as stack:
            journal = open_journal(folder, Settings(), stack, at_once=True)
            for number in games:
                _keep(journal, number, WON)
    with ExitStack() as stack:
        _keep(open_journal(folder, Settings(), stack, at_once=True), GAMES + 1, BEGUN)
    with (folder / JOURNAL_FILE).open("r+b") as stream:
        stream.seek(4096 * 5)
        stream.write(bytes(4096))
    return (folder / JOURNAL_FILE).read_bytes()


def keep_games(folder: Path, count: int) -> None:
    """A journal in which so many games have been won."""
    with ExitStack() as stack:
        journal = open_journal(folder, Settings(), stack, at_once=True)
        for number in range(1, count + 1):
            _keep(journal, number, WON)


def _keep(journal: OpenJournal, number: int, game: Game) -> None:
    journal.writer.keep((Begin(0, number, Player.A, Settings()), Save(0, game)))


if __name__ == "__main__":
    with ExitStack() as whole:
        open_journal(Path(sys.argv[1]), Settings(), whole, at_once=True)
