"""The readers: whether each answers, what kind of chip it is, and how well it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from quarto_pi.app import open_bank
from quarto_pi.below import Below, HardwareMissing
from quarto_pi.checks.finding import Finding
from quarto_pi.config import Config
from quarto_pi.sensing.readings import OFFER, SQUARES

if TYPE_CHECKING:
    from quarto_pi.devices.health import ReaderHealth

SWEEPS: Final = 20
"""How often every reader is looked at."""
MOST_ERRORS: Final = 0.2
"""The share of failed looks above which a reader is not well."""
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


def readers(config: Config, below: Below, cells: Collection[str]) -> Iterator[Finding]:
    """How the readers of these cells are doing."""
    try:
        with open_bank(config, below) as bank:
            bank.start()
            for _ in range(SWEEPS):
                bank.sweep(cells)
            health = bank.health()
    except HardwareMissing as error:
        yield Finding("readers", ok=False, detail=str(error), fix="see the README, 'Two kinds of Pi'")
    else:
        yield from (reader(health[cell]) for cell in cells)


def reader(figures: ReaderHealth) -> Finding:
    """How one reader is doing."""
    device = f"reader {figures.cell}"
    if not figures.answers:
        return Finding(
            device, ok=False, detail="no chip answers", fix="check its power, its select line and the shared SPI wires"
        )
    chip, todo = CHIPS[figures.version.name]
    seen = "nothing read" if figures.last_seen is None else "a tag read"
    detail = (
        f"{chip}; {seen}, {figures.miss_rate:.0%} missed, {figures.error_rate:.0%} errors, "
        f"{figures.cross_reads} cross-reads, {figures.resets} resets"
    )
    if figures.error_rate > MOST_ERRORS:
        return Finding(device, ok=False, detail=detail, fix="shorten the SPI wires, or bring tag and reader closer")
    return Finding(device, ok=True, detail=detail, fix=todo)
