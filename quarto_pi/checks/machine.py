"""The computer below the board, as far as it tells about itself: files below a root, and what programs print."""

from __future__ import annotations

import errno
import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from quarto_pi.checks import Finding
from quarto_pi.config import Config, state_folder
from quarto_pi.config.service import OF_THE_SERVICE
from quarto_pi.files import sync_folder

PROGRAM_SECONDS: Final = 15.0
"""A log of two thousand lines takes a Zero 2 W some seconds."""


@dataclass(frozen=True, slots=True)
class User:
    """Who is asking: the name, the number, and the numbers of the groups that this session has."""

    name: str
    number: int
    groups: frozenset[int]


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer: where its files are, who uses it, and how it tells the time of day in seconds since 1970."""

    root: Path
    user: User
    environ: Mapping[str, str]
    now: Callable[[], float] = time.time

    def path(self, name: str) -> Path:
        """A file of this computer, by its name from the root."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """What is in a file; None where it cannot be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def texts(self, pattern: str) -> dict[Path, str]:
        """What is in all the files of this pattern that can be read."""
        found = {file: self.text(str(file.relative_to(self.root))) for file in sorted(self.root.glob(pattern))}
        return {file: text for file, text in found.items() if text is not None}

    def output(self, program: str, *arguments: str) -> str | None:
        """What a program prints; None where there is none, or where it fails."""
        found = shutil.which(program, path=self.environ.get("PATH", ""))
        if found is None:
            return None
        try:
            done = subprocess.run(  # noqa: S603 - a program of the system, with words of ours
                [found, *arguments],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=PROGRAM_SECONDS,
                env={**self.environ, "LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def this_machine(environ: Mapping[str, str]) -> Machine:
    """The computer that this program runs on."""
    number = os.geteuid()
    groups = frozenset({*os.getgroups(), os.getegid()})
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = str(number)
    return Machine(Path("/"), User(name, number, groups), environ)


# --- The Pi itself: which one it is, its memory, its temperature, and whether it gets enough voltage ------------------

MODEL: Final = "proc/device-tree/model"
THROTTLED: Final = "sys/devices/platform/soc*/*firmware*/get_throttled"
VOLT_ALARM: Final = "sys/class/hwmon/hwmon*/in0_lcrit_alarm"
TOO_HOT_DEGREES: Final = 80.0
"""Where every Pi begins to slow down."""
LEAST_FREE_MB: Final = 48
MOST_OF_MEMORY: Final = 0.5
"""The share of the memory that the search may have: the rest of the system needs some too."""

# Raspberry Pi documentation, "vcgencmd": get_throttled. Sixteen bits up: it has happened since the start.
UNDER_VOLTAGE: Final = 0
STATES: Final = {
    UNDER_VOLTAGE: "under-voltage",
    1: "the processor's clock is capped",
    2: "throttled",
    3: "near its temperature limit",
}
SINCE_START: Final = 16


def pi(machine: Machine) -> Iterator[Finding]:
    """Which Pi it is; of a Pi also its temperature and its voltage."""
    model = machine.text(MODEL)
    if model is None or "Raspberry Pi" not in model:
        detail = "this is none" if model is None else f"this is none, but {model}"
        yield Finding("pi", ok=True, detail=f"{detail}: temperature and voltage are not looked at")
        return
    yield Finding("pi", ok=True, detail=model)
    yield _temperature(machine)
    yield _power(machine)


def memory(machine: Machine, config: Config) -> Iterator[Finding]:
    """Whether there is memory enough for the search and for the rest."""
    figures = dict(_meminfo(machine.text("proc/meminfo") or ""))
    if not {"MemTotal", "MemAvailable"} <= set(figures):
        return
    total, free, table = figures["MemTotal"], figures["MemAvailable"], config.engine.table_mb
    detail = f"{free} of {total} MB are free, and the search may take {table}"
    if table > total * MOST_OF_MEMORY:
        less = max(1, total // 8)
        yield Finding("memory", ok=False, detail=detail, fix=f"quarto-pi config set engine.table_mb {less}")
    elif free < LEAST_FREE_MB:
        yield Finding("memory", ok=False, detail=detail, fix="end other programs, such as a desktop or a browser")
    else:
        yield Finding("memory", ok=True, detail=detail)


def _meminfo(text: str) -> Iterator[tuple[str, int]]:
    """The figures in megabytes (proc(5): each line is a name and kilobytes)."""
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        kilobytes = rest.removesuffix("kB").strip()
        if kilobytes.isdecimal():
            yield name, int(kilobytes) // 1024


def _temperature(machine: Machine) -> Finding:
    zones = machine.texts("sys/class/thermal/thermal_zone*/temp")
    degrees = [int(text) / 1000 for text in zones.values() if text.lstrip("-").isdecimal()]
    if not degrees:
        return Finding("temperature", ok=True, detail="the kernel does not tell it")
    detail = f"{max(degrees):.0f} degrees Celsius"
    if max(degrees) < TOO_HOT_DEGREES:
        return Finding("temperature", ok=True, detail=detail)
    return Finding("temperature", ok=False, detail=detail, fix="let air to the Pi, or give it a heat sink or a fan")


def _power(machine: Machine) -> Finding:
    bits = _throttled(machine)
    if bits is None:
        return Finding("power", ok=True, detail="the firmware does not tell whether the voltage is enough")
    now = [word for bit, word in STATES.items() if bits >> bit & 1]
    before = [word for bit, word in STATES.items() if bits >> bit + SINCE_START & 1]
    told = [f"now {', '.join(now)}"] if now else []
    told += [f"since the start {', '.join(before)}"] if before else []
    if not told:
        return Finding("power", ok=True, detail="voltage and clock were always as they should be")
    low = bits >> UNDER_VOLTAGE & 1 or bits >> UNDER_VOLTAGE + SINCE_START & 1
    supply = "use the Pi's own power supply and a short cable, and feed readers and lights from another one"
    return Finding("power", ok=False, detail="; ".join(told), fix=supply if low else "let air to the Pi")


def _throttled(machine: Machine) -> int | None:
    """All that kernel and firmware know of it; they differ in how long they remember."""
    told = machine.output("vcgencmd", "get_throttled") or ""
    words = [told.strip().removeprefix("throttled="), *machine.texts(THROTTLED).values()]
    known = [int(word, base=16) for word in words if _is_hex(word)]
    known += [int(text) << SINCE_START for text in machine.texts(VOLT_ALARM).values() if text in ("0", "1")]
    bits = 0
    for each in known:
        bits |= each
    return bits if known else None


def _is_hex(word: str) -> bool:
    try:
        int(word, base=16)
    except ValueError:
        return False
    return True


# --- The time of day: a Pi has none of its own after it was unplugged, until somebody tells it ------------------------

SYNCHRONISED: Final = "run/systemd/timesync/synchronized"
LATEST: Final = 4_102_444_800
"""The year 2100."""


def clock(machine: Machine, installed_at: float) -> Finding:
    """Whether the clock is set, which it is not if it shows a time before this program was installed."""
    now = machine.now()
    shown = datetime.fromtimestamp(min(max(now, 0), LATEST), UTC).strftime("%Y-%m-%d %H:%M UTC")
    if not installed_at <= now <= LATEST:
        return Finding(
            "clock",
            ok=False,
            detail=f"not set: it shows {shown}, and the program is younger than that",
            fix="connect the Pi to a network, or set it: sudo timedatectl set-time '2026-01-31 18:00'",
        )
    if _is_synchronised(machine):
        return Finding("clock", ok=True, detail=f"{shown}, synchronised")
    return Finding(
        "clock",
        ok=True,
        detail=f"{shown}, not synchronised: opening hours and dates wait until the time is known",
        fix="connect it to a network, use the page with the PIN, or give it a battery clock",
    )


def _is_synchronised(machine: Machine) -> bool:
    if machine.path(SYNCHRONISED).exists():
        return True
    return (machine.output("timedatectl", "show", "--property=NTPSynchronized", "--value") or "").strip() == "yes"


# --- The place for what has to outlive the plug: there, writable, durable, and with room ------------------------------

LEAST_FREE_ON_CARD_MB: Final = 100
LEAST_FREE_FILES: Final = 100
SLOW_SECONDS: Final = 2.0
PROBE: Final = os.urandom(4096)
# What forgets everything when the plug is pulled; an overlay is what raspi-config makes of a read-only card.
FORGETFUL: Final = ("tmpfs", "ramfs", "overlay")
FIXES: Final = {
    errno.EROFS: "restart the Pi; if it stays so, the card is worn out: copy what is on it to a new one",
    errno.ENOSPC: "make room: 'sudo journalctl --vacuum-size=50M' and 'sudo apt clean' are a beginning",
    errno.EDQUOT: "make room: 'sudo journalctl --vacuum-size=50M' and 'sudo apt clean' are a beginning",
    errno.EACCES: "it is not yours: sudo quarto-pi check",
    errno.EPERM: "it is not yours: sudo quarto-pi check",
}


def storage(machine: Machine) -> Iterator[Finding]:
    """Whether the board can keep what it has to remember."""
    folder = folder_of(machine)
    place = _nearest(folder)
    try:
        seconds = _write_durably(place)
        room = os.statvfs(place)
    except OSError as error:
        fix = FIXES.get(error.errno or 0, "restart the Pi; if it stays so, put in a new card")
        yield Finding("storage", ok=False, detail=f"{folder} cannot be written: {error.strerror}", fix=fix)
        return
    free_mb = room.f_bavail * room.f_frsize // 1_000_000
    detail = f"{free_mb} MB free in {folder}; written through to the disk within {seconds * 1000:.0f} ms"
    kind = _file_system(machine, place)
    if free_mb < LEAST_FREE_ON_CARD_MB or (room.f_files > 0 and room.f_favail < LEAST_FREE_FILES):
        yield Finding("storage", ok=False, detail=detail, fix=FIXES[errno.ENOSPC])
    elif kind in FORGETFUL and machine.path("proc/device-tree/model").exists():
        fix = "switch the overlay off with raspi-config, or mount a disk there"
        yield Finding("storage", ok=False, detail=f"{folder} is on {kind}: a pulled plug empties it", fix=fix)
    elif seconds > SLOW_SECONDS:
        yield Finding("storage", ok=True, detail=detail, fix="a card that is this slow is worn out, or was never good")
    else:
        yield Finding("storage", ok=True, detail=detail)


def folder_of(machine: Machine) -> Path:
    """Where the board keeps it."""
    return state_folder(machine.environ, machine.path(str(OF_THE_SERVICE)))


def _nearest(folder: Path) -> Path:
    """The folder, or if it is yet to be made, the one in which it will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _write_durably(folder: Path) -> float:
    """Write a probe through to the disk, read it again, and take it away; return how long that took."""
    start = time.monotonic()
    with NamedTemporaryFile(dir=folder, prefix=".check-", delete=False) as probe:
        try:
            probe.write(PROBE)
            probe.flush()
            os.fsync(probe.fileno())
            sync_folder(folder)
            seconds = time.monotonic() - start
            if Path(probe.name).read_bytes() != PROBE:
                raise OSError(errno.EIO, "what was written is not what is read")
        finally:
            with suppress(OSError):
                Path(probe.name).unlink()
    return seconds


def _file_system(machine: Machine, place: Path) -> str:
    """The kind of file system that a folder is on (proc(5), /proc/mounts: device, place, kind, options)."""
    best = ("", "")
    for line in (machine.text("proc/mounts") or "").splitlines():
        words = line.split()
        if len(words) > 2 and len(words[1]) >= len(best[0]) and Path(place).is_relative_to(machine.path(words[1])):
            best = (words[1], words[2])
    return best[1]
