"""`make demonstrations`: lets the computer play the games that a board shows while nobody plays at it.

They are real games between its levels, kept as records: a board that shows one has nothing to think about, and shows
the same whatever machine it is. Of all games those are taken that are won by a call, and neither short nor long.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Final

from quarto_pi.engine.match import LevelContestant, play_game
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Options, Player, Reason, Record
from quarto_pi.screens.attract import DEMONSTRATIONS_FILE

LEVELS: Final = ((7, 5), (4, 8), (6, 6), (9, 7))
"""Who plays: not so well that every game is a draw."""
PLACED: Final = range(8, 13)


def games_of(first: int, second: int) -> Iterator[Record]:
    """Games between two levels that are worth being shown."""
    solver = Solver(Options(), table_mb=16)
    contestants = (LevelContestant(first, solver), LevelContestant(second, solver))
    for seed in count(1):
        game = play_game(contestants, Options(), Player(seed % 2), seed).game
        if game.result and game.result.reason is Reason.CALL and game.board.count in PLACED:
            yield Record(game, {"A": f"{first}", "B": f"{second}"})


def demonstrations() -> str:
    """The text of the file: one game of each pair."""
    return "\n".join(str(record) for levels in LEVELS for record in islice(games_of(*levels), 1))


def main(file: Path = DEMONSTRATIONS_FILE) -> None:
    """Write the file."""
    file.write_text(demonstrations(), encoding="utf-8")
    print(f"{len(LEVELS)} games in {file}")


if __name__ == "__main__":
    main()
