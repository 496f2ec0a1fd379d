"""The computer's side in these games: a weak player, whose plans are as good as any for hands to carry out."""

from __future__ import annotations

import random

from quarto_pi.referee import Ask, Plan


def plan_of(ask: Ask, draw: random.Random) -> Plan:
    """A legal plan, which wins or calls more often than not where it can."""
    position, rules = ask.position, ask.rules
    left = [piece for piece in position.board.pieces_left if piece != position.hand]
    give = draw.choice(left) if left else None
    if position.hand is None:
        return Plan(give=give)
    squares = list(position.board.empty_squares)
    winning = [
        square
        for square in squares
        if position.board.place(square, position.hand).alignments_through(square, rules.squares, rules.traits)
    ]
    if winning and draw.random() < 0.7:
        return Plan(draw.choice(winning), give, draw.random() < 0.8)
    return Plan(draw.choice(squares), give)
