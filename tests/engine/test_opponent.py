"""Levels and their errors: what each sees, what it never does, and that a game can be repeated."""

from __future__ import annotations

import random
from functools import cache

import pytest

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.opponent import LEVELS, STRONGEST, Opponent
from quarto_pi.engine.solver import Budget, Move, Solver
from quarto_pi.engine.temptation import Temptation
from quarto_pi.engine.threats import Sight, winning_squares
from quarto_pi.rules import (
    Options,
    Position,
    Trait,
    parse_piece,
    parse_position,
    parse_square,
)
from quarto_pi.rules.board import DIAGONALS, ROWS
from tests.engine.positions import position_of, quiet_position

pytestmark = pytest.mark.slow

WIN_ON_D1 = parse_position("..../..../..../048. 1")


@cache
def solver() -> Solver:
    """One for all, made when it is first wanted: what it begins with takes a second to work out."""
    return Solver(Options(), table_mb=16)


def chosen(level: int, position: Position, seed: int = 0) -> Move:
    return Opponent(level, solver(), seed).choose(position, Budget(100_000))


def late_positions(number: int, empties: int) -> list[Position]:
    rng = random.Random(empties)
    return [position_of(quiet_position(rng, empties, squares=False, traits=[0, 1, 2, 3])) for _ in range(number)]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_makes_moves_that_the_rules_allow(level: int) -> None:
    for position in (Position(), parse_position("..../.7../..../.... c"), *late_positions(4, 5), *late_positions(4, 1)):
        move = chosen(level, position)
        assert (move.square is None) == (position.hand is None)
        if move.square is not None:
            assert position.board[move.square] is None
        if move.give is not None:
            assert move.give in position.board.pieces_left
            assert move.give != position.hand
        assert not move.call or move.give is None


def test_the_strongest_level_always_sees_its_win_and_calls_it() -> None:
    for seed in range(50):
        assert chosen(STRONGEST, WIN_ON_D1, seed) == Move(parse_square("d1"), None, call=True)


def test_a_level_that_has_completed_what_it_overlooked_calls_it_all_the_same() -> None:
    moves = [chosen(1, WIN_ON_D1, seed) for seed in range(200)]
    on_the_square = [move for move in moves if move.square == parse_square("d1")]
    assert len(on_the_square) < len(moves)
    assert set(on_the_square) == {Move(parse_square("d1"), None, call=True)}


def test_the_first_level_sees_its_win_sometimes() -> None:
    calls = sum(chosen(1, WIN_ON_D1, seed).call for seed in range(200))
    assert 20 < calls < 180


def test_each_level_sees_more_than_the_one_below_until_nothing_is_overlooked() -> None:
    seen = [sum(chosen(level, WIN_ON_D1, seed).call for seed in range(300)) for level in LEVELS]
    assert seen == sorted(seen)
    assert seen[-1] == 300


def test_a_diagonal_and_the_top_are_overlooked_more_often_than_a_row_and_the_colour() -> None:
    rng = random.Random(1)
    sights = [Sight.drawn(LEVELS[3].blindness, Options(), rng) for _ in range(2000)]

    def missed(line: object, trait: Trait) -> int:
        return sum(bool(sight.overlooked[line] & trait.bit) for sight in sights)  # type: ignore[index]

    assert missed(DIAGONALS[0], Trait.SHAPE) > 1.2 * missed(ROWS[0], Trait.SHAPE)
    assert missed(ROWS[0], Trait.TOP) > 1.2 * missed(ROWS[0], Trait.COLOUR)


def test_the_strongest_level_never_gives_away_what_it_need_not() -> None:
    for position in late_positions(12, 6):
        value = solver().value(position, Budget())
        move = chosen(STRONGEST, position)
        option = next(
            option
            for option in solver().options(position, Budget())
            if option.square == move.square and option.give == move.give
        )
        assert option.value is value


def test_a_weak_level_gives_winning_pieces_away_at_times_but_not_always() -> None:
    position = parse_position("..../...9/..../04.. 8")
    gifts = 0
    for seed in range(120):
        move = chosen(1, position, seed)
        assert move.square is not None
        assert move.give is not None
        assert position.hand is not None
        threats = Sight(Options(), {}).threats(position.board.place(move.square, position.hand))
        gifts += bool(winning_squares(threats, move.give))
    assert 0 < gifts < 60


def test_the_same_seed_gives_the_same_move_and_another_seed_another() -> None:
    moves = [str(chosen(3, Position(), seed)) for seed in range(30)]
    assert moves == [str(chosen(3, Position(), seed)) for seed in range(30)]
    assert len(set(moves)) > 5


