"""The emulator that a card is booted in: QEMU's `raspi3b`, of Debian 13, wherever this runs.

What the machine has: four cores, the SD controller, SPI, I2C and GPIO that Debian's own drivers bind to, and nothing on
those buses. What it has not: the Pi's boot ROM and firmware, radio, a clock chip. Its watchdog restarts the machine the
moment it is armed, so systemd is told to leave it alone here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

SUITE: Final = "trixie"
PROGRAM: Final = "qemu-system-aarch64"
RSTS: Final = 0x3F100020
PASSWORD: Final = 0x5A000000
"""Without it no write to that register is taken."""
HOST_IN_NETWORK: Final = "10.0.2.2"
_LONGEST_ANSWER: Final = 100
_PROMPT: Final = re.compile(r"\x02(\d+)\x03")


def emulator(folder: Path) -> tuple[str, ...]:
    """The command that starts it: this machine's own, if it is new enough, or else Debian 13's in a folder."""
    own = shutil.which(PROGRAM)
    if own is not None and _version(own) >= 10:
        return (own,)
    root = folder / "qemu"
    if not (root / "usr/bin" / PROGRAM).exists():
        print("fetching QEMU of Debian 13: about a minute", flush=True)
        shutil.rmtree(root, ignore_errors=True)
        basics = ("mmdebstrap", "--quiet", "--variant=extract", "--include=qemu-system-arm")
        subprocess.run([*basics, SUITE, root, f"deb http://deb.debian.org/debian {SUITE} main"], check=True)
    library = next((root / "usr/lib").glob("*-linux-gnu"))
    loader = next((root / "usr").glob("lib*/ld-linux*.so.*"))
    return (
        str(loader),
        "--library-path",
        str(library),
        str(root / "usr/bin" / PROGRAM),
        "-L",
        str(root / "usr/share/qemu"),
    )


def module_folder(program: Sequence[str]) -> str:
    """Where its modules are; those of another QEMU on this machine are not for it."""
    return f"{program[2]}/qemu" if len(program) > 1 else ""


def _version(program: str) -> int:
    told = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"version (\d+)", told)
    return int(found[1]) if found else 0


class GuestError(Exception):
    """The machine did not do what was waited for."""


@dataclass(frozen=True, slots=True)
class Files:
    """What the firmware would have loaded."""

    kernel: Path
    initial: Path
    tree: Path
    command_line: str


class Machine:
    """One run of the emulator, from power on until it restarts, is switched off, or its plug is pulled."""

    def __init__(
        self,
        program: Sequence[str],
        folder: Path,
        card: Path,
        files: Files,
        *,
        rsts: int,
        written_to: Path | None = None,
    ) -> None:
        self._folder = folder
        self._qmp_path, self._console_path = folder / "qmp", folder / "console"
        for path in (self._qmp_path, self._console_path, folder / "gdb"):
            path.unlink(missing_ok=True)
        self.log = folder / "console.log"
        command = [
            *program,
            *("-M", "raspi3b", "-display", "none", "-serial", "null"),
            # Its clock goes with what it does: a busy host makes everything slow, and no patience in it ends earlier.
            *("-icount", "shift=1"),
            *(
                "-chardev",
                f"socket,id=console,path={self._console_path},server=on,wait=off,logfile={self.log},logappend=on",
            ),
            *("-serial", "chardev:console", "-qmp", f"unix:{self._qmp_path},server=on,wait=off"),
            *("-drive", f"if=sd,cache=unsafe,{_drive(card, written_to)}"),
            *("-kernel", str(files.kernel), "-initrd", str(files.initial), "-dtb", str(files.tree)),
            *("-append", files.command_line),
            *("-action", "reboot=shutdown,shutdown=pause"),
            *("-S", "-gdb", f"unix:{folder / 'gdb'},server=on,wait=off"),
        ]
        self.began = time.monotonic()
        self.has_stick = False
        environment = {**os.environ, "QEMU_MODULE_DIR": module_folder(program)}
        with (folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
        self._qmp = _Monitor(self._qmp_path)
        # A restart of a Pi leaves what the register asks for; this machine's next run is told, before it begins.
        _begin_with(folder / "gdb", RSTS, PASSWORD | rsts)
        self._console = _connected(self._console_path)
        self._said = ""
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def seconds(self) -> float:
        """How long it has been on."""
        return time.monotonic() - self.began

    def has_stopped(self) -> bool:
        """Whether it wants to restart, or to be switched off."""
        return self._qmp.status() != "running"

    def wait_until_stopped(self, seconds: float) -> None:
        """Wait until it wants to restart or to be off."""
        end = time.monotonic() + seconds
        while not self.has_stopped():
            if time.monotonic() > end:
                raise GuestError(f"the machine did not stop within {seconds:.0f} s: {self.tail()}")
            time.sleep(1.0)

    def put_in(self, stick: Path) -> None:
        """Put a USB stick with this image into it, while it runs."""
        self._qmp.put_in(stick)
        self.has_stick = True

    def plug_in_network(self) -> None:
        """Plug a network into it, by USB as on a Pi 3; `HOST_IN_NETWORK` there is this machine."""
        self._qmp.plug_in_network()

    def reset_status(self) -> int:
        """What stands in PM_RSTS."""
        told = self._qmp.human(f"xp /1wx {RSTS:#x}")
        return int(told.split(":")[1].strip(), 16)

    def run(self, command: str, seconds: float = 120.0) -> str:
        """Run a command in the machine's shell, and return what it printed; an error where it failed."""
        status, text = self.attempt(command, seconds)
        if status:
            raise GuestError(f"{command!r} ended with {status}: {text[-600:]}")
        return text

    def attempt(self, command: str, seconds: float = 120.0) -> tuple[int, str]:
        """Run a command in the machine's shell; its exit code, and what it printed."""
        self._said = ""
        # Written so that the echo of the line is not taken for its answer.
        self._console.sendall(f"printf '\\001'; {{ {command}\n}} 2>&1; printf '\\002%d\\003' $?\n".encode())
        end = time.monotonic() + seconds
        while (found := _PROMPT.search(self._said)) is None:
            if time.monotonic() > end or self.has_stopped():
                raise GuestError(f"no answer to {command!r}: {self.tail()}")
            time.sleep(0.2)
        text = self._said[: found.start()].replace("\r", "")
        return int(found[1]), text.rpartition("\x01")[2].strip()

    def wait_for_shell(self, seconds: float) -> None:
        """Wait until the machine's shell answers."""
        end = time.monotonic() + seconds
        while True:
            if self.has_stopped():
                raise GuestError(f"the machine stopped before its shell answered: {self.tail()}")
            self._console.sendall(b"\n")
            time.sleep(3.0)
            if "#" in self._said[-200:]:
                with suppress(GuestError):
                    self.run('set +o emacs; PS1="# "; stty -echo cols 4000; dmesg -n 1', 60)
                    return
            if time.monotonic() > end:
                raise GuestError(f"no shell within {seconds:.0f} s: {self.tail()}")

    def said(self) -> str:
        """What its shell, and what it was told to run, have said since the last command."""
        return self._said

    def tail(self) -> str:
        """The last that was said."""
        return self.log.read_text(errors="replace")[-1500:] if self.log.exists() else ""

    def pull_the_plug(self) -> None:
        """End it at once; what its card has acknowledged stays."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._console.close()
        self._qmp.close()

    def _listen(self) -> None:
        """Take in what is said, at any time: a machine whose words nobody takes stands still."""
        with suppress(OSError):
            while said := self._console.recv(65536):
                self._said += said.decode(errors="replace")


def _drive(card: Path, written_to: Path | None) -> str:
    """The card; also a file that keeps whatever is written to it, where there is one."""
    if written_to is None:
        return f"format=raw,file={card}"
    written_to.write_bytes(b"")
    files = {"file": card, "log": written_to}
    return "driver=blklogwrites," + ",".join(f"{key}.driver=file,{key}.filename={path}" for key, path in files.items())


class _Monitor:
    """QEMU's own interface."""

    def __init__(self, path: Path) -> None:
        self._socket = _connected(path)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._lines.readline()
        self._ask("qmp_capabilities")

    def status(self) -> str:
        return str(self._ask("query-status")["status"])

    def human(self, line: str) -> str:
        return str(self._ask("human-monitor-command", **{"command-line": line}))

    def put_in(self, stick: Path) -> None:
        file = {"driver": "file", "filename": str(stick), "read-only": True}
        self._ask("blockdev-add", **{"driver": "raw", "node-name": "stick", "read-only": True, "file": file})
        self._ask("device_add", driver="usb-storage", drive="stick")

    def plug_in_network(self) -> None:
        self._ask("netdev_add", type="user", id="network")
        self._ask("device_add", driver="usb-net", netdev="network")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def _ask(self, command: str, **arguments: object) -> Any:  # noqa: ANN401 - whatever QEMU answers
        self._socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            line = self._lines.readline()
            if not line:
                raise GuestError("the emulator has ended")
            answer = json.loads(line)
            if "error" in answer:
                raise GuestError(str(answer["error"]))
            if "return" in answer:
                return answer["return"]

    def __enter__(self) -> Self:
        return self


def _begin_with(debugger: Path, register: int, value: int) -> None:
    """Let a machine that has not begun do so with this value in a register of it, by the protocol of GDB.

    Whatever loads files into its memory does that before its devices are reset.
    """
    with _connected(debugger) as wire:
        written = value.to_bytes(4, "little").hex()
        for packet in ("Qqemu.PhyMemMode:1", f"M{register:x},4:{written}", "D"):
            wire.sendall(f"${packet}#{sum(packet.encode()) % 256:02x}".encode())
            answer = b""
            while not answer.endswith(b"$OK#9a"):
                said = wire.recv(1)
                answer += said
                if not said or len(answer) > _LONGEST_ANSWER:
                    raise GuestError(f"the emulator answers {answer!r} to {packet!r}")
            wire.sendall(b"+")


def _connected(path: Path) -> socket.socket:
    end = time.monotonic() + 30
    while True:
        wire = socket.socket(socket.AF_UNIX)
        try:
            wire.connect(str(path))
        except OSError:
            wire.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return wire
