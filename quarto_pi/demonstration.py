"""Simulated hands that follow the guide at a simulated table, so that enrolling can be tried without a board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from quarto_pi.enrolment import Effect, Gesture, ShowGuide
from quarto_pi.enrolment.messages import AllKnown, CheckReaders, NotStored, PutPiece, ReplacePiece
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import SQUARES
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.board import UIDS, SimulatedBoard
from quarto_pi.simulation.table import Hands

NEW_UIDS: Final = tuple(f"04EE1F2A{number:02X}9C80" for number in range(256))
"""The tags of pieces that come for lost ones."""
LOST: Final = PIECES[15]
BETWEEN_MS: Final = 400.0


class DemonstratingHands:
    """Puts down what is asked for, says yes where a piece is to be replaced, and leaves where nothing can be done."""

    def __init__(self, board: SimulatedBoard, known: TagTable, answer: Callable[[Gesture], None]) -> None:
        self._board = board
        self._known = known
        self._answer = answer
        self._new = next(uid for uid in NEW_UIDS if known.piece_of(uid) is None)
        self._placed = 0
        self._set_up = False

    def perform(self, effect: Effect) -> None:
        """Do what the newest question asks for."""
        if not isinstance(effect, ShowGuide):
            return
        match effect.view.prompt:
            case PutPiece(piece=piece, count=count):
                self._put(self._new if count == 1 else UIDS[piece.number])
            case AllKnown(seen=0) if not self._set_up:
                self._set_up = True
                for each in PIECES:
                    if each != LOST:
                        self._put(self._known.uids_of(each)[0])
            case AllKnown(seen=15):
                self._put(self._new)
            case ReplacePiece():
                self._answer(Gesture.HOLD)
            case CheckReaders(failing=(_, *_)) | NotStored():
                self._answer(Gesture.PRESS)
            case _:
                pass

    def tick(self, now: int) -> None:
        """Nothing: what hands do is planned on the board's clock."""

    def _put(self, uid: str) -> None:
        if uid in self._board.table.resting or self._placed >= len(SQUARES):
            return
        now = self._board.clock.ns / 1_000_000
        Hands(self._board.clock, self._board.table).put(uid, SQUARES[self._placed], now + BETWEEN_MS)
        self._placed += 1