def test_better_moves_are_reported_as_they_are_found_and_the_last_one_is_played() -> None:
    heard: list[tuple[GameValue | None, Move]] = []
    position = late_positions(1, 7)[0]
    move = Opponent(STRONGEST, solver()).choose(
        position, Budget(100_000), lambda value, move: heard.append((value, move))
    )
    assert heard[-1][1] == move
    assert heard[-1][0] is solver().value(position, Budget())


def test_without_any_time_a_move_that_gives_no_win_away_is_played() -> None:
    position = parse_position("..../..../9.../04.. 8")
    solver = Solver(Options(), use_book=False, table_mb=1)
    for seed in range(10):
        move = Opponent(STRONGEST, solver, seed).choose(position, Budget(stop=lambda: True))
        assert move.square is not None
        assert move.give is not None
        after = position.board.place(move.square, parse_piece("DTRF"))
        assert not winning_squares(Sight(Options(), {}).threats(after), move.give)


def test_a_level_calls_what_the_other_player_missed_as_often_as_it_sees_such_things() -> None:
    position = parse_position("..../..../..../0481 2")
    alignments = position.board.alignments()

    def noticed(level: int) -> int:
        return sum(Opponent(level, solver(), seed).calls(position, alignments) for seed in range(100))

    assert 5 < noticed(1) < 95
    assert noticed(10) == 100


def test_with_a_small_budget_a_draw_is_made_sure_of_before_a_win_is_looked_for() -> None:
    """So that who is short of time gives away a win at worst, never the game."""
    bare = Solver(Options(), table_mb=16, use_book=False)
    rng = random.Random(11)
    heard: list[GameValue | None] = []
    told = 0
    for _ in range(3):
        position = position_of(quiet_position(rng, 9, squares=False, traits=[0, 1, 2, 3]))
        worth = {str(Move(each.square, each.give)): each.value for each in solver().options(position, Budget())}
        for nodes in (3_000, 10_000, 100_000):
            move = Opponent(STRONGEST, bare).choose(position, Budget(nodes), lambda value, _: heard.append(value))
            value = heard[-1]
            if value is not None and not move.call:
                told += 1
                assert worth[str(move)].value >= value.value >= GameValue.DRAW.value
    assert told


def test_no_move_costs_more_than_its_budget_by_much() -> None:
    solver = Solver(Options(), table_mb=16)
    for placed in (0, 4, 5, 6):
        rng = random.Random(placed)
        position = position_of(quiet_position(rng, 16 - placed, squares=False, traits=[0, 1, 2, 3]))
        before = solver.nodes
        Opponent(STRONGEST, solver).choose(position, Budget(50_000))
        assert solver.nodes - before <= 55_000


def test_the_chance_of_a_mistake_is_that_of_a_person_who_gives_nothing_away_that_is_seen() -> None:
    """Held against plain counting: safe answers, and which of them are worth a win to the one who asks."""
    compared = 0
    for position in late_positions(12, 8):
        assert position.hand is not None
        if winning_squares(Sight(Options(), {}).threats(position.board), position.hand):
            continue
        temptation = Temptation(solver(), GameValue.WIN, Budget(), random.Random(1))
        safe, wrong = 0, 0
        for option in solver().options(position, Budget()):
            assert option.square is not None
            assert option.give is not None
            after = position.board.place(option.square, position.hand)
            if not winning_squares(Sight(Options(), {}).threats(after), option.give):
                safe += 1
                wrong += option.value is GameValue.LOSS
        board = solver().lay(position)
        compared += 1
        expected = wrong / safe if safe else 1.0
        assert temptation.chance(board, position.hand.number) == pytest.approx(expected)
        assert temptation.chance(board, position.hand.number, turns=2) >= expected
        assert board == solver().lay(position)
    assert compared


def test_somebody_who_overlooks_much_gives_things_away_and_is_reckoned_with_so() -> None:
    wiser, differing = 0, 0
    for position in late_positions(12, 8):
        assert position.hand is not None
        if winning_squares(Sight(Options(), {}).threats(position.board), position.hand):
            continue
        chances = [
            Temptation(solver(), GameValue.WIN, Budget(), random.Random(1), blindness).chance(
                solver().lay(position), position.hand.number
            )
            for blindness in (0.0, 0.3, 0.9)
        ]
        wiser += chances == sorted(chances)
        differing += len(set(chances)) == 3
    assert wiser
    assert differing
