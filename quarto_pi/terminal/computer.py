"""The computer at the terminal's table: its opponent's moves, one action at a time."""

from __future__ import annotations

from quarto_pi.engine.budget import Budget
from quarto_pi.engine.move import Move
from quarto_pi.engine.opponent import Leisure, Opponent
from quarto_pi.rules import Action, Call, Game, Give, Phase, Place, Player

LEISURE_NODES = 300_000
"""What may be spent on choosing among equal moves; a part of a second where the search is compiled."""


class ComputerPlayer:
    """One side of a game, played by an opponent."""

    def __init__(self, player: Player, opponent: Opponent) -> None:
        self.player = player
        self._opponent = opponent
        # A move is a placement and what follows it: the rest is kept until its turn has come.
        self._rest: Move | None = None

    def next_action(self, game: Game) -> Action | None:
        """The computer's next action; None where it is not its turn."""
        if game.phase is Phase.FINAL_CALL:
            return self._last_word(game)
        if game.over or game.to_act is not self.player:
            return None
        if game.phase is Phase.PLACE:
            return self._place(game)
        rest, self._rest = self._rest, None
        if rest is None or rest.give not in (None, *game.available):
            # The first give, or a turn that an undo has given back.
            rest = self._choose(game)
        return Call(self.player) if rest.call else _give(rest)

    def _place(self, game: Game) -> Action | None:
        if game.open and self._opponent.calls(game.position, game.open):
            return Call(self.player)
        move = self._choose(game)
        self._rest = Move(None, move.give, move.call)
        return None if move.square is None else Place(move.square)

    def _last_word(self, game: Game) -> Action | None:
        """After the sixteenth piece: its own call, or the one that the other player has not made yet."""
        rest, self._rest = self._rest, None
        if game.maker is self.player and rest is not None and rest.call:
            return Call(self.player)
        return None

    def calls_at_last(self, game: Game) -> bool:
        """Whether the computer calls once the other player has let the last chance go by (D3)."""
        return game.maker is not self.player and bool(game.open) and self._opponent.calls(game.position, game.open)

    def _choose(self, game: Game) -> Move:
        return self._opponent.choose(game.position, Budget(), Leisure(Budget(nodes=LEISURE_NODES)))


def _give(move: Move) -> Action | None:
    return None if move.give is None else Give(move.give)
