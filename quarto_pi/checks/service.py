"""The service: whether systemd has it running, and how often it had to start it again."""

from __future__ import annotations

from typing import Final

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine

UNIT: Final = "quarto-pi.service"
ASKED: Final = ("LoadState", "ActiveState", "SubState", "Result", "NRestarts", "UnitFileState")
LOOK: Final = "see why: journalctl -u quarto-pi -n 50"


def service(machine: Machine) -> Finding:
    """How the service is doing."""
    told = machine.output("systemctl", "show", UNIT, f"--property={','.join(ASKED)}")
    state = dict(line.split("=", 1) for line in (told or "").splitlines() if "=" in line)
    if state.get("LoadState") != "loaded":
        return Finding("service", ok=True, detail="not installed: the board runs as long as 'quarto-pi run' does")
    active, result, restarts = state.get("ActiveState", ""), state.get("Result", ""), state.get("NRestarts", "0")
    detail = f"{active} ({state.get('SubState', '')}), started again {restarts} times"
    if active == "failed" or state.get("SubState") == "auto-restart":
        return Finding("service", ok=False, detail=f"{detail}; ended with {result}", fix=LOOK)
    if state.get("UnitFileState") == "disabled":
        fix = "sudo systemctl enable quarto-pi"
        return Finding("service", ok=False, detail=f"{detail}; it will not start with the Pi", fix=fix)
    if active in ("inactive", "deactivating"):
        return Finding("service", ok=True, detail=detail, fix="start it: sudo systemctl start quarto-pi")
    return Finding("service", ok=True, detail=detail, fix=LOOK if restarts not in ("", "0") else None)
