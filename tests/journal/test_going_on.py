"""Whole evenings in which the plug is pulled: table and journal stay, and a controller starts anew."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config import parse_config
from quarto_pi.referee import Order
from quarto_pi.referee.effects import GameFinished, Lifted, Mismatch
from quarto_pi.referee.menu import Item
from quarto_pi.referee.messages import (
    ChooseFirst,
    GiveNext,
    Paused,
    PlaceThis,
    PlayAgain,
    Prompt,
    PutBack,
    TakeOff,
    Won,
)
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Given, Phase, Placed, Player, Reason, Undone, parse_digit, parse_piece
from quarto_pi.simulation.board import UIDS
from quarto_pi.trace.story import as_json
from tests.evening import Evening
from tests.rules.script import FULL

LINE = [("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1")]


@pytest.fixture
def evening(stack: ExitStack, tmp_path: Path) -> Evening:
    evening = Evening(stack, journal=tmp_path)
    evening.wait(1_500)
    return evening


def pull_the_plug(evening: Evening) -> None:
    """Nothing is closed: what is not in the journal by now is lost."""
    evening.start()
    evening.wait(4_000)


@pytest.mark.slow
def test_game_waits_where_it_was_and_goes_on_at_a_touch(evening: Evening) -> None:
    evening.turn("LTRF", "a1")
    evening.put("LTQF", "offer")
    pull_the_plug(evening)
    assert prompt_of(evening) == Paused()
    assert (evening.state.phase, evening.state.game.hand) == (RefereePhase.GIVEN, parse_piece("LTQF"))
    evening.lift("LTQF")
    assert prompt_of(evening) == PlaceThis(Player.A, parse_piece("LTQF"))
    evening.put("LTQF", "b1")
    assert prompt_of(evening) == GiveNext(Player.A)
    assert [type(report) for report in evening.watcher.reports] == [Placed]


@pytest.mark.slow
def test_game_that_waits_goes_on_at_a_press_which_is_no_call(evening: Evening) -> None:
    evening.turn("LTRF", "a1")
    pull_the_plug(evening)
    evening.press()
    assert prompt_of(evening) == GiveNext(Player.B)
    assert evening.watcher.reports == []


@pytest.mark.slow
def test_open_alignment_can_be_called_after_the_power_is_back(evening: Evening) -> None:
    for piece, square in LINE:
        evening.turn(piece, square)
    pull_the_plug(evening)
    evening.press()
    evening.press()
    prompt = prompt_of(evening)
    assert isinstance(prompt, Won)
    assert (prompt.winner, evening.state.tally.games) == (Player.A, 1)


@pytest.mark.slow
def test_won_game_is_neither_told_nor_counted_again(evening: Evening) -> None:
    for piece, square in LINE:
        evening.turn(piece, square)
    evening.press()
    pull_the_plug(evening)
    prompt = prompt_of(evening)
    assert isinstance(prompt, PlayAgain)
    assert prompt.score == (1, 0)
    assert prompt.alignments
    assert evening.watcher.reports == []
    assert (evening.state.tally.games, evening.state.tally.wins) == (1, (1, 0))
    evening.clear()
    assert prompt_of(evening) == ChooseFirst(Player.A)
    assert evening.state.number == 2


@pytest.mark.slow
def test_piece_placed_while_the_power_was_off_is_placed(evening: Evening) -> None:
    evening.put("LTRF", "offer")
    evening.board.table.rest(uid("LTRF"), "c3")
    pull_the_plug(evening)
    assert [type(report) for report in evening.watcher.reports] == [Placed]
    assert prompt_of(evening) == GiveNext(Player.B)


@pytest.mark.slow
def test_piece_given_while_the_power_was_off_is_given(evening: Evening) -> None:
    evening.turn("LTRF", "a1")
    evening.board.table.rest(uid("DSQH"), "offer")
    pull_the_plug(evening)
    assert [type(report) for report in evening.watcher.reports] == [Given]
    assert prompt_of(evening) == PlaceThis(Player.A, parse_piece("DSQH"))


@pytest.mark.slow
def test_board_that_differs_is_put_right_piece_by_piece(evening: Evening) -> None:
    for piece, square in LINE[:3]:
        evening.turn(piece, square)
    evening.board.table.lift(uid("LTRF"))
    pull_the_plug(evening)
    assert [type(report) for report in evening.watcher.reports] == [Mismatch]
    assert isinstance(prompt_of(evening), PutBack)
    evening.put("LTRF", "a1")
    assert prompt_of(evening) == GiveNext(Player.B)


@pytest.mark.slow
def test_board_cleared_while_the_power_was_off_becomes_a_new_game_after_the_usual_wait(evening: Evening) -> None:
    for piece, square in LINE[:3]:
        evening.turn(piece, square)
    for tag in tuple(evening.board.table.resting):
        evening.board.table.lift(tag)
    pull_the_plug(evening)
    assert not any(isinstance(report, GameFinished) for report in evening.watcher.reports)
    evening.pass_time(12_000)
    ends = [report.result.reason for report in evening.watcher.reports if isinstance(report, GameFinished)]
    assert ends == [Reason.UNFINISHED]
    assert prompt_of(evening) == ChooseFirst(Player.A)


@pytest.mark.slow
def test_full_board_cleared_while_the_power_was_off_becomes_a_new_game_at_once(evening: Evening) -> None:
    words = FULL.split()
    for given, square in zip(words[::2], words[1::2], strict=True):
        evening.turn(parse_digit(given).letters, square)
    assert evening.state.game.phase is Phase.FINAL_CALL
    for tag in tuple(evening.board.table.resting):
        evening.board.table.lift(tag)
    pull_the_plug(evening)
    assert [report.result.reason for report in evening.watcher.reports if isinstance(report, GameFinished)] == [
        Reason.DRAW
    ]
    assert prompt_of(evening) == ChooseFirst(Player.A)
    assert evening.state.number == 2


@pytest.mark.slow
def test_last_move_can_be_taken_back_after_the_power_is_back(evening: Evening) -> None:
    evening.turn("LTRF", "a1")
    evening.turn("LTQF", "b1")
    pull_the_plug(evening)
    evening.lift("LTQF")
    evening.wait(1_000)
    evening.press()
    assert [type(report) for report in evening.watcher.reports] == [Lifted, Undone]
    assert evening.state.game.board.count == 1


@pytest.mark.slow
def test_clock_stands_until_somebody_is_there(stack: ExitStack, tmp_path: Path) -> None:
    evening = Evening(stack, parse_config("[game]\nclock_seconds = 30\n"), journal=tmp_path)
    evening.wait(1_500)
    evening.turn("LTRF", "a1")
    pull_the_plug(evening)
    evening.pass_time(15_000)
    left = evening.state.game.time_left(evening.state.game.now)
    assert left is not None
    assert left > 20_000


@pytest.mark.slow
def test_piece_that_was_left_over_from_a_move_taken_back_is_not_given_by_a_power_cut(evening: Evening) -> None:
    evening.turn("LTRF", "a1")
    evening.turn("LTQF", "b1")
    evening.put("DSQH", "offer")
    evening.loop.post(lambda at: Order(at, Item.UNDO))
    evening.lift("LTQF")
    assert prompt_of(evening) == TakeOff(parse_piece("DSQH"), "offer")
    pull_the_plug(evening)
    assert evening.state.game.hand is None
    evening.press()
    assert prompt_of(evening) == TakeOff(parse_piece("DSQH"), "offer")
    evening.lift("DSQH")
    evening.put("DSQH", "offer")
    assert evening.state.game.hand == parse_piece("DSQH")


@pytest.mark.slow
def test_recording_begins_with_the_first_game_that_a_replay_can_tell(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.turn("LTRF", "a1")
    evening.turn("LTQF", "b1")
    evening.start(tmp_path / "evening.trace")
    evening.wait(4_000)
    evening.turn("DSQH", "c3")
    evening.clear()
    evening.pass_time(12_000)
    before = len(evening.watcher.told)
    evening.turn("LTRF", "d4")
    told = [as_json(tell.at, tell.report) for tell in evening.watcher.told]
    assert [each["event"] for each in told[before:]] == ["given", "placed"]
    assert replayed(tmp_path / "evening.trace", capsys) == []
    assert replayed(tmp_path / "evening-2.trace", capsys)[:-1] == told[before:]


def replayed(file: Path, capsys: pytest.CaptureFixture[str]) -> list[object]:
    assert main(["replay", "--json", str(file)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def prompt_of(evening: Evening) -> Prompt:
    return evening.watcher.prompt


def uid(code: str) -> str:
    return UIDS[parse_piece(code).number]
