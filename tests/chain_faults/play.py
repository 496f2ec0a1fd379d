"""Games as the referee has them kept, without a table: for more boards than there is time for hands."""

from __future__ import annotations

import random
from collections.abc import Iterator

from quarto_pi.referee import Begin, Effect, Save, Settings, Tell
from quarto_pi.referee.effects import GameFinished
from quarto_pi.rules import Call, Clear, Ended, Game, Give, Latched, Place, Player, apply

CALLED = 0.5
"""The share of alignments that somebody sees."""


def game_effects(number: int, draw: random.Random) -> Iterator[tuple[Effect, ...]]:
    """One game by people who play at random: what the referee wants of each settled action, one after the other."""
    game, starter = Game(starter=draw.choice(tuple(Player))), True
    while not game.over:
        before = game
        if game.hand is not None:
            game = apply(game, Place(draw.choice(game.board.empty_squares), game.hand))
        elif game.maker is not None and game.open_for(game.maker) and draw.random() < CALLED:
            game = apply(game, Call(game.maker))
        elif game.board.pieces_left:
            game = apply(game, Give(draw.choice(game.board.pieces_left)))
        else:
            game = apply(game, Clear())
        assert game != before
        begin = (Begin(0, number, game.starter, Settings()),) if starter else ()
        starter = False
        yield (*begin, *_told(game), Save(0, game))


def _told(game: Game) -> Iterator[Effect]:
    for news in game.news:
        if not isinstance(news, Ended | Latched):
            yield Tell(0, news)  # type: ignore[arg-type] # what a plain game has for news is told
    if game.result is not None:
        yield Tell(0, GameFinished(game.result, game.position))
