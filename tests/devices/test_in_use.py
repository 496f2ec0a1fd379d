"""Two programs cannot have the board at once, and the second one is told who has it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from quarto_pi.devices.readers.interface import BoardInUse, claim
from quarto_pi.devices.readers.spi import open_spi

HOLDER = """
import fcntl, sys
node = open(sys.argv[1])
fcntl.flock(node, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def node(tmp_path: Path) -> Path:
    file = tmp_path / "spidev0.0"
    file.touch()
    return file


@contextmanager
def held_by_another_program(node: Path, *words: str) -> Iterator[int]:
    holder = [sys.executable, "-c", HOLDER, str(node), *words]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 - this Python
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield process.pid
        process.stdin.close()


@contextmanager
def opened(node: Path) -> Iterator[int]:
    descriptor = os.open(node, os.O_RDWR)
    yield descriptor
    os.close(descriptor)


def test_board_that_another_program_has_is_not_taken_and_the_program_is_named(node: Path, tmp_path: Path) -> None:
    with held_by_another_program(node, "/opt/quarto-pi/bin/quarto-pi", "run") as pid, opened(node) as descriptor:
        with pytest.raises(BoardInUse) as caught:
            claim(descriptor)
        # Not every file system numbers its files alike in /proc/locks: here it does, as on a Pi.
        place = os.fstat(descriptor)
        numbers = f"{os.major(place.st_dev):02x}:{os.minor(place.st_dev):02x}:{place.st_ino}"
        (tmp_path / "proc" / str(pid)).mkdir(parents=True)
        others = f"1: FLOCK  ADVISORY  WRITE 7 fe:00:4711 0 EOF\n2: POSIX  ADVISORY  WRITE 8 {numbers} 0 EOF\n"
        mine = f"3: FLOCK  ADVISORY  WRITE {pid} {numbers} 0 EOF\n"
        (tmp_path / "proc" / "locks").write_text(others + mine)
        command = f"/usr/bin/python3\0/opt/quarto-pi/bin/quarto-pi\0run\0--config\0{tmp_path}\0"
        (tmp_path / "proc" / str(pid) / "cmdline").write_text(command)
        with pytest.raises(BoardInUse, match=rf"in use by quarto-pi run \(pid {pid}\): .*systemctl stop quarto-pi"):
            claim(descriptor, tmp_path)
    assert str(caught.value).startswith("the board is in use by ")


def test_board_is_free_again_as_soon_as_the_other_program_has_ended(node: Path) -> None:
    with held_by_another_program(node):
        pass
    with opened(node) as descriptor:
        claim(descriptor)


def test_program_that_cannot_be_found_is_another_program(node: Path, tmp_path: Path) -> None:
    with held_by_another_program(node), opened(node) as descriptor, pytest.raises(BoardInUse, match="another program"):
        claim(descriptor, tmp_path / "no-proc-here")


def test_bus_is_locked_as_long_as_it_is_open() -> None:
    bus: Any = open_spi(0, 0, 1_000_000)
    with opened(Path(f"/proc/self/fd/{bus.fileno()}")) as again:
        with pytest.raises(BoardInUse):
            claim(again)
        bus.close()
        claim(again)
