"""What systemd is told, on a real socket."""

import os
import socket
from pathlib import Path

from quarto_pi.service import ALIVE, READY, ServiceManager
from tests.service.listening import listening


def test_what_is_told_arrives_as_lines(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        assert ServiceManager(listener.address).tell(READY, "STATUS=attract")
        assert listener.heard() == ["READY=1", "STATUS=attract"]


def test_address_that_begins_with_an_at_sign_is_an_abstract_one() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0quarto-pi-{os.getpid()}")
        assert ServiceManager(f"@quarto-pi-{os.getpid()}").tell(READY)
        assert line.recv(100) == b"READY=1"


def test_nobody_is_told_where_no_manager_has_started_us() -> None:
    assert ServiceManager.of({}, 7).tell(READY)
    assert ServiceManager.of({}, 7).patience_ms == 0


def test_children_do_not_inherit_the_right_to_speak_for_the_service() -> None:
    environ = {"NOTIFY_SOCKET": "/run/none", "WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7", "HOME": "/"}
    assert ServiceManager.of(environ, 7).patience_ms == 10_000
    assert environ == {"HOME": "/"}


def test_watchdog_that_waits_for_another_process_is_not_fed_by_this_one() -> None:
    assert ServiceManager.of({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"}, 7).patience_ms == 0


def test_manager_that_has_gone_is_no_reason_to_stop_playing(tmp_path: Path) -> None:
    assert not ServiceManager(str(tmp_path / "gone")).tell(ALIVE)


def test_manager_that_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        manager = ServiceManager(listener.address)
        arrived = [manager.tell(ALIVE) for _ in range(1_000)]
        assert arrived[0]
        assert not arrived[-1]
        listener.heard()
        assert manager.tell(ALIVE)
