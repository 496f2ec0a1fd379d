"""Ready, alive, stopping: told from within the loop of a whole simulated board, on a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.config import Config
from quarto_pi.service import ServiceManager, Watchdog
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.platform import simulated_hardware, simulated_tags
from tests.service.listening import Listener, listening

PATIENCE_MS = 4_000


class Service:
    """A board that a service manager has started."""

    def __init__(self, stack: ExitStack, listener: Listener) -> None:
        platform, self.board = simulated_hardware()
        self.listener = listener
        self.watchdog = stack.enter_context(Watchdog(ServiceManager(listener.address, PATIENCE_MS)))
        self.loop = open_loop(Config(), platform, stack, simulated_tags(), watchdog=self.watchdog)

    def wait(self, milliseconds: int, between_ms: int = 0) -> list[str]:
        """Let the board live for so long, and return what was told meanwhile; a socket's queue is short.

        `between_ms` passes before each of its turns.
        """
        end = self.board.clock.ns // 1_000_000 + milliseconds
        told: list[str] = []

        def goes_on() -> bool:
            told.extend(self.listener.heard())
            self.board.clock.advance_ms(between_ms)
            return self.board.clock.ns // 1_000_000 < end

        self.loop.run(goes_on)
        return told


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with listening(tmp_path) as listener, ExitStack() as stack:
        yield Service(stack, listener)


def test_board_is_ready_after_its_first_whole_sweep_and_not_before(service: Service) -> None:
    service.watchdog.tick(0)
    assert service.listener.heard() == []
    service.loop.turn()
    assert service.listener.heard()[:2] == ["READY=1", "STATUS=choose; 17 of 17 readers answer"]


@pytest.mark.slow
def test_watchdog_is_fed_several_times_within_its_patience(service: Service) -> None:
    service.wait(1_000)
    meals = service.wait(3 * PATIENCE_MS).count("WATCHDOG=1")
    assert 9 <= meals <= 12


@pytest.mark.slow
def test_status_is_told_when_it_changes_and_not_again(service: Service) -> None:
    service.wait(1_000)
    assert [line for line in service.wait(5_000) if line.startswith("STATUS=")] == []


@pytest.mark.slow
def test_idle_board_goes_on_feeding(service: Service) -> None:
    service.wait(120_000, between_ms=900)
    assert service.wait(2 * PATIENCE_MS).count("WATCHDOG=1") >= 6


@pytest.mark.slow
def test_dead_readers_do_not_stop_the_feeding_and_stand_in_the_status(service: Service) -> None:
    service.wait(1_000)
    for cell in ("a1", "b2", "offer"):
        service.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    assert "STATUS=choose; 14 of 17 readers answer" in service.wait(10_000)
    assert service.wait(2 * PATIENCE_MS).count("WATCHDOG=1") >= 6


@pytest.mark.slow
def test_board_that_sleeps_says_so_in_the_status(service: Service) -> None:
    told = service.wait(16 * 60_000, between_ms=900)
    phases = [line.partition(";")[0] for line in told if line.startswith("STATUS=")]
    assert phases[-2:] == ["STATUS=attract", "STATUS=asleep"]


def test_loop_that_ticks_without_looking_is_not_alive(service: Service) -> None:
    service.wait(1_000)
    for now in range(2_000, 20_000, 100):
        service.watchdog.tick(now)
    told = service.listener.heard()
    assert told.count("WATCHDOG=1") <= 1
    assert told[-1].endswith("the sweep stands still; the loop stands still")


def test_sign_that_stands_still_alone_is_named_and_starves_the_watchdog(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        watchdog = Watchdog(ServiceManager(listener.address, PATIENCE_MS))
        moving = {"the sweep": True, "the journal": False}
        signs = {"the sweep": lambda: moving["the sweep"], "the journal": lambda: moving["the journal"]}
        watchdog.attend(signs, lambda: (17, 17), lambda: True)
        for now in range(0, 10_000, 100):
            watchdog.tick(now)
        told = listener.heard()
        assert "WATCHDOG=1" not in told
        assert told[-1] == "STATUS=starting; 17 of 17 readers answer; the journal stands still"
        moving["the journal"] = True
        watchdog.tick(10_000)
        assert listener.heard() == ["WATCHDOG=1", "STATUS=starting; 17 of 17 readers answer"]


def test_sign_that_moved_once_between_two_meals_has_moved(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        watchdog = Watchdog(ServiceManager(listener.address, PATIENCE_MS))
        strokes = iter((False, True))
        watchdog.attend({"the journal": lambda: next(strokes, False)}, lambda: (17, 17), lambda: True)
        for now in range(0, 1_000, 100):
            watchdog.tick(now)
        assert listener.heard().count("WATCHDOG=1") == 1


def test_readiness_that_did_not_arrive_is_told_again(tmp_path: Path) -> None:
    watchdog = Watchdog(ServiceManager(str(tmp_path / "notify"), PATIENCE_MS))
    watchdog.attend({}, lambda: (17, 17), lambda: True)
    watchdog.tick(0)
    with listening(tmp_path) as listener:
        watchdog.tick(100)
        assert "READY=1" in listener.heard()


def test_end_is_told(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        with Watchdog(ServiceManager(listener.address)):
            pass
        assert listener.heard() == ["STOPPING=1"]
