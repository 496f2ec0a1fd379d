"""What a sitting shows of a person, and that the level which follows it makes fair games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.engine.match import LevelContestant, play_game
from quarto_pi.engine.solver import Solver
from quarto_pi.journal.records import waits_of
from quarto_pi.referee import PERSON, Ask, Save, Seat, Seen, Settings, fold, start
from quarto_pi.referee.settings import LIKE_ME
from quarto_pi.referee.tally import NEWCOMER, Skill
from quarto_pi.rules import Call, Game, Give, Options, Place, Player, apply, parse_piece, parse_square
from tests.engine.people import ALERT, CHILD, Habits, Person

TURN_MS = 20_000


def played(moves: str) -> Game:
    """A game from pieces and squares in turn; `call` calls for the one who has just placed."""
    game = Game()
    for word in moves.split():
        if word == "call":
            assert game.maker is not None
            game = apply(game, Call(game.maker))
        elif len(word) == 4:
            game = apply(game, Give(parse_piece(word)))
        else:
            game = apply(game, Place(parse_square(word)))
    return game


A_ROW = "LTRF a1 LTRH b1 LTQF c1 LTQH d1 call"
"""B, A and B have put three light pieces on a row; A completes it."""


def test_who_wins_is_reckoned_better_than_before_and_who_loses_worse() -> None:
    game = played(A_ROW)
    assert game.result is not None
    winner = game.result.winner
    assert winner is not None
    up, down = NEWCOMER.after(game, winner, 4 * TURN_MS), NEWCOMER.after(game, winner.other, 4 * TURN_MS)
    assert up.level > NEWCOMER.level > down.level
    assert (up.games, down.games) == (1, 1)


def test_a_win_in_a_moment_and_a_loss_after_long_thought_tell_more() -> None:
    game = played(A_ROW)
    assert game.result is not None
    assert game.result.winner is not None
    winner = game.result.winner
    assert NEWCOMER.after(game, winner, 4 * 2_000).level > NEWCOMER.after(game, winner, 4 * TURN_MS).level
    loser = winner.other
    assert NEWCOMER.after(game, loser, 4 * 60_000).level < NEWCOMER.after(game, loser, 4 * TURN_MS).level


def test_who_does_not_place_a_win_in_hand_has_overlooked_it() -> None:
    """The same game but for its last square, unfinished in both: what was seen makes the whole difference."""
    seen, overlooked = played("LTRF a1 LTRH b1 LTQF c1 LTQH d1"), played("LTRF a1 LTRH b1 LTQF c1 LTQH a4")
    person = seen.turns[-1].player
    assert NEWCOMER.after(seen, person, 4 * TURN_MS).level > NEWCOMER.after(overlooked, person, 4 * TURN_MS).level


def test_who_gives_a_win_away_though_other_pieces_are_safe_has_overlooked_it() -> None:
    gift, safe = "LTRF a1 LTRH b1 LTQF c1 LTQH a4", "LTRF a1 LTRH b1 LTQF c1 DSQH a4"
    giver = played(gift).turns[2].player
    assert (
        NEWCOMER.after(played(safe), giver, 4 * TURN_MS).level > NEWCOMER.after(played(gift), giver, 4 * TURN_MS).level
    )


def test_the_estimate_stays_on_the_ladder_and_its_steps_become_smaller() -> None:
    game = played(A_ROW)
    assert game.result is not None
    winner = game.result.winner
    assert winner is not None
    skill, steps = NEWCOMER, []
    for _ in range(4):
        after = skill.after(game, winner, 4 * TURN_MS)
        steps.append(after.level - skill.level)
        skill = after
    assert steps == sorted(steps, reverse=True)
    for _ in range(40):
        skill = skill.after(game, winner.other, 4 * TURN_MS)
    assert (skill.level, skill.number) == (1, 1)


def sitting(people: list[Habits], solver: Solver, seed: int) -> list[float]:
    """The computer's points game by game against a person who has these habits in turn, both starting in turn."""
    skill, points = Skill(), []
    for number, habits in enumerate(people):
        computer = LevelContestant(skill.number, solver, 20_000)
        ended = play_game((Person(habits), computer), Options(), Player(number % 2), 1000 * seed + number)
        points.append(0.5 if ended.winner is None else float(ended.winner is Player.B))
        skill = skill.after(ended.game, Player.A, TURN_MS * max(1, len(ended.game.turns)))
    return points


IMPROVING = [
    replace(CHILD, sees=0.6 + 0.4 * share, checks=0.4 + 0.6 * share) for share in (min(1.0, n / 30) for n in range(50))
]


@pytest.mark.campaign
@pytest.mark.parametrize(
    "people", [[CHILD] * 50, [ALERT] * 50, IMPROVING], ids=["a child", "an alert person", "who improves"]
)
def test_after_the_first_games_both_win_about_as_often(people: list[Habits]) -> None:
    solver = Solver(Options(), table_mb=16)
    points = [point for seed in range(4) for point in sitting(people, solver, seed)[5:]]
    assert 0.4 <= sum(points) / len(points) <= 0.6


def test_against_a_child_it_becomes_easy_and_against_an_alert_person_hard() -> None:
    solver = Solver(Options(), table_mb=1)
    levels = {}
    for habits in (CHILD, ALERT):
        skill = Skill()
        for number in range(6):
            computer = LevelContestant(skill.number, solver, 2_000)
            ended = play_game((Person(habits), computer), Options(), Player(number % 2), number)
            skill = skill.after(ended.game, Player.A, TURN_MS * max(1, len(ended.game.turns)))
        levels[habits.name] = skill.level
    assert levels[CHILD.name] < levels[ALERT.name] - 1


def test_the_computer_is_asked_at_the_level_that_the_sitting_has_come_to() -> None:
    settings = Settings(seats=(Seat(LIKE_ME), PERSON))
    state, effects = start(settings)
    assert [effect.level for effect in effects if isinstance(effect, Ask)] == [NEWCOMER.number]
    state, effects = fold(replace(state, skill=Skill(7.2, 3), computer=None), Seen(1_000, ()))
    assert [effect.level for effect in effects if isinstance(effect, Ask)] == [7]


def test_what_a_sitting_has_shown_is_kept_with_the_game() -> None:
    game = played("LTRF a1")
    assert waits_of(Save(0, game, skill=Skill(4.25, 2))) == {"skill": 4250, "skill_games": 2}
    assert waits_of(Save(0, game)) == {}
