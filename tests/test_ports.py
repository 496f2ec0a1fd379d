"""Ports for tests: each once, outside of what the system gives away, and none at which somebody listens."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ports
from tests.ports import PORTS, free_port

OUTGOING = Path("/proc/sys/net/ipv4/ip_local_port_range")


def test_no_port_is_given_twice_by_any_process() -> None:
    ours = [free_port() for _ in range(50)]
    asked = "from tests.ports import free_port; print(*(free_port() for _ in range(50)))"
    told = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout  # noqa: S603
    assert len({*ours, *map(int, told.split())}) == 100


def test_lock_that_somebody_has_is_not_left_open() -> None:
    taken = free_port()
    # What is left open is told of when it is collected, in whichever test that happens, and fails it.
    assert not ports._is_ours(taken)
    gc.collect()


@pytest.mark.skipif(not OUTGOING.exists(), reason="the system does not say which ports it gives to connections")
def test_no_outgoing_connection_gets_a_port_of_a_test() -> None:
    first, last = map(int, OUTGOING.read_text(encoding="ascii").split())
    assert not set(PORTS) & set(range(first, last + 1))


def test_port_at_which_somebody_listens_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = free_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", taken))
        other.listen()
        monkeypatch.setattr(ports, "_is_ours", lambda _: True)
        monkeypatch.setattr(ports._chance, "randrange", lambda _: PORTS.index(taken))
        assert free_port() != taken
