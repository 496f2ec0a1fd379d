"""A controller's end of the cable, with a Pico at the other one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from quarto_pi.config import parse_config
from quarto_pi.devices.node.board import Node
from quarto_pi.devices.readers.interface import Movement
from quarto_pi.sensing.readings import Outcome, Reading
from quarto_pi.wiring.board import open_node
from tests.pico.underneath import OnAPico, on_a_pico

OpenAtHost = Callable[..., "AtTheHost"]


class AtTheHost:
    """What the host sees of a Pico: rounds and movements since the beginning."""

    def __init__(
        self, stack: ExitStack, text: str = "", *, plugged: bool = True, seed: int = 0, processor_time: bool = False
    ) -> None:
        self.under: OnAPico = on_a_pico(
            stack, parse_config(text), plugged=plugged, seed=seed, processor_time=processor_time
        )
        assert self.under.config.node is not None
        self.board, self.pico = self.under.board, self.under.pico
        self.node: Node = stack.enter_context(open_node(self.under.config, self.under.config.node, self.under.platform))
        self.link = self.node.link
        self.readings: list[Reading] = []
        self.movements: list[Movement] = []

    @property
    def now(self) -> float:
        return self.board.clock.ns / 1_000_000

    def wait(self, milliseconds: float) -> None:
        end = self.now + milliseconds
        while self.now < end:
            self.readings += self.node.bank.round()
            self.movements += self.node.buttons.movements()

    def wait_for(self, happened: Callable[[], bool], most_ms: float = 10_000) -> None:
        end = self.now + most_ms
        while not happened():
            assert self.now < end, (self.link.condition, self.pico.printed)
            self.wait(1)

    def begin(self) -> None:
        """Wait until the node works, and has looked at everything twice."""
        self.node.bank.start()
        self.wait(400)

    def seen(self) -> dict[str, Reading]:
        """The newest reading of each cell."""
        return {reading.cell: reading for reading in self.readings}

    def outcomes(self) -> dict[str, Outcome]:
        return {cell: reading.outcome for cell, reading in self.seen().items()}


@pytest.fixture
def open_at_host() -> Iterator[OpenAtHost]:
    with ExitStack() as stack:
        yield lambda *given, **more: AtTheHost(stack, *given, **more)
