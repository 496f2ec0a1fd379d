"""The targets by name: what is fuzzed, and what each campaign begins with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quarto_pi.wiring.platform import simulated_hardware

# The stand-ins for the Pi's packages have to be in place before the drivers are imported.
simulated_hardware()

from tests.fuzz import board, chain_board, hub, hub_page, kept, letters, orders, page, talk, texts  # noqa: E402

SEEDS = Path(__file__).parent / "seeds"

Target = Callable[[bytes], None]
"""Tries an input; whatever it raises is a fault."""

TARGETS: dict[str, Target] = {
    "tags": texts.tags,
    "configuration": texts.configuration,
    "owner": texts.owner,
    "chain_folder": texts.chain_folder,
    "calibration": texts.calibration,
    "trace": texts.trace,
    "record": texts.record,
    "notation": texts.notation,
    "engine": talk.engine,
    "sensing": board.sensing,
    "chips": board.chips,
    "requests": page.requests,
    "wire": page.wire,
    "journal": kept.journal,
    "commands": orders.commands,
    "chain": hub.chain,
    "chain_board": chain_board.chain_board,
    "hub_settings": hub.hub_settings,
    "hub_page": hub_page.hub_requests,
    "letters": letters.letters,
}


def seeds_of(name: str) -> list[Path]:
    """The files that a campaign begins with."""
    return sorted((SEEDS / name).glob("*"))
