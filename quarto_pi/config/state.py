"""Where the board keeps what it has to remember: the tags of its pieces, and whatever else must outlive the plug."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

NAME: Final = "quarto-pi"
OF_THE_SERVICE: Final = Path("/var/lib/quarto-pi")
"""What the service has, and with it everybody who asks about the same board from a shell."""


def state_folder(environ: Mapping[str, str], of_the_service: Path = OF_THE_SERVICE) -> Path:
    """The folder that the service manager names, else the service's if there is one, else the user's own.

    That last one need not exist yet.

    >>> print(state_folder({"STATE_DIRECTORY": "/var/lib/quarto-pi"}).as_posix())
    /var/lib/quarto-pi
    """
    # systemd names every folder of the unit, with colons between them; ours is the first.
    first = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if first:
        return Path(first)
    if of_the_service.is_dir():
        return of_the_service
    home = environ.get("XDG_STATE_HOME", "")
    # A path that is not absolute has to be ignored: XDG Base Directory Specification, "Basics".
    base = Path(home) if home.startswith("/") else Path(environ.get("HOME") or Path.home()) / ".local" / "state"
    return base / NAME
