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
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from quarto_pi import __version__
from quarto_pi.checks import Finding
from quarto_pi.checks.installation import UNIT
from quarto_pi.checks.machine import MODEL, Machine
from quarto_pi.config import ConfigError
from quarto_pi.config.layers import ConfigPlace, dotted, lay, problems, shown_value
from quarto_pi.config.section import as_toml

# --- Taking out of a text what is nobody's business -------------------------------------------------------------------

EVERYBODYS: Final = frozenset({"root", "pi", "quarto", "quarto-pi", "raspberrypi", "localhost", "nobody", "admin"})
"""Names that tell nothing about anybody, and would take other words with them."""
FIRST_PERSON: Final = 1000
"""From this number on users are people (login.defs, UID_MIN)."""

_SECRET: Final = re.compile(
    r"(?i)\b(pin|psk|pass(?:word|phrase|wd)?|secret|token|serial(?:number)?|(?:part)?uuid)\b(\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|\S+)"
)
_PLAIN: Final = (
    (re.compile(r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "(uuid)"),
    (re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"), "(mail)"),
    # Longer than a time of day: a UID with colons, or the address of a network card.
    (re.compile(r"\b[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){3,9}\b"), "(uid or address)"),
    (re.compile(r"\b(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})\b"), "(uid)"),
    (re.compile(r"/home/[^/\s\"']+"), "/home/(user)"),
)
_LIKE_AN_ADDRESS: Final = re.compile(
    r"(?<![\w.])\d+(?:\.\d+){3}(?!\w|\.\d)"  # IPv4, perhaps with a port behind it
    r"|(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?!\w)"  # IPv6
)


class Discretion:
    """Takes out what looks like a secret, and the words that are known to be one."""

    def __init__(self, secrets: Iterable[str] = (), names: Iterable[str] = ()) -> None:
        words = {(secret, "(secret)") for secret in secrets if secret}
        words |= {(name, "(name)") for name in names if len(name) > 2 and name.lower() not in EVERYBODYS}
        # The longest first: one may be part of another.
        self._words = [
            (re.compile(rf"(?i)(?<![\w-]){re.escape(word)}(?![\w-])" if kind == "(name)" else re.escape(word)), kind)
            for word, kind in sorted(words, key=lambda each: -len(each[0]))
        ]

    def clean(self, text: str) -> str:
        """The text without them.

        >>> Discretion(["geheim"], ["ada"]).clean("PIN: 4711, ada at 192.168.0.7 typed xgeheimx at 12:34:56")
        'PIN: (secret) (name) at (address) typed x(secret)x at 12:34:56'
        """
        for pattern, instead in self._words:
            text = pattern.sub(instead, text)
        text = _SECRET.sub(r"\1\2(secret)", text)
        for pattern, instead in _PLAIN:
            text = pattern.sub(instead, text)
        return _LIKE_AN_ADDRESS.sub(_without_address, text)


def _without_address(found: re.Match[str]) -> str:
    """What stands for an address of a network; a time of day is none, and everybody has 127.0.0.1."""
    try:
        address = ip_address(found[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "(address)"


def secrets_in(text: str) -> Iterator[str]:
    """Every value that a configuration calls a PIN, be the rest of it right or not."""
    for found in re.finditer(r"\bpin\s*=\s*(\"[^\"\n]*\"|'[^'\n]*'|[^\s#]+)", text):
        yield found[1].strip("\"'")


def private_names(machine: Machine) -> Iterator[str]:
    """The names of the computer and of the people on it (passwd(5): name, password, number, ..., full name, home)."""
    yield from (machine.text("etc/hostname") or "").split()
    yield from (machine.environ.get(key, "") for key in ("USER", "LOGNAME", "SUDO_USER", "HOSTNAME"))
    for line in (machine.text("etc/passwd") or "").splitlines():
        name, _, number, _, told, *_ = (*line.split(":"), "", "", "", "", "")
        if number.isdecimal() and int(number) >= FIRST_PERSON:
            yield name
            # Of a full name each part counts, but not "van" and "der".
            yield from (part for part in told.replace(",", " ").split() if len(part) > 3)


# --- What helps others to help: all that was found, and what the system says, in one archive without secrets ----------

BUNDLE_FOLDER: Final = "quarto-pi-support"
LOG_LINES: Final = 2000
PACKAGES: Final = ("mfrc522", "RPi.GPIO", "rpi-lgpio", "lgpio", "spidev", "gpiozero", "luma.core", "luma.oled")
PACKAGES_MORE: Final = ("luma.led_matrix", "smbus2", "pillow", "starlette", "uvicorn", "tomlkit", "pyserial")
_OF_THE_KERNEL: Final = re.compile(r"(?i)spi|i2c|gpio|volt|throttl|mmc|ext4|usb|watchdog|out of memory")


def bundle(machine: Machine, place: ConfigPlace, findings: Iterable[Finding]) -> Mapping[str, str]:
    """The texts of the archive by their names, without secrets."""
    discretion = Discretion(_secrets(place), private_names(machine))
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
            entry = tarfile.TarInfo(f"{BUNDLE_FOLDER}/{name}")
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


def _secrets(place: ConfigPlace) -> Iterator[str]:
    for file in _files(place):
        try:
            yield from secrets_in(file.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue


def _files(place: ConfigPlace) -> list[Path]:
    try:
        return place.files()
    except ConfigError:
        return [place.file]


def _configuration(place: ConfigPlace) -> Iterator[str]:
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
