"""The virtual machine with the board: its power, and the two lines into it."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from quarto_pi.wiring.guide import TAGS_FILE
from tests.appliance.box import Failed, waited_for
from tests.kernel.channel import Channel, Json, Silent
from tests.kernel.system import System
from tests.virtual.disk import DiskServer, VolatileDisk
from tests.virtual.machine import Machine, forgetful_drive, make_image

BOOT_SECONDS: Final = 400.0
GAMES_MB: Final = 64
SERVICE: Final = "quarto-pi.service"
PAGE: Final = "http://127.0.0.1:8040/api/v1/"


class BoardMachine:
    """The machine, from one power-on to the next; its games are on a disk that forgets what was not flushed."""

    def __init__(self, system: System, folder: Path, tags: str, seed: int = 1) -> None:
        self._system = system
        content, games = folder / "games", folder / "games.ext4"
        content.mkdir(exist_ok=True)
        (content / TAGS_FILE).write_text(tags, encoding="utf-8")
        make_image(games, GAMES_MB, content)
        self.disk = VolatileDisk(games, random.Random(seed))
        self._disk_socket = folder / "games.socket"
        self._disk_socket.unlink(missing_ok=True)
        self._server = DiskServer(self.disk, self._disk_socket)
        self._machine: Machine | None = None
        self._listening: threading.Thread | None = None
        self._ports = {name: folder / f"{name}.socket" for name in ("table", "agent", "pico")}
        self.table, self.agent = Channel(self._ports["table"]), Channel(self._ports["agent"])
        self.console = folder / "console.txt"
        self.console.write_bytes(b"")

    @property
    def pico_port(self) -> Path:
        """Where the cable of a Pico comes out of the machine."""
        return self._ports["pico"]

    # -- power -----------------------------------------------------------------------------------------------------

    def switch_on(self) -> float:
        """Give it power, and wait until somebody answers; how long that took."""
        began = time.monotonic()
        options = ["-m", "640", "-smp", "1", "-kernel", str(self._system.kernel), "-initrd", str(self._system.initial)]
        options += ["-append", "root=/dev/vda rw console=ttyS0 quiet panic=-1 net.ifnames=0 mitigations=off"]
        # The system's own disk is a file that is written to as it comes; what counts is on the other one.
        options += ["-drive", f"file={self._system.image},format=raw,if=virtio,cache=unsafe"]
        options += [*forgetful_drive(self._disk_socket), "-device", "virtio-serial-pci"]
        for name, path in self._ports.items():
            path.unlink(missing_ok=True)
            options += ["-chardev", f"socket,id={name},path={path},server=on,wait=off"]
            options += ["-device", f"virtserialport,chardev={name},name={name}"]
        self._machine = Machine(options)
        self._listening = threading.Thread(target=self._listen, args=(self._machine,), daemon=True)
        self._listening.start()
        self.run("true", seconds=BOOT_SECONDS)
        self.wait_for("systemd", lambda: self.run("systemctl", "is-active", "basic.target", fails=True) == "active")
        return time.monotonic() - began

    def cut(self) -> int:
        """Take its power away; how many sectors its disk has forgotten."""
        assert self._machine is not None
        assert self._listening is not None
        self._machine.cut()
        self._listening.join()
        self.table.close()
        self.agent.close()
        self._machine = None
        self._server.wait_until_idle()
        return self.disk.lose_power()

    def close(self) -> None:
        """Cut it, and put its disk away."""
        if self._machine is not None:
            self.cut()
        self._server.close()
        self.disk.close()

    def _listen(self, machine: Machine) -> None:
        with self.console.open("a", encoding="utf-8") as file:
            for line in machine.lines():
                file.write(f"{line}\n")
                file.flush()

    # -- what is in there ------------------------------------------------------------------------------------------

    def run(self, *command: str, seconds: float = 120, fails: bool = False) -> str:
        """Run a command as root in there, and return what it prints."""
        done = self.agent.ask(seconds + 30, run=list(command), seconds=seconds)
        if done["code"] and not fails:
            raise Failed(f"{' '.join(command)}: exit code {done['code']}\n{done['said']}{done['error']}")
        return str(done["said"]).strip()

    def page(self, path: str) -> str:
        """What the board's page answers; empty as long as it does not."""
        return str(self.agent.ask(60, ask=PAGE + path).get("text", ""))

    def hands(self, do: str, **what: object) -> Json:
        """Do something at the table, and return what is seen of it."""
        return self.table.ask(BOOT_SECONDS, do=do, **what)

    def unit(self, prop: str, unit: str = SERVICE) -> str:
        """What systemd knows of a unit."""
        return self.run("systemctl", "show", unit, f"--property={prop}", "--value")

    def words(self) -> str:
        """The last words of the board and of the table."""
        try:
            return self.run("journalctl", "-n", "60", "--no-pager", "-o", "cat", "-u", "quarto-pi*", "-u", "table")
        except (Silent, Failed) as error:
            return f"(no log: {error})"

    def wait_for(self, what: str, happened: Callable[[], bool], seconds: float = 240) -> float:
        """Look until something has happened, and return how long that took."""
        return waited_for(what, happened, self.words, seconds)
