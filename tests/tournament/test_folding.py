"""Decisions of a tournament, one after the other: what they make, and what cannot be."""

from __future__ import annotations

import json
from random import Random

import pytest

from quarto_pi.tournament import (
    Announced,
    Decision,
    DecisionRefused,
    GameAtTable,
    GameCorrected,
    GameOutcome,
    MatchVerdict,
    PairingSystem,
    PlayerEntered,
    PlayerRelabelled,
    PlayerWithdrawn,
    RoundDrawn,
    SeatGiven,
    SeatTaken,
    TablesSet,
    TournamentClosed,
    VerdictGiven,
    after_decision,
    decision_as_json,
    decision_of,
    next_round,
    seats_to_give,
    standings_of,
)
from quarto_pi.tournament.decisions import DecisionUnreadable
from tests.tournament.organised import OUTCOMES, after, announced, by_chance, entries, round_by_round

FIRST, SECOND, DRAW = GameOutcome.FIRST, GameOutcome.SECOND, GameOutcome.DRAW
ROBIN, SWISS = PairingSystem.ROUND_ROBIN, PairingSystem.SWISS


def two(best_of: int = 1) -> list[Decision]:
    """Two players who meet at table 1, at which north-1 stands."""
    return [
        *announced(ROBIN, 2, best_of=best_of),
        TablesSet(("north-1",)),
        RoundDrawn(((1, 2),)),
        SeatGiven(1, 1, "a1b2", 6),
    ]


def played(game: int, outcome: GameOutcome = FIRST) -> GameAtTable:
    return GameAtTable(1, "north-1", "a1b2", game, outcome)


def test_a_game_at_the_table_decides_the_pairing_and_frees_the_table() -> None:
    tournament = after([*two(), played(7, SECOND)])
    pairing = tournament.pairings[0]
    assert (pairing.result, pairing.seat, tournament.is_played) == ((0, 2), None, True)
    assert pairing.games[0].source == ("north-1", "a1b2", 7)


def test_a_game_counts_once_and_only_while_its_pairing_plays_there() -> None:
    with pytest.raises(DecisionRefused, match="entered already"):
        after([*two(best_of=3), played(7), played(7)])
    with pytest.raises(DecisionRefused, match="does not play at board"):
        after([*two(), SeatTaken(1), played(7)])
    with pytest.raises(DecisionRefused, match="does not play at board"):
        after([*two(), GameAtTable(1, "north-2", "a1b2", 7, FIRST)])


def test_games_begun_before_the_table_was_given_do_not_count() -> None:
    seat = after(two()).pairings[0].seat
    assert seat is not None
    assert [seat.counts("a1b2", game, seat.since + 5) for game in (5, 6, 7)] == [False, False, True]
    # A journal that was begun anew counts again from 1.
    assert seat.counts("ffff", 1, seat.since + 5)
    assert not seat.counts("ffff", 1, seat.since - 5)


def test_the_best_of_three_ends_when_nobody_can_come_near() -> None:
    decisions = [*two(best_of=3), played(7)]
    assert after(decisions).pairings[0].result is None
    assert after([*decisions, played(8)]).pairings[0].result == (2, 0)
    drawn = after([*decisions, played(8, SECOND), played(9, DRAW)]).pairings[0]
    assert (drawn.score, drawn.result) == ((3, 3), (1, 1))


def test_a_corrected_game_that_decides_earlier_leaves_the_later_ones_uncounted() -> None:
    decisions = [*two(best_of=3), played(7), played(8, SECOND), played(9, SECOND)]
    assert after(decisions).pairings[0].result == (0, 2)
    corrected = after([*decisions, GameCorrected(1, 1, FIRST)]).pairings[0]
    assert (corrected.result, corrected.counted) == ((2, 0), (FIRST, FIRST))
    assert (corrected.games[1].by, corrected.games[1].source) == ("nora", ("north-1", "a1b2", 8))


def test_a_game_that_is_struck_is_played_again_and_never_comes_back_by_itself() -> None:
    decisions = [*two(), played(7), GameCorrected(1, 0, None), SeatGiven(1, 1, "a1b2", 6)]
    assert after(decisions).pairings[0].result is None
    with pytest.raises(DecisionRefused, match="entered already"):
        after([*decisions, played(7)])
    assert after([*decisions, played(8, DRAW)]).pairings[0].result == (1, 1)


