"""The readers: whether each answers, what kind of chip it is, and how well it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from math import log
from typing import TYPE_CHECKING, Final

from quarto_pi.app import open_readers
from quarto_pi.below import Below, HardwareMissing
from quarto_pi.checks.finding import Finding
from quarto_pi.config import Config
from quarto_pi.devices.calibration_file import usable_mode
from quarto_pi.devices.fields import FieldMode
from quarto_pi.devices.readers import Readers
from quarto_pi.sensing.neighbours import squares_touch
from quarto_pi.sensing.readings import OFFER, SQUARES

if TYPE_CHECKING:
    from quarto_pi.devices.health import ReaderHealth

SWEEPS: Final = 20
"""How often every reader is looked at, at the least; the readers of a node have been looked at since it began."""
MOST_LOOKS: Final = 200
"""How often a reader is looked at that is neither good nor bad beyond doubt."""
GOOD, BAD = 0.01, 0.10
"""The shares of failed looks of a reader that is well, and of one that is not."""
FALSE_ALARM, MISSED = 0.001, 0.01
"""How often a reader that is well may be called bad (once in a thousand), and a bad one good (once in a hundred)."""
# Wald's sequential test: how much likelier it has become with each look that the reader is a bad one.
FAILED_LOOK: Final = log(BAD / GOOD)
GOOD_LOOK: Final = log((1 - BAD) / (1 - GOOD))
SURELY_BAD: Final = log((1 - MISSED) / FALSE_ALARM)
SURELY_GOOD: Final = log(MISSED / (1 - FALSE_ALARM))
NEIGHBOURS_ARE_HEARD_IN: Final = 3
"""Looks at readers that nobody asked for, to know what stands around one that has heard nothing."""
LEAST_AROUND: Final = 3
SHARE_AROUND: Final = 0.75
WAIT_US: Final = 5_000
# By the name of the version: the enum stands beside the driver, whose packages need not be installed.
CHIPS: Final = {
    "NXP": ("an MFRC522", None),
    "CLONE": ("a clone of the MFRC522 (an FM17522), which reads as well", None),
    "COUNTERFEIT": (
        "a counterfeit of the MFRC522 (version 0x12), which a reset does not bring back from everything",
        "if it drops out now and then, put another module in its place",
    ),
    "UNKNOWN": ("a chip of an unknown make", "if it drops out now and then, put another module in its place"),
}
"""What a version of the chip is to people, and what to do about it."""


def cells_of(config: Config) -> tuple[str, ...]:
    """The cells that have a reader."""
    return (*SQUARES, OFFER) if config.readers.offer else SQUARES


def fields(config: Config) -> Finding:
    """Whether as many fields may be on at a time as the configuration wants."""
    wanted = config.fields
    usable = usable_mode(wanted.mode, wanted.calibration)
    if usable.trouble:
        file = wanted.calibration or "/etc/quarto-pi/apart.toml"
        fix = f"put a piece on every square and run 'quarto-pi calibrate {file}'"
        if not wanted.calibration:
            fix += f", then 'quarto-pi config set fields.calibration {file}'"
        return Finding("fields", ok=False, detail=f"one at a time: {usable.trouble.rstrip('.')}", fix=fix)
    if usable.mode is FieldMode.ONE_AT_A_TIME:
        return Finding("fields", ok=True, detail=usable.mode.value)
    return Finding("fields", ok=True, detail=f"{usable.mode.value}, {len(usable.apart)} pairs may be on together")


def readers(config: Config, below: Below, cells: Collection[str]) -> Iterator[Finding]:
    """How the readers of these cells are doing."""
    try:
        with ExitStack() as stack:
            bank = open_readers(config, below, stack).readers
            bank.start()
            _look_until_sure(bank, below, cells)
            others = [cell for cell in bank.cells if cell not in cells and any(_touch(cell, one) for one in cells)]
            for _ in range(NEIGHBOURS_ARE_HEARD_IN if others else 0):
                bank.sweep(others)
            health = bank.health()
    except HardwareMissing as error:
        yield Finding("readers", ok=False, detail=str(error), fix="see the README, 'Two kinds of Pi'")
    else:
        yield from (reader(health[cell], health.values()) for cell in cells)


def _look_until_sure(bank: Readers, below: Below, cells: Collection[str]) -> None:
    """Look at each of these readers until it is good or bad beyond doubt."""
    doubtful = list(cells)
    for number in range(1, MOST_LOOKS + 1):
        began = below.clock.now()
        bank.sweep(doubtful)
        health = bank.health()
        if number >= SWEEPS:
            doubtful = [cell for cell in doubtful if health[cell].answers and is_doubtful(health[cell])]
        if not doubtful:
            return
        # one that is being brought up anew cannot be looked at yet
        below.clock.wait_until(began + WAIT_US)


def _evidence(figures: ReaderHealth) -> float:
    """How much likelier the looks are those of a bad reader than those of a good one, as a logarithm."""
    return figures.errors * FAILED_LOOK + (figures.polls - figures.errors) * GOOD_LOOK


def is_doubtful(figures: ReaderHealth) -> bool:
    """Whether the looks so far prove neither that a reader is good nor that it is bad."""
    return SURELY_GOOD < _evidence(figures) < SURELY_BAD


def _errs_too_often(figures: ReaderHealth) -> bool:
    return _evidence(figures) >= (SURELY_BAD if figures.polls < MOST_LOOKS else 0)


def _touch(cell: str, other: str) -> bool:
    return cell != other and OFFER not in (cell, other) and squares_touch(cell, other)


def _heard_around(figures: ReaderHealth, everywhere: Iterable[ReaderHealth]) -> int:
    """How many readers around one that has heard nothing hear a piece, 0 if too few to wonder at that."""
    around = [other for other in everywhere if other.answers and _touch(figures.cell, other.cell)]
    heard = sum(other.last_seen is not None for other in around)
    return heard if heard >= LEAST_AROUND and heard >= SHARE_AROUND * len(around) else 0


def reader(figures: ReaderHealth, everywhere: Iterable[ReaderHealth] = ()) -> Finding:
    """How one reader is doing, beside all others."""
    device = f"reader {figures.cell}"
    if not figures.answers:
        detail, fix = "no chip answers", "check its power, its select line and the shared SPI wires"
        if figures.fields_left_on:
            detail = "its field does not go off when it is told to"
        return Finding(device, ok=False, detail=detail, fix=fix)
    chip, todo = CHIPS[figures.version.name]
    if figures.wants_command_again:
        chip += ", which wants its command again for every frame (it reads as well, a little more slowly)"
    seen = "nothing read" if figures.last_seen is None else "a tag read"
    detail = (
        f"{chip}; {seen}, {figures.miss_rate:.0%} missed, {figures.error_rate:.0%} errors, "
        f"{figures.cross_reads} cross-reads, {figures.resets} resets"
    )
    if _errs_too_often(figures):
        return Finding(device, ok=False, detail=detail, fix="shorten the SPI wires, or bring tag and reader closer")
    if figures.last_seen is None and (heard := _heard_around(figures, everywhere)):
        fix = "put a piece there and check again: if it still hears nothing, see to its antenna and what lies below it"
        return Finding(device, ok=False, detail=f"{detail}; {heard} readers around it hear a piece", fix=fix)
    return Finding(device, ok=True, detail=detail, fix=todo)
