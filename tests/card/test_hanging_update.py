"""An update that hangs, never becomes ready, or can't even be judged: the system before comes back, and says so."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from card import commands, rauc_backend
from card.boot_choice import BootChoice, Slot, State
from card.reset_status import requesting
from card.slots import Slots
from card.trial import PATIENCE_SECONDS, SETTLE_SECONDS, Trial
from card_build.system import OWN_FILES
from installing.fall_back import is_failing
from installing.health import Watch

from quarto_pi.clock import US_PER_MS
from quarto_pi.config import Config
from quarto_pi.notices import notices_in
from quarto_pi.referee.messages import Impaired, Impairment
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.platform import simulated_hardware, simulated_tags
from tests.card.boot_chain import Pi

UNIT = (OWN_FILES.parents[1] / "quarto-pi.service").read_text(encoding="utf-8")
LOADING = 30.0
"""Seconds that a board takes to be ready, where it becomes ready at all."""
PROGRAMS = OWN_FILES / "usr/lib/quarto-pi"
ON_TRIAL = OWN_FILES / "etc/initramfs-tools/scripts/init-top/quarto-pi"

Story = Callable[[float], Mapping[str, str]]


def unit_seconds(key: str) -> float:
    found = re.search(rf"(?m)^{key}=(\d+)$", UNIT)
    assert found is not None
    return float(found[1])


START, WATCHDOG, RESTART = (unit_seconds(key) for key in ("TimeoutStartSec", "WatchdogSec", "RestartSec"))


def seen(state: str, crashes: float = 0, status: str = "") -> Mapping[str, str]:
    return {"ActiveState": state, "MainPID": f"{7 + crashes:.0f}", "NRestarts": f"{crashes:.0f}", "StatusText": status}


def plays(at: float) -> Mapping[str, str]:
    return seen("active", status="17 of 17 readers answer") if at > LOADING else seen("activating")


def is_never_ready(at: float) -> Mapping[str, str]:
    return seen("activating", at // (START + RESTART))


def is_never_ready_and_never_ended(_: float) -> Mapping[str, str]:
    return seen("activating")


def stands_still_once_it_is_ready(at: float) -> Mapping[str, str]:
    crashes, since = divmod(at, LOADING + WATCHDOG + RESTART)
    return seen("active" if LOADING < since < LOADING + WATCHDOG else "activating", crashes)


def forgets_its_readers(at: float) -> Mapping[str, str]:
    return seen("active", status="0 of 17 readers answer") if at > LOADING else seen("activating")


@dataclass
class Board:
    """A board as systemd tells of it, second by second, and a card that judges it."""

    folder: Path
    pi: Pi
    seconds: float = 0.0
    told: list[str] = field(default_factory=list)
    restarts: int = 0

    def judge(self, slots: Slots, story: Story) -> None:
        """What follows from a start."""
        self.seconds = 0.0
        Trial(
            slots,
            watch=lambda readers: Watch(
                SETTLE_SECONDS,
                readers,
                look=lambda: story(self.seconds),
                now=lambda: self.seconds,
                sleep=self._sleep,
                patience_seconds=PATIENCE_SECONDS,
            ),
            readers=lambda: 17,
            readers_before=self.folder / "readers",
            went_back=commands._have_said,
            restart=self._restart,
            tell=self.told.append,
        ).run()

    def update(self) -> Slots:
        """An update is written and is about to be judged, after a start that was healthy."""
        slots = self.pi.start()
        self.judge(slots, plays)
        rauc_backend.answer(slots, ["set-state", "B", "bad"])
        self.pi.write_update(Slot.B, b"2")
        rauc_backend.answer(slots, ["set-primary", "B"])
        assert slots.try_new()
        return self.pi.start()

    def _sleep(self, seconds: float) -> None:
        self.seconds += seconds

    def _restart(self) -> None:
        self.restarts += 1


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    pi = Pi(tmp_path)
    pi.flash(BootChoice().encoded())
    monkeypatch.setattr(commands, "NOTICE", tmp_path / "notices" / commands.NOTICE.name)
    return Board(tmp_path, pi)


def notice_of_a_running_board(notices: Path) -> object:
    """What a board shows, on display and page, with these notices beside it."""
    platform, simulated = simulated_hardware()

    def hampered() -> Impairment | None:
        return next((why for why, _ in notices_in(notices)), None)

    with ExitStack() as stack:
        loop = open_loop(Config(), platform, stack, simulated_tags(), hampered=hampered)
        for _ in range(2):
            simulated.clock.wait_until(simulated.clock.now() + 2_000 * US_PER_MS)
            loop.turn()
        assert loop.state is not None
        assert loop.state.view is not None
        return loop.state.view.notice


@pytest.mark.parametrize(
    ("story", "why", "within"),
    [
        (is_never_ready, "it ends as soon as it is started", 2 * (START + RESTART) + 1),
        (is_never_ready_and_never_ended, f"it was not ready within {PATIENCE_SECONDS:.0f} s", PATIENCE_SECONDS + 1),
        (stands_still_once_it_is_ready, "it was ready, and then did not stay up", LOADING + WATCHDOG + 2),
        (forgets_its_readers, "only 0 readers answer, and 17 did before", LOADING + SETTLE_SECONDS + 2),
    ],
)
def test_an_update_that_hangs_is_left_and_the_system_before_says_so(
    board: Board, story: Story, why: str, within: float
) -> None:
    board.judge(board.update(), story)
    assert board.told[-1] == f"The update is left, and the system before it comes back: {why}."
    assert board.seconds <= within
    assert board.restarts == 1
    slots = board.pi.start()
    assert slots.running is Slot.A
    board.judge(slots, plays)
    assert slots.choice() == BootChoice(Slot.A, {Slot.A: State.GOOD, Slot.B: State.BAD})
    assert notice_of_a_running_board(commands.NOTICE.parent) == Impaired(Impairment.WENT_BACK)


def test_an_update_whose_system_hangs_is_undone_by_the_watchdog_and_the_system_before_says_so(board: Board) -> None:
    """Nobody in it judges anything any more; the Pi's watchdog restarts, and nothing asks for it again."""
    assert board.update().running is Slot.B
    slots = board.pi.start()
    assert slots.running is Slot.A
    board.judge(slots, plays)
    assert slots.choice().state(Slot.B) is State.BAD
    assert notice_of_a_running_board(commands.NOTICE.parent) == Impaired(Impairment.WENT_BACK)


