"""Putting the firmware onto a Pico: finding out what is there, keeping what is replaced, copying, reading it back."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from quarto_pi.devices.node import firmware
from quarto_pi.devices.node.firmware import (
    AT_THE_TOP,
    BUILD_FILE,
    PACKAGE,
    FirstReader,
    Mpremote,
    ShownWait,
    Unplugged,
    UpdateFailed,
    files,
    write_firmware,
)
from quarto_pi.devices.node.link import AGAIN_MS, answers, new_session
from quarto_pi.devices.node.ports import Listed, SerialPort, find_port, named, open_port, picos
from quarto_pi.devices.upkeep import Trouble
from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import Damaged, Reader, Writer
from quarto_pi.firmware.said_by_host import Hello, Restart

LISTEN_MS: Final = 3_000
"""How long something has to speak as a node does: one speaks five times a second, after an error two seconds later."""
NODE_GONE_MS: Final = 1_000
"""After how long a node that says nothing has gone."""
BACK_MS: Final = 15_000
BY_HAND: Final = "run 'quarto-pi firmware' and try again, or hold BOOTSEL while you plug the Pico in"
ONCE_MORE: Final = "run 'quarto-pi firmware' again"
STAMP: Final = "%Y-%m-%d-%H%M%S"

LOOK: Final = f"""
import hashlib, os
from binascii import hexlify
def show(name):
    digest = hashlib.sha256()
    with open(name, "rb") as file:
        while True:
            part = file.read(512)
            if not part:
                break
            digest.update(part)
    print(hexlify(digest.digest()).decode(), name)
try:
    there = ["{PACKAGE}/" + name for name in os.listdir("{PACKAGE}")]
except OSError:
    there = []
for name in {[*AT_THE_TOP, BUILD_FILE]!r} + there:
    try:
        show(name)
    except OSError:
        pass
"""
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
for name in REMOVE:
    os.remove(name)
"""


def hashes() -> dict[str, str]:
    """The hash of every file that belongs on the Pico."""
    return {place: sha256(content).hexdigest() for place, content in files().items()}


def choose_pico(name: str | None) -> Listed:
    """What has this port or serial number; without any, the one Pico that is plugged in, whatever runs on it."""
    with _said():
        if name:
            return find_port(name)
        found = picos()
    if not found:
        raise UpdateFailed("no Pico with MicroPython is plugged in: docs/pico.md tells how to prepare one.")
    if len(found) > 1:
        said = ", ".join(map(named, found))
        raise UpdateFailed(f"there are {len(found)} Picos: say which by its serial number or port: {said}.")
    return found[0]


class RunningNode:
    """What is said to a node, of whatever version, before it is replaced or restarted."""

    def __init__(self, pico: Listed, wait: ShownWait) -> None:
        self._pico = pico
        self._wait = wait
        self._writer = Writer()

    def is_there(self) -> bool:
        """Whether a node is there. What does not speak first, as a node does, is not spoken to at all."""
        with self._open() as port:
            return self._is_node(port)

    def stop(self) -> Listed:
        """Have the node make room for a new firmware, and return where it is when it has started again."""
        with self._open() as port:
            self._restart(port, protocol.FOR_UPDATE)
        return self._wait_until_back()

    def start_bootloader(self) -> None:
        """Restart the node into the bootloader of its Pico."""
        with self._open() as port:
            if not self._is_node(port):
                raise UpdateFailed(f"no node answers at {self._pico.device}: {BY_HAND}.")
            self._restart(port, protocol.TO_BOOTLOADER)

    @contextmanager
    def _open(self) -> Iterator[SerialPort]:
        with _said():
            port = open_port(self._pico.device)
            try:
                yield port
            finally:
                port.close()

    def _is_node(self, port: SerialPort) -> bool:
        readers, session = (Reader(), FirstReader()), new_session()
        end, again_at, has_spoken = self._wait.now_ms + LISTEN_MS, 0, False
        while (now := self._wait.now_ms) < end:
            came = port.read()
            for reader in readers:
                reader.feed(came)
                while (frame := reader.next()) is not None:
                    has_spoken = True
                    with suppress(Damaged):
                        if answers(frame, session):
                            return True
            if has_spoken and now >= again_at:
                again_at = now + AGAIN_MS
                port.write(bytes(Hello(session).write(self._writer)) + firmware.ASK)
            self._wait.look()
        return False

    def _restart(self, port: SerialPort, how: int) -> None:
        """Have the node restart: then its port goes, or all that comes from it ends."""
        began = heard = now = self._wait.now_ms
        with suppress(Trouble):
            # Of what version it is, is not asked: what it does not understand it passes over.
            port.write(bytes(Restart(how).write(self._writer)) + firmware.restart(how))
            while now - heard < NODE_GONE_MS:
                if now - began > BACK_MS:
                    raise UpdateFailed(f"the node at {self._pico.device} goes on as it was: {BY_HAND}.")
                heard = now if port.read() else heard
                self._wait.look()
                now = self._wait.now_ms

    def _wait_until_back(self) -> Listed:
        """Wait until a Pico that has started again can be opened: it may come back under another name."""
        end = self._wait.now_ms + BACK_MS
        while True:
            try:
                pico = find_port(self._pico.serial_number or self._pico.device)
                open_port(pico.device).close()
            except Trouble as trouble:
                if self._wait.now_ms > end:
                    raise UpdateFailed("the Pico has not come back: unplug it, plug it in, and try again.") from trouble
                self._wait.look()
            else:
                return pico


