"""The finished games: positions, moves, and the coach's judgement, found outside the board's process."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count

import pytest

from quarto_pi.engine.coach import Verdict, moves_of
from quarto_pi.rules import Call, Game, Give, Place, Player, Record, apply, parse_piece, parse_record, parse_square
from quarto_pi.screens.attract import demonstration_games
from quarto_pi.web import games
from quarto_pi.web.games import (
    JudgedMove,
    Judges,
    Named,
    ReviewedGame,
    hindsight_on,
    positions,
    review_game,
    turning_point,
    worth_of_positions,
)
from quarto_pi.web.streams import EndedGame
from quarto_pi.words import Words

LINE = (("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1"))


def won() -> Game:
    game = Game()
    for piece, square in LINE:
        game = apply(apply(game, Give(parse_piece(piece))), Place(parse_square(square)))
    return apply(game, Call(Player.A))


def test_positions_are_those_before_each_give_and_before_each_placement() -> None:
    assert [str(position) for position in positions(won())][:4] == [
        "..../..../..../.... -",
        "..../..../..../.... 0",
        "..../..../..../0... -",
        "..../..../..../0... 2",
    ]


def test_moves_are_give_then_place_and_give_and_the_call_at_the_end() -> None:
    moves = [str(move) for _, move in moves_of(won())]
    assert moves == ["- 0", "a1 2", "b1 4", "c1 8", "d1 - call"]
    assert [str(move) for _, move in moves_of(parse_record(str(Record(won()))).game)] == moves


def test_piece_that_wins_at_once_is_judged_a_gift_and_the_win_the_best_move() -> None:
    *_, gift, win = (review.judgement for review in review_game(won(), nodes=200_000))
    assert gift is not None
    assert gift.verdict is Verdict.GIFT
    assert gift.refutation == parse_square("d1")
    assert win is not None
    assert win.verdict is Verdict.BEST


def told(game: Game, nodes: int = 200_000) -> list[str]:
    """What is known of each position: whose turn it is, its value, and how many answers are safe."""
    found = worth_of_positions(game, review_game(game, nodes))
    return [
        "?" if each is None else f"{each[0].name} {each[1].value.word} {each[1].safe}/{each[1].answers}"
        for each in found
    ]


def test_every_position_of_a_game_has_its_worth_to_whose_turn_it_is() -> None:
    worth = told(won())
    assert len(worth) == len(positions(won()))
    # The first pieces are in the book: nothing loses yet.
    assert worth[:4] == ["A draw 16/16", "B draw 240/240", "B draw 15/15", "A draw 210/210"]
    # Three solid pieces in a row: only the hollow ones that are left can still be given.
    assert worth[-3:] == ["B draw 4/13", "A win 43/145", "A win None/None"]


def test_worth_that_takes_too_long_is_not_guessed() -> None:
    worth = told(won(), nodes=1)
    assert set(worth[:-1]) == {"?"}
    assert None in [review.judgement for review in review_game(won(), nodes=1)]


def test_where_time_runs_out_the_first_and_the_last_moves_are_known() -> None:
    clock = count()
    longest = max((each.game for each in demonstration_games()), key=lambda game: len(game.turns))
    reviews = review_game(longest, spent=lambda: float(next(clock)), most=1_000)
    known = [each.before is not None for each in reviews]
    assert known[:4] == [True] * 4
    assert known[-3:] == [True] * 3
    assert False in known


def test_open_alignment_is_a_win_for_whoever_is_given_a_piece() -> None:
    game = won_without_a_call()
    assert told(game)[8:] == ["A win None/None", "B win None/None"]


def won_without_a_call() -> Game:
    """The maker of an alignment gives a piece instead of calling; the receiver calls."""
    game = Game()
    for piece, square in LINE:
        game = apply(apply(game, Give(parse_piece(piece))), Place(parse_square(square)))
    return apply(apply(game, Give(parse_piece("DSQH"))), Call(Player.B))


def reviewed(*verdicts: str | None) -> ReviewedGame:
    return ReviewedGame(tuple(None if each is None else JudgedMove(Named(each)) for each in verdicts))


def test_piece_that_is_given_away_in_a_lost_position_does_not_decide() -> None:
    known = reviewed("best", "gift", "best", "gift", "best")
    handed_over = replace(known, moves=(*known.moves[:3], JudgedMove(Named("gift"), costs=False), known.moves[4]))
    assert turning_point(won(), handed_over) == 1


def test_turning_point_is_the_last_mistake_of_who_lost() -> None:
    # Player 2 gives the fourth piece of the line, after the third placement.
    assert turning_point(won(), reviewed("best", "gift", "best", "gift", "best")) == 3
    assert turning_point(won(), reviewed("gift", "best", "gift", "best", "best")) is None
    assert turning_point(won(), reviewed()) is None
    assert turning_point(Game(), reviewed("gift")) is None


@pytest.mark.slow
def test_coach_is_asked_in_a_process_of_its_own_and_only_once() -> None:
    async def ask() -> ReviewedGame:
        judges, record = Judges(), str(Record(won()))
        assert judges.of(record) is None
        assert judges.of(record) is None
        await judges.done()
        review = judges.of(record)
        await judges.close()
        assert review is not None
        return review

    review = asyncio.run(ask())
    assert review.worth[1] == {"player": 1, "value": "draw", "safe": 240, "answers": 240}
    said = ["" if verdict is None else Words().judgement(verdict) for verdict in review.moves]
    assert len(said) == 5
    assert said[-1] == "Well played!"
    assert said[-2].startswith("The piece you gave wins on d1.")


@pytest.mark.slow
def test_coach_remembers_the_last_games_and_not_all_of_a_year(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MOST_GAMES", 2)
    records = [f"{Record(won(), {'Number': str(number)})}" for number in range(3)]

    async def ask() -> list[bool]:
        judges = Judges()
        for record in records:
            judges.of(record)
            await judges.done()
        known = [judges.of(record) is not None for record in reversed(records)]
        await judges.close()
        return known

    assert asyncio.run(ask()) == [True, True, False]


def test_service_that_ends_does_not_wait_for_the_coach() -> None:
    async def ask() -> None:
        judges = Judges()
        judges.of(str(Record(won())))
        await judges.close()

    asyncio.run(ask())


def test_what_there_is_to_be_learnt_is_said_in_a_sentence() -> None:
    gift = hindsight_on(EndedGame(1, won()), ReviewedGame(), Words("en"))
    assert gift == "Giving a solid piece lost the game: row 1."
    unfinished = replace(won(), result=None)
    assert hindsight_on(EndedGame(1, unfinished), ReviewedGame(), Words("en")) is None
