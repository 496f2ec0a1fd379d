"""`quarto-pi check` about the chain: the broker, the hub behind it, the credentials, and what waits since when."""

from __future__ import annotations

import json
import os
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.checks.chain import CHAIN_NOTE, chain
from quarto_pi.checks.machine import Machine, User
from quarto_pi.config import ChainConfig, JournalConfig
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import Given, Player
from tests.ports import free_port
from tests.rules.script import piece, play


@pytest.fixture
def settings(tmp_path: Path) -> ChainConfig:
    file = tmp_path / "credentials"
    file.write_text("north-1:secret\n", encoding="ascii")
    file.chmod(0o600)
    return ChainConfig("127.0.0.1", free_port(), tls=False, board="north-1", credentials=str(file))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "root", User("quarto-pi", 1000, frozenset()), {})


@pytest.fixture
def kept(tmp_path: Path) -> JournalConfig:
    with ExitStack() as stack:
        writer = open_journal(
            tmp_path / "kept", Settings(), stack, at_once=True, is_on_chain=True, wall=lambda: 1_800_000_000.0
        ).writer
        writer.keep((Begin(0, 1, Player.A, Settings()), Tell(0, Given(piece("0"), Player.A)), Save(0, play("0"))))
    return JournalConfig(str(tmp_path / "kept"))


def note(machine: Machine, *, pid: int | None = None, **told: object) -> None:
    file = machine.path(CHAIN_NOTE)
    file.parent.mkdir(parents=True, exist_ok=True)
    pid = os.getpid() if pid is None else pid
    file.write_text(json.dumps({"pid": pid, "connected": True, "hub": True, "why": "", **told}), encoding="utf-8")
    machine.path(f"proc/{os.getpid()}").mkdir(parents=True, exist_ok=True)


def test_board_whose_hub_is_there_is_well(machine: Machine, settings: ChainConfig, tmp_path: Path) -> None:
    note(machine)
    found = chain(machine, settings, JournalConfig(str(tmp_path / "none")))
    assert found.ok
    assert found.detail.endswith("the hub is there; nothing waits")


def test_what_waits_is_told_with_its_time(machine: Machine, settings: ChainConfig, kept: JournalConfig) -> None:
    note(machine, hub=False)
    found = chain(machine, settings, kept)
    assert not found.ok
    assert found.detail.endswith("the hub is not there; 2 actions wait since 2027-01-15 08:00 UTC")
    assert found.fix == "start it on its machine: quarto-pi hub start"


def test_refused_credentials_are_renewed_at_the_hub(
    machine: Machine, settings: ChainConfig, kept: JournalConfig
) -> None:
    note(machine, connected=False, hub=False, why="the broker refuses north-1: its credentials do not count there")
    found = chain(machine, settings, kept)
    assert not found.ok
    assert found.fix is not None
    assert "quarto-pi hub add north-1 --renew" in found.fix


def test_broker_is_knocked_at_where_no_board_runs(machine: Machine, settings: ChainConfig, kept: JournalConfig) -> None:
    note(machine, pid=999_999)
    away = chain(machine, settings, kept)
    assert not away.ok
    assert "the broker is not reached (Connection refused)" in away.detail
    with socket.create_server(("127.0.0.1", settings.port)):
        assert chain(machine, settings, kept).ok


def test_credentials_that_others_can_read_are_told_with_what_to_do(
    machine: Machine, settings: ChainConfig, kept: JournalConfig
) -> None:
    settings.credentials_file.chmod(0o644)
    found = chain(machine, settings, kept)
    assert not found.ok
    assert "secret" not in f"{found}"
    assert found.fix == f"do 'chmod 600 {settings.credentials}', and let the board's user own it"


def test_board_that_keeps_no_journal_sends_nothing(machine: Machine, settings: ChainConfig) -> None:
    assert not chain(machine, settings, None).ok
