"""Random hands, readers and buttons: the fold never fails, and its phase always fits the game."""

from __future__ import annotations

import json
import random
from itertools import zip_longest
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarto_pi.referee import (
    Answer,
    Ask,
    Button,
    Closed,
    Input,
    Plan,
    Seen,
    Settings,
    ShutDown,
    State,
    Tell,
    fold,
    referee,
    start,
)
from quarto_pi.referee.effects import Effect, GameFinished
from quarto_pi.referee.phases import PHASES, RefereePhase
from quarto_pi.rules import Phase, Reason
from quarto_pi.sensing.board import Sensing, doubts_of
from quarto_pi.sensing.readings import CELLS
from quarto_pi.trace.format import Trace, read_trace
from quarto_pi.trace.story import as_json, as_text
from tests.games.table import STRANGERS, UIDS
from tests.referee.people import Rascals, as_trace, header

pytestmark = pytest.mark.slow

HEADERS = st.fixed_dictionaries(
    {
        "players": st.sampled_from(
            [["human", "human"], ["human", "human"], ["human", "ai 2"], ["ai", "human"], ["ai", "ai"]]
        ),
        "starter": st.integers(0, 1),
        "gives_on_place": st.booleans(),
        "buttons": st.integers(1, 2),
        "undo": st.booleans(),
        "rules": st.fixed_dictionaries(
            {
                "squares": st.booleans(),
                "traits": st.sampled_from([["colour", "height", "shape", "top"], ["colour"], ["height", "top"]]),
                "calling": st.sampled_from(["button", "button", "auto"]),
                "clock_seconds": st.sampled_from([None, 5, 20]),
                "false_call": st.sampled_from(["refuse", "forfeit"]),
                "time_out": st.sampled_from(["show", "forfeit"]),
            }
        ),
    }
)


