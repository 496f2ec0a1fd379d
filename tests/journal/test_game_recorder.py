"""What the scribe makes of a game that cannot be read out of its record: times, and when it has begun."""

from __future__ import annotations

import json

from quarto_pi.journal.records import GameRecorder, waits_of
from quarto_pi.referee import Begin, Continue, Save, Settings
from quarto_pi.rules import Game, Give, Options, Pause, Place, Player, apply, parse_piece, parse_square, pass_time
from tests.rules.script import play

BEGUN = play("0 a1 1")


def test_pause_costs_nobody_the_time_of_a_move() -> None:
    game = Game(Options(clock_ms=30_000), starter=Player.A)
    game = apply(game, Give(parse_piece("LTRF")), at=1_000)
    game = apply(game, Place(parse_square("a1")), at=5_000)
    used = waits_of(Save(8_000, pass_time(game, 8_000)))["used_ms"]
    paused = pass_time(apply(game, Pause(), at=8_000), 500_000)
    assert waits_of(Save(500_000, paused))["used_ms"] == used > 0


def test_game_that_goes_on_has_begun_when_it_began() -> None:
    now = [1_000.0]
    first = GameRecorder(Settings(), lambda: now[0]).entry_of((Begin(0, 7, Player.A, Settings()), Save(0, BEGUN)))
    now[0] = 5_000.0
    again = GameRecorder(Settings(), lambda: now[0], begun=1_000.0).entry_of(
        (Continue(0, 7, Settings(), BEGUN), Save(0, BEGUN))
    )
    assert first is not None
    assert again is not None
    assert [(row.number, row.begun) for row in again.games] == [(row.number, row.begun) for row in first.games]
    assert json.loads(again.games[0].waits) == {}