def test_an_update_that_plays_is_not_called_undone(board: Board) -> None:
    board.judge(board.update(), plays)
    assert board.restarts == 0
    assert notice_of_a_running_board(commands.NOTICE.parent) is None


@pytest.mark.parametrize("hangs_for", [START, LOADING + WATCHDOG, LOADING + 600.0 + WATCHDOG])
def test_a_version_that_was_healthy_and_hangs_at_every_start_later_is_left_within_three_hours(
    hangs_for: float,
) -> None:
    """With the longest wait between two starts that there is."""
    longest_wait = 60
    deaths = [int(number * (hangs_for + RESTART + longest_wait)) for number in range(1, 100)]
    left = next(at for number, at in enumerate(deaths, 1) if is_failing(deaths[:number], at))
    assert left <= 3 * 3600


@dataclass
class Machine:
    """The card's own scripts, with what they call in its place."""

    folder: Path
    state: str = "running"

    @property
    def trial(self) -> Path:
        return self.folder / "memory" / "on-trial"

    def program(self, name: str, text: str) -> None:
        program = self.folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
        program.chmod(0o755)

    def begin(self, asked: int) -> str:
        """The first that a start does; what it writes into the register."""
        self.program("busybox", f'[ -z "$4" ] && echo {asked:#x} || echo "$4" > {self.folder}/register')
        self._run(ON_TRIAL)
        return (self.folder / "register").read_text(encoding="ascii").strip()

    def judged(self, result: str, status: str) -> list[str]:
        """What the card does once whoever judges has ended like this."""
        asked = self.folder / "asked"
        self.program("systemctl", f'[ "$1" = is-system-running ] && echo {self.state} || echo "$@" >> {asked}')
        self._run(PROGRAMS / "unjudged", SERVICE_RESULT=result, EXIT_STATUS=status)
        return asked.read_text(encoding="ascii").splitlines() if asked.exists() else []

    def _run(self, script: Path, **variables: str) -> None:
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        own = {"PATH": path, "TRIAL": f"{self.trial}", "MEMORY": f"{self.trial.parent}"}
        subprocess.run(["/bin/sh", script], check=True, env=os.environ | own | variables, capture_output=True)  # noqa: S603


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("partition", [2, 3])
def test_a_start_that_was_asked_for_is_known_as_a_trial_and_not_asked_for_again(
    machine: Machine, partition: int
) -> None:
    register = machine.begin(requesting(0x20, partition))
    assert int(register) == requesting(0x20, 0)
    assert machine.trial.exists()


@pytest.mark.parametrize("value", [0x20, 0x555, 0x575])
def test_any_other_start_is_no_trial(machine: Machine, value: int) -> None:
    """Partition 63 is how a Pi is told to stay off."""
    machine.begin(value)
    assert not machine.trial.exists()


@pytest.mark.parametrize(
    ("result", "status"),
    [("exit-code", "1"), ("exit-code", "203"), ("timeout", "TERM"), ("signal", "SEGV"), ("resources", "")],
)
def test_an_update_that_can_not_even_be_judged_is_left(machine: Machine, result: str, status: str) -> None:
    machine.begin(requesting(0, 3))
    assert machine.judged(result, status) == ["reboot --no-block"]


def test_an_update_that_was_found_healthy_is_not_left(machine: Machine) -> None:
    machine.begin(requesting(0, 3))
    assert machine.judged("success", "0") == []
    assert machine.judged("exit-code", "1") == [], "it is the usual system from now on"


def test_the_usual_system_is_not_restarted_for_ever_because_it_can_not_be_judged(machine: Machine) -> None:
    machine.begin(0)
    assert machine.judged("exit-code", "1") == []


def test_a_board_that_is_switched_off_during_a_trial_stays_off(machine: Machine) -> None:
    machine.begin(requesting(0, 2))
    machine.state = "stopping"
    assert machine.judged("success", "TERM") == []


def test_whoever_judges_a_start_has_more_time_than_a_board_has_to_become_ready() -> None:
    unit = (OWN_FILES / "usr/lib/systemd/system/quarto-pi-card-trial.service").read_text(encoding="utf-8")
    found = re.search(r"(?m)^RuntimeMaxSec=(\d+)min$", unit)
    assert found is not None
    assert int(found[1]) * 60 > PATIENCE_SECONDS + SETTLE_SECONDS
    assert "\nExecStopPost=/usr/lib/quarto-pi/unjudged\n" in unit
