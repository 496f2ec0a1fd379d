"""What a flashed card goes through, one scenario after the other, each on the card as the one before has left it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from card.boot_choice import BootChoice, Slot, State, read_choice
from card.reset_status import PARTITION_BITS
from card_build.bundle import Signer

from tests.flashed.boot import FlashedCard
from tests.flashed.emulator import GuestError, Machine, plugged
from tests.flashed.updates import Workshop

START_SECONDS: Final = 420.0
HEALTHY_SECONDS: Final = 600.0
UPDATE_SECONDS: Final = 900.0
WRITING_SECONDS: Final = 25.0
"""How long a slot is written before the plug is pulled; all of it takes several times as long."""
_SHOW: Final = "systemctl show quarto-pi.service --property=ActiveState,NRestarts,StatusText"
_STICK_LOG: Final = "journalctl -b -o cat -u 'quarto-pi-card-stick@*' --no-pager"
_PAGE: Final = "/usr/bin/python3 -c 'import urllib.request as r; print(r.urlopen(\"http://127.0.0.1:80/\").status)'"


@dataclass
class Trials:
    """A card, what updates are made with, and what was measured."""

    card: FlashedCard
    workshop: Workshop
    known: Signer
    stranger: Signer
    figures: dict[str, str] = field(default_factory=dict)

    def choice(self) -> BootChoice:
        """What the card says of its slots."""
        return read_choice(self.card.file(1, "autoboot.txt"))

    def started(self) -> Machine:
        """The machine, switched on, with a shell."""
        machine = self.card.start()
        try:
            machine.wait_for_shell(START_SECONDS)
        except GuestError:
            machine.pull_the_plug()
            raise
        return machine


def wait_until(machine: Machine, command: str, wanted: str, seconds: float) -> str:
    """Run a command until it prints what is wanted."""
    end = time.monotonic() + seconds
    while True:
        _, text = machine.attempt(command)
        if re.search(wanted, text):
            return text
        if time.monotonic() > end:
            raise GuestError(f"{command!r} did not print {wanted!r} within {seconds:.0f} s, but: {text[-800:]}")
        time.sleep(2)


def wait_until_judged(machine: Machine) -> None:
    """Wait until the card has judged the system that runs as healthy."""
    shown = "--property=ActiveState,ExecMainStatus,ExecMainExitTimestampMonotonic"
    # Once it has ended: the moment of that is no zero, and it is not about to.
    ended = r"(?s)ExitTimestampMonotonic=[1-9].*ActiveState=(inactive|failed)"
    told = wait_until(machine, f"systemctl show quarto-pi-card-trial {shown} | sort -r", ended, HEALTHY_SECONDS)
    if "ExecMainStatus=0" not in told:
        log = machine.attempt("journalctl -b -u quarto-pi -u quarto-pi-card-trial --no-pager | tail -40")[1]
        raise GuestError(f"the board is not healthy: {log}")


def first_start(trials: Trials) -> None:
    """It starts, plays, shows its page; the partition of the games has grown; nothing has failed."""
    with plugged(trials.started()) as machine:
        trials.figures["seconds from power on to a shell"] = f"{machine.seconds:.0f}"
        wait_until(machine, _SHOW, "ActiveState=active", HEALTHY_SECONDS)
        trials.figures["seconds from power on to ready"] = f"{machine.seconds:.0f}"
        wait_until_judged(machine)
        wait_until(machine, "systemctl is-system-running", "running|degraded", HEALTHY_SECONDS)
        failed = machine.run("systemctl --failed --no-legend --plain || true")
        assert not failed, failed
        # A board without a radio looks for one for a while before it plays.
        wait_until(machine, _PAGE, "^200", HEALTHY_SECONDS)
        mounts = machine.run("findmnt -rn -o FSTYPE,OPTIONS /; findmnt -rn -o FSTYPE,OPTIONS /data")
        assert re.search(r"squashfs ro", mounts), mounts
        assert re.search(r"ext4 rw", mounts), mounts
        size = int(machine.run("df --output=size -m /data | tail -1"))
        whole = int(machine.run("cat /sys/block/mmcblk0/size")) // 2048
        assert size > (whole - 1500) * 0.9, (size, whole)
        devices = machine.run("stat -c '%n %G %a' /dev/spidev0.0 /dev/spidev1.0 /dev/i2c-1 /dev/gpiochip0")
        for expected in (
            "/dev/spidev0.0 spi 660",
            "/dev/spidev1.0 spi 660",
            "/dev/i2c-1 i2c 660",
            "/dev/gpiochip0 gpio 660",
        ):
            assert expected in devices, devices
        with_password = machine.run("awk -F: '$2 !~ /^[!*]/' /etc/shadow")
        assert not with_password, with_password
        listening = machine.run(
            "cat /proc/net/tcp /proc/net/tcp6 | grep ' 0A ' | awk '{print $2}' | cut -d: -f2 | sort -u"
        )
        trials.figures["ports that are listened on"] = " ".join(str(int(port, 16)) for port in listening.split())
        memory = dict(re.findall(r"(?m)^(Mem\w+): +(\d+)", machine.run("cat /proc/meminfo")))
        trials.figures["MB of memory in use"] = f"{(int(memory['MemTotal']) - int(memory['MemAvailable'])) / 1024:.0f}"
        trials.figures["the board says"] = machine.run(_SHOW + " | grep StatusText")
        assert machine.reset_status() & PARTITION_BITS == 0


def an_update_is_installed(trials: Trials, version: str = "trial-2") -> None:
    """From a stick, signed by a key that the owner has named: written, tried, found healthy; the games are there."""
    stick = trials.workshop.stick(version, trials.known)
    was = Slot(trials.card.booted_partition())
    with plugged(trials.started()) as machine:
        believe(machine, trials.known.certificate)
        machine.run("echo played > /var/lib/quarto-pi/of-before; sync")
        began = machine.seconds
        machine.put_in(stick)
        trials.card.restarted(machine, UPDATE_SECONDS)
        trials.figures["seconds from the stick to the restart"] = f"{machine.seconds - began:.0f}"
    assert trials.choice().usual is was
    assert trials.choice().state(was.other) is State.TRIED
    assert trials.card.booted_partition() == was.other.boot_partition, "the firmware is asked for the other one, once"
    with plugged(trials.started()) as machine:
        assert machine.run("cat /usr/share/quarto-pi/version") == version
        wait_until_judged(machine)
        trials.figures["seconds from the restart until the update is healthy"] = f"{machine.seconds:.0f}"
        assert machine.run("cat /var/lib/quarto-pi/of-before") == "played"
        assert machine.reset_status() & PARTITION_BITS == 0
    trials.card.unplugged()
    assert trials.choice() == BootChoice(was.other, {was: State.GOOD, was.other: State.GOOD})
    assert trials.card.booted_partition() == was.other.boot_partition, "it is the usual one now"


def a_strangers_update_is_refused(trials: Trials) -> None:
    """A bundle that somebody else has signed: nothing of the card's slots is written, and the log says why."""
    stick = trials.workshop.stick("foreign", trials.stranger)
    before, other = trials.choice(), Slot(trials.card.booted_partition()).other
    slot = trials.card.slot_digest(other)
    with plugged(trials.started()) as machine:
        believe(machine, trials.known.certificate)
        machine.put_in(stick)
        said = wait_until(machine, _STICK_LOG, "is not taken", UPDATE_SECONDS)
        assert "signature verification failed" in said, said
        machine.run("sync")
        assert trials.choice() == before
        assert trials.card.slot_digest(other) == slot
    trials.card.unplugged()


