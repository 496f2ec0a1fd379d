"""What is counted over the games of a board."""

from dataclasses import replace

from quarto_pi.referee import PERSON, Against, Seat, Tally
from quarto_pi.rules import Game, Player, Reason, Result, parse_position

PEOPLE = (PERSON, PERSON)
MINUTE = 60_000


def over(result: Result) -> Game:
    return replace(Game(), result=result)


def won_by(player: Player | None) -> Game:
    return over(Result(player, Reason.DRAW if player is None else Reason.CALL))


def test_games_are_counted_by_how_they_ended() -> None:
    tally = Tally()
    for winner, reason in (
        (Player.A, Reason.CALL),
        (Player.B, Reason.AUTO),
        (Player.B, Reason.FORFEIT),
        (None, Reason.DRAW),
    ):
        tally = tally.after(over(Result(winner, reason)), PEOPLE, MINUTE)
    assert tally == Tally(games=4, wins=(1, 2), draws=1, played_ms=4 * MINUTE)


def test_an_abandoned_game_does_not_count() -> None:
    tally = Tally(games=2, wins=(1, 1), played_ms=MINUTE)
    assert tally.after(over(Result(None, Reason.UNFINISHED)), (PERSON, Seat(3)), MINUTE) == tally


def test_missed_alignments_of_a_game_are_counted_at_its_end() -> None:
    missed = parse_position("..../..../..../0123 -").board.alignments()
    game = replace(won_by(None), missed=missed)
    assert Tally(games=2, missed=3).after(game, PEOPLE, MINUTE).missed == 4


def test_games_against_the_computer_are_counted_for_people_level_by_level() -> None:
    tally = Tally()
    for winner, seats in (
        (Player.A, (PERSON, Seat(7))),
        (Player.B, (PERSON, Seat(3))),
        (Player.B, (Seat(3), PERSON)),
        (None, (Seat(3), PERSON)),
    ):
        tally = tally.after(won_by(winner), seats, MINUTE)
    assert tally.against == (Against(3, won=1, lost=1, drawn=1), Against(7, won=1))
    assert [each.games for each in tally.against] == [3, 1]


def test_people_and_computers_among_themselves_count_against_no_level() -> None:
    tally = Tally().after(won_by(Player.A), PEOPLE, MINUTE).after(won_by(Player.A), (Seat(6), Seat(6)), MINUTE)
    assert (tally.games, tally.against) == (2, ())


def test_a_board_without_a_finished_game_has_no_average() -> None:
    assert Tally().average_ms == 0
    assert Tally(games=3, played_ms=4 * MINUTE).average_ms == 80_000
