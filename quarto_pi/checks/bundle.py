"""What helps others to help: all that was found, and what the system says, in one archive without secrets."""

from __future__ import annotations

import io
import json
import platform
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path
from typing import Final

from quarto_pi import __version__
from quarto_pi.checks.discretion import Discretion, names_of, secrets_in
from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.checks.pi import MODEL
from quarto_pi.checks.service import UNIT
from quarto_pi.config import ConfigError
from quarto_pi.config.layers import lay
from quarto_pi.config.places import Place
from quarto_pi.config.problems import problems
from quarto_pi.config.section import as_toml
from quarto_pi.config.values import dotted, shown_value

FOLDER: Final = "quarto-pi-support"
LOG_LINES: Final = 2000
PACKAGES: Final = ("mfrc522", "RPi.GPIO", "rpi-lgpio", "lgpio", "spidev", "gpiozero", "luma.core", "luma.oled")
PACKAGES_MORE: Final = ("luma.led_matrix", "smbus2", "pillow", "starlette", "uvicorn", "tomlkit", "pyserial")
_OF_THE_KERNEL: Final = re.compile(r"(?i)spi|i2c|gpio|volt|throttl|mmc|ext4|usb|watchdog|out of memory")


def bundle(machine: Machine, place: Place, findings: Iterable[Finding]) -> Mapping[str, str]:
    """The texts of the archive by their names, without secrets."""
    discretion = Discretion(_secrets(place), names_of(machine))
    told = [_discreet(finding, discretion) for finding in findings]
    texts = {
        "findings.txt": "\n".join(map(str, told)),
        "configuration.txt": "\n".join(_configuration(place)),
        "versions.txt": "\n".join(_versions(machine)),
        "service.txt": machine.output("systemctl", "show", UNIT, "--property=ActiveState,SubState,Result,NRestarts")
        or "there is no service",
        "log.txt": machine.output(
            "journalctl", f"--unit={UNIT}", f"--lines={LOG_LINES}", "--output=short-iso", "--no-hostname", "--no-pager"
        )
        or "there is no log, or it may not be read: use sudo",
        "kernel.txt": "\n".join(_kernel(machine)),
    }
    clean = {name: discretion.clean(text).rstrip("\n") + "\n" for name, text in texts.items()}
    # Cleaned as an object, not as a text: what stands for a secret must not take a quotation mark with it.
    clean["findings.json"] = "".join(json.dumps(asdict(finding)) + "\n" for finding in told)
    return {"README.txt": _contents(clean), **clean}


def archive(texts: Mapping[str, str], now: float) -> bytes:
    """The texts as a compressed archive, in which nothing tells who made it."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name, text in texts.items():
            content = text.encode("utf-8")
            entry = tarfile.TarInfo(f"{FOLDER}/{name}")
            entry.size, entry.mtime = len(content), int(now)
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue()


def _contents(texts: Mapping[str, str]) -> str:
    listed = "\n".join(f"  {name:18} {len(text.splitlines()):5} lines" for name, text in texts.items())
    return (
        f"What quarto-pi {__version__} found out about a board.\n\n{listed}\n\n"
        "PIN, passwords, the tags' UIDs, addresses, and the names of people and computers were taken out, and of the\n"
        "configuration all comments. Games are not in here. Read it before you hand it on.\n"
    )


def _discreet(finding: Finding, discretion: Discretion) -> Finding:
    fix = None if finding.fix is None else discretion.clean(finding.fix)
    return replace(finding, detail=discretion.clean(finding.detail), fix=fix)


def _secrets(place: Place) -> Iterator[str]:
    for file in _files(place):
        try:
            yield from secrets_in(file.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue


def _files(place: Place) -> list[Path]:
    try:
        return place.files()
    except ConfigError:
        return [place.file]


def _configuration(place: Place) -> Iterator[str]:
    """Every value with its origin; the files themselves stay where they are, for nobody knows what comments tell."""
    try:
        settings = lay(place.sources()).settings
    except ConfigError:
        yield from problems(_files(place))
        return
    for setting in settings:
        yield f"{dotted(setting.path)} = {as_toml(shown_value(setting))}  # {setting.origin}"


def _versions(machine: Machine) -> Iterator[str]:
    yield f"quarto-pi {__version__}"
    yield f"python {platform.python_version()}"
    for package in (*PACKAGES, *PACKAGES_MORE):
        try:
            yield f"{package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            yield f"{package} is not installed"
    yield f"kernel {platform.release()} {platform.machine()}"
    yield f"model {machine.text(MODEL) or 'unknown'}"
    yield machine.text("etc/os-release") or "no os-release"


def _kernel(machine: Machine) -> Iterator[str]:
    told = machine.output("dmesg")
    if told is None:
        yield "the kernel's messages may not be read: use sudo"
        return
    yield from (line for line in told.splitlines() if _OF_THE_KERNEL.search(line))
