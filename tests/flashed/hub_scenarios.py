"""An update by the hub of a chain: a real Mosquitto and the hub's own command here, and the board on its card."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from card.boot_choice import BootChoice, Slot, State
from card.partitions import SECTOR

from quarto_pi.chain.credentials import CA_FILE, CREDENTIALS_FILE, SECTION_FILE
from quarto_pi.first_start.chain_folder import CHAIN_FOLDER
from quarto_pi.web.updates import UPDATE_TYPE
from tests.flashed.boot import FlashedCard
from tests.flashed.emulator import HOST_IN_NETWORK, GuestError, Machine
from tests.flashed.trials import (
    HEALTHY_SECONDS,
    LOOK_SECONDS,
    PLAYS,
    UPDATE_SECONDS,
    Trials,
    believe,
    put_file,
    see_what_is_told,
    set_up,
    wait_until,
    wait_until_judged,
)
from tests.hub.hub_process import HubProcess
from tests.hub.hubs import HubFolder, hub_for_versions_at

BOARD: Final = "on-a-card"
WELL_SECONDS: Final = 60.0
VERSION: Final = "trial-hub"
_FETCHING: Final = ("offered", "fetching")


def the_hub_rolls_an_update_out(trials: Trials) -> None:
    """Its board fetches it over its network, waits until nobody plays, and runs it; the hub finds it well."""
    card = trials.card
    with ExitStack() as stack:
        place = hub_for_versions_at(card.folder / "hub", HOST_IN_NETWORK, trials.known.certificate)
        assert place.order("add", BOARD, "--house", "North") == 0
        hub = HubProcess(place, WELL_SECONDS, is_hasty=False)
        stack.callback(hub.stop)
        hub.start()
        machine = trials.on()
        was = Slot(card.booted_partition())
        believe(machine, trials.known.certificate)
        set_up(machine)
        machine.run("echo played > /var/lib/quarto-pi/of-before; sync")
        trials.off()
        _put_on_chain(card, place)
        machine = trials.on()
        _join_network(machine)
        see_what_is_told(machine, PLAYS)
        assert CHAIN_FOLDER not in machine.run("ls /boot/quarto-pi"), "its secret has left the drive"
        before = machine.run("cat /usr/share/quarto-pi/version")
        _wait_for(machine, lambda: hub.ask("versions")["boards"][0]["card"] == before, HEALTHY_SECONDS)

        bundle = trials.workshop.bundle(VERSION, trials.known)
        sent = hub.ask("versions/file", bundle.read_bytes(), UPDATE_TYPE)
        bundle.unlink()
        assert (sent["version"], sent["checked"]) == (VERSION, True)
        began = machine.seconds
        hub.ask("rollout", {"version": sent["sha256"]})
        # A machine that has little of its host may be cut off from its hub all the while, and go on nevertheless.
        _wait_for(machine, lambda: machine.has_stopped() or hub.steps()[BOARD] not in _FETCHING, UPDATE_SECONDS)
        trials.figures["seconds in which it was fetched from the hub"] = f"{machine.seconds - began:.0f}"
        trials.restarts(2 * UPDATE_SECONDS)
        assert hub.steps()[BOARD] in {*_FETCHING, "ready", "taking"}
        assert card.booted_partition() == was.other.boot_partition

        machine = trials.on()
        machine.plug_in_network()
        assert machine.run("cat /usr/share/quarto-pi/version /var/lib/quarto-pi/of-before").split() == [
            VERSION,
            "played",
        ]
        wait_until_judged(machine)
        _wait_for(machine, lambda: hub.rollout()["stage"] == "done", HEALTHY_SECONDS)
        assert hub.steps() == {BOARD: "well"}
        assert not [alarm for alarm in hub.ask("alarms")["alarms"] if alarm["kind"] == "rollout"]
        machine.run("sync")
        assert trials.choice() == BootChoice(was.other, {was: State.GOOD, was.other: State.GOOD})


def _join_network(machine: Machine) -> None:
    """Plug a cable in, as there is one in a house.

    What QEMU plugs in calls itself a Linux gadget: two drivers want it, of which one is right, and no address is asked
    for over it unless somebody says so.
    """
    put_file(machine, "/run/modprobe.d/gadget.conf", "blacklist cdc_subset\n")
    machine.plug_in_network()
    wait_until(machine, "nmcli -t -f RUNNING general", "^running", HEALTHY_SECONDS)
    add = "nmcli connection add type ethernet con-name house ifname '*' ipv4.method auto ipv6.method disabled"
    add += " autoconnect yes connection.autoconnect-priority 1"
    machine.run(f"nmcli -t connection show house > /run/house || {add}; sync")
    wait_until(machine, "nmcli -t connection up house; cat /proc/net/route", r"\s00000000\s", HEALTHY_SECONDS)


def _put_on_chain(card: FlashedCard, place: HubFolder) -> None:
    """What an owner does who has the card in his computer: the hub's folder for the board is copied onto its drive."""
    drive = f"{card.image}@@{card.table().partition(1).start * SECTOR}"
    files = [place.folder / "boards" / BOARD / name for name in (CREDENTIALS_FILE, CA_FILE, SECTION_FILE)]
    subprocess.run(["mmd", "-i", drive, f"::{CHAIN_FOLDER}"], check=True)
    subprocess.run(["mcopy", "-i", drive, *files, f"::{CHAIN_FOLDER}/"], check=True)


def _wait_for(machine: Machine, happened: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise GuestError(machine.attempt("journalctl -b -u quarto-pi --no-pager | tail -40; ip address")[1])
        time.sleep(LOOK_SECONDS)
