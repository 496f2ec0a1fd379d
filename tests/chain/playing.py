"""A board on a chain that plays until it is killed: `python -m tests.chain.playing FOLDER PORT BOARD`."""

from __future__ import annotations

import sys
from pathlib import Path

from quarto_pi.chain import link
from tests.chain.haste import PATIENCE_OF_BOARD
from tests.chain.test_board_on_chain import PlayedBoard


def main() -> None:
    for module, name, seconds in (*PATIENCE_OF_BOARD, (link, "WILL_DELAY_SECONDS", 1)):
        setattr(module, name, seconds)
    folder, port, name = sys.argv[1:]
    board = PlayedBoard(Path(folder), int(port), name)
    while True:
        board.play()


if __name__ == "__main__":
    main()
