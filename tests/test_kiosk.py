"""The whole controller in a café: games that are given up, and opening hours, above simulated chips."""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config import Config, KioskConfig, parse_config
from quarto_pi.referee import Abandon, Show, View
from quarto_pi.referee.messages import ClearTheBoard, GiveNext
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Player
from quarto_pi.trace.recorder import Tape
from quarto_pi.trace.story import as_json
from quarto_pi.wiring.platform import simulated_tags
from tests.evening import Evening

MINUTE = 60_000
EVENING = datetime(2026, 11, 16, 22, 0, 45)  # noqa: DTZ001 - a wall clock has no zone


def replayed(file: Path, capsys: pytest.CaptureFixture[str]) -> list[object]:
    assert main(["replay", "--json", str(file)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
def test_game_that_was_given_up_is_replayed_as_it_happened(
    stack: ExitStack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.trace"
    evening = Evening(stack, Config(kiosk=KioskConfig(abandon_minutes=1)), record=file)
    evening.wait(1_500)
    evening.turn("LTRF", "a1")
    evening.turn("DSQH", "b2")
    evening.pass_time(MINUTE + 1_000)
    assert evening.watcher.prompt == ClearTheBoard()
    assert any(isinstance(effect, Abandon) for effect in evening.watcher.effects)
    given_up = [as_json(tell.at, tell.report) for tell in evening.watcher.told]
    assert (given_up[-1]["event"], given_up[-1]["reason"]) == ("result", "unfinished")
    evening.lift("LTRF")
    evening.clear()
    evening.turn("DTRH", "c3")
    assert replayed(file, capsys) == given_up
    told = [as_json(tell.at, tell.report) for tell in evening.watcher.told]
    assert replayed(tmp_path / "evening-2.trace", capsys)[:-1] == told[len(given_up) :]


def test_tape_that_runs_leaves_out_what_follows_a_game_that_was_given_up() -> None:
    tape = Tape(simulated_tags())
    tape.start()
    tape.interrupt()
    assert tape.running
    assert tape.stop() == ""


@pytest.mark.slow
def test_house_that_closes_lets_people_finish_and_then_the_board_sleeps(stack: ExitStack) -> None:
    config = parse_config('[kiosk]\nopen = "10:00-22:01"\n')
    evening = Evening(stack, config, wall=lambda: EVENING + timedelta(milliseconds=evening.now - evening.began))
    evening.wait(1_500)
    evening.turn("LTRF", "a1")
    evening.pass_time(MINUTE / 4)
    assert evening.state.idling.is_open is False
    assert shown(evening).prompt == GiveNext(Player.B)
    assert not shown(evening).asleep
    evening.clear()
    evening.pass_time(5 * MINUTE)
    assert shown(evening).phase is RefereePhase.ATTRACT
    assert shown(evening).asleep
    evening.press()
    assert not shown(evening).asleep


@pytest.mark.slow
def test_clock_that_was_never_set_keeps_the_board_awake(stack: ExitStack) -> None:
    config = parse_config('[kiosk]\nopen = "10:00-10:01"\nsleep_minutes = 1\n')
    evening = Evening(stack, config, wall=lambda: datetime(1970, 1, 1, 0, 5))  # noqa: DTZ001
    evening.pass_time(90_000)
    assert shown(evening).phase is RefereePhase.ATTRACT
    assert not shown(evening).asleep


def shown(evening: Evening) -> View:
    """What is shown at this moment."""
    return [effect for effect in evening.watcher.effects if isinstance(effect, Show)][-1].view
