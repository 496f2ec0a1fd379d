"""What a flashed card goes through, one scenario after the other, each on the card as the one before has left it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from card.boot_choice import BootChoice, Slot, State
from card.reset_status import PARTITION_BITS

from tests.flashed.emulator import Machine
from tests.flashed.recorded import Recording, Told
from tests.flashed.recording import RecordedUpdate, keep_a_journal, told_until_it_stops
from tests.flashed.trials import (
    HEALTHY_SECONDS,
    PIN,
    PLAYS,
    STICK_LOG,
    UPDATE_SECONDS,
    Trials,
    believe,
    own_seconds,
    put_file,
    see_what_is_told,
    set_up,
    wait_until,
    wait_until_judged,
)
from tests.flashed.updates import Flaw

_SHOW: Final = "systemctl show quarto-pi.service --property=ActiveState,NRestarts,StatusText"

_HAND_IN: Final = f"""\
import json, sys, time
from http.client import HTTPConnection
from pathlib import Path

def ask(path, kind, body, size):
    page = HTTPConnection("127.0.0.1", 80, timeout=600, blocksize=1048576)
    page.request("POST", path, body, {{"X-Pin": "{PIN}", "Content-Type": kind, "Content-Length": size}})
    return json.load(page.getresponse())

bundle = Path(sys.argv[1])
with bundle.open("rb") as file:
    answer = ask("/api/v1/update/file", "application/octet-stream", file, f"{{bundle.stat().st_size}}")
while answer.get("stage") == "checking":
    time.sleep(5)
    answer = ask("/api/v1/update", "application/json", "{{}}", "2")
print(*answer.values())
"""
"""What a browser does with an update, here with the one on the stick."""


def first_start(trials: Trials) -> None:
    """It starts, plays, shows its page; the partition of the games has grown; nothing has failed."""
    machine = trials.on()
    wait_until(machine, _SHOW, "ActiveState=active", HEALTHY_SECONDS)
    ready = own_seconds(machine, "quarto-pi.service", "ActiveEnterTimestamp")
    trials.figures["seconds of the machine until it is ready"] = f"{ready}; for who waited {machine.seconds:.0f}"
    wait_until_judged(machine)
    wait_until(machine, "systemctl is-system-running", "running|degraded", HEALTHY_SECONDS)
    failed = machine.run("systemctl --failed --no-legend --plain || true")
    assert not failed, failed
    # A board without a radio looks for one for a while before it plays.
    see_what_is_told(machine, '"api":')
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
    listening = machine.run("cat /proc/net/tcp /proc/net/tcp6 | grep ' 0A ' | awk '{print $2}' | cut -d: -f2 | sort -u")
    trials.figures["ports that are listened on"] = " ".join(str(int(port, 16)) for port in listening.split())
    memory = dict(re.findall(r"(?m)^(Mem\w+): +(\d+)", machine.run("cat /proc/meminfo")))
    trials.figures["MB of memory in use"] = f"{(int(memory['MemTotal']) - int(memory['MemAvailable'])) / 1024:.0f}"
    trials.figures["the board says"] = machine.run(_SHOW + " | grep StatusText")
    assert machine.reset_status() & PARTITION_BITS == 0
    set_up(machine)
    machine.run("systemctl restart --no-block quarto-pi")
    see_what_is_told(machine, PLAYS)
    assert trials.recording is not None
    trials.figures["kB written by then to each partition"] = _kilobytes(trials, trials.recording)


def an_update_is_installed(trials: Trials, version: str = "trial-2") -> None:
    """From a stick, signed by a key that the owner has named: written, tried, found healthy; the games are there.

    All that is written meanwhile is recorded.
    """
    card = trials.card
    was = Slot(card.booted_partition())
    old = card.slot_digest(was)
    stick = trials.workshop.stick(trials.workshop.bundle(version, trials.known))
    machine, recording = trials.on(), trials.recording
    assert recording is not None
    believe(machine, trials.known.certificate)
    machine.run("echo played > /var/lib/quarto-pi/of-before; sync")
    keep_a_journal(machine)
    began = machine.seconds
    machine.put_in(stick)
    told = told_until_it_stops(machine, recording.log, UPDATE_SECONDS)
    trials.figures["seconds from the stick to the restart"] = f"{machine.seconds - began:.0f}"
    trials.keeps_recording = True
    trials.restarts(0)
    installed = replace(recording, told=told)
    trials.figures["kB written until it restarts, since it was switched on"] = _kilobytes(trials, installed)
    assert len(told) > 20, "a journal was kept all the while"
    assert trials.choice().usual is was
    assert trials.choice().state(was.other) is State.TRIED
    assert card.booted_partition() == was.other.boot_partition, "the firmware is asked for the other one, once"
    assert card.slot_digest(was) == old, "nothing was written into the system that runs"
    digests = {was: old, was.other: card.slot_digest(was.other)}

    machine, recording = trials.on(), trials.recording
    assert recording is not None
    assert machine.run("cat /usr/share/quarto-pi/version") == version
    wait_until_judged(machine)
    healthy = own_seconds(machine, "quarto-pi-card-trial.service", "ExecMainExitTimestamp")
    trials.figures["seconds of the machine from the restart until the update is healthy"] = (
        f"{healthy}; for who waited {machine.seconds:.0f}"
    )
    assert machine.run("cat /var/lib/quarto-pi/of-before") == "played"
    assert machine.reset_status() & PARTITION_BITS == 0
    machine.run("sync")
    assert trials.choice() == BootChoice(was.other, {was: State.GOOD, was.other: State.GOOD})
    # What it writes from here on is not of the update.
    tried = replace(recording, told=(Told(told[-1].number, 0),), end=recording.log.stat().st_size)
    trials.keeps_recording = True
    trials.recorded = RecordedUpdate(was, installed, tried, digests)


def a_strangers_update_is_refused(trials: Trials) -> None:
    """A bundle that somebody else has signed, from a stick and by the page: no slot is written, and both say why."""
    machine = trials.on()
    before, other = trials.choice(), Slot(trials.card.booted_partition()).other
    slot = trials.card.slot_digest(other)
    believe(machine, trials.known.certificate)
    _put_in_a_strangers_update_and_one_that_dies(trials, machine)
    said = wait_until(machine, STICK_LOG, "is not taken", UPDATE_SECONDS)
    assert "signature verification failed" in said, said
    see_what_is_told(machine, PLAYS)
    said = machine.run("/usr/bin/python3 /run/hand-in /media/*/stranger.raucb", UPDATE_SECONDS)
    assert re.search(r"refused .*signature verification failed", said), said
    machine.run("sync")
    assert trials.choice() == before
    assert trials.card.slot_digest(other) == slot


def an_update_that_dies_goes_back(trials: Trials) -> None:
    """Signed, and taken over the page; its board ends at every start: the system before comes back, and says so.

    Alone, on a card that nothing was done to yet, it comes from a stick.
    """
    machine = trials.on()
    was = Slot(trials.card.booted_partition())
    believe(machine, trials.known.certificate)
    version = machine.run("echo played > /var/lib/quarto-pi/of-before; sync; cat /usr/share/quarto-pi/version")
    if machine.has_stick:
        see_what_is_told(machine, PLAYS)
        machine.run("setsid /usr/bin/python3 /run/hand-in /media/*/dies.update > /run/handed-in 2>&1 &")
    else:
        set_up(machine)
        machine.put_in(trials.workshop.stick(trials.workshop.bundle("trial-dies", trials.known, Flaw.DIES)))
    _it_is_left(trials, was, (version, "trial-dies"))


def an_update_that_never_gets_ready_goes_back(trials: Trials) -> None:
    """Its board is started and says nothing: systemd's patience ends, the system before comes back and says so."""
    _a_flawed_update_is_left(trials, "trial-waits", Flaw.NEVER_READY)


