"""A board on a chain that plays until it is killed: `python -m tests.chain.playing FOLDER PORT BOARD`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.chain.test_board_on_chain import PlayedBoard


def main(arguments: list[str]) -> None:
    board = PlayedBoard(Path(arguments[0]), int(arguments[1]), arguments[2])
    while True:
        board.play()


if __name__ == "__main__":
    main(sys.argv[1:])
