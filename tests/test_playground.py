"""A simulated board that was stopped stands as it stood, and hands find its pieces."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.config import Config
from quarto_pi.wiring.platform import simulated_hardware

# The stand-ins for the Pi's packages have to be in place before the drivers are imported.
simulated_hardware()

from quarto_pi.wiring.playground import Playground  # noqa: E402


def live(board: Playground, milliseconds: int) -> None:
    until = board.board.clock.ns + milliseconds * 1_000_000
    board.run(lambda: board.board.clock.ns < until)


@pytest.mark.slow
def test_pieces_of_a_board_that_goes_on_can_be_taken_up(tmp_path: Path) -> None:
    with ExitStack() as stack:
        board = Playground(Config(), stack, paced=False, keep=tmp_path)
        board.workshop.put(0, "offer")
        live(board, 3_000)
        board.workshop.put(0, "b2")
        live(board, 3_000)
        assert board.workshop.standing == {0: "b2"}
    with ExitStack() as stack:
        board = Playground(Config(), stack, paced=False, keep=tmp_path)
        live(board, 4_000)
        board.workshop.clear()
        live(board, 3_000)
        assert board.workshop.standing == {}
