"""The Pico that the readers hang on: is it there, with the right firmware, how are its readers; its own test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from quarto_pi.checks import Finding
from quarto_pi.checks.devices import SWEEPS, reader
from quarto_pi.config import Config
from quarto_pi.devices.node.firmware import build
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.rules import QuartoError
from quarto_pi.wiring.board import open_node
from quarto_pi.wiring.platform import HardwareMissing, Platform

if TYPE_CHECKING:
    from quarto_pi.devices.node.board import Node
    from quarto_pi.devices.readers.health import ReaderHealth
    from quarto_pi.firmware.said_by_node import Health

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


TEST_MS: Final = 5_000
"""How long a test may take: the lamps shine for a second, and the end is told at once."""
NEXT_FIGURES_MS: Final = 3_000
"""How long the next figures may take: they come once a second."""


class NoAnswer(QuartoError, RuntimeError):
    """No node answers, or not to the end; the text says what to do."""


def self_test(config: Config, settings: NodeSettings, platform: Platform) -> Iterator[Finding]:
    """Have the node test itself, and tell what came of it."""
    with open_node(config, settings, platform) as opened:
        opened.bank.start()
        first = _told(opened)
        # Figures from before the node took up its configuration would count that reset as one of the test's.
        _wait(opened, NEXT_FIGURES_MS, lambda now: now.at != first.at, first)
        before = _told(opened)
        figures_before = opened.bank.health()
        yield identity(opened)
        opened.link.test()
        _wait(opened, TEST_MS, lambda now: now.tests != before.tests, before)
        # A chip that did not come up in the moment of the reset shows itself only when it is looked at.
        for _ in range(SWEEPS):
            opened.bank.sweep()
        last = _told(opened)
        _wait(opened, NEXT_FIGURES_MS, lambda now: now.at != last.at, before)
        figures = opened.bank.health()
        yield from (reader(_since(figures_before[cell], figures[cell])) for cell in opened.bank.cells)
        yield from node_buttons(opened)
    if config.panel_lights is not None:
        yield Finding("panel lights", ok=True, detail="each was to shine for a moment; a light gives no answer")


def _told(opened: Node) -> Health:
    """What the node has said of its readers last; one that is not there has said nothing."""
    link = opened.link
    if not link.is_up or link.health is None:
        condition = link.condition
        raise NoAnswer(f"{condition.detail or 'no node answers'}: {condition.todo or RUN_FIRMWARE}.")
    return link.health


def _wait(opened: Node, most_ms: int, is_there: Callable[[Health], bool], before: Health) -> None:
    """Wait until the node has told what is waited for; one that starts again meanwhile has failed."""
    end = opened.link.now_ms + most_ms
    while opened.link.now_ms < end:
        opened.bank.round()
        health = opened.link.health
        if health is not None and health.boot == before.boot and is_there(health):
            return
    _told(opened)
    raise NoAnswer("the node did not come to the end of its test: unplug it, plug it in, and try again.")


def _since(before: ReaderHealth, now: ReaderHealth) -> ReaderHealth:
    """The figures of the test alone: years without an error would hide a reader that fails today."""
    return replace(
        now,
        polls=now.polls - before.polls,
        misses=now.misses - before.misses,
        errors=now.errors - before.errors,
        cross_reads=now.cross_reads - before.cross_reads,
        resets=now.resets - before.resets,
    )