@pytest.mark.parametrize(
    ("verdict", "result"),
    [
        (MatchVerdict.FIRST, (2, 0)),
        (MatchVerdict.DRAW, (1, 1)),
        (MatchVerdict.FIRST_ABSENT, (0, 2)),
        (MatchVerdict.SECOND_ABSENT, (2, 0)),
        (MatchVerdict.BOTH_ABSENT, (0, 0)),
    ],
)
def test_the_organiser_decides_a_pairing_and_takes_it_back(verdict: MatchVerdict, result: tuple[int, int]) -> None:
    decisions = [*two(best_of=3), played(7), VerdictGiven(1, verdict)]
    judged = after(decisions).pairings[0]
    assert (judged.result, judged.verdict_by, judged.seat) == (result, "nora", None)
    assert after([*decisions, VerdictGiven(1, None)]).pairings[0].score == (2, 0)


def test_who_leaves_has_lost_what_was_not_decided_also_in_later_rounds() -> None:
    decisions = round_by_round(announced(ROBIN, 4), 1, by_chance(1))
    before = after(decisions).pairings
    decisions.append(PlayerWithdrawn(2))
    assert after(decisions).pairings == before
    for _ in range(2):
        decisions.append(RoundDrawn(next_round(after(decisions))))
    later = [pairing for pairing in after(decisions).pairings if pairing.has(2) and pairing.round > 1]
    assert len(later) == 2
    for pairing in later:
        assert pairing.result == ((0, 2) if pairing.first == 2 else (2, 0))


def test_who_leaves_a_swiss_tournament_is_not_paired_again() -> None:
    decisions = round_by_round(announced(SWISS, 6, rounds=4), 1, by_chance(2))
    pairs = next_round(after([*decisions, PlayerWithdrawn(3)]))
    assert sorted(number for pair in pairs for number in pair) == [0, 1, 2, 4, 5, 6]


def test_tables_are_given_by_number_and_nobody_is_called_to_two() -> None:
    decisions = [*announced(ROBIN, 6), TablesSet(("north-1", "", "north-2"))]
    decisions.append(RoundDrawn(next_round(after(decisions))))
    assert seats_to_give(after(decisions)) == ((1, 1), (2, 2), (3, 3))
    decisions.append(RoundDrawn(next_round(after(decisions))))
    assert seats_to_give(after(decisions)) == ((1, 1), (2, 2), (3, 3))
    decisions += [SeatGiven(1, 1), SeatGiven(2, 3), VerdictGiven(1, MatchVerdict.FIRST)]
    ((pairing, table), *_) = seats_to_give(after(decisions))
    assert (pairing, table) == (3, 1)


def test_a_table_that_is_played_at_keeps_its_board() -> None:
    with pytest.raises(DecisionRefused, match="plays at table 1"):
        after([*two(), TablesSet(("north-2",))])
    assert after([*two(), TablesSet(("north-1", "north-2"))]).tables == ("north-1", "north-2")


