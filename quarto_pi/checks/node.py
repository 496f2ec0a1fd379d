"""The Pico that the readers hang on: is it there, with the right firmware, and how are its readers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.readers import SWEEPS, reader
from quarto_pi.config import Config
from quarto_pi.devices.node.firmware import build
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.wiring.board import open_node
from quarto_pi.wiring.platform import HardwareMissing, Platform

if TYPE_CHECKING:
    from quarto_pi.devices.node.board import Node

RUN_FIRMWARE = "run 'quarto-pi firmware'"
SEE_PICO_GUIDE = "see docs/pico.md"


def node(config: Config, settings: NodeSettings, platform: Platform) -> Iterator[Finding]:
    """The node, and if it works its readers and buttons."""
    try:
        with open_node(config, settings, platform) as opened:
            opened.bank.start()
            for _ in range(SWEEPS if opened.link.is_up else 0):
                opened.bank.sweep()
            yield identity(opened)
            if opened.link.is_up:
                health = opened.bank.health()
                yield from (reader(figures, health.values()) for figures in health.values())
                yield from node_buttons(opened)
    except HardwareMissing as error:
        yield Finding("node", ok=False, detail=str(error), fix=SEE_PICO_GUIDE)


def identity(opened: Node) -> Finding:
    """Who the node is, and whether its firmware is the right one."""
    link = opened.link
    if not link.is_up:
        condition = link.condition
        return Finding(
            "node", ok=False, detail=condition.detail or "it does not answer", fix=condition.todo or RUN_FIRMWARE
        )
    welcome = link.welcome
    if welcome is None:
        return Finding("node", ok=False, detail="it does not say who it is", fix=RUN_FIRMWARE)
    who = f"{welcome.board}, serial number {welcome.serial}, build {welcome.build or 'unknown'}"
    detail = f"{who}, {link.lost} frames lost, {link.damaged} damaged"
    if welcome.broke:
        return Finding("node", ok=False, detail=f"{detail}; it broke last time: {welcome.broke}", fix=RUN_FIRMWARE)
    if welcome.build != build():
        return Finding("node", ok=False, detail=f"{detail}: this program brings build {build()}", fix=RUN_FIRMWARE)
    return Finding("node", ok=True, detail=detail)


def node_buttons(opened: Node) -> Iterator[Finding]:
    """Every button, and whether it is up as it should be while nobody presses it."""
    for name in opened.buttons.names:
        if name in opened.buttons.held:
            todo = "let go of it; if nobody holds it, it is stuck, or its pin is wired to ground"
            yield Finding(f"button {name}", ok=False, detail="on the node, held down", fix=todo)
        else:
            yield Finding(f"button {name}", ok=True, detail="on the node, up")
