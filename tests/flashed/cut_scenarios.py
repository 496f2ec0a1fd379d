"""The plug is pulled during an update: once at a machine, and at any moment of one by what was written until then."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from card.boot_choice import Slot, State

from tests.flashed.boot import FlashedCard
from tests.flashed.cuts import Cuts, Found
from tests.flashed.recording import COUNT
from tests.flashed.scenarios import an_update_is_installed
from tests.flashed.trials import UPDATE_SECONDS, Trials, believe, put_file

WRITTEN_SECTORS: Final = 65_536
"""Once one of the first so many of a root partition has changed, it is being written."""
CUTS: Final = 20
CUTS_OF_THE_TRIAL: Final = 10
SEED: Final = 20


def the_plug_is_pulled_during_an_update(trials: Trials) -> None:
    """Once, while RAUC writes into the other slot: the system that ran starts again, with its games."""
    stick = trials.workshop.stick(trials.workshop.bundle("trial-cut", trials.known))
    machine = trials.on()
    was = Slot(trials.card.booted_partition())
    believe(machine, trials.known.certificate)
    version = machine.run("echo played > /var/lib/quarto-pi/of-before; sync; cat /usr/share/quarto-pi/version")
    other = trials.card.table().partition(was.other.root_partition)
    before = trials.card.bytes_at(other.start, WRITTEN_SECTORS)
    machine.put_in(stick)
    end = time.monotonic() + UPDATE_SECONDS
    while trials.card.bytes_at(other.start, WRITTEN_SECTORS) == before and time.monotonic() < end:
        time.sleep(1.0)
    trials.off()
    assert trials.choice().state(was.other) is State.BAD, "the slot was being written"
    assert trials.card.booted_partition() == was.boot_partition
    told = trials.on().run("cat /usr/share/quarto-pi/version /var/lib/quarto-pi/of-before")
    assert told.split() == [version, "played"], told


def every_moment_of_that_update_was_a_good_one(trials: Trials) -> None:
    """20 moments of the update's installation and 10 of its trial, judged by what was on the card; two are started.

    What would be on the card is put together from what was written until then, write by write.
    """
    if trials.recorded is None:
        # What another update has left is put right at the next start: that is none of this one's moments.
        trials.off()
        trials.on()
        trials.off()
        an_update_is_installed(trials)
    assert trials.recorded is not None
    recorded = trials.recorded
    trials.off()
    folder, was = trials.card.folder, recorded.was
    during = Cuts(trials.card, recorded.installed, recorded.digests)
    moments = during.moments(CUTS, SEED)
    written = {moments[len(moments) // 2]: folder / "cut-writing.img"}
    during.judge(moments, written)
    assert all(found.choice.usual is was for found in during.found), "until it was tried, nothing has changed"
    states = [found.choice.state(was.other) for found in during.found]
    assert {State.BAD, State.NEW, State.TRIED} <= set(states), states

    after = Cuts(trials.card, recorded.tried, recorded.digests)
    moments = after.moments(CUTS_OF_THE_TRIAL, SEED)
    confirmed = {moments[-1]: folder / "cut-confirmed.img"}
    after.judge(moments, confirmed)
    assert after.found[0].choice.usual is was
    assert after.found[-1].choice.usual is was.other

    (image,) = written.values()
    _start_after_cut(trials, image, during.found[len(during.found) // 2])
    (image,) = confirmed.values()
    _start_after_cut(trials, image, after.found[-1])
    every = [*during.found, *after.found]
    trials.figures["moments of an update at which its plug was pulled"] = (
        f"{len(every)}: {states.count(State.BAD)} while it is written, {states.count(State.NEW)} when it is whole,"
        f" {states.count(State.TRIED)} about to be tried, {len(after.found)} while it is tried or found healthy"
    )
    trials.figures["journal entries told as safe before the last of them, and kept"] = (
        f"{every[-1].told}, {every[-1].kept}"
    )


def _start_after_cut(trials: Trials, image: Path, found: Found) -> None:
    """A card whose plug was pulled starts what it should, and what was told as safe is there."""
    # Its own folder: what the first starts have written is not to be overwritten.
    folder = trials.card.folder / "after-cut"
    folder.mkdir(exist_ok=True)
    after = replace(trials, card=FlashedCard(image, folder, trials.card.program))
    try:
        machine = after.on()
        line = machine.run("cat /proc/cmdline")
        assert f"-0{found.choice.usual.root_partition}" in line, line
        put_file(machine, "/run/count", COUNT)
        assert int(machine.run("/usr/bin/python3 /run/count")) >= found.told
    finally:
        after.off()
    image.unlink()
