"""`quarto-pi check`: does everything work, and what is to be done where it does not."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from quarto_pi.app import Below, HardwareMissing, open_bank
from quarto_pi.commands.board_options import add_board, below_of, config_of
from quarto_pi.commands.check_displays import buttons, displays, speech, words
from quarto_pi.commands.finding import Finding
from quarto_pi.config import Config
from quarto_pi.engine import kernel
from quarto_pi.engine.book import BookDamaged, read_book

if TYPE_CHECKING:
    from quarto_pi.devices.health import ReaderHealth

SUMMARY = "check every part and say what to do about those that do not work"
SWEEPS = 20
"""How often every reader is looked at."""
MOST_ERRORS = 0.2
"""The share of failed looks above which a reader is not well."""


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `check` can be asked for."""
    parser.add_argument("--json", action="store_true", help="print one JSON object for each part")
    add_board(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check everything; 1 if something is not as it should be."""
    config = config_of(arguments)
    well = True
    for finding in _findings(config, arguments):
        print(json.dumps(asdict(finding)) if arguments.json else finding, flush=True)
        well = well and finding.ok
    return 0 if well else 1


def _findings(config: Config, arguments: argparse.Namespace) -> Iterator[Finding]:
    yield _search()
    yield _book()
    yield words()
    below = below_of(arguments, config)
    yield from _readers(config, below)
    yield from buttons(config, below)
    yield from displays(config, below)
    if config.speech is not None:
        yield speech(config.speech, config.game.language)


def _readers(config: Config, below: Below) -> Iterator[Finding]:
    try:
        with open_bank(config, below) as bank:
            bank.start()
            for _ in range(SWEEPS):
                bank.sweep()
            health = bank.health()
    except HardwareMissing as error:
        yield Finding("readers", ok=False, detail=str(error), fix="see the README, 'Two kinds of Pi'")
    else:
        yield from (_reader(figures) for figures in health.values())


def _search() -> Finding:
    if Path(kernel.__file__).suffix != ".py":
        return Finding("search", ok=True, detail="compiled")
    return Finding(
        "search",
        ok=True,
        detail="interpreted: the opponent plays, but searches more than a hundred times slower",
        fix="install gcc and python3-dev, then install quarto-pi again",
    )


def _book() -> Finding:
    try:
        sections = read_book()
    except BookDamaged as error:
        return Finding("opening book", ok=False, detail=str(error), fix="install quarto-pi again")
    positions = sum(section.positions for section in sections.values())
    return Finding("opening book", ok=True, detail=f"{positions} positions in {len(sections)} variants")


def _reader(figures: ReaderHealth) -> Finding:
    device = f"reader {figures.cell}"
    if not figures.answers:
        return Finding(
            device, ok=False, detail="no chip answers", fix="check its power, its select line and the shared SPI wires"
        )
    seen = "nothing read" if figures.last_seen is None else "a tag read"
    detail = (
        f"chip {figures.version.name}, {seen}, {figures.miss_rate:.0%} missed, {figures.error_rate:.0%} errors, "
        f"{figures.cross_reads} cross-reads, {figures.resets} resets"
    )
    if figures.error_rate > MOST_ERRORS:
        return Finding(device, ok=False, detail=detail, fix="shorten the SPI wires, or bring tag and reader closer")
    return Finding(device, ok=True, detail=detail)
