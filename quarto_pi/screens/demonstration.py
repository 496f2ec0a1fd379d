"""Games of the computer against itself, move by move: what a display shows of the game while nobody plays.

They were played beforehand (`make demonstrations`) and are kept as records. So a board that invites people has nothing
to think about, and nothing of it depends on how fast it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from quarto_pi.referee.view import Mark
from quarto_pi.rules import Board, Game, Piece, Player, Record, parse_record
from quarto_pi.screens.boards import Table
from quarto_pi.screens.layout import BAR, GAP, Drawn, Filled, Item, Page, Size, alone, width_of
from quarto_pi.screens.scene import Standing
from quarto_pi.screens.typefaces import BOLD, HEADLINES, LARGE, NARROW, PLAIN, TINY
from quarto_pi.words import Words

FILE: Final = Path(__file__).parent / "demonstrations.games"

GIVEN_MS: Final = 1_500
PLACED_MS: Final = 2_000
CALLED_MS: Final = 6_000
"""So long it is seen what was given, where it was placed, and who has won."""

CALL: Final = "QUARTO!"
LABEL: Final = 12


@dataclass(frozen=True, slots=True)
class Moment:
    """What is seen of a game at one time: whose turn it is, at the end who has called."""

    board: Board
    player: Player
    hand: Piece | None
    game: Game | None = None


@cache
def games() -> tuple[Record, ...]:
    """The games that are shown."""
    return tuple(parse_record(text) for text in re.split(r"\n\n(?=\[)", FILE.read_text(encoding="utf-8")))


def moments_of(game: Game) -> Iterator[Moment]:
    """A game from the first piece given to the call."""
    board = Board()
    for turn in game.turns:
        yield Moment(board, turn.player, turn.piece)
        board = board.place(turn.square, turn.piece)
        yield Moment(board, turn.player, None)
    winner = game.result.winner if game.result else None
    if winner is not None:
        yield Moment(board, winner, None, game)


def pages_of(record: Record, words: Words, size: Size) -> tuple[Page, ...]:
    """A game as pages, each under a headline that says what it is."""
    levels = [int(record.headers[name]) for name in ("A", "B")]
    return tuple(
        _page(moment, words.demonstration(), words.level(levels[moment.player.value]), size)
        for moment in moments_of(record.game)
    )


def _page(moment: Moment, caption: str, who: str, size: Size) -> Page:
    width, height = size
    low = height < 48
    bar = LABEL if low else BAR
    top = 0 if low else bar
    table = _table(moment)
    side = width_of(table, height - top)
    left = side + GAP
    head = (left, 0, width, bar) if low else (0, 0, width, bar)
    items: list[Item] = [
        alone(caption, (head[0] + 1, head[1], head[2] - 1, head[3]), (PLAIN, TINY) if low else HEADLINES, centred=low),
        Filled(head),
        Drawn(table, (0, top, side, height)),
    ]
    if moment.game is not None:
        items.append(alone(CALL, (left, bar, width, height - LABEL * (not low)), (LARGE, BOLD, NARROW)))
        if not low:
            items.append(alone(who, (left, height - LABEL, width, height), (PLAIN, TINY)))
        return Page(tuple(items), CALLED_MS)
    right = width
    if moment.hand is not None:
        room = width_of(Standing(moment.hand), height - bar)
        right = width - room - GAP
        items.append(Drawn(Standing(moment.hand), (width - room, bar, width, height)))
    items.append(alone(who, (left, bar, right, height), (PLAIN, TINY)))
    return Page(tuple(items), PLACED_MS if moment.hand is None else GIVEN_MS)


def _table(moment: Moment) -> Table:
    alignments = moment.game.result.alignments if moment.game is not None and moment.game.result else ()
    return Table(moment.board, {square.name: Mark.WON for each in alignments for square in each.squares})
