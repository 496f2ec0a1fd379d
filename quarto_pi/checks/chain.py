"""The chain of boards: whether the broker is reached, whether the hub is there, and what waits for it since when."""

from __future__ import annotations

import json
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from quarto_pi.chain.credentials import CredentialsRefused, read_credentials
from quarto_pi.chain.unforeseen import UNFORESEEN
from quarto_pi.checks import Finding
from quarto_pi.checks.machine import Machine, folder_of
from quarto_pi.config import ChainConfig, JournalConfig
from quarto_pi.journal.journal import JournalError
from quarto_pi.journal.queue import QueueLength, SettledQueue
from quarto_pi.wiring.platform import this_installation

CHAIN_NOTE: Final = "run/quarto-pi/chain.json"
"""Where the running service notes how its chain is doing."""
KNOCK_SECONDS: Final = 5.0
_LOOK: Final = "is the hub's machine on, and in this network? There: quarto-pi hub start"
_REPORT: Final = "nothing at once, for the board goes on: report it, with what 'journalctl -u quarto-pi' says of it"
_REFUSED: Final = "at the hub: quarto-pi hub add {board} --renew, and copy what it has made to this board"


@dataclass(frozen=True, slots=True)
class ChainNote:
    """What the running board noted last."""

    connected: bool
    hub: bool
    why: str
    trouble: str = ""
    """An error that nobody foresaw, and where."""


def chain(machine: Machine, settings: ChainConfig, journal: JournalConfig | None) -> Finding:
    """How the board is doing on its chain."""
    trouble = _unusable(settings)
    if trouble is not None:
        return trouble
    where = f"{settings.board} at {settings.broker}, port {settings.port}"
    if journal is None:
        fix = "quarto-pi config set journal.present true"
        return Finding("chain", ok=False, detail=f"{where}: nothing is sent, for no journal is kept", fix=fix)
    waits = _waiting(Path(journal.folder).expanduser() if journal.folder else folder_of(machine))
    note = note_of(machine)
    if note is None:
        why = knock(settings)
        said = why or "the broker answers; the board does not run, or not as the service"
        return Finding("chain", ok=not why, detail=f"{where}: {said}; {waits}", fix=_LOOK if why else None)
    if not note.connected:
        fix = _REFUSED.format(board=settings.board) if "credentials" in note.why else _LOOK
        if UNFORESEEN in note.why:
            fix = _REPORT
        return Finding("chain", ok=False, detail=f"{where}: {note.why or 'not connected'}; {waits}", fix=fix)
    if not note.hub:
        detail = f"{where}: the broker is reached, and the hub is not there; {waits}"
        return Finding("chain", ok=False, detail=detail, fix="start it on its machine: quarto-pi hub start")
    if note.trouble:
        detail = f"{where}: the hub is there, and lately there was {UNFORESEEN}: {note.trouble}; {waits}"
        return Finding("chain", ok=False, detail=detail, fix=_REPORT)
    return Finding("chain", ok=True, detail=f"{where}: the hub is there; {waits}")


def _unusable(settings: ChainConfig) -> Finding | None:
    if find_spec("paho") is None:
        fix = this_installation().with_chain()
        return Finding("chain", ok=False, detail="the package paho-mqtt is not installed", fix=fix)
    try:
        read_credentials(settings.credentials_file, settings.board)
    except CredentialsRefused as error:
        if isinstance(error.__cause__, PermissionError):
            return Finding("chain", ok=False, detail=f"{error.__cause__}", fix="sudo quarto-pi check")
        detail, _, fix = f"{error}".rstrip(".").partition(": ")
        return Finding("chain", ok=False, detail=detail, fix=fix)
    return None


def note_of(machine: Machine) -> ChainNote | None:
    """What the board that runs has noted; None where none runs."""
    with suppress(ValueError, TypeError, KeyError):
        told = json.loads(machine.text(CHAIN_NOTE) or "null")
        if machine.path(f"proc/{int(told['pid'])}").exists():
            trouble = str(told.get("trouble", ""))
            return ChainNote(bool(told["connected"]), bool(told["hub"]), str(told["why"]), trouble)
    return None


def _waiting(folder: Path) -> str:
    try:
        length = SettledQueue(folder).length() if folder.is_dir() else QueueLength()
    except (JournalError, OSError) as error:
        return f"what waits is not known ({error})".rstrip(".")
    if not length.actions:
        return "nothing waits"
    said = f"{length.actions} action{' waits' if length.actions == 1 else 's wait'}"
    if not length.since:
        return said
    return f"{said} since {datetime.fromtimestamp(length.since, UTC).strftime('%Y-%m-%d %H:%M UTC')}"


def knock(settings: ChainConfig) -> str:
    """Why the broker does not answer, empty where it does. Nobody logs in: that would throw the running board off."""
    try:
        with socket.create_connection((settings.broker, settings.port), KNOCK_SECONDS) as line:
            if settings.tls:
                context = ssl.create_default_context(cafile=settings.ca or None)
                with context.wrap_socket(line, server_hostname=settings.broker):
                    pass
    except ssl.SSLError as error:
        return f"the broker is not to be believed ({getattr(error, 'verify_message', '') or error.reason})"
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else error
        return f"the broker is not reached ({said})"
    return ""
