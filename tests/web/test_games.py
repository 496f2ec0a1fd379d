"""The finished games: positions, moves, and the coach's judgement, found outside the board's process."""

from __future__ import annotations

import asyncio

import pytest

from quarto_pi.engine.coach import Verdict
from quarto_pi.rules import Call, Game, Give, Place, Player, Record, apply, parse_piece, parse_record, parse_square
from quarto_pi.web import games
from quarto_pi.web.games import Judges, judge_game, moves_of, positions
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
    *_, gift, win = judge_game(won(), nodes=200_000)
    assert gift is not None
    assert gift.verdict is Verdict.GIFT
    assert gift.refutation == parse_square("d1")
    assert win is not None
    assert win.verdict is Verdict.BEST


def test_move_that_takes_too_long_to_judge_is_left_out() -> None:
    assert None in judge_game(won(), nodes=1)


@pytest.mark.slow
def test_coach_is_asked_in_a_process_of_its_own_and_only_once() -> None:
    async def ask() -> list[str]:
        judges, record = Judges(), str(Record(won()))
        assert judges.of(record) is None
        assert judges.of(record) is None
        await judges.done()
        verdicts = judges.of(record)
        await judges.close()
        assert verdicts is not None
        return ["" if verdict is None else Words().judgement(verdict) for verdict in verdicts]

    said = asyncio.run(ask())
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
