"""A board is not started again, for an update, under the hands of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from card import commands, rauc_backend
from card.boot_choice import BootChoice, Slot, State
from card.quiet import HOLD, LONGEST_SECONDS, LOOK_SECONDS, PLAYED, is_played_at, wait_until_nobody_plays
from card_build.system import OWN_FILES

from quarto_pi.referee.phases import RefereePhase
from quarto_pi.service import ASLEEP
from quarto_pi.wiring.versions import HOLD_FILE
from tests.card.boot_chain import Pi


def seen(phase: str, state: str = "active") -> Mapping[str, str]:
    return {"ActiveState": state, "MainPID": "7", "NRestarts": "0", "StatusText": f"{phase}; 17 of 17 readers answer"}


def waited(phases: Iterator[str]) -> float:
    """How long a restart waits at a board that is at one phase after the other."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    wait_until_nobody_plays(lambda: seen(next(phases)), lambda: False, lambda: now[0], sleep)
    return now[0]


def test_every_phase_with_people_at_the_board_is_known_by_the_name_that_the_board_gives_it() -> None:
    """The card's own programs import nothing of it."""
    nobody = {RefereePhase.ATTRACT, RefereePhase.SET_UP}
    assert set(PLAYED) == {phase.value for phase in RefereePhase if phase not in nobody}


def test_a_restart_waits_until_the_game_is_over_and_everybody_has_left() -> None:
    assert waited(iter(("choose", "given", "placed", "choose", "over", "attract"))) == 5 * LOOK_SECONDS


def test_a_restart_does_not_wait_where_nobody_plays() -> None:
    for phase in (ASLEEP, "attract", "set up", "starting", "being set up", ""):
        assert waited(iter((phase,))) == 0.0


def test_a_board_that_does_not_run_is_not_played_at() -> None:
    assert not is_played_at(seen("placed", "activating"))
    assert not is_played_at({})


def test_a_board_at_which_somebody_always_plays_is_started_again_in_the_end() -> None:
    assert LONGEST_SECONDS <= waited(iter(lambda: "placed", "")) <= LONGEST_SECONDS + LOOK_SECONDS


@pytest.mark.parametrize("looks", [0, 1, 5])
def test_a_restart_waits_as_long_as_the_board_itself_holds_it(looks: int, tmp_path: Path) -> None:
    hold, waits = tmp_path / "hold-restart", list[float]()
    if looks:
        hold.touch()

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == looks:
            hold.unlink()

    wait_until_nobody_plays(lambda: seen("attract"), hold.exists, lambda: sum(waits), sleep)
    assert len(waits) == looks
    assert Path("/run/quarto-pi") / HOLD_FILE == HOLD


@pytest.fixture
def slots_with_update(tmp_path: Path) -> Pi:
    pi = Pi(tmp_path)
    pi.flash(BootChoice().encoded())
    slots = pi.start()
    rauc_backend.answer(slots, ["set-state", "B", "bad"])
    pi.write_update(Slot.B, b"2")
    rauc_backend.answer(slots, ["set-primary", "B"])
    return pi


def test_an_update_that_is_there_is_tried_once_nobody_plays(
    slots_with_update: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemctl = tmp_path / "bin" / "systemctl"
    systemctl.parent.mkdir()
    show = "".join(f"echo '{key}={value}';" for key, value in seen("attract").items())
    systemctl.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/asked\n{show}\n', encoding="ascii")
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{systemctl.parent}:/usr/bin:/bin")
    slots = slots_with_update.slots(Slot.A)
    assert commands._try_new(slots) == 0
    assert slots.choice().state(Slot.B) is State.TRIED
    assert slots_with_update.start().running is Slot.B
    assert (tmp_path / "asked").read_text(encoding="ascii").split() == ["show", "reboot"]


def test_nothing_is_waited_for_and_nothing_restarted_without_an_update(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pi = Pi(tmp_path)
    pi.flash(BootChoice().encoded())
    assert commands._try_new(pi.start()) == 0
    assert capsys.readouterr().out == "There is no update that was not tried yet.\n"
    assert pi.reset_status == 0


def test_what_tries_an_update_is_a_unit_of_the_card() -> None:
    unit = OWN_FILES / "usr/lib/systemd/system" / commands.TRYING
    assert "\nExecStart=/usr/lib/quarto-pi/card try\n" in unit.read_text(encoding="utf-8")
