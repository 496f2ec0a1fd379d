"""What was installed: the configuration, the program and all that belongs to it, the service, the page's port."""

from __future__ import annotations

import json
import stat
import urllib.request
from pathlib import Path
from typing import Final

from quarto_pi.checks import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.config import PageConfig
from quarto_pi.config.layers import ConfigPlace
from quarto_pi.config.sources import read_source
from quarto_pi.engine import kernel
from quarto_pi.engine.book import BookDamaged, read_book
from quarto_pi.languages import LANGUAGES
from quarto_pi.notices import notices_in
from quarto_pi.web.serving import LOOPBACK_OF, PortTaken, listen
from quarto_pi.wiring.platform import this_installation
from quarto_pi.words.catalogue import LOCALE_FOLDER, missing_of

# --- The configuration: which files count, and whether the PIN in them is anybody's to read ---------------------------

PIN = ("page", "pin")


def configuration(place: ConfigPlace) -> Finding:
    """The files that count; that they can be read and are right has been seen before."""
    files = place.files()
    if not files:
        detail = f"there is no {place.file}: everything has its usual value"
        return Finding("configuration", ok=True, detail=detail)
    detail = ", ".join(map(str, files))
    for file in files:
        if file.stat().st_mode & stat.S_IROTH and read_source(file).has(PIN):
            fix = f"sudo chgrp quarto-pi {file} && sudo chmod 640 {file}"
            said = f"{detail}; everybody on this computer can read the PIN in {file.name}"
            return Finding("configuration", ok=False, detail=said, fix=fix)
    return Finding("configuration", ok=True, detail=detail)


# --- The program itself: whether all that belongs to it was installed -------------------------------------------------

AGAIN = "install quarto-pi again"


def search() -> Finding:
    """Whether the opponent's search is compiled."""
    if Path(kernel.__file__).suffix != ".py":
        return Finding("search", ok=True, detail="compiled")
    return Finding(
        "search",
        ok=True,
        detail="interpreted: the opponent plays, but searches about a hundred times slower",
        fix=this_installation().compiled(),
    )


def opening_book() -> Finding:
    """The opening book."""
    try:
        sections = read_book()
    except BookDamaged as error:
        return Finding("opening book", ok=False, detail=str(error), fix=AGAIN)
    positions = sum(section.positions for section in sections.values())
    return Finding("opening book", ok=True, detail=f"{positions} positions in {len(sections)} variants")


def words(folder: Path = LOCALE_FOLDER) -> Finding:
    """The catalogues of all languages."""
    missing = missing_of(LANGUAGES, folder)
    if missing is not None:
        return Finding("words", ok=False, detail=str(missing), fix=missing.fix)
    return Finding("words", ok=True, detail=f"{len(LANGUAGES)} languages")


# --- What other services have the board say ---------------------------------------------------------------------------


def told_by_others(folder: Path) -> Finding:
    """What has gone wrong around the board: an update that went back, a mistake in the card's settings file."""
    told = [sentence for _, sentence in notices_in(folder)]
    if not told:
        return Finding("notices", ok=True, detail="nothing")
    return Finding("notices", ok=False, detail=" ".join(told), fix="put that right; the board says it until then")


# --- The service: whether systemd has it running, and how often it had to start it again ------------------------------

UNIT: Final = "quarto-pi.service"
ASKED: Final = ("LoadState", "ActiveState", "SubState", "Result", "NRestarts", "UnitFileState")
SEE_WHY: Final = "see why: journalctl -u quarto-pi -n 50"


LEFT_VERSION: Final = "opt/quarto-pi/left"
"""Where the service notes which version it has left by itself."""


def service_health(machine: Machine) -> Finding:
    """How the service is doing."""
    told = machine.output("systemctl", "show", UNIT, f"--property={','.join(ASKED)}")
    state = dict(line.split("=", 1) for line in (told or "").splitlines() if "=" in line)
    if state.get("LoadState") != "loaded":
        return Finding("service", ok=True, detail="not installed: the board runs as long as 'quarto-pi run' does")
    active, result, restarts = state.get("ActiveState", ""), state.get("Result", ""), state.get("NRestarts", "0")
    detail = f"{active} ({state.get('SubState', '')}), started again {restarts} times"
    left = machine.text(LEFT_VERSION)
    if left is not None:
        detail = f"{detail}; version {left.strip()} kept dying and was left for the one before"
        return Finding("service", ok=False, detail=detail, fix="install a newer version, and report this one")
    if active == "failed" or state.get("SubState") == "auto-restart":
        return Finding("service", ok=False, detail=f"{detail}; ended with {result}", fix=SEE_WHY)
    if state.get("UnitFileState") == "disabled":
        fix = "sudo systemctl enable quarto-pi"
        return Finding("service", ok=False, detail=f"{detail}; it will not start with the Pi", fix=fix)
    if active in ("inactive", "deactivating"):
        return Finding("service", ok=True, detail=detail, fix="start it: sudo systemctl start quarto-pi")
    return Finding("service", ok=True, detail=detail, fix=SEE_WHY if restarts not in ("", "0") else None)


# --- The page: whether its port is free for it, or is served by the board already -------------------------------------

PAGE_NAME: Final = "quarto-pi"
PAGE_ANSWER_SECONDS: Final = 3.0


def page(settings: PageConfig) -> Finding:
    """The page's port."""
    where = f"{settings.host}, port {settings.port}"
    may = "the PIN is needed to change something" if settings.pin else "it is only looked at, for it has no PIN"
    if _is_ours(settings):
        return Finding("page", ok=True, detail=f"served at {where}; {may}")
    try:
        listen(settings.host, settings.port).close()
    except PortTaken as error:
        fix = "quarto-pi config set page.host 127.0.0.1, or 0.0.0.0 for the whole network"
        if error.is_in_use:
            fix = "quarto-pi config set page.port 8041, for example; 'sudo ss -ltnp' tells who has this one"
        return Finding("page", ok=False, detail=str(error).rstrip("."), fix=fix)
    return Finding("page", ok=True, detail=f"not served now; {where} is free; {may}")


def _is_ours(settings: PageConfig) -> bool:
    """Whether the board answers there: docs/api.md, `GET /api/v1/`."""
    host = LOOPBACK_OF.get(settings.host, settings.host)
    address = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/api/v1/"
    # No proxy knows what this computer serves to itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=PAGE_ANSWER_SECONDS) as answer:
            told = json.load(answer)
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and told.get("name") == PAGE_NAME
