"""A piece that is laid on the give place while the board is being cleared is the first of the next game (D16)."""

from __future__ import annotations

import random

import pytest

from quarto_pi.referee import Effect, Seen, Settings, State, Tell, fold, start
from quarto_pi.referee.resuming import Before, Interrupted
from quarto_pi.rules import PIECES, Call, Game, Give, Given, Options, Piece, Place, apply, parse_square
from quarto_pi.sensing import events as sensed
from quarto_pi.sensing.readings import OFFER

SWEEP_MS = 100
ROW = (PIECES[0], PIECES[1], PIECES[2], PIECES[4])
NEXT = PIECES[8]
CELLS = ("a1", "b1", "c1", "d1")


def aligned() -> Game:
    """A game with its first four pieces on the first row, not called yet."""
    game = Game(Options())
    for piece, cell in zip(ROW, CELLS, strict=True):
        for action in (Give(piece), Place(parse_square(cell))):
            game = apply(game, action, game.now + 1_000)
    return game


def won_game() -> Game:
    """The same, won by a call."""
    game = aligned()
    maker = game.maker
    assert maker is not None
    return apply(game, Call(maker), game.now + 100)


def gives_told(state: State, events: list[sensed.BoardEvent], end: int) -> list[tuple[int, Piece]]:
    """What is told as given while sweeps bring these events, each at its moment."""
    told: list[tuple[int, Piece]] = []
    for at in range(SWEEP_MS, end, SWEEP_MS):
        now = tuple(event for event in events if at - SWEEP_MS < event.at <= at)
        state, effects = fold(state, Seen(at, now, ()))
        told += [(at, piece) for piece in gives_in(effects)]
    return told


def gives_in(effects: tuple[Effect, ...]) -> list[Piece]:
    """The pieces that are told as given."""
    reports = [effect.report for effect in effects if isinstance(effect, Tell)]
    return [report.piece for report in reports if isinstance(report, Given)]


def after_the_game(standing: tuple[Piece, ...]) -> tuple[State, list[sensed.BoardEvent]]:
    """A board that goes on after a stop with a game that is over, and the pieces that it finds."""
    last = Interrupted(won_game(), Settings())
    state, _ = start(Settings(), before=Before(number=1, last=last))
    found = [sensed.Found(CELLS[ROW.index(piece)], piece, 100) for piece in standing]
    return state, [*found]


@pytest.mark.parametrize("delay", range(0, 3_100, 100))
def test_piece_laid_down_while_the_board_is_cleared_is_given_as_soon_as_that_is_certain(delay: int) -> None:
    draw = random.Random(delay)
    state, events = after_the_game(ROW)
    cleared, missed_for = 10_000, draw.randint(300, 1_200)
    for piece, cell in zip(ROW, CELLS, strict=True):
        since = cleared - draw.randint(0, 2_000)
        events.append(sensed.PieceLifted(cell, piece, since + missed_for, since))
    laid = cleared + delay
    events.append(sensed.PiecePlaced(OFFER, NEXT, laid + 300, laid))
    told = gives_told(state, events, 25_000)
    assert [piece for _, piece in told] == [NEXT]
    assert told[0][0] <= max(laid, cleared + missed_for) + 1_500


@pytest.mark.parametrize("delay", range(0, 3_100, 300))
def test_piece_laid_down_soon_after_a_start_on_a_cleared_board_is_given(delay: int) -> None:
    state, events = after_the_game(())
    since = SWEEP_MS + delay
    events.append(
        sensed.Found(OFFER, NEXT, since) if not delay else sensed.PiecePlaced(OFFER, NEXT, since + 300, since)
    )
    assert [piece for _, piece in gives_told(state, events, 20_000)] == [NEXT]


def test_piece_given_in_the_game_that_was_won_is_not_the_first_of_the_next_one() -> None:
    given = PIECES[9]
    game = aligned()
    game = apply(game, Give(given), game.now + 1_000)
    game = apply(game, Call(game.receiver), game.now + 100)
    assert game.over
    state, _ = start(Settings(), before=Before(number=1, last=Interrupted(game, Settings())))
    events: list[sensed.BoardEvent] = [sensed.Found(OFFER, given, 100)]
    assert gives_told(state, events, 20_000) == []