def an_update_that_stands_still_goes_back(trials: Trials) -> None:
    """Its board is ready, and does nothing from then on: the watchdog ends it, the system before comes back."""
    _a_flawed_update_is_left(trials, "trial-stands", Flaw.STANDS_STILL)


def an_update_that_can_not_be_judged_goes_back(trials: Trials) -> None:
    """Its board plays, and what should find it healthy ends at once: the system before comes back all the same."""
    _a_flawed_update_is_left(trials, "trial-blind", Flaw.NOT_JUDGED)


def _a_flawed_update_is_left(trials: Trials, name: str, flaw: Flaw) -> None:
    machine = trials.on()
    was = Slot(trials.card.booted_partition())
    believe(machine, trials.known.certificate)
    set_up(machine)
    version = machine.run("echo played > /var/lib/quarto-pi/of-before; sync; cat /usr/share/quarto-pi/version")
    machine.put_in(trials.workshop.stick(trials.workshop.bundle(name, trials.known, flaw)))
    _it_is_left(trials, was, (version, name))


def _it_is_left(trials: Trials, was: Slot, versions: tuple[str, str]) -> None:
    """The update is written and tried, and the version that ran before runs again, with its games."""
    before, update = versions
    trials.restarts(UPDATE_SECONDS)
    assert trials.card.booted_partition() == was.other.boot_partition
    machine = trials.on()
    assert machine.run("cat /usr/share/quarto-pi/version") == update
    trials.restarts(HEALTHY_SECONDS)
    trials.figures[f"seconds from the restart until {update} is left"] = f"{machine.seconds:.0f}"
    assert trials.card.booted_partition() == was.boot_partition, "nothing asks for it any more"
    machine = trials.on()
    told = machine.run("cat /usr/share/quarto-pi/version /var/lib/quarto-pi/of-before")
    assert told.split() == [before, "played"], told
    wait_until(machine, "cat /run/quarto-pi-notices/update-went-back", "update did not work", HEALTHY_SECONDS)
    see_what_is_told(machine, "An update didn't work: the version before it is back")
    assert trials.choice() == BootChoice(was, {was: State.GOOD, was.other: State.BAD})


def _kilobytes(trials: Trials, recording: Recording) -> str:
    written = recording.written_to(trials.card.table())
    return ", ".join(f"{number}: {count / 1000:.0f}" for number, count in written.items())


def _put_in_a_strangers_update_and_one_that_dies(trials: Trials, machine: Machine) -> None:
    """The stick itself is looked at for the stranger's alone."""
    dies = trials.workshop.bundle("trial-dies", trials.known, Flaw.DIES)
    stranger = trials.workshop.small_bundle("stranger", trials.stranger)
    put_file(machine, "/run/hand-in", _HAND_IN)
    machine.put_in(trials.workshop.stick(stranger, dies.rename(dies.with_name("dies.update"))))
