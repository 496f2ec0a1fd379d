"""`quarto-pi check --bundle`: an archive for those who are asked for help."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from quarto_pi.checks.bundle import archive, bundle
from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import this_machine
from quarto_pi.config.places import Place
from quarto_pi.rules import QuartoError


def write_bundle(file: Path, place: Place, look: Callable[[], Iterable[Finding]]) -> int:
    """Write the archive, and tell what is in it."""
    machine = this_machine(os.environ)
    texts = bundle(machine, place, _findings(look))
    file.write_bytes(archive(texts, machine.now()))
    print(texts["README.txt"])
    print(f"{file} is written")
    return 0


def _findings(look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """What is found, or why nothing can be: a board that cannot be looked at is what help is wanted for."""
    try:
        return list(look())
    except QuartoError as error:
        return [Finding("configuration", ok=False, detail=str(error), fix="quarto-pi config validate")]
