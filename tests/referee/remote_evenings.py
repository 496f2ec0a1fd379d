"""Evenings with a game against another board, as the referee hears of them."""

from __future__ import annotations

import random

from quarto_pi.referee import Input, Patience, Seen, Settings
from quarto_pi.referee.inputs import EntryCame, MatchBegins
from quarto_pi.remote_play.log import LogEntry, MatchTerms, PlayedLog, Saying
from quarto_pi.rules import Options, Player, parse_piece
from quarto_pi.sensing import events as sensed
from quarto_pi.sensing.readings import OFFER
from tests.games.performance import Memory
from tests.referee.heard_evenings import Heard
from tests.remote_play.post import some_entry

TURN_MS = 8_000


def put(at: int, piece: str, cell: str) -> Seen:
    """A piece comes to rest."""
    return Seen(at, (sensed.PiecePlaced(cell, parse_piece(piece), at, at - 200),))


def taken(at: int, piece: str, cell: str) -> Seen:
    """A piece is taken up."""
    return Seen(at, (sensed.PieceLifted(cell, parse_piece(piece), at, at - 100),))


def evening_with_board(*inputs: Input, length: int, patience: Patience | None = None) -> Heard:
    """An evening with a game against another board; the one at this board begins it."""
    begins = MatchBegins(1_000, "0badcafe", "south", Player.A, Options(), Player.A)
    sweeps = tuple(Seen(at) for at in range(0, length, 100))
    received = tuple(sorted((*sweeps, begins, *inputs), key=lambda each: each.at))
    return Heard(Settings(), patience or Patience(), received, Memory())


def to_the_last_piece() -> Heard:
    """An evening in which all sixteen pieces are placed and nobody has called; then nobody does anything."""
    inputs: list[Input] = []
    at, entries = 3_000, _all_placed()
    hand = entries[0].give
    assert hand is not None
    inputs.append(put(at, hand.letters, OFFER))
    for number, entry in enumerate(entries[1:], 1):
        at += TURN_MS
        assert hand is not None
        assert entry.square is not None
        if number % 2:
            # South places what was given here; hands carry it out.
            inputs += [EntryCame(at, number, entry), taken(at + 500, hand.letters, OFFER)]
        inputs.append(put(at + 1_000, hand.letters, entry.square.name))
        hand = entry.give
        if number % 2 == 0 and hand is not None:
            inputs.append(put(at + 3_000, hand.letters, OFFER))
    return evening_with_board(*inputs, length=at + 30_000)


def _all_placed() -> tuple[LogEntry, ...]:
    """A game to its last piece in which nothing is called."""
    for seed in range(1_000):
        chance = random.Random(seed)
        log = PlayedLog.begun(MatchTerms("0badcafe", ("north", "south"), Options(), Player.A))
        while log.author is not None and log.game.board.count < 16:
            log = log.after(some_entry(log.game, chance))
        if log.author is not None and not any(entry.says is Saying.CALL for entry in log.entries):
            return log.entries
    raise AssertionError("every game of these ends by a call")
