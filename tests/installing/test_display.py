"""The browser on HDMI, under the filter of system calls that its unit lays over it."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from errno import EPERM
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

UNIT = Path(__file__).parent.parent.parent / "systemd/quarto-pi-display.service"
NUMBERS = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
NOBODY = 65_534
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
LOAD_NUMBER, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # bpf(2), on struct seccomp_data: the number comes first
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | EPERM

BROWSER = shutil.which("chromium") or shutil.which("chromium-headless-shell")
"""What the unit starts; where only the one is that the tests of the page look through, its inside is the same."""

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="there is no chromium here"),
    pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here"),
    pytest.mark.skipif(platform.machine() != "x86_64" or not NUMBERS.exists(), reason="calls have other numbers here"),
    pytest.mark.skipif(
        os.geteuid() != 0, reason="only root can be somebody else, and a browser of root has no sandbox"
    ),
]


def calls_in(name: str) -> Iterator[str]:
    """The system calls of a set, such as `@system-service`."""
    if not name.startswith("@"):
        yield name
        return
    command = ["systemd-analyze", "syscall-filter", name]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - systemd's own word
    for line in told.splitlines()[1:]:
        if line.strip() and not line.strip().startswith("#"):
            yield from calls_in(line.strip())


def allowed_by_unit() -> set[str]:
    """What is left to the service (systemd.exec(5), SystemCallFilter=): a line with ~ takes away again."""
    allowed = set(calls_in("@default"))
    for line in re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE):
        calls = {call for name in line.removeprefix("~").split() for call in calls_in(name)}
        allowed = allowed - calls if line.startswith("~") else allowed | calls
    return allowed


def filter_of(allowed: set[str]) -> bytes:
    """The program for the kernel."""
    numbers = dict(re.findall(r"^#define __NR_(\w+) (\d+)$", NUMBERS.read_text(encoding="utf-8"), re.MULTILINE))
    steps = [struct.pack("HBBI", LOAD_NUMBER, 0, 0, 0)]
    for call in sorted(allowed & numbers.keys()):
        steps += [
            struct.pack("HBBI", JUMP_IF_EQUAL, 0, 1, int(numbers[call])),
            struct.pack("HBBI", RETURN, 0, 0, ALLOW),
        ]
    return b"".join([*steps, struct.pack("HBBI", RETURN, 0, 0, REFUSE)])


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder for nobody: those of the tests are for nobody but who runs them."""
    with TemporaryDirectory() as folder:
        os.chown(folder, NOBODY, NOBODY)
        yield Path(folder)


@pytest.mark.slow
def test_browser_shows_a_page_from_within_its_sandbox(home: Path) -> None:
    namespaces = ["unshare", "--user", "--pid", "--net", "--fork", "true"]
    if subprocess.run(namespaces, user=NOBODY, capture_output=True, check=False).returncode:  # noqa: S603
        pytest.skip("nobody may have namespaces here, with or without the unit's filter")
    program = ctypes.create_string_buffer(filter_of(allowed_by_unit()))
    header = struct.pack("HP", (len(program) - 1) // 8, ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)

    def under_the_filter() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER, header, 0, 0):
            os._exit(1)

    assert BROWSER is not None
    browser = [BROWSER, "--headless", "--disable-gpu", f"--user-data-dir={home}", "--dump-dom"]
    shown = subprocess.run(  # noqa: S603 - the filter has to be laid over a process of ours
        [*browser, "data:text/html,<p>A board"],
        cwd="/",
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        preexec_fn=under_the_filter,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "<p>A board</p>" in shown.stdout, shown.stderr
