"""A card on trial: what it is updated with, what was measured, and how a start of it is waited for."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Final

from card.boot_choice import BootChoice, read_choice
from card_build.bundle import Signer

from quarto_pi.sensing.tags import format_tags
from quarto_pi.wiring.guide import TAGS_FILE
from quarto_pi.wiring.platform import simulated_tags
from tests.flashed.boot import FlashedCard
from tests.flashed.emulator import GuestError, Machine
from tests.flashed.recorded import Recording, copy_sparsely
from tests.flashed.recording import RecordedUpdate
from tests.flashed.updates import Workshop

START_SECONDS: Final = 1800.0
HEALTHY_SECONDS: Final = 3600.0
UPDATE_SECONDS: Final = 3600.0
LOOK_SECONDS: Final = 5.0
"""Between two questions: each of them costs the machine more than it costs its host."""
PIN: Final = "471147"
_NOBODY_PRESSES: Final = "busybox devmem 0x3f20001c 32 0x1000"
"""This machine's pins have no resistors that pull them up: without this the button, at pin 12, is held for ever."""
PLAYS: Final = '"kind":"(Welcome|ChooseFirst)"'
"""What the board's page says when anybody may begin to play."""
_LOOK: Final = """\
import re, sys, time, urllib.request
while True:
    try:
        told = urllib.request.urlopen("http://127.0.0.1:80/api/v1/state").read().decode()
    except OSError:
        told = ""
    if re.search(sys.argv[1], told):
        print(told)
        break
    time.sleep(5)
"""
"""One program that looks again and again: to start one for every look takes most of such a machine's time."""
STICK_LOG: Final = "journalctl -b -o cat -u 'quarto-pi-card-stick@*' --no-pager"


@dataclass
class Trials:
    """A card, what updates are made with, and what was measured."""

    card: FlashedCard
    workshop: Workshop
    known: Signer
    stranger: Signer
    idle_minutes: int = 10
    recorded: RecordedUpdate | None = None
    running: Machine | None = None
    recording: Recording | None = None
    """Of what the machine that runs has written."""
    keeps_recording: bool = False
    figures: dict[str, str] = field(default_factory=dict)

    def choice(self) -> BootChoice:
        """What the card says of its slots."""
        return read_choice(self.card.file(1, "autoboot.txt"))

    def on(self) -> Machine:
        """The machine that runs, or else one that is switched on now, with a shell; all that it writes is recorded."""
        if self.running is None:
            folder, number = self.card.folder, self.card.starts + 1
            self.recording = Recording(folder / f"{number}.before", folder / f"{number}.writes")
            copy_sparsely(self.card.image, self.recording.before)
            self.running = self.card.start(self.recording.log)
            self.running.wait_for_shell(START_SECONDS)
            self.running.run(_NOBODY_PRESSES)
        return self.running

    def off(self) -> None:
        """Pull its plug, if it runs."""
        self._end()
        self.card.unplugged()

    def restarts(self, seconds: float) -> None:
        """Wait until it restarts by itself; the next one that is switched on is what comes then."""
        assert self.running is not None
        self.card.restarted(self.running, seconds)
        self._end()

    def _end(self) -> None:
        if self.running is not None:
            self.running.pull_the_plug()
        self.running = None
        if self.recording is not None and not self.keeps_recording:
            self.recording.forget()
        self.recording, self.keeps_recording = None, False


def wait_until(machine: Machine, command: str, wanted: str, seconds: float) -> str:
    """Run a command until it prints what is wanted."""
    end = time.monotonic() + seconds
    while True:
        _, text = machine.attempt(command)
        if re.search(wanted, text):
            return text
        if time.monotonic() > end:
            raise GuestError(f"{command!r} did not print {wanted!r} within {seconds:.0f} s, but: {text[-800:]}")
        time.sleep(LOOK_SECONDS)


def wait_until_judged(machine: Machine) -> None:
    """Wait until the card has judged the system that runs as healthy."""
    shown = "--property=ActiveState,ExecMainStatus,ExecMainExitTimestampMonotonic"
    # Once it has ended: the moment of that is no zero, and it is not about to.
    ended = r"(?s)ExitTimestampMonotonic=[1-9].*ActiveState=(inactive|failed)"
    told = wait_until(machine, f"systemctl show quarto-pi-card-trial {shown} | sort -r", ended, HEALTHY_SECONDS)
    if "ExecMainStatus=0" not in told:
        log = machine.attempt("journalctl -b -u quarto-pi -u quarto-pi-card-trial --no-pager | tail -40")[1]
        raise GuestError(f"the board is not healthy: {log}")


def own_seconds(machine: Machine, unit: str, moment: str) -> str:
    """When a unit came to a moment, by the machine's own clock: a busy host does not change that."""
    shown = machine.run(f"systemctl show {unit} --property={moment}Monotonic --value")
    return f"{int(shown) / 1_000_000:.0f}"


def believe(machine: Machine, certificate: Path) -> None:
    """What an owner does who signs updates."""
    put_file(machine, "/etc/quarto-pi/update-certificates.pem", certificate.read_text(encoding="ascii"))


def put_file(machine: Machine, path: str, text: str) -> None:
    """Write a file of the machine, safe from a power cut."""
    machine.run(f"mkdir -p {Path(path).parent}; cat > {path} <<'end'\n{text}end\nsync")


def set_up(machine: Machine) -> None:
    """The board is set up and knows its pieces: from its next start on it need not ask for anything, and plays."""
    put_file(machine, "/etc/quarto-pi/conf.d/first-start.toml", f'[page]\npin = "{PIN}"\n')
    put_file(machine, f"/var/lib/quarto-pi/{TAGS_FILE}", format_tags(simulated_tags()))
    machine.run("chown quarto-pi: /var/lib/quarto-pi/*; sync")


def see_what_is_told(machine: Machine, wanted: str) -> str:
    """Wait until the board tells something on its page."""
    put_file(machine, "/run/look", _LOOK)
    return machine.run(f"/usr/bin/python3 /run/look {quote(wanted)}", HEALTHY_SECONDS)
