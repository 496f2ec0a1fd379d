"""The checker finds what it is there to find, in tables that were made wrong by hand."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.chain_faults.checker import (
    Evidence,
    FoundHub,
    FoundJournal,
    HandMove,
    HubAction,
    HubGame,
    Table,
    disagreements,
    faults_in,
)

BEGUN = {"event": "begun", "rules": {}, "players": ["human", "human"], "starter": 0}
GAME: list[dict[str, Any]] = [
    {"event": "given", "piece": "LTRF", "by": 0},
    {"event": "placed", "square": "b2", "piece": "LTRF", "player": 1},
    {"event": "given", "piece": "DTRF", "by": 1},
    {"event": "placed", "square": "c3", "piece": "DTRF", "player": 0},
    {"event": "called", "player": 0, "valid": True, "alignments": []},
    {"event": "result", "winner": 0, "reason": "call", "position": "", "alignments": []},
]
HANDS = [HandMove("LTRF", "offer"), HandMove("LTRF", "b2"), HandMove("DTRF", "offer"), HandMove("DTRF", "c3")]


def sound() -> Evidence:
    """Two games at one board, all of it at the hub."""
    table = Table("north-1", [*HANDS, *HANDS])
    table.told["h"] = [(game, event) for game in (1, 2) for event in GAME]
    actions = [HubAction("north-1", "h", game, 1 + n, e) for game in (1, 2) for n, e in enumerate([BEGUN, *GAME])]
    games = [HubGame("north-1", "h", game, "call", 0) for game in (1, 2)]
    journal = FoundJournal("north-1", "h", {1: list(GAME), 2: list(GAME)}, outcomes={1: (0, "call"), 2: (0, "call")})
    return Evidence([table], [journal], [FoundHub(actions, games)])


def test_a_chain_that_has_kept_its_word_is_sound() -> None:
    assert faults_in(sound()) == []


def _lose_last(evidence: Evidence) -> None:
    evidence.hubs[0].actions.pop()
    evidence.hubs[0].games[1] = HubGame("north-1", "h", 2, None, None)


def _lose_middle(evidence: Evidence) -> None:
    del evidence.hubs[0].actions[3]


def _lose_game(evidence: Evidence) -> None:
    del evidence.hubs[0].actions[7:], evidence.hubs[0].games[1]


def _repeat(evidence: Evidence) -> None:
    evidence.hubs[0].actions.append(evidence.hubs[0].actions[4])


def _repeat_renumbered(evidence: Evidence) -> None:
    last = evidence.hubs[0].actions[-1]
    evidence.hubs[0].actions.append(HubAction("north-1", "h", 2, last.number + 1, last.event))


def _swap(evidence: Evidence) -> None:
    actions = evidence.hubs[0].actions
    first, second = actions[1], actions[3]
    actions[1] = HubAction("north-1", "h", 1, first.number, second.event)
    actions[3] = HubAction("north-1", "h", 1, second.number, first.event)


def _change(evidence: Evidence) -> None:
    other = HubAction("north-1", "h", 1, 3, {**GAME[1], "square": "b3"})
    evidence.hubs[0].actions[2] = other


def _forget_at_board(evidence: Evidence) -> None:
    del evidence.journals[0].games[2][3]
    evidence.hubs[0].actions.pop()


def _invent(evidence: Evidence) -> None:
    event = {"event": "placed", "square": "d4", "piece": "DSQH", "player": 1}
    evidence.journals[0].games[2].append(event)
    evidence.hubs[0].actions.append(HubAction("north-1", "h", 2, 8, event))


def _count_twice(evidence: Evidence) -> None:
    evidence.hubs[0].games.append(evidence.hubs[0].games[0])


def _another_winner(evidence: Evidence) -> None:
    evidence.hubs[0].games[0] = HubGame("north-1", "h", 1, "call", 1)


def _keep_waiting(evidence: Evidence) -> None:
    evidence.journals[0].queue += evidence.hubs[0].actions[-2:]
    evidence.journals[0].queue.append(HubAction("north-1", "older", 9, 1, BEGUN))


def _two_hubs(evidence: Evidence) -> None:
    assert isinstance(evidence.hubs, list)
    evidence.hubs.append(FoundHub([evidence.hubs[0].actions[0]], []))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (_lose_last, "1 settled actions of game 2 never reached"),
        (_lose_middle, r"lacks actions \[4\] of game 1"),
        (_lose_game, "6 settled actions of game 2 never reached"),
        (_repeat, "action 5 of game 1 2 times"),
        (_repeat_renumbered, "1 actions more of game 2"),
        (_swap, "in game 1 the hub has"),
        (_change, "in game 1 the hub has"),
        (_forget_at_board, "its journal has lost what was told in game 2"),
        (_invent, "in game 2 its journal has what no hand has done"),
        (_count_twice, "game 1 is counted 2 times"),
        (_another_winner, "and is counted as"),
        (_keep_waiting, "action 1 of game 9 waits"),
        (_two_hubs, "action 1 of game 1 2 times"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
def test_what_was_made_wrong_is_found(wrong: Callable[[Evidence], None], said: str) -> None:
    evidence = deepcopy(sound())
    wrong(evidence)
    with pytest.raises(AssertionError, match=said):
        assert not (found := faults_in(evidence)), "\n".join(found)


def test_a_journal_that_is_gone_leaves_at_the_hub_what_was_told_and_no_more() -> None:
    evidence = sound()
    gone = Evidence(evidence.tables, [], evidence.hubs)
    assert faults_in(gone) == []
    evidence.hubs[0].actions[2] = HubAction("north-1", "h", 1, 3, {**GAME[1], "square": "b3"})
    assert "which was never told" in "\n".join(faults_in(gone))


def test_two_boards_that_call_different_winners_are_found() -> None:
    other = [*GAME[:-1], {**GAME[-1], "winner": 1}]
    assert disagreements(GAME, GAME[:3]) == []
    assert "the other [1]" in disagreements(GAME, other)[-1]
    assert disagreements(GAME, [GAME[1], GAME[0]])
