"""Who stands where, and what decides between equal ones."""

from __future__ import annotations

from quarto_pi.tournament import GameOutcome, PairingSystem, RoundDrawn, standings_of
from quarto_pi.tournament.decisions import Decision, GameCorrected
from tests.tournament.organised import after, announced, lower_wins, round_by_round

FIRST, SECOND, DRAW = GameOutcome.FIRST, GameOutcome.SECOND, GameOutcome.DRAW


def played(system: PairingSystem, players: int, *rounds: dict[tuple[int, int], GameOutcome | None]) -> list[Decision]:
    """A tournament with these pairs and how they ended."""
    decisions = announced(system, players, rounds=len(rounds))
    number = 0
    for each in rounds:
        decisions.append(RoundDrawn(tuple(each)))
        for (_, second), outcome in each.items():
            number += 1
            if second:
                decisions.append(GameCorrected(number, 0, outcome))
    return decisions


def places(decisions: list[Decision]) -> list[tuple[int, int]]:
    return [(row.place, row.player) for row in standings_of(after(decisions))]


def test_more_points_are_better_and_a_draw_is_half_of_one() -> None:
    rows = standings_of(
        after(played(PairingSystem.ROUND_ROBIN, 3, {(1, 2): FIRST, (3, 0): None}, {(3, 1): DRAW, (2, 0): None}))
    )
    assert [(row.player, row.points, row.won, row.drawn, row.lost) for row in rows] == [
        (1, 3, 1, 1, 0),
        (3, 1, 0, 1, 0),
        (2, 0, 0, 0, 1),
    ]


def test_who_has_beaten_the_other_stands_before_him() -> None:
    rounds: list[dict[tuple[int, int], GameOutcome | None]] = [
        {(1, 4): SECOND, (2, 3): SECOND},
        {(4, 3): SECOND, (1, 2): FIRST},
        {(2, 4): FIRST, (3, 1): SECOND},
    ]
    # 1 and 3 have two each, and 1 has beaten 3; 2 and 4 have one each, and 2 has beaten 4.
    assert places(played(PairingSystem.ROUND_ROBIN, 4, *rounds)) == [(1, 1), (2, 3), (3, 2), (4, 4)]


def test_three_who_have_beaten_one_another_in_a_circle_share_a_place() -> None:
    rounds: list[dict[tuple[int, int], GameOutcome | None]] = [
        {(1, 2): FIRST, (3, 0): None},
        {(2, 3): FIRST, (1, 0): None},
        {(3, 1): FIRST, (2, 0): None},
    ]
    assert places(played(PairingSystem.ROUND_ROBIN, 3, *rounds)) == [(1, 1), (1, 2), (1, 3)]


def test_a_free_round_is_worth_a_point_in_a_swiss_tournament_alone() -> None:
    swiss = standings_of(after(played(PairingSystem.SWISS, 3, {(1, 2): DRAW, (3, 0): None})))
    assert [(row.player, row.points, row.won) for row in swiss] == [(3, 2, 0), (1, 1, 0), (2, 1, 0)]
    robin = standings_of(after(played(PairingSystem.ROUND_ROBIN, 3, {(1, 2): DRAW, (3, 0): None})))
    assert [(row.player, row.points) for row in robin] == [(1, 1), (2, 1), (3, 0)]


def test_stronger_opponents_decide_between_equal_ones() -> None:
    rounds: list[dict[tuple[int, int], GameOutcome | None]] = [
        {(1, 4): FIRST, (2, 5): FIRST, (3, 6): FIRST},
        {(1, 2): FIRST, (3, 4): SECOND, (5, 6): FIRST},
    ]
    rows = {row.player: row for row in standings_of(after(played(PairingSystem.SWISS, 6, *rounds)))}
    # 2 has met 1 (2 points) and 5 (1 point), 5 has met 2 and 6.
    assert (rows[2].points, rows[5].points) == (2, 2)
    assert rows[2].further > rows[5].further
    assert rows[2].place < rows[5].place


def test_who_always_wins_wins() -> None:
    for system in PairingSystem:
        decisions = round_by_round(announced(system, 7, rounds=4), 4, lower_wins)
        assert standings_of(after(decisions))[0].player == 1
