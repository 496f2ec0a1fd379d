"""What is counted over an evening."""

from dataclasses import replace

from quarto_pi.referee.tally import Tally
from quarto_pi.rules import Game, Player, Reason, Result, parse_position


def over(result: Result) -> Game:
    return replace(Game(), result=result)


def test_games_are_counted_by_how_they_ended() -> None:
    tally = Tally()
    for winner, reason in (
        (Player.A, Reason.CALL),
        (Player.B, Reason.AUTO),
        (Player.B, Reason.FORFEIT),
        (None, Reason.DRAW),
        (None, Reason.UNFINISHED),
    ):
        tally = tally.after(over(Result(winner, reason)))
    assert tally == Tally(games=4, wins=(1, 2), draws=1)


def test_missed_alignments_of_a_game_are_counted_at_its_end() -> None:
    missed = parse_position("..../..../..../0123 -").board.alignments()
    game = replace(over(Result(None, Reason.DRAW)), missed=missed)
    assert Tally(games=2, missed=3).after(game).missed == 4
