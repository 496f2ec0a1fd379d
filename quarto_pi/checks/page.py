"""The page: whether its port is free for it, or is served by the board already."""

from __future__ import annotations

import json
import urllib.request
from typing import Final

from quarto_pi.checks.finding import Finding
from quarto_pi.config import PageConfig
from quarto_pi.web.address import PortTaken, listen

NAME: Final = "quarto-pi"
PATIENCE_SECONDS: Final = 3.0
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound


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
    host = EVERYWHERE.get(settings.host, settings.host)
    address = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/api/v1/"
    # No proxy knows what this computer serves to itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=PATIENCE_SECONDS) as answer:
            told = json.load(answer)
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and told.get("name") == NAME
