"""What a flashed card goes through, one scenario after the other, each on the card as the one before has left it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from card.boot_choice import Slot, State, read_choice
from card_build.bundle import Signer

from tests.flashed.boot import FlashedCard, sectors_written
from tests.flashed.emulator import GuestError, Machine, plugged
from tests.flashed.updates import Workshop

START_SECONDS: Final = 420.0
HEALTHY_SECONDS: Final = 600.0
UPDATE_SECONDS: Final = 1500.0
_SHOW: Final = "systemctl show quarto-pi.service --property=ActiveState,NRestarts,StatusText"
_PAGE: Final = "/usr/bin/python3 -c 'import urllib.request as r; print(r.urlopen(\"http://127.0.0.1:80/\").status)'"


@dataclass
class Trials:
    """A card, what updates are made with, and what was measured."""

    card: FlashedCard
    workshop: Workshop
    known: Signer
    stranger: Signer
    idle_minutes: float
    cuts: int
    cut_later_by: float
    """How many seconds later each of them is than the one before."""
    figures: dict[str, str] = field(default_factory=dict)

    def choice(self) -> object:
        """What the card says of its slots."""
        return read_choice(self.card.file(1, "autoboot.txt"))

    def started(self, more: str = "", stick: Path | None = None) -> Machine:
        """The machine, switched on, with a shell."""
        machine = self.card.start(more, stick)
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
        assert machine.run(_PAGE) == "200"
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
        assert machine.run("cat /etc/shadow | cut -d: -f2 | sort -u | tr '\\n' ' '").split() in (
            ["!", "*"],
            ["!*", "*"],
            ["*"],
            ["!"],
            ["!", "!*", "*"],
        )
        listening = machine.run(
            "cat /proc/net/tcp /proc/net/tcp6 | grep ' 0A ' | awk '{print $2}' | cut -d: -f2 | sort -u"
        )
        trials.figures["ports that are listened on"] = " ".join(str(int(port, 16)) for port in listening.split())
        used = machine.run("free -m | awk '/Mem/ {print $3}'")
        trials.figures["MB of memory in use"] = used
        trials.figures["the board says"] = machine.run(_SHOW + " | grep StatusText")
        assert machine.reset_status() & 0x555 == 0


def nothing_is_written_while_nobody_plays(trials: Trials) -> None:
    """Bytes that reach the card while the board stands there."""
    with plugged(trials.started()) as machine:
        wait_until_judged(machine)
        machine.run("sync")
        time.sleep(90)
        before = sectors_written(machine.run("cat /sys/block/mmcblk0/stat"))
        time.sleep(trials.idle_minutes * 60)
        after = sectors_written(machine.run("cat /sys/block/mmcblk0/stat"))
        machine.run("sync")
        synced = sectors_written(machine.run("cat /sys/block/mmcblk0/stat"))
        minutes = f"{trials.idle_minutes:.0f} idle minutes"
        trials.figures[f"kB written in {minutes}"] = (
            f"{(after - before) / 2:.0f}, and {(synced - after) / 2:.0f} that waited"
        )
        machine.run("sync")


def the_log_is_kept(trials: Trials) -> None:
    """What was logged is there after a restart, and after the plug was pulled."""
    with plugged(trials.started()) as machine:
        wait_until_judged(machine)
        machine.run("logger before-the-restart; journalctl --sync; cp /etc/machine-id /data/machine-id-seen")
        machine.run("systemctl reboot --no-block")
        trials.card.restarted(machine)
    with plugged(trials.started()) as machine:
        assert "before-the-restart" in machine.run("journalctl -b -1 --no-pager | grep before-the")
        machine.run("cmp /etc/machine-id /data/machine-id-seen; logger before-the-plug; journalctl --sync")
        trials.card.pull_the_plug(machine)
    with plugged(trials.started()) as machine:
        assert "before-the-plug" in machine.run("journalctl -b -1 --no-pager | grep before-the")
        trials.figures["kB that the log takes"] = machine.run("du -sk /var/log/journal | cut -f1")
        wait_until_judged(machine)


def a_strangers_update_is_refused(trials: Trials) -> None:
    """A bundle that somebody else has signed: nothing is written, and the log says why."""
    before = trials.choice()
    stick = trials.workshop.stick("stranger", trials.stranger)
    with plugged(trials.started(stick=stick)) as machine:
        said = wait_until(
            machine, "journalctl -b -u 'quarto-pi-card-stick@*' --no-pager", "is not taken", UPDATE_SECONDS
        )
        assert "signature" in said or "verif" in said or "certificate" in said, said
    assert trials.choice() == before


def an_update_is_installed(trials: Trials, name: str = "trial-2") -> None:
    """From a stick: it is written, tried, found healthy, and stays; the games are still there."""
    stick = trials.workshop.stick(name, trials.known)
    was = trials.card.booted_partition()
    with plugged(trials.started()) as machine:
        machine.run("touch /var/lib/quarto-pi/of-before; sync")
    with plugged(trials.started(stick=stick)) as machine:
        began = machine.seconds
        trials.card.restarted(machine, UPDATE_SECONDS)
        trials.figures["seconds from power on until an update is installed"] = (
            f"{machine.seconds:.0f}, {began:.0f} of them to a shell"
        )
    slot = Slot(was).other
    assert trials.card.booted_partition() == slot.boot_partition, "the firmware was asked for the other partition"
    with plugged(trials.started()) as machine:
        assert machine.run("cat /usr/share/quarto-pi/version") == name
        wait_until_judged(machine)
        assert machine.run("ls /var/lib/quarto-pi/of-before")
        trials.card.pull_the_plug(machine)
    assert trials.card.booted_partition() == slot.boot_partition, "it is the usual one now"


def a_bad_update_goes_back_by_itself(trials: Trials) -> None:
    """A board that does not start in the new system: the old one is back, without anybody doing anything."""
    stick = trials.workshop.stick("broken", trials.known, is_broken=True)
    was = trials.card.booted_partition()
    with plugged(trials.started(stick=stick)) as machine:
        trials.card.restarted(machine, UPDATE_SECONDS)
    slot = Slot(was).other
    assert trials.card.booted_partition() == slot.boot_partition
    with plugged(trials.started()) as machine:
        assert machine.run("cat /usr/share/quarto-pi/version") == "broken"
        trials.card.restarted(machine, HEALTHY_SECONDS)
    assert trials.card.booted_partition() == was
    with plugged(trials.started()) as machine:
        wait_until_judged(machine)
        assert machine.run("cat /usr/share/quarto-pi/version") != "broken"
        assert "The update is left" in machine.run("journalctl -b -1 -u quarto-pi-card-trial --no-pager")
    choice = read_choice(trials.card.file(1, "autoboot.txt"))
    assert choice.state(slot) is State.BAD


def the_plug_is_pulled_during_updates(trials: Trials) -> None:
    """At another moment of the installation every time: the system that ran starts again."""
    stick = trials.workshop.stick("trial-cut", trials.known)
    was = trials.card.booted_partition()
    writing = 0
    machine = trials.started(stick=stick)
    for number in range(trials.cuts):
        with plugged(machine):
            wait_until(machine, "journalctl -b -u 'quarto-pi-card-stick@*' --no-pager", "is installed:", UPDATE_SECONDS)
            time.sleep(number * trials.cut_later_by)
            writing += int(read_choice(trials.card.file(1, "autoboot.txt")).state(Slot(was).other) is State.BAD)
            trials.card.pull_the_plug(machine)
        assert trials.card.booted_partition() == was
        machine = trials.started(stick=stick if number + 1 < trials.cuts else None)
        print(f"    cut {number + 1}: the system that ran starts again", flush=True)
    with plugged(machine):
        wait_until_judged(machine)
    trials.figures["cuts during an update"] = f"{trials.cuts}, {writing} of them while it was being written"


SCENARIOS: Final[tuple[Callable[[Trials], None], ...]] = (
    first_start,
    the_log_is_kept,
    nothing_is_written_while_nobody_plays,
    a_strangers_update_is_refused,
    an_update_is_installed,
    a_bad_update_goes_back_by_itself,
    the_plug_is_pulled_during_updates,
)
