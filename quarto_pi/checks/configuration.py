"""The configuration: which files count, and whether the PIN in them is anybody's to read."""

from __future__ import annotations

import stat

from quarto_pi.checks.finding import Finding
from quarto_pi.config.places import Place
from quarto_pi.config.sources import read_source

PIN = ("page", "pin")


def configuration(place: Place) -> Finding:
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
