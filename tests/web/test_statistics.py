"""What is counted over finished games, from their records."""

from __future__ import annotations

from quarto_pi.rules import Call, Game, Give, Place, Player, apply, parse_piece, parse_square
from quarto_pi.web.statistics import statistics_of
from tests.web.visit import Parsed

WON = (("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1"))
MISSED = (*WON, ("DSQH", "a4"), ("DTQH", "b4"), ("LSQH", "c4"), ("DSRH", "d4"))


def counted(*games: Game) -> Parsed:
    return statistics_of(games)


def played(*moves: tuple[str, str], caller: Player) -> Game:
    game = Game()
    for piece, square in moves:
        game = apply(apply(game, Give(parse_piece(piece))), Place(parse_square(square)))
    return apply(game, Call(caller))


def test_alignment_that_lapsed_is_counted_as_missed_by_line_and_by_trait() -> None:
    numbers = counted(played(*WON, caller=Player.A), played(*MISSED, caller=Player.A))
    lines = {" ".join(line["squares"]): (line["called"], line["missed"]) for line in numbers["lines"]}
    assert numbers["games"] == 2
    assert len(lines) == 10
    assert lines["a1 b1 c1 d1"] == (1, 1)
    assert lines["a4 b4 c4 d4"] == (1, 0)
    assert [(each["trait"], each["called"], each["missed"]) for each in numbers["traits"]] == [
        ("colour", 0, 0),
        ("height", 0, 0),
        ("shape", 0, 0),
        ("top", 2, 1),
    ]


def test_squares_are_counted_and_the_one_that_won() -> None:
    squares = counted(played(*WON, caller=Player.A), played(*MISSED, caller=Player.A))["squares"]
    assert (squares["a1"], squares["d1"]) == ({"placed": 2, "won": 0}, {"placed": 2, "won": 1})
    assert squares["b2"] == {"placed": 0, "won": 0}


def test_lengths_are_those_of_games_that_were_played_to_their_end() -> None:
    running = apply(Game(), Give(parse_piece("LTRF")))
    lengths = counted(played(*WON, caller=Player.A), running)["lengths"]
    assert lengths[0] == {"moves": 4, "games": 1}
    assert [each["moves"] for each in lengths] == list(range(4, 17))
    assert sum(each["games"] for each in lengths) == 1


def test_nothing_is_counted_before_the_first_game() -> None:
    numbers = counted()
    assert numbers["games"] == 0
    assert {each["games"] for each in numbers["lengths"]} == {0}
