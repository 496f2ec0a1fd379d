"""The kernel, compiled and interpreted, against the naive search, known positions, and itself."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest

from quarto_pi.engine import kernel, tables
from tests.engine import naive_search
from tests.engine.positions import VARIANTS, Numbers, listed, naive_options, quiet_position, random_position
from tests.engine.worlds import WORLDS, interpreted_kernel

pytestmark = pytest.mark.slow

ROUNDS = 3
EMPTY: Numbers = ([-1] * 16, 0)
WORTH = {"win": 1, "draw": 0, "loss": -1}
KEPT: int = interpreted_kernel().KEPT
"""With fewer empty squares than this a position is not in the table."""


def in_play(traits: list[int]) -> int:
    """The bits of a piece number for the naive search's traits."""
    return sum(8 >> trait for trait in traits)


def naive_value(numbers: Numbers, squares: bool, traits: list[int]) -> int:
    return max(naive_options(numbers, squares, traits).values(), default=0)


@pytest.mark.parametrize(("squares", "traits"), VARIANTS)
def test_late_positions_have_the_value_of_the_naive_search(squares: bool, traits: list[int]) -> None:
    rng = random.Random(f"{squares} {traits}")
    # Where nothing is compiled, the two are the same; the naive search is what takes its time.
    searches = [world.Search(squares, in_play(traits), 1 << 16) for world in (kernel, interpreted_kernel())]
    for number in range(6 * ROUNDS):
        empties = rng.randrange(5)
        numbers = random_position(rng, empties) if number % 2 else quiet_position(rng, empties + 1, squares, traits)
        value = naive_value(numbers, squares, traits)
        for search in searches:
            search.start()
            assert search.value(*numbers) == value


@pytest.mark.parametrize("world", WORLDS)
def test_a_trait_out_of_play_completes_nothing_in_the_search(world: ModuleType) -> None:
    board = [11, 12, -1, 5, 10, 7, -1, 4, 8, 13, -1, 3, 6, 2, -1, 14]
    assert world.Search(True, 8 | 2, 1 << 12).value(board, 0) == naive_value((board, 0), True, [0, 2]) == 0


