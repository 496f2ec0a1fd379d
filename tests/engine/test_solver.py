"""The solver, which is the search and the book together, against the naive search: every option of every position."""

from __future__ import annotations

import random

import pytest

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.kernel import TOGETHER
from quarto_pi.engine.solver import Budget, Option, OutOfBudget, Solver, best_value
from quarto_pi.rules import Options, Position, Trait, parse_position
from tests.engine.positions import VARIANTS, naive_options, options_of, position_of, quiet_position, random_position

pytestmark = pytest.mark.slow


def told(options: tuple[Option, ...]) -> dict[tuple[int, int], int]:
    return {
        (
            -1 if option.square is None else option.square.index,
            -1 if option.give is None else option.give.number,
        ): option.value.value
        for option in options
    }


@pytest.mark.parametrize(("squares", "traits"), VARIANTS)
def test_every_option_late_in_the_game_has_the_value_of_the_naive_search(squares: bool, traits: list[int]) -> None:
    rng = random.Random(f"options {squares} {traits}")
    solver = Solver(options_of(squares, traits), table_mb=1)
    for number in range(16):
        empties = rng.randrange(5)
        numbers = random_position(rng, empties) if number % 2 else quiet_position(rng, empties + 1, squares, traits)
        position = position_of(numbers)
        options = solver.options(position, Budget())
        assert told(options) == naive_options(numbers, squares, traits)
        assert not options or best_value(options) is solver.value(position, Budget())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("..../..../..../.... -", GameValue.DRAW),
        ("..../..../..../.... 5", GameValue.DRAW),
        ("..../.7../..../.... c", GameValue.DRAW),
        ("..../..../..../012. -", GameValue.DRAW),
        ("..../..../..../012. 4", GameValue.WIN),
    ],
)
def test_the_first_moves_are_answered_by_the_book_without_a_search(text: str, value: GameValue) -> None:
    solver = Solver(Options(), table_mb=1)
    assert solver.value(parse_position(text), Budget()) is value
    assert best_value(solver.options(parse_position(text), Budget())) is value
    assert solver.nodes == 0


def test_the_empty_board_is_a_draw_with_squares_too() -> None:
    solver = Solver(Options(squares=True), table_mb=1)
    options = solver.options(Position(), Budget())
    assert {option.value for option in options} == {GameValue.DRAW}
    assert len(options) == 16


def test_an_alignment_that_has_lapsed_is_worth_nothing_with_four_pieces_on_the_board() -> None:
    position = parse_position("..../..../..../0123 -")
    rules = Options(traits=(Trait.COLOUR, Trait.HEIGHT))
    by_search = Solver(rules, table_mb=16, use_book=False)
    assert Solver(rules, table_mb=16).value(position, Budget()) is by_search.value(position, Budget())


def test_a_full_board_is_a_draw_without_options() -> None:
    position = parse_position("0123/4567/89ab/cdef -")
    solver = Solver(Options(), table_mb=1)
    assert solver.value(position, Budget()) is GameValue.DRAW
    assert solver.options(position, Budget()) == ()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_budget_of_nodes_ends_the_search(threads: int) -> None:
    solver = Solver(Options(), table_mb=1, use_book=False, threads=threads)
    for question in (solver.value, solver.options):
        solver.nodes = 0
        with pytest.raises(OutOfBudget):
            question(parse_position("..../.7../..../.... c"), Budget(nodes=10_000))
        assert solver.nodes < 10_000 + 5_000 * threads


@pytest.mark.parametrize("threads", [1, 2])
def test_whoever_says_stop_ends_the_search(threads: int) -> None:
    solver = Solver(Options(), table_mb=1, use_book=False, threads=threads)
    for question in (solver.value, solver.options):
        with pytest.raises(OutOfBudget):
            question(parse_position("..../.7../..../.... c"), Budget(stop=lambda: True))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_whoever_is_asked_for_stop_ends_the_search_and_comes_through(threads: int) -> None:
    solver = Solver(Options(), table_mb=1, use_book=False, threads=threads)
    for question in (solver.value, solver.options):
        with pytest.raises(ZeroDivisionError):
            question(parse_position("..../.7../..../.... c"), Budget(stop=lambda: bool(1 // 0)))


@pytest.mark.parametrize("squares", [False, True])
def test_several_threads_find_the_values_that_one_finds(squares: bool) -> None:
    rng = random.Random(f"threads {squares}")
    alone = Solver(Options(squares=squares), table_mb=1, use_book=False)
    # A small table, so that they write over what the other has kept.
    together = Solver(Options(squares=squares), table_mb=1, use_book=False, threads=4)
    for _ in range(3):
        # Compiled or not, this is less than a second; only with ten empty squares do they go different ways.
        position = position_of(quiet_position(rng, 10 if TOGETHER else 6, squares, [0, 1, 2, 3]))
        options = alone.options(position, Budget())
        assert together.value(position, Budget()) is best_value(options)
        assert together.options(position, Budget()) == options


def test_where_threads_gain_nothing_one_does_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quarto_pi.engine.solver.TOGETHER", False)
    assert Solver(Options(), table_mb=1, threads=4).threads == 1