def the_plug_is_pulled_during_an_update(trials: Trials) -> None:
    """Once, while RAUC writes into the other slot: the system that ran starts again, with its games."""
    stick = trials.workshop.stick("trial-cut", trials.known)
    was = Slot(trials.card.booted_partition())
    with plugged(trials.started()) as machine:
        believe(machine, trials.known.certificate)
        version = machine.run("echo played > /var/lib/quarto-pi/of-before; sync; cat /usr/share/quarto-pi/version")
        machine.put_in(stick)
        wait_until(machine, _STICK_LOG, "is installed: trial-cut", UPDATE_SECONDS)
        end = time.monotonic() + UPDATE_SECONDS
        while trials.choice().state(was.other) is not State.BAD and time.monotonic() < end:
            time.sleep(1.0)
        time.sleep(WRITING_SECONDS)
    trials.card.unplugged()
    assert trials.choice().state(was.other) is State.BAD, "the slot was being written"
    assert trials.card.booted_partition() == was.boot_partition
    with plugged(trials.started()) as machine:
        told = machine.run("cat /usr/share/quarto-pi/version /var/lib/quarto-pi/of-before")
        assert told.split() == [version, "played"], told


def believe(machine: Machine, certificate: Path) -> None:
    """What an owner does who signs updates."""
    text = certificate.read_text(encoding="ascii")
    machine.run(f"cat > /etc/quarto-pi/update-certificates.pem <<'end'\n{text}end\nsync")


SCENARIOS: Final[tuple[Callable[[Trials], None], ...]] = (
    first_start,
    an_update_is_installed,
    a_strangers_update_is_refused,
    the_plug_is_pulled_during_an_update,
)