@pytest.mark.parametrize(
    ("squares", "traits"),
    [
        (False, [0, 1, 2, 3]),
        (True, [0, 1, 2, 3]),
        *(pytest.param(squares, [2], marks=pytest.mark.campaign) for squares in (False, True)),
        *(pytest.param(squares, [0, 1, 2], marks=pytest.mark.campaign) for squares in (False, True)),
        *(pytest.param(squares, [1, 3], marks=pytest.mark.campaign) for squares in (False, True)),
    ],
)
def test_positions_that_reach_the_table_have_the_value_of_the_naive_search(
    squares: bool, traits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(f"table {squares} {traits}")
    # What is ordered in full and kept has more empty squares than the naive search can wait for.
    monkeypatch.setattr(interpreted_kernel(), "KEPT", 5)
    search = interpreted_kernel().Search(squares, in_play(traits), 1 << 12)
    for _ in range(2):
        board, hand = quiet_position(rng, 7, squares, traits)
        square = rng.choice([index for index in range(16) if board[index] < 0])
        after = [*board[:square], hand, *board[square + 1 :]]
        piece = rng.choice(search.pool(after, -1))
        search.start()
        search.value(board, hand)
        # One placement on, so that what the table has kept is asked for.
        assert search.value(after, piece) == naive_value((after, piece), squares, traits)


@pytest.mark.parametrize("squares", [False, True])
def test_what_the_table_has_kept_is_what_a_search_with_an_empty_table_finds(squares: bool) -> None:
    rng = random.Random(f"kept {squares}")
    search, fresh = (kernel.Search(squares, table_bytes=1 << 14) for _ in range(2))
    told = set()
    for _ in range(4 * ROUNDS):
        board, hand = quiet_position(rng, KEPT + 1, squares, [0, 1, 2, 3])
        search.start()
        search.value(board, hand)
        for square in (index for index in range(16) if board[index] < 0):
            after = [*board[:square], hand, *board[square + 1 :]]
            piece = rng.choice(search.pool(after, -1))
            fresh.resize(1 << 14)
            value = fresh.value(after, piece)
            assert search.value(after, piece) == value
            told.add(value)
    assert told == {1, 0, -1}


@pytest.mark.parametrize("squares", [False, True])
def test_symmetric_copies_have_one_value_and_one_identity(squares: bool) -> None:
    rng = random.Random(3)
    search = kernel.Search(squares)
    images = tables.symmetries(tables.alignments(squares))
    for _ in range(20 * ROUNDS):
        board, hand = quiet_position(rng, KEPT, squares, [0, 1, 2, 3])
        search.start()
        value = search.value(board, hand)
        image, order, turned = rng.choice(images), rng.sample(range(4), 4), rng.randrange(16)
        renamed = [sum((piece >> t & 1) << order[t] for t in range(4)) ^ turned for piece in range(16)]
        copy = [-1] * 16
        for square in range(16):
            copy[image[square]] = renamed[board[square]] if board[square] >= 0 else -1
        before = search.nodes
        assert search.value(copy, renamed[hand]) == value
        assert search.nodes == before, "the table knows the copy"
        assert search.identity(copy, renamed[hand]) == search.identity(board, hand)


def test_positions_that_are_not_symmetric_have_different_identities() -> None:
    search = kernel.Search()
    level: dict[int, Numbers] = {search.identity(*EMPTY): EMPTY}
    counted = [len(level)]
    for _ in range(3):
        following: dict[int, Numbers] = {}
        for board, hand in level.values():
            for square in (index for index in range(16) if board[index] < 0):
                after = [*board[:square], hand, *board[square + 1 :]]
                for piece in search.pool(after, -1):
                    following[search.identity(after, piece)] = (after, piece)
        level = following
        counted.append(len(level))
    assert counted == [1, 8, 148, 3382]


@pytest.mark.parametrize("world", WORLDS)
def test_known_positions_have_their_value(world: ModuleType) -> None:
    search = world.Search()
    deepest = 12 if world is not interpreted_kernel() else 8
    known = [(numbers, value) for numbers, value in listed("positions.txt") if numbers[0].count(-1) <= deepest]
    assert known
    for numbers, value in known:
        search.start()
        assert search.value(*numbers) == WORTH[value]


@pytest.mark.parametrize("world", WORLDS)
def test_nodes_are_the_same_in_both_worlds(world: ModuleType) -> None:
    search = world.Search(table_bytes=1 << 16)
    many = 1_000_000 if world is not interpreted_kernel() else 3_000
    for numbers, nodes in listed("nodes.txt"):
        if int(nodes) > many:
            continue
        search.resize(1 << 16)
        search.start()
        search.value(*numbers)
        assert search.nodes == int(nodes)


@pytest.mark.parametrize("world", WORLDS)
def test_search_stops_at_its_budget_and_can_be_asked_again(world: ModuleType) -> None:
    search = world.Search(table_bytes=1 << 20)
    search.start(500)
    with pytest.raises(world.Stopped):
        search.value(*EMPTY)
    assert search.nodes <= 600
    (numbers, value), *_ = listed("positions.txt")
    search.start()
    assert search.value(*numbers) == WORTH[value]


@pytest.mark.parametrize("world", WORLDS)
def test_search_stops_when_the_caller_says_so(world: ModuleType) -> None:
    search = world.Search(table_bytes=1 << 20)
    asked: list[Any] = []

    def poll() -> bool:
        asked.append(search.nodes)
        return len(asked) == 2

    search.start(0, poll)
    with pytest.raises(world.Stopped):
        search.value(*EMPTY)
    assert search.nodes < 3 * 4096


@pytest.mark.parametrize("world", WORLDS)
def test_an_error_in_the_callers_poll_comes_through(world: ModuleType) -> None:
    search = world.Search(table_bytes=1 << 20)
    search.start(0, lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        search.value(*EMPTY)


def test_two_searches_do_not_disturb_each_other() -> None:
    rng = random.Random(5)
    plain, blocks = kernel.Search(False, 15, 1 << 16), kernel.Search(True, 15, 1 << 16)
    for _ in range(ROUNDS):
        numbers = quiet_position(rng, 5, True, [0, 1, 2, 3])
        for search, squares in ((plain, False), (blocks, True)):
            search.start()
            assert search.value(*numbers) == naive_value(numbers, squares, [0, 1, 2, 3])


@pytest.mark.parametrize("world", WORLDS)
def test_a_search_knows_what_another_has_found_whose_table_it_shares(world: ModuleType) -> None:
    search, other = world.Search(table_bytes=1 << 20), world.Search(table_bytes=0)
    other.share(search)
    other.contrary = True
    numbers = next(it for it, nodes in listed("nodes.txt") if it[0].count(-1) >= KEPT and int(nodes) > 1000)
    value = search.value(*numbers)
    assert other.value(*numbers) == value
    assert search.nodes > 1000
    assert other.nodes == 0


@pytest.mark.parametrize("table_bytes", [16, 100, 4096, 5000])
def test_table_is_not_larger_than_allowed(table_bytes: int) -> None:
    search = interpreted_kernel().Search(table_bytes=table_bytes)
    assert search.table.nbytes <= table_bytes


def test_the_naive_search_knows_an_immediate_win() -> None:
    board = [0, 4, 8, *[-1] * 13]
    numbers = ([*board[:3], -1, 9, 6, 10, 5, 3, 12, 7, 14, 13, 11, 15, 2], 1)
    assert naive_search.PIECES[1] == (0, 0, 0, 1)
    assert naive_options(numbers, False, [2])[3, -1] == 1


def test_a_key_means_nothing_among_positions_with_another_number_of_empty_squares() -> None:
    search = interpreted_kernel().Search(table_bytes=1 << 12)
    search.keep(12345, 9, 2)
    assert search.known(12345, 9) == 2
    assert search.known(12345, 8) == 0
    search.keep(12345, 8, 8)
    assert (search.known(12345, 9), search.known(12345, 8)) == (2, 8)
