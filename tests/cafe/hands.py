"""Hands that play one game after the other by the rules, and let the loop look on."""

from __future__ import annotations

import random
from collections.abc import Iterator

from quarto_pi.controller.loop import Loop
from quarto_pi.referee import State
from quarto_pi.rules import Player
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES
from tests.cafe.wood import Wood

PATIENCE_ROUNDS = 60
A_LITTLE_ROUNDS = 8
MOST_IN_VAIN = 8
CALLS = 0.3
"""How often an alignment is seen."""


class Stuck(AssertionError):
    """The board does not follow what hands do."""


class Hands:
    """Two people who do the next thing that the rules allow.

    Those who `start_over` clear the board if the game is not as they left it; the others say so.
    """

    def __init__(self, wood: Wood, loop: Loop, draw: random.Random, *, start_over: bool = False) -> None:
        self._wood = wood
        self._start_over = start_over
        self._loop = loop
        self._draw = draw

    def begin(self) -> State:
        """Let the board look for the first time."""
        self._loop.turn()
        return self._state

    def play(self) -> Iterator[State]:
        """Play on, and show what the referee knows after everything that is done."""
        in_vain = 0
        self._settle()
        while in_vain < MOST_IN_VAIN:
            before = _moment_of(self._state)
            if in_vain and (self._start_over or self._state.game.board.count == len(SQUARE_NAMES)):
                # After the last piece there is nothing to do but to call, or to clear the board.
                self._wood.clear()
            else:
                self._act()
            self._settle()
            in_vain = in_vain + 1 if _moment_of(self._state) == before else 0
            yield self._state
        raise Stuck(f"{self._state.view}")

    @property
    def _state(self) -> State:
        assert self._loop.state is not None
        return self._loop.state

    def _settle(self) -> None:
        """Let the loop look until something has come of it, and a little longer."""
        before = _moment_of(self._state)
        for _ in range(PATIENCE_ROUNDS):
            self._loop.turn()
            if _moment_of(self._state) != before:
                break
        for _ in range(A_LITTLE_ROUNDS):
            self._loop.turn()

    def _act(self) -> None:
        game, wood = self._state.game, self._wood
        if game.over:
            wood.clear()
        elif any(game.open_for(player) for player in Player) and self._draw.random() < CALLS:
            wood.press()
        elif game.hand is not None:
            wood.put(game.hand, self._draw.choice(game.board.empty_squares).name)
        elif game.board.pieces_left:
            wood.put(self._draw.choice(game.board.pieces_left), OFFER)


def _moment_of(state: State) -> tuple[object, ...]:
    """What changes whenever something has been settled."""
    return (state.number, state.game.turns, state.game.hand, state.game.over)
