"""The tap, compiled, and the log that it writes."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

_RECORD = struct.Struct("=cQQI")


class Kind(Enum):
    """What was done; `MARK` is what the program itself says."""

    CREATE = b"C"
    WRITE = b"W"
    TRUNCATE = b"T"
    SYNC = b"S"
    SYNC_FOLDER = b"D"
    RENAME = b"R"
    UNLINK = b"U"
    MARK = b"M"


@dataclass(frozen=True, slots=True)
class Act:
    """One change to the files of a folder."""

    kind: Kind
    file: int
    offset: int
    data: bytes


def compile_tap(folder: Path) -> Path:
    """The tap as a library."""
    library = folder / "tap.so"
    source = Path(__file__).with_name("tap.c")
    command = ["gcc", "-O1", "-shared", "-fPIC", "-o", f"{library}", f"{source}", "-ldl"]
    subprocess.run(command, check=True)  # noqa: S603 - our own source
    return library


def tapped(library: Path, folder: Path, log: Path, module: str, *arguments: str) -> None:
    """Run a module of the tests with the tap below it."""
    environment = {**os.environ, "LD_PRELOAD": f"{library}", "TAP_FOLDER": f"{folder}", "TAP_LOG": f"{log}"}
    command = [sys.executable, "-m", module, f"{folder}", *arguments]
    subprocess.run(command, check=True, env=environment)  # noqa: S603 - a module of ours


def mark(text: str) -> None:
    """Say something into the log, between what is done to the files."""
    data = text.encode()
    descriptor = os.open(os.environ["TAP_LOG"], os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, _RECORD.pack(Kind.MARK.value, 0, 0, len(data)) + data)
    os.close(descriptor)


def read_log(log: Path) -> Iterator[Act]:
    """Everything that was done, in its order."""
    data = log.read_bytes()
    at = 0
    while at < len(data):
        kind, file, offset, length = _RECORD.unpack_from(data, at)
        at += _RECORD.size
        yield Act(Kind(kind), file, offset, data[at : at + length])
        at += length