@pytest.mark.parametrize("seed", range(12))
def test_corrections_make_the_same_table_as_if_it_had_been_entered_so_at_once(seed: int) -> None:
    chance = Random(seed)
    system = chance.choice((ROBIN, SWISS))
    players, best_of = chance.randint(3, 7), chance.choice((1, 3))
    decisions = round_by_round(announced(system, players, 3, best_of), 3, by_chance(seed))
    corrections = [
        (each.pairing, each.place, chance.choice(OUTCOMES))
        for each in decisions
        if isinstance(each, GameCorrected) and chance.random() < 0.5
    ]
    outcomes = {(pairing, place): outcome for pairing, place, outcome in corrections}
    at_once: list[Decision] = [
        GameCorrected(each.pairing, each.place, outcomes.get((each.pairing, each.place), each.outcome))
        if isinstance(each, GameCorrected)
        else each
        for each in decisions
    ]
    corrected = after([*decisions, *(GameCorrected(*each) for each in corrections)])
    try:
        entered = after(at_once)
    except DecisionRefused:
        # Another result of an earlier game had ended the pairing, or left it open, before the next round.
        return
    assert standings_of(corrected) == standings_of(entered)


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        ([PlayerEntered("x")], "before one is announced"),
        ([Announced(" ", ROBIN)], "1 to 40 letters"),
        ([Announced("Friday", ROBIN, 0)], "best of 1 to 9"),
        ([Announced("Friday", SWISS)], "1 to 30 rounds"),
        ([Announced("Friday", ROBIN), Announced("Friday", ROBIN)], "announced already"),
        ([Announced("Friday", ROBIN), PlayerEntered("x" * 21)], "up to 20 letters"),
        ([Announced("Friday", ROBIN), *[PlayerEntered()] * 41], "40 players are the most"),
        ([Announced("Friday", ROBIN), PlayerRelabelled(1, "x")], "no player 1"),
        ([*announced(ROBIN, 1), RoundDrawn(((1, 0),))], "two players at least"),
        ([*announced(ROBIN, 3), RoundDrawn(((1, 2), (2, 3)))], "each player once"),
        ([*announced(ROBIN, 2), RoundDrawn(((1, 9),))], "no player 9"),
        ([*announced(ROBIN, 2), RoundDrawn(((1, 2),)), RoundDrawn(((1, 2),))], "all 1 rounds are drawn"),
        ([*announced(SWISS, 4, 2), RoundDrawn(((1, 2), (3, 4))), RoundDrawn(((1, 3), (2, 4)))], "not decided yet"),
        ([*announced(ROBIN, 2), RoundDrawn(((1, 2),)), PlayerEntered()], "after the first round"),
        ([*announced(ROBIN, 3), RoundDrawn(((1, 2), (3, 0))), VerdictGiven(2, None)], "free round"),
        ([*announced(ROBIN, 2), SeatGiven(1, 1)], "no pairing 1"),
        ([*announced(ROBIN, 2), RoundDrawn(((1, 2),)), SeatGiven(1, 1)], "no table 1"),
        ([*two(), played(7), SeatGiven(1, 1)], "needs no table"),
        ([*two(), played(7), GameCorrected(1, 1, FIRST)], "is decided"),
        ([*two(), GameCorrected(1, 5, FIRST)], "has 0 games"),
        ([*announced(ROBIN, 2), TablesSet(("a", "a"))], "one table only"),
        ([*two(), TournamentClosed(), SeatTaken(1)], "closed"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(decisions: list[Decision], said: str) -> None:
    with pytest.raises(DecisionRefused, match=said):
        after(decisions)


def test_two_pairings_share_neither_a_table_nor_a_player() -> None:
    begun = [*announced(ROBIN, 4), TablesSet(("north-1", "north-2"))]
    begun += [RoundDrawn(((1, 4), (2, 3))), RoundDrawn(((4, 3), (1, 2))), SeatGiven(1, 1)]
    with pytest.raises(DecisionRefused, match="plays at table 1"):
        after([*begun, SeatGiven(2, 1)])
    with pytest.raises(DecisionRefused, match="one of both"):
        after([*begun, SeatGiven(3, 2)])


EVERY_KIND: list[Decision] = [
    *two(best_of=3),
    Announced("Friday", SWISS, 3, 5),
    PlayerRelabelled(1, "Ö"),
    PlayerWithdrawn(2),
    SeatTaken(1),
    played(7, DRAW),
    GameCorrected(1, 0, None),
    GameCorrected(1, 0, SECOND),
    VerdictGiven(1, MatchVerdict.BOTH_ABSENT),
    VerdictGiven(1, None),
    TournamentClosed(),
]


@pytest.mark.parametrize("decision", EVERY_KIND, ids=lambda each: type(each).__name__)
def test_every_decision_is_read_as_it_was_written(decision: Decision) -> None:
    assert decision_of(json.loads(json.dumps(decision_as_json(decision)))) == decision


@pytest.mark.parametrize(
    "told",
    [{}, {"decision": "cake"}, {"decision": "withdrawn", "player": "1"}, {"decision": "round", "pairs": [[1]]},
     {"decision": "tables", "boards": [1]}, {"decision": "verdict", "pairing": 1, "verdict": "both"}],
)  # fmt: skip
def test_what_cannot_be_read_is_said(told: dict[str, object]) -> None:
    with pytest.raises(DecisionUnreadable):
        decision_of(told)


def test_the_same_decisions_make_the_same_tournament_also_one_by_one() -> None:
    decisions = round_by_round(announced(SWISS, 5, 3), 3, by_chance(9))
    tournament = None
    for entry in entries(*decisions):
        tournament = after_decision(tournament, entry)
    assert tournament == after(decisions)