class FirmwareUpdate:
    """New firmware for one Pico that stands at its prompt, or can be brought there; `say` is told of each step."""

    def __init__(self, pico: Listed, wait: ShownWait, say: Callable[[str], None]) -> None:
        self._pico = pico
        self._say = say
        self._tool = Mpremote(pico.device, wait)
        self._wanted = hashes()
        self._there: dict[str, str] = {}
        self._doing = "it was looked at"
        self._has_written = False

    def copy(self, backups: Path, now: datetime) -> tuple[str, ...]:
        """Keep what is replaced, copy the firmware, read it back, start it; return the files that are there."""
        try:
            self._look("looked at")
            self._keep(backups, now)
            self._write()
            self._look("read back")
            wrong = [place for place, digest in self._wanted.items() if self._there.get(place) != digest]
            if wrong:
                todo = "try again, or try another Pico"
                raise UpdateFailed(f"{', '.join(wrong)} cannot be read back as written: {todo}.")
            self._tool.run("reset")
        except Unplugged as error:
            raise UpdateFailed(
                f"the Pico was unplugged while {self._doing}{self._left()}: plug it in, and {ONCE_MORE}."
            ) from error
        except KeyboardInterrupt as error:
            raise UpdateFailed(f"interrupted while {self._doing}{self._left()}: {ONCE_MORE}.") from error
        return tuple(self._wanted)

    def _left(self) -> str:
        return ", and its firmware is not whole" if self._has_written else ", and nothing was written to it"

    def _look(self, how: str) -> None:
        """Find out which files are there that are replaced, or have been."""
        self._doing = f"its files were {how}"
        self._say(f"The Pico's files are {how}.")
        printed = self._tool.run("exec", LOOK)
        lines = (line.strip().partition(" ") for line in printed.splitlines())
        self._there = {name: digest for digest, _, name in lines if re.fullmatch("[0-9a-f]{64}", digest)}

    def _keep(self, backups: Path, now: datetime) -> None:
        """Keep what is replaced by something else, or removed."""
        replaced = {place: digest for place, digest in self._there.items() if self._wanted.get(place) != digest}
        if not replaced:
            return
        self._doing = "its files were kept"
        name = self._pico.serial_number or Path(self._pico.device).name
        folder = _new_folder(backups / f"{name}-{now.strftime(STAMP)}")
        self._say(f"What is replaced is kept in {folder}.")
        for place in replaced:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
        self._run_copies({f":{place}": str(folder / place) for place in replaced})
        wrong = [place for place in replaced if sha256((folder / place).read_bytes()).hexdigest() != replaced[place]]
        if wrong:
            raise UpdateFailed(f"{', '.join(wrong)} cannot be kept: nothing was written, try again.")

    def _write(self) -> None:
        self._doing = "the firmware was copied"
        self._has_written = True
        remove = [place for place in self._there if place == BUILD_FILE or place not in self._wanted]
        self._tool.run("exec", f"REMOVE = {remove!r}\n{MAKE_ROOM}")
        with tempfile.TemporaryDirectory() as folder:
            write_firmware(Path(folder))
            # The build's number last: a firmware that was copied by half has none. What is there already, mpremote
            # leaves as it is.
            self._run_copies({str(Path(folder) / place): f":{place}" for place in self._wanted})

    def _run_copies(self, copies: dict[str, str]) -> None:
        """Copy these, in one run: who starts mpremote anew for each waits for it each time."""
        left = [(source if source.startswith(":") else target)[1:] for source, target in copies.items()]
        count = len(left)

        def hear(line: str) -> None:
            if line.startswith("cp ") and left:
                self._say(f"{count - len(left) + 1} of {count}: {left.pop(0)}")

        commands = [["+", "fs", "cp", source, target] for source, target in copies.items()]
        self._tool.run(*[word for words in commands for word in words][1:], hear=hear)


def _new_folder(wanted: Path) -> Path:
    """Make this folder, or one beside it where there is one already."""
    folder, number = wanted, 2
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            folder, number = wanted.with_name(f"{wanted.name}-{number}"), number + 1
        else:
            return folder


@contextmanager
def _said() -> Iterator[None]:
    """What is wrong with a port, as one sentence."""
    try:
        yield
    except Trouble as trouble:
        raise UpdateFailed(f"{trouble.detail}: {trouble.todo}.") from trouble
