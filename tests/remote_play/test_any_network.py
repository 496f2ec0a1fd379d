"""Whatever a network, a power cut or a clock does: no two boards hold different winners, and in the end they agree."""

from __future__ import annotations

import random

import pytest

from quarto_pi.rules import Calling, FalseCallRule, Options, Player, Reason
from tests.remote_play.post import Post, SimulatedBoard

RULES = (
    Options(),
    Options(squares=True),
    Options(calling=Calling.AUTO),
    Options(false_call=FalseCallRule.FORFEIT, squares=True),
)
STEP = 250


def winners(name: str, *boards: SimulatedBoard) -> set[Player]:
    """Who has won a game by what the boards have on their disks."""
    results = [match.result for board in boards for match in board.matches if match.name == name]
    return {result.winner for result in results if result is not None and result.winner is not None}


def deliver(post: Post, boards: dict[str, SimulatedBoard], now: int) -> None:
    for letter in post.arrived(now):
        boards[letter.to].hear(letter, now)


def heal(post: Post, boards: dict[str, SimulatedBoard], now: int, steps: int = 400) -> int:
    """Let all be well for long enough that everything is known everywhere."""
    post.lost, post.repeated, post.slowest = 0.0, 0.0, 0
    for board in boards.values():
        board.power_fails_in = None
        board.link(now, up=True)
    for _ in range(steps):
        now += STEP
        for board in boards.values():
            board.pass_time(now)
        deliver(post, boards, now)
    return now


def play_through(seed: int) -> tuple[str, int]:  # noqa: C901 - everything that can go wrong
    """One game through everything that can go wrong; how it ended, and with how many entries."""
    chance = random.Random(seed)
    post = Post(chance, chance.choice([0, 0.2, 0.5]), chance.choice([0, 0.3]), chance.choice([0, 800, 6_000]))
    boards = {name: SimulatedBoard(name, post, chance.randint(0, 10**9)) for name in ("north", "south")}
    north, south = boards["north"], boards["south"]
    name, now = f"{seed:016x}", 1_000
    for board in boards.values():
        board.link(now, up=True)
    north.invite("south", now, name, chance.choice(RULES))
    for _ in range(chance.choice([200, 600])):
        now += STEP
        for board in boards.values():
            if any(each.board == "north" for each in board.known.invitations):
                board.accept("north", now)
            if chance.random() < 0.3:
                board.play(chance, now)
            if chance.random() < 0.02:
                board.link(now, up=not board.known.is_linked)
            if chance.random() < 0.01 and board.power_fails_in is None:
                board.power_fails_in = chance.randint(0, 3)
            if chance.random() < 0.001:
                board.give_up(now)
            board.pass_time(now)
        deliver(post, boards, now)
        assert len(winners(name, north, south)) <= 1
        if chance.random() < 0.01:
            for board in boards.values():
                board.link(now, up=True)
    heal(post, boards, now)
    kept = [match for board in boards.values() for match in board.matches if match.name == name]
    if len(kept) < len(boards):
        # Whose power failed as the game began knows nothing of it, and the other one has given a piece at most.
        assert all(match.count <= 1 for match in kept)
        return "no game", 0
    first, second = kept
    assert first.log.entries == second.log.entries
    assert first.log.head == second.log.head
    assert first.result == second.result
    for board in boards.values():
        known = board.record(name)
        assert known.is_agreed
        assert known.result == first.result
    return ("goes on" if first.result is None else first.result.reason.value), first.count


def test_boards_agree_whatever_happens_to_their_letters() -> None:
    assert any(count > 3 for _, count in (play_through(seed) for seed in range(6)))


@pytest.mark.slow
def test_boards_agree_whatever_happens_over_many_games() -> None:
    ends = {play_through(seed)[0] for seed in range(100)}
    assert {Reason.CALL.value, Reason.AUTO.value, Reason.FORFEIT.value, Reason.UNFINISHED.value} <= ends
