"""Putting the firmware onto a Pico with MicroPython's own tool, mpremote, and reading it back."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from quarto_pi.devices.node_firmware import BUILD_FILE, PACKAGE, files, lay_out
from quarto_pi.devices.node_ports import Port, open_port, picos
from quarto_pi.devices.upkeep import Trouble
from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import Reader, Writer
from quarto_pi.firmware.said_by_host import Restart, hello

LISTEN_SECONDS: Final = 1.5
"""How long something that is plugged in has to say that it is a node: one speaks five times a second."""
SILENT_SECONDS: Final = 1.0
"""After how long a node that says nothing has gone."""
AWAY_SECONDS: Final = 1.0
BACK_SECONDS: Final = 15.0
LOOK_SECONDS: Final = 0.02
TOOL_SECONDS: Final = 180.0
BY_HAND: Final = "run 'quarto-pi firmware' and try again, or hold BOOTSEL while you plug the Pico in"

MAKE_ROOM: Final = f"""
import os
folder = ""
for part in "{PACKAGE}".split("/"):
    folder += part
    try:
        os.mkdir(folder)
    except OSError:
        pass
    folder += "/"
for name in os.listdir("{PACKAGE}"):
    if name not in KEEP:
        os.remove("{PACKAGE}/" + name)
if "{BUILD_FILE}" in os.listdir():
    os.remove("{BUILD_FILE}")
"""
READ_BACK: Final = """
import hashlib
from binascii import hexlify
for name in NAMES:
    with open(name, "rb") as file:
        print(hexlify(hashlib.sha256(file.read()).digest()).decode(), name)
"""


class UpdateFailed(OSError):
    """The firmware is not on the Pico; the text says why and what to do."""


def hashes() -> dict[str, str]:
    """The hash of every file that belongs on the Pico."""
    return {place: sha256(content).hexdigest() for place, content in files().items()}


def find_pico() -> str:
    """The port of the one Pico that is plugged in, whatever runs on it."""
    found = [port.device for port in picos()]
    if not found:
        raise UpdateFailed("no Pico with MicroPython is plugged in: docs/pico.md tells how to prepare one.")
    if len(found) > 1:
        raise UpdateFailed(f"there are {len(found)} Picos: say which, {' or '.join(found)}.")
    return found[0]


def stop_node(name: str) -> bool:
    """Have a running node make room for a new firmware, whatever its version; return whether there was one."""
    port = _open(name)
    try:
        if not _is_node(port):
            return False
        port.write(bytes(Restart(protocol.FOR_UPDATE).write(Writer())))
        time.sleep(AWAY_SECONDS)
        return True
    except Trouble:
        return True  # it went while it was spoken to
    finally:
        port.close()


def start_bootloader(name: str) -> None:
    """Restart a running node, whatever its version, into the bootloader of its Pico."""
    port = _open(name)
    try:
        if not _is_node(port):
            raise UpdateFailed(f"no node answers at {name}: {BY_HAND}.")
        port.write(bytes(Restart(protocol.TO_BOOTLOADER).write(Writer())))
        if not _has_gone(port):
            raise UpdateFailed(f"the node at {name} goes on as it was: {BY_HAND}.")
    except Trouble as trouble:
        raise UpdateFailed(f"{trouble.detail}: {trouble.todo}.") from trouble
    finally:
        port.close()


def _open(name: str) -> Port:
    try:
        return open_port(name)
    except Trouble as trouble:
        raise UpdateFailed(f"{trouble.detail}: {trouble.todo}.") from trouble


def _has_gone(port: Port) -> bool:
    """Whether the port goes, or all that comes from it ends."""
    heard = began = time.monotonic()
    with suppress(Trouble):
        while (now := time.monotonic()) - heard < SILENT_SECONDS:
            if now - began > BACK_SECONDS:
                return False
            if port.read():
                heard = now
            time.sleep(LOOK_SECONDS)
    return True


def _is_node(port: Port) -> bool:
    writer, reader = Writer(), Reader()
    end = time.monotonic() + LISTEN_SECONDS
    port.write(bytes(hello(writer)))
    while time.monotonic() < end:
        reader.feed(port.read(), int(time.monotonic() * 1000))
        if reader.next() is not None:
            return True
        time.sleep(LOOK_SECONDS)
    return False


def wait_for(find: Callable[[], str]) -> str:
    """Wait until a Pico that has started again can be opened, and return its port."""
    end = time.monotonic() + BACK_SECONDS
    while True:
        try:
            name = find()
            open_port(name).close()
        except (Trouble, UpdateFailed) as error:
            if time.monotonic() > end:
                raise UpdateFailed("the Pico has not come back: unplug it, plug it in, and try again.") from error
            time.sleep(LOOK_SECONDS * 10)
        else:
            return name


class Mpremote:
    """The tool, for one port."""

    def __init__(self, port: str) -> None:
        if find_spec("mpremote") is None:
            raise UpdateFailed("mpremote is not installed: install quarto-pi with its set 'firmware'.")
        # `resume`: without a soft reset, in which the port would go
        self._command = [sys.executable, "-m", "mpremote", "connect", port, "resume"]

    def run(self, *arguments: str) -> str:
        """Run a command on the Pico and return what it prints."""
        try:
            done = subprocess.run(  # noqa: S603 - this Python, and the port that was named
                [*self._command, *arguments], capture_output=True, text=True, check=False, timeout=TOOL_SECONDS
            )
        except subprocess.TimeoutExpired as error:
            raise UpdateFailed("the Pico does not answer mpremote: unplug it, plug it in, and try again.") from error
        if done.returncode:
            said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
            raise UpdateFailed(f"mpremote failed ({said}): is MicroPython on the Pico? docs/pico.md tells how.")
        return done.stdout


def copy(port: str) -> tuple[str, ...]:
    """Copy the firmware, read it back, start it; return the files that are there."""
    tool = Mpremote(port)
    wanted = hashes()
    names = [Path(place).name for place in wanted]
    tool.run("exec", f"KEEP = {names!r}\n{MAKE_ROOM}")
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        # In one run, the build's number last: a firmware that was copied by half has none. What is there already,
        # mpremote leaves as it is.
        copies = [["+", "fs", "cp", str(Path(folder) / place), f":{place}"] for place in wanted]
        tool.run(*[word for words in copies for word in words][1:])
    _verify(tool, wanted)
    tool.run("reset")
    return tuple(wanted)


def _verify(tool: Mpremote, wanted: dict[str, str]) -> None:
    printed = tool.run("exec", f"NAMES = {list(wanted)!r}\n{READ_BACK}")
    there = {name: digest for digest, _, name in (line.strip().partition(" ") for line in printed.splitlines())}
    wrong = [place for place, digest in wanted.items() if there.get(place) != digest]
    if wrong:
        raise UpdateFailed(f"{', '.join(wrong)} cannot be read back as written: try again, or try another Pico.")