class Chance:
    """A computer that answers anything that is allowed, and sometimes late or never."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def __call__(self, ask: Ask) -> Answer:
        position = ask.position
        square = self._rng.choice(position.board.empty_squares or (None,)) if position.hand else None
        left = [piece for piece in position.board.pieces_left if piece != position.hand]
        plan = Plan(square, self._rng.choice(left) if left else None, call=self._rng.random() < 0.3)
        return Answer(ask.at, ask.number, plan, calls=self._rng.random() < 0.3)


def live_through(trace: Trace, seed: int) -> list[Effect]:
    """All effects of an evening; after every input the state has to be one that can be."""
    sensing = Sensing(trace.header.tags)
    board = sensing.start_empty()
    state, effects = start(trace.header.settings, trace.lines[0].at)
    check(state)
    computer = Chance(seed)
    done: list[Effect] = []
    for line in trace.lines:
        inputs: list[Input] = [computer(effect) for effect in effects if isinstance(effect, Ask)]
        if isinstance(line, Button):
            inputs.append(line)
        else:
            board, events = sensing.fold(board, line)
            inputs.append(Seen(line.at, events, doubts_of(board)))
        effects = ()
        for each in inputs:
            before = state
            state, further = fold(state, each)
            effects += further
            check(state)
            assert state.phase in {before.phase, *reachable(before.phase)}
        done += effects
    _, effects = fold(state, Closed(trace.lines[-1].at))
    return [*done, *effects]


def reachable(phase: RefereePhase) -> set[RefereePhase]:
    """The phases that may follow within one input, in which several things may be decided."""
    found: set[RefereePhase] = set()
    further = {phase}
    while further:
        further = {to for each in further for to in PHASES.ways[each].values()} - found
        found |= further
    return found


def check(state: State) -> None:
    """The phase fits the game, and what is remembered fits the phase."""
    game = state.game
    match state.phase:
        case RefereePhase.ATTRACT | RefereePhase.SET_UP | RefereePhase.CHOOSE:
            assert game.phase is Phase.GIVE
            assert game.board.count == 0
        case RefereePhase.GIVEN:
            assert game.phase is Phase.PLACE
            assert state.is_for_person
        case RefereePhase.WAITING:
            assert game.phase is Phase.PLACE
            assert not state.is_for_person
        case RefereePhase.PLACED:
            assert game.phase in (Phase.GIVE, Phase.FINAL_CALL)
            assert game.board.count
        case RefereePhase.OVER:
            assert game.phase is Phase.OVER
            assert game.result is not None
    assert (game.result is not None) is (state.phase is RefereePhase.OVER)
    if state.planned is not None:
        assert state.phase is RefereePhase.WAITING
    if state.phase is RefereePhase.OVER:
        assert (state.call, state.computer, state.clearing.since, state.mismatch) == (None, None, None, ())
    assert state.view is not None
    # Where only the computer has begun, nobody may be there: the board invites.
    assert state.view.phase in (state.phase, RefereePhase.ATTRACT if state.has_only_the_computer_begun else state.phase)
    assert state.view.board == game.board
    assert len(state.presses) < 100


def check_reports(effects: list[Effect]) -> None:
    """What is told makes a story: times that do not fall, a result for each game, nothing of a game after its end."""
    told = [effect for effect in effects if isinstance(effect, Tell)]
    assert [tell.at for tell in told] == sorted(tell.at for tell in told)
    under_way = False
    for tell in told:
        name = as_json(tell.at, tell.report)["event"]
        assert as_text(tell.report)
        if isinstance(tell.report, GameFinished):
            assert under_way
            under_way = False
        elif name == "given":
            under_way = True
        elif name in ("placed", "called", "missed", "undone", "timeout", "lifted"):
            # A game whose only turn was taken back is at its beginning, and still the same.
            assert under_way, name
    results = [tell.report.result for tell in told if isinstance(tell.report, GameFinished)]
    assert all(result.reason is not Reason.UNFINISHED or result.winner is None for result in results)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), chosen=HEADERS, turns=st.integers(1, 22), mischief=st.sampled_from([0.2, 0.6, 0.9]))
def test_rascals_neither_break_the_referee_nor_its_table_of_phases(
    seed: int, chosen: dict[str, object], turns: int, mischief: float
) -> None:
    buttons = ("call0", "call1", "menu") if chosen["buttons"] == 2 else ("call", "call", "menu")
    people = Rascals(seed, bool(chosen["gives_on_place"]), buttons, mischief)
    first = header(**chosen)  # type: ignore[arg-type] # the names are those of the header
    trace = read_trace(as_trace(first, people.play(turns)), Settings(), 3, foreign=True)
    check_reports(live_through(trace, seed))


UID = st.sampled_from([*UIDS.values(), *STRANGERS.values()])
READING = st.one_of(st.none(), UID, UID, st.just("error"), st.lists(UID, min_size=0, max_size=3))
SWEEP = st.tuples(
    st.sampled_from([60, 100, 100, 300, 1_100, 12_000]), st.dictionaries(st.sampled_from(CELLS), READING, max_size=3)
)
PRESS = st.tuples(
    st.sampled_from([0, 20, 100, 1_200, 3_100]), st.sampled_from(["call", "call0", "call1", "menu"]), st.booleans()
)


@settings(max_examples=25)
@given(chosen=HEADERS, lines=st.lists(st.one_of(SWEEP, SWEEP, SWEEP, PRESS), max_size=60), repeats=st.integers(1, 6))
def test_random_readings_and_buttons_do_not_break_it_either(
    chosen: dict[str, object], lines: list[tuple[object, ...]], repeats: int
) -> None:
    first = header(**chosen)  # type: ignore[arg-type] # the names are those of the header
    at, written = 0, [{"t": 0, "sweep": {}}]
    for line in lines:
        at += int(str(line[0]))
        if len(line) == 3:
            written.append({"t": at, "button": line[1], "down": line[2]})
            continue
        # What is seen only once is believed by nobody: it stands for some sweeps.
        written.append({"t": at, "sweep": line[1]})
        for _ in range(repeats):
            at += 100
            written.append({"t": at, "sweep": {}})
    trace = read_trace(as_trace(first, [json.dumps(line) for line in written]), Settings(), 3, foreign=True)
    check_reports(live_through(trace, len(lines)))


def test_nothing_but_the_menu_switches_the_board_off() -> None:
    for seed in range(2):
        people = Rascals(seed, buttons=("call0",))
        trace = read_trace(as_trace(header(buttons=2), people.play(12)), Settings(), 3, foreign=True)
        assert not any(isinstance(effect, ShutDown) for effect in live_through(trace, seed))


@settings(max_examples=3)
@given(seed=st.integers(0, 2**32), gives_on_place=st.booleans(), mischief=st.sampled_from([0.2, 0.7]))
def test_sweeps_that_are_passed_over_would_have_changed_nothing(
    seed: int, gives_on_place: bool, mischief: float
) -> None:
    # A sweep that sees nothing new is not looked at until something falls due: that is what makes a replay fast.
    people = Rascals(seed, gives_on_place, mischief=mischief)
    first = header(gives_on_place=gives_on_place)
    trace = read_trace(as_trace(first, people.play(8)), Settings(), 3, foreign=True)
    quickly = live_through(trace, seed)
    with patch.object(referee, "_is_passed_over", lambda *_: False):
        thoroughly = live_through(trace, seed)
    # Compared pair by pair: the difference of two whole evenings is more than anybody wants to read.
    assert [pair for pair in zip_longest(quickly, thoroughly) if pair[0] != pair[1]][:1] == []
