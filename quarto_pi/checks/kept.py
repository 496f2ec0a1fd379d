"""The journal: whether the games of a board are safe where they are kept."""

from __future__ import annotations

from pathlib import Path

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.checks.storage import folder_of
from quarto_pi.config import JournalConfig
from quarto_pi.journal.condition import condition_of


def journal(machine: Machine, settings: JournalConfig) -> Finding:
    """The journal; nothing of it is changed by looking."""
    folder = Path(settings.folder).expanduser() if settings.folder else folder_of(machine)
    try:
        seen = condition_of(folder)
    except PermissionError:
        return Finding("journal", ok=False, detail=f"{folder} may not be looked into", fix="sudo quarto-pi check")
    return Finding("journal", ok=seen.ok, detail=seen.detail, fix=seen.fix)
