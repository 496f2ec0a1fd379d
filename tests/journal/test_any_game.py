"""A game of any evening, kept at any moment, goes on as it was, but for its times."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarto_pi.journal.journal import last_game, upgrade, write
from quarto_pi.journal.records import GameRecorder, as_keys, as_settings
from quarto_pi.referee import (
    Ask,
    Before,
    Button,
    Effect,
    Input,
    Save,
    Seat,
    Seen,
    Settings,
    Starter,
    State,
    fold,
    start,
)
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Calling, FalseCallRule, Game, Options, Phase, TimeOut, Trait
from quarto_pi.sensing.board import Sensing, doubts_of
from quarto_pi.trace.format import Trace, read_trace
from tests.referee.people import Rascals, as_trace, header
from tests.referee.test_any_evening import HEADERS, Chance

START = 1_234_567


def as_kept(game: Game) -> dict[str, object]:
    """What has to come back of a game: everything but the moments of its clock."""
    return {
        "options": game.options,
        "starter": game.starter,
        "board": game.board,
        "hand": game.hand,
        "phase": game.phase,
        "turns": game.turns,
        "calls": game.calls,
        # After the end it matters only what has won.
        "open": None if game.over else set(game.open),
        "missed": set(game.missed),
        "fixed": game.fixed and game.phase is Phase.GIVE,
        "latched": None if game.latch is None else game.latch.player,
        "time used": None if game.clock is None else (used(game), game.clock.told),
        "result": game.result,
    }


def used(game: Game) -> int:
    assert game.clock is not None
    return (game.now if game.paused_since is None else game.paused_since) - game.clock.started


def evening(trace: Trace, seed: int) -> list[tuple[State, tuple[Effect, ...]]]:
    """All states of an evening after which a game was to be kept, and the effects."""
    sensing, computer = Sensing(trace.header.tags), Chance(seed)
    board = sensing.start_empty()
    state, effects = start(trace.header.settings, trace.lines[0].at)
    moments = [(state, effects)]
    for line in trace.lines:
        inputs: list[Input] = [computer(effect) for effect in effects if isinstance(effect, Ask)]
        if isinstance(line, Button):
            inputs.append(line)
        else:
            board, events = sensing.fold(board, line)
            inputs.append(Seen(line.at, events, doubts_of(board)))
        effects = ()
        for each in inputs:
            state, further = fold(state, each)
            effects += further
            if further:
                moments.append((state, further))
    return moments


@pytest.mark.slow
@settings(max_examples=15)
@given(first=HEADERS, seed=st.integers(0, 2**32))
def test_game_kept_at_any_moment_of_any_evening_goes_on_as_it_was(first: dict[str, Any], seed: int) -> None:
    trace = read_trace(
        as_trace(header(**first), Rascals(seed, gives_on_place=bool(first["gives_on_place"])).play(8)),
        Settings(),
        3,
        foreign=True,
    )
    wishes = trace.header.settings
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        upgrade(connection, Path("memory"))
        game_recorder = GameRecorder(wishes, lambda: 0.0)
        for state, effects in evening(trace, seed):
            entry = game_recorder.entry_of(effects)
            if entry is None:
                continue
            write(connection, [entry])
            saves = [effect for effect in effects if isinstance(effect, Save)]
            if not saves:
                continue
            goes_on(connection, saves[-1], state)


def goes_on(connection: sqlite3.Connection, saved: Save, state: State) -> None:
    """The controller starts anew, and has the game as it was saved."""
    last = last_game(connection, state.wishes)
    assert last is not None
    resumed, _ = start(state.wishes, START, before=Before(state.number, state.tally, last[0]))
    game = resumed.game
    # Whether giving is sensed is asked of the readers anew; the rest stands as it did.
    game = replace(game, options=replace(game.options, giving_sensed=saved.game.options.giving_sensed))
    assert as_kept(game) == as_kept(saved.game)
    assert resumed.number == state.number
    assert last[0].played_ms == saved.played_ms
    if saved.game == state.game:
        assert resumed.phase is state.phase
    under_way = resumed.phase in (RefereePhase.GIVEN, RefereePhase.WAITING, RefereePhase.PLACED)
    assert (game.paused_since is not None) is under_way


@given(
    seed=st.integers(0, 2**32),
)
def test_settings_come_back_from_their_keys(seed: int) -> None:
    rng = random.Random(seed)
    chosen = Settings(
        rules=Options(
            squares=rng.random() < 0.5,
            traits=tuple(rng.sample(list(Trait), rng.randint(1, 4))),
            calling=rng.choice(list(Calling)),
            false_call=rng.choice(list(FalseCallRule)),
            time_out=rng.choice(list(TimeOut)),
            clock_ms=rng.choice((None, 30_000)),
            latch_ms=rng.choice((10_000, 5_000)),
            final_call_ms=rng.choice((10_000, 5_000)),
        ),
        seats=(Seat(rng.choice((None, 1, 10))), Seat(rng.choice((None, 4)))),
        starter=rng.choice(list(Starter)),
        undo=rng.random() < 0.5,
        coach=rng.random() < 0.5,
        language=rng.choice(("en", "zh_TW")),
    )
    assert as_settings(json.loads(json.dumps(as_keys(chosen))), Settings()) == chosen


def test_settings_that_make_no_sense_any_more_are_those_of_the_file() -> None:
    assert as_settings({"language": "tlh"}, Settings()) == Settings()
