"""What a board goes through above a real kernel: an evening on the Pi's header, and one on a Pico."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from quarto_pi.config import Config
from quarto_pi.referee.view import Mark
from quarto_pi.sensing.readings import CELLS
from tests.appliance.box import Failed
from tests.kernel.evening import Expected, HandsInTheMachine, OnPaper, Player, TableHands, moves_of
from tests.kernel.gadget import CONTROLLER, GADGET
from tests.kernel.machine import SERVICE, BoardMachine
from tests.kernel.pico import PicoBeside
from tests.kernel.system import REVISION

COMMAND: Final = ("env", f"RPI_LGPIO_REVISION={REVISION}", "/usr/local/bin/quarto-pi")
STATE: Final = "/var/lib/quarto-pi"
CONFIGURATION: Final = "/etc/quarto-pi/quarto-pi.toml"
READY_SECONDS: Final = 600.0
SOUND: Final = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA quick_check').fetchone())"
ON_BOTH: Final = (*(f"reader-{cell}" for cell in CELLS), "oled", "panel-lights", "square-lights")

Trouble = Callable[[Expected], str]


class Trial:
    """A machine with its power on, an evening, and who plays it."""

    parts: tuple[str, ...] = ON_BOTH

    def __init__(self, machine: BoardMachine, config: Config, paper: OnPaper, hands: TableHands) -> None:
        self.machine = machine
        self.paper = paper
        self.player = Player(machine, config, hands)

    def troubles(self) -> Mapping[int, Trouble]:
        """What happens after which step of the evening."""
        raise NotImplementedError

    def wait_until_ready(self) -> float:
        """Wait for the board."""
        return self.machine.wait_for("the board", self._is_ready, READY_SECONDS)

    def _is_ready(self) -> bool:
        return self.machine.unit("ActiveState") == "active"

    def every_part_is_well(self) -> str:
        """`quarto-pi check` says so; the service has the bus, so it is stopped meanwhile."""
        self.machine.run("systemctl", "stop", SERVICE)
        command = (*COMMAND, "check", "--json", "--only", *self.parts)
        said = self.machine.run(*command, seconds=300, fails=True)
        found = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        wrong = [each for each in found if not each["ok"]]
        if wrong or len(found) < len(self.parts):
            raise Failed(f"of {len(self.parts)} parts {len(found)} were looked at, and wrong: {wrong}\n{said}")
        self.machine.run("systemctl", "start", "--no-block", SERVICE)
        self.wait_until_ready()
        return f"{len(found)} parts"

    def evening(self) -> str:
        """The whole evening, with everything that happens in it."""
        troubles = self.troubles()

        def between(number: int, expected: Expected) -> None:
            if number in troubles:
                tell(troubles[number](expected))
                tell(f"display: {self.player.display_shows(expected)}")

        for line in self.player.play(self.paper, between):
            tell(line)
        last = self.paper.steps[-1][1]
        return f"{len(self.paper.steps)} things done; at the end {self.player.display_shows(last)}"

    def the_journal_has_the_evening(self) -> str:
        """The record of the game is that of the evening's file, and the journal is sound."""
        kept = moves_of(self.machine.run(*COMMAND, "export", "--last"))
        if kept != self.paper.record:
            raise Failed(f"the journal has\n{kept}\nand not\n{self.paper.record}")
        sound = self.machine.run("/usr/bin/python3", "-c", SOUND, f"{STATE}/journal.sqlite")
        if sound != "ok":
            raise Failed(f"the journal is not sound: {sound}")
        return kept

    def killed(self, expected: Expected) -> str:
        """kill -9 between two hands: systemd starts it again, and the same is shown."""
        before = self.machine.unit("MainPID")
        self.machine.run("sh", "-c", f"kill -KILL {before}")

        def is_another() -> bool:
            return self.machine.unit("MainPID") not in ("0", before) and self._is_ready()

        ready = self.machine.wait_for("another process", is_another, READY_SECONDS)
        took = self.goes_on(expected, "kill -9")
        return f"killed: ready again after {ready:.0f} s, and the game stands as it stood {took:.0f} s later"

    def goes_on(self, expected: Expected, after: str) -> float:
        """A game that was interrupted waits until somebody is there: a press, and it is shown as before."""
        waits = self.machine.wait_for("the pause", lambda: self.player.state()["prompt"]["kind"] == "Paused")
        self.player.press()
        return waits + self.player.until_shown(expected, after)

    def unseen(self) -> list[str]:
        """The cells that the board says it does not see."""
        return [cell for cell, mark in self.player.state()["marks"].items() if mark == Mark.UNSEEN.value]


