"""A game as the hub makes it of what was told is the game that the board has played."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from quarto_pi.chain.messages import SettledAction
from quarto_pi.hub.replaying import MOST_ACTIONS, ReplayedGame, replay_actions, seat_of
from quarto_pi.referee import Ask, Effect, Save, Settings, Tell, fold, start
from quarto_pi.referee.effects import Begin
from quarto_pi.rules import Game
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.format import header_of, read_trace
from quarto_pi.trace.story import DURABLE_EVENTS, as_json
from tests.games.evening import HERE
from tests.hub.games import BEGAN, HISTORY, settled
from tests.referee.heard_evenings import Heard, heard
from tests.referee.people import Rascals, as_trace
from tests.referee.people import header as people_header
from tests.referee.test_any_evening import live_through

KEPT_OF_HEADER = ("rules", "players", "starter", "offer_reader")


def effects_of(evening: Heard) -> Iterator[Effect]:
    """All that the referee wants done in an evening; the computer answers at once."""
    state, effects = start(evening.settings, 0, evening.patience, evening.before)
    yield from effects
    for received in evening.inputs:
        asked = [effect for effect in effects if isinstance(effect, Ask)]
        state, effects = fold(state, received)
        yield from effects
        asked += [effect for effect in effects if isinstance(effect, Ask)]
        for ask in asked:
            if ask.at <= received.at:
                state, effects = fold(state, evening.computer(ask))
                yield from effects


def games_of(effects: Iterable[Effect]) -> Iterator[tuple[list[SettledAction], Game]]:
    """Of each game what was told of it until it was kept last, and the game as it was then."""
    actions: list[SettledAction] = []
    kept: list[SettledAction] = []
    game: Game | None = None
    for effect in effects:
        match effect:
            case Begin(starter=starter, settings=settings):
                if kept and game is not None:
                    yield kept, game
                header = header_of(settings, TagTable({}), starter.value)
                told = {"event": "begun", **{key: header[key] for key in KEPT_OF_HEADER}}
                actions, game = [SettledAction(HISTORY, 1, 1, BEGAN, told)], None
                kept = []
            case Save():
                game, kept = effect.game, list(actions)
            case Tell(at, report) if actions:
                told = as_json(at, report)
                del told["t"]
                if told["event"] in DURABLE_EVENTS:
                    actions.append(SettledAction(HISTORY, 1, len(actions) + 1, BEGAN, told))
            case _:
                pass
    if kept and game is not None:
        yield kept, game


def unsensed(actions: list[SettledAction]) -> list[SettledAction]:
    """The same, from a board that does not say whether it senses giving."""
    begun = {key: value for key, value in actions[0].event.items() if key != "offer_reader"}
    return [replace(actions[0], event=begun), *actions[1:]]


def assert_same(actions: list[SettledAction], game: Game) -> None:
    replayed = replay_actions(actions)
    events = [action.event for action in actions]
    assert replayed.fault is None, events
    assert replay_actions(unsensed(actions)).fault is None, events
    assert replayed.game is not None
    assert replayed.game.board == game.board, events
    assert replayed.game.turns == game.turns
    assert set(replayed.game.missed) == set(game.missed)
    assert replayed.is_over is game.over
    if game.result is not None:
        assert replayed.reason == game.result.reason.value
        assert replayed.winner == (None if game.result.winner is None else game.result.winner.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(file.stem for file in HERE.glob("*.game")))
def test_every_evening_is_replayed_as_it_was_played(name: str) -> None:
    for actions, game in games_of(effects_of(heard(name))):
        assert_same(actions, game)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(4, 12))]
)
def test_games_of_people_who_do_anything_are_replayed_as_they_were_played(seed: int) -> None:
    draw = random.Random(seed)
    rules = {
        "calling": draw.choice(["button", "button", "auto"]),
        "squares": draw.random() < 0.5,
        "traits": draw.choice([["colour", "height", "shape", "top"], ["colour"], ["height", "top"]]),
        "false_call": draw.choice(["refuse", "forfeit"]),
        "time_out": draw.choice(["show", "forfeit"]),
        "clock_seconds": draw.choice([None, 5]),
    }
    header = people_header(gives_on_place=draw.random() < 0.5, buttons=draw.randint(1, 2), rules=rules)
    lines = Rascals(seed, gives_on_place=bool(header["offer_reader"])).play(60)
    trace = read_trace(as_trace(header, lines), Settings(), 3, foreign=True)
    for actions, game in games_of(live_through(trace, seed)):
        assert_same(actions, game)


def test_the_parts_of_a_game_come_to_the_same_as_all_of_it_at_once() -> None:
    actions = settled()
    replayed = ReplayedGame()
    for action in actions:
        replayed = replay_actions([action], replayed)
    assert replayed == replay_actions(actions)
    assert (replayed.seats, replayed.reason, replayed.winner) == (("person", "person"), "call", 0)


def without(name: str) -> list[SettledAction]:
    """A won game from which the first event of this name is missing."""
    actions = settled()
    gone = next(action for action in actions if action.event["event"] == name)
    left = [action for action in actions if action is not gone]
    return [replace(action, number=number) for number, action in enumerate(left, start=1)]


def with_change(name: str, **changes: object) -> list[SettledAction]:
    """A won game in whose first event of this name something else is told."""
    actions = settled()
    index = next(index for index, action in enumerate(actions) if action.event["event"] == name)
    actions[index] = replace(actions[index], event={**actions[index].event, **changes})
    return actions


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        (without("begun"), "a game begins with 'begun'"),
        (without("given"), "no piece has been given"),
        (
            without("placed"),
            "have been given already|gives, and it is the other|another one instead|must not|was given",
        ),
        (without("called"), "by the rules it goes on"),
        (with_change("begun", starter=2), "starter is no whole number"),
        (with_change("begun", rules=[]), "without its rules"),
        (with_change("begun", rules={"traits": ["weight"]}), "the rule traits is none"),
        (with_change("begun", players=["human"]), "without two players"),
        (with_change("given", by=1), "it is the other one's turn"),
        (with_change("given", piece="LTR"), "LTR"),
        (with_change("placed", player=0), "it is the other one's turn"),
        (with_change("placed", square="e9"), "e9"),
        (with_change("called", player=1), "does not count"),
        (with_change("called", valid=None), "neither true nor false"),
        (with_change("called", valid=False), "was not false"),
        (with_change("called", alignments=[]), "other alignments"),
        (with_change("called", alignments=[{"squares": 1}]), "no list of words"),
        (with_change("placed", event="lost"), "its board has lost it"),
        (with_change("result", winner=1), "by the rules it is 'call'"),
        (with_change("result", position="..../..../..../.... -"), "another position"),
        ([*settled(), replace(settled()[-1], number=12)], "the game is over"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence_and_nobody_wins_by_it(
    actions: list[SettledAction], complaint: str
) -> None:
    replayed = replay_actions(actions)
    assert replayed.fault is not None
    assert re.search(complaint, replayed.fault), replayed.fault
    assert replayed.fault.startswith("action ")
    assert replayed.is_over
    assert replayed.through == len(actions)
    if actions[-1].number <= 11:
        assert (replayed.winner, replayed.reason) == (None, "unfinished")


def test_an_event_of_a_newer_board_is_let_pass() -> None:
    actions = settled()
    further = replace(actions[3], number=4, event={"event": "applause", "loudness": 11})
    rest = [replace(action, number=action.number + 1) for action in actions[3:]]
    assert replay_actions([*actions[:3], further, *rest]).fault is None


def test_a_game_without_an_end_is_played_only_so_far() -> None:
    begun, *_ = settled()
    more = SettledAction(HISTORY, 1, MOST_ACTIONS + 1, BEGAN, {"event": "lifted"})
    replayed = replay_actions([begun, more])
    assert replayed.fault is not None
    assert "more than" in replayed.fault


def test_a_seat_is_called_as_in_a_boards_state() -> None:
    assert [seat_of(player) for player in ("human", "ai 10", "ai like me", "board")] == [
        "person",
        "computer 10",
        "computer like me",
        "board",
    ]
