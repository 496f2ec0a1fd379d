"""The node's firmware: which files go where, the number that tells one from another; mpremote, which copies."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.firmware.protocol import FIRST_OF_HOST, HELLO, RESTART, Frame

FIRMWARE_FOLDER: Final = Path(__file__).parents[2] / "firmware"
AT_THE_TOP: Final = ("boot.py", "main.py")
BUILD_FILE: Final = "build.txt"
PACKAGE: Final = "quarto_pi/firmware"


def files() -> dict[str, bytes]:
    """What stands on a Pico that is a node, by its path there, the build's number last."""
    modules = sorted(path for path in FIRMWARE_FOLDER.glob("*.py") if path.name != "__init__.py")
    contents = {_place(module.name): module.read_bytes() for module in modules}
    return contents | {BUILD_FILE: f"{_number(contents)}\n".encode()}


def build() -> str:
    """The number of the build that this program brings."""
    return files()[BUILD_FILE].decode().strip()


def write_firmware(folder: Path) -> None:
    """Write the firmware into a folder as it stands on a Pico."""
    for place, content in files().items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _place(name: str) -> str:
    return name if name in AT_THE_TOP else f"{PACKAGE}/{name}"


def _number(contents: dict[str, bytes]) -> str:
    digest = sha256()
    for place, content in contents.items():
        digest.update(f"{place} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:12]


LOOK_MS: Final = 20
SEEN_EVERY_MS: Final = 800
"""How long nothing may be seen of a work that goes on."""
MPREMOTE_SILENT_MS: Final = 180_000
"""How long mpremote may say nothing: a file takes seconds, and without an answer it gives up by itself after ten."""
GONE_MS: Final = 1_000
"""How long a port may still be there after its cable was pulled out."""
OF_A_CABLE: Final = ("Input/output error", "No such device", "No such file", "disconnected", "failed to access")
"""What mpremote says when the cable has gone."""


class UpdateFailed(OSError):
    """The firmware is not on the Pico; the text says why and what to do."""


class Unplugged(UpdateFailed):
    """The cable has gone."""


class ShownWait:
    """Waits on the clock, and lets people see at least once a second that it does."""

    def __init__(self, clock: Clock, show: Callable[[], None]) -> None:
        self._clock = clock
        self._show = show
        self._shown_at = self.now_ms

    @property
    def now_ms(self) -> int:
        """The clock's millisecond."""
        return self._clock.now() // US_PER_MS

    def look(self) -> None:
        """Wait until it is worthwhile to look again."""
        if self.now_ms - self._shown_at >= SEEN_EVERY_MS:
            self._shown_at = self.now_ms
            self._show()
        self._clock.wait_until(self._clock.now() + LOOK_MS * US_PER_MS)


class Mpremote:
    """The tool, for one port."""

    def __init__(self, port: str, wait: ShownWait) -> None:
        if find_spec("mpremote") is None:
            raise UpdateFailed("mpremote is not installed: install quarto-pi with its set 'firmware'.")
        self._port = port
        self._wait = wait
        # `resume`: without a soft reset, in which the port would go. `-u`: what is said is heard at once.
        self._command = [sys.executable, "-u", "-m", "mpremote", "connect", port, "resume"]

    def run(self, *arguments: str, hear: Callable[[str], None] = lambda _: None) -> str:
        """Run a command on the Pico and return what it prints; `hear` gets each line as it comes."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            with self._started(arguments, output.fileno(), errors.fileno()) as process:
                printed = self._follow(process, output.fileno(), hear)
            said = _read(errors.fileno(), 0).decode(errors="replace").strip() or printed.strip()
        if process.returncode:
            self._fail(said)
        return printed

    @contextmanager
    def _started(self, arguments: tuple[str, ...], output: int, errors: int) -> Iterator[subprocess.Popen[bytes]]:
        command = [*self._command, *arguments]
        # In a group of its own: Ctrl-C is for us, and ends it here in whatever it does.
        process = subprocess.Popen(  # noqa: S603 - this Python, and the port that was named
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, process_group=0
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def _follow(self, process: subprocess.Popen[bytes], output: int, hear: Callable[[str], None]) -> str:
        """Read what it prints until it ends, while the port is there and it goes on saying something."""
        printed, heard_at = b"", self._wait.now_ms
        while True:
            has_ended = process.poll() is not None
            came = _read(output, len(printed))
            for line in (printed.rpartition(b"\n")[2] + came).split(b"\n")[:-1]:
                hear(line.decode(errors="replace").strip())
            printed += came
            if has_ended:
                return printed.decode(errors="replace")
            heard_at = self._wait.now_ms if came else heard_at
            if not Path(self._port).exists():
                raise Unplugged("the Pico was unplugged.")
            if self._wait.now_ms - heard_at > MPREMOTE_SILENT_MS:
                raise UpdateFailed("the Pico does not answer mpremote: unplug it, plug it in, and try again.")
            self._wait.look()

    def _fail(self, said: str) -> None:
        end = self._wait.now_ms + GONE_MS
        while self._wait.now_ms < end and Path(self._port).exists():
            self._wait.look()
        last = said.rpartition("\n")[2]
        if not Path(self._port).exists() or any(words in last for words in OF_A_CABLE):
            raise Unplugged("the Pico was unplugged.")
        raise UpdateFailed(f"mpremote failed ({last}): is MicroPython on the Pico? docs/pico.md tells how.")


def _read(file: int, begin: int) -> bytes:
    """What stands in a file by now, from there on."""
    return os.pread(file, os.fstat(file).st_size - begin, begin)


# --- The frames of version 1 of the protocol, which no later one shares: how such a node is found, and replaced -------

FIRST_VERSION: Final = 1
MARK: Final = b"\xa5\x5a"
HEADER: Final = 9
CRC: Final = 4
MOST_FRAME_BYTES: Final = 1024


def _frame(kind: int, payload: bytes) -> bytes:
    head = MARK + bytes((FIRST_VERSION, kind, 0, 0)) + len(payload).to_bytes(2, "little")
    whole = head + bytes((sum(head) & 0xFF,)) + payload
    return whole + crc32(whole).to_bytes(CRC, "little")


ASK: Final = _frame(HELLO, bytes(3))
"""Asks a node who it is."""


def restart(how: int) -> bytes:
    """Have a node start again: the firmware, into a state to be replaced, or the bootloader."""
    return _frame(RESTART, bytes((how, 0, 0)))


class FirstReader:
    """Finds what a node of version 1 says in whatever comes in."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> None:
        """Take what has come in."""
        self._held = (self._held + data)[-4 * MOST_FRAME_BYTES :]

    def next(self) -> Frame | None:
        """The next frame of a node, None until there is a whole one."""
        start = self._held.find(MARK)
        while start >= 0:
            held = self._held[start:]
            end = HEADER + int.from_bytes(held[6:8], "little") + CRC
            is_whole = len(held) >= end and crc32(held[: end - CRC]) == int.from_bytes(held[end - CRC : end], "little")
            if is_whole and held[3] < FIRST_OF_HOST:
                self._held = held[end:]
                return Frame(held[2], held[3], int.from_bytes(held[4:6], "little"), held[HEADER : end - CRC])
            start = self._held.find(MARK, start + 1)
        return None