class HeaderTrial(Trial):
    """Readers, button and lights on the Pi's header."""

    parts = (*ON_BOTH, "button-call")

    def __init__(self, machine: BoardMachine, config: Config, paper: OnPaper) -> None:
        super().__init__(machine, config, paper, HandsInTheMachine(machine, config.buttons.call_pin))

    def troubles(self) -> Mapping[int, Trouble]:
        """All of them, spread over the evening."""
        several = (self.lights_are_right, self.display_pulled, self.killed, self.reader_lost, self.cut_off)
        return {
            len(self.paper.steps) * (each + 1) // (len(several) + 2): trouble for each, trouble in enumerate(several)
        }

    def power_comes(self) -> str:
        """Power, the pieces as they stand, and the board."""
        took = self.machine.switch_on()
        self.machine.hands("set", standing=self.player.standing)
        return f"answers after {took:.0f} s, the board is ready {self.wait_until_ready():.0f} s later"

    def lights_are_right(self, expected: Expected) -> str:
        """The panel's lights, by the lines that they hang on."""
        return f"panel: {self.player.panel_shows(expected)}"

    def display_pulled(self, expected: Expected) -> str:
        """The display comes off its wires, and on again: in its reset state, with nothing on it."""
        self.machine.hands("display", plugged=False)
        before = self.player.look()["sent"]
        self.machine.wait_for("a message that nobody answers", lambda: self.player.look()["sent"] > before)
        self.machine.hands("display", plugged=True)
        return f"display pulled off and put back: {self.player.display_shows(expected)}"

    def reader_lost(self, expected: Expected) -> str:
        """A reader's wire comes off, which is shown, and on again."""
        cell = next(cell for cell in self.player.standing.values() if cell != "offer")
        self.machine.hands("kill", cell=cell, dead=True)
        shown = self.machine.wait_for("the fault", lambda: cell in self.unseen())
        self.machine.hands("kill", cell=cell, dead=False)
        back = self.machine.wait_for("the reader", lambda: cell not in self.unseen())
        back += self.player.until_shown(expected, "the reader is back")
        return f"reader {cell} lost: shown after {shown:.0f} s; {back:.0f} s after it is back all is as before"

    def cut_off(self, expected: Expected) -> str:
        """The power goes, and comes back; the pieces stand where they stood."""
        lost = self.machine.cut()
        said = self.power_comes()
        took = self.goes_on(expected, "the power cut")
        return f"power cut, {lost} sectors were never flushed; {said}, the game stands as it stood {took:.0f} s later"

    def steps(self) -> tuple[Callable[[], str], ...]:
        """The whole of it."""
        return self.power_comes, self.every_part_is_well, self.evening, self.the_journal_has_the_evening


class PicoTrial(Trial):
    """The same machine with its readers and button on a Pico, which runs beside it."""

    def __init__(self, machine: BoardMachine, config: Config, paper: OnPaper, pico: PicoBeside) -> None:
        super().__init__(machine, config, paper, pico)
        self.pico = pico

    def troubles(self) -> Mapping[int, Trouble]:
        """The cable is pulled out twice, and the process is killed."""
        last = len(self.paper.steps)
        return {last // 4: self.cable_pulled, last // 2: self.killed, last * 3 // 4: self.cable_pulled}

    def the_pico_takes_over(self) -> str:
        """Another wiring, an empty table and no game: the cable is put in, and the board starts."""
        run = self.machine.run
        run("systemctl", "stop", SERVICE)
        run("sh", "-c", f"rm -rf {STATE}/journal* {STATE}/backups")
        run("sed", "-i", 's/^profile = .*/profile = "pico"/', CONFIGURATION)
        run("systemctl", "start", "pico.service")
        self.machine.wait_for("the gadget", lambda: run("sh", "-c", "ls /dev/ttyGS0", fails=True) != "")
        took = self._plug_in()
        run("systemctl", "start", "--no-block", SERVICE)
        return f"/dev/ttyACM0 is there after {took:.1f} s, the board is ready after {self.wait_until_ready():.0f} s"

    def cable_pulled(self, expected: Expected) -> str:
        """The cable is pulled out in the middle of a game, which is shown, and put in again."""
        self._udc("")
        self.pico.do(self.pico.pico.unplug)
        shown = self.machine.wait_for("the loss", lambda: bool(self.unseen()))
        listed = self._plug_in()
        back = self.machine.wait_for("the readers", lambda: not self.unseen())
        back += self.player.until_shown(expected, "the cable is in again")
        return f"cable pulled: shown after {shown:.0f} s; {listed + back:.0f} s after it is in again all is as before"

    def _plug_in(self) -> float:
        self.pico.do(self.pico.pico.plug_in)
        self._udc(CONTROLLER)
        return self.machine.wait_for(
            "the port", lambda: "ttyACM" in self.machine.run("sh", "-c", "ls /dev/serial/by-id -l", fails=True)
        )

    def _udc(self, controller: str) -> None:
        self.machine.run("sh", "-c", f"echo '{controller}' > {GADGET}/UDC")

    def steps(self) -> tuple[Callable[[], str], ...]:
        """The whole of it."""
        return self.the_pico_takes_over, self.every_part_is_well, self.evening, self.the_journal_has_the_evening


def tell(line: str) -> None:
    """A line of progress."""
    print(f"      {line}", flush=True)
