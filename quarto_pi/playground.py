"""The wiring of a simulated board that is played at over its page: real controller, hands from the browser."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, cast

from starlette.types import ASGIApp

from quarto_pi.app import button_pins, keep_table, open_loop, simulated_hardware, simulated_tags
from quarto_pi.config import Config
from quarto_pi.devices.light_settings import PanelKind
from quarto_pi.journal.starting import open_journal
from quarto_pi.loop import Loop, Performer
from quarto_pi.performers.errands import Errands
from quarto_pi.performers.page import PagePerformer
from quarto_pi.rules import PIECES
from quarto_pi.service.attendant import Attendant
from quarto_pi.service.power import PowerSwitch
from quarto_pi.simulation.workshop import Workshop
from quarto_pi.trace.tape import Tape
from quarto_pi.web.feed import Feed
from quarto_pi.web.guard import Now
from quarto_pi.web.hands import AtTheTable
from quarto_pi.web.moment import Json
from quarto_pi.web.service import Board, service

COLOURS: Final = {PanelKind.THREE: ("a", "b", "attention"), PanelKind.RGB: ("red", "green", "blue")}
"""What the pins of the panel's lights are called."""


class Playground:
    """A board on its table, the controller that watches it, and the page's application."""

    def __init__(  # noqa: PLR0913 - all that boards at the page differ in
        self,
        config: Config,
        stack: ExitStack,
        seed: int = 0,
        *,
        paced: bool = True,
        now: Now = time.monotonic,
        keep: Path | None = None,
        attendant: Attendant | None = None,
    ) -> None:
        below, self.board = simulated_hardware(seed, paced=paced, config=config)
        factory = cast("Any", below.pin_factory)
        panel = config.panel_lights
        self._panel = (
            {}
            if panel is None
            else {name: factory.pin(f"GPIO{pin}") for name, pin in zip(COLOURS[panel.kind], panel.pins, strict=True)}
        )
        pins = {name: factory.pin(f"GPIO{pin}") for name, pin in button_pins(config).items()}
        settings = config.settings
        journal = None if keep is None else open_journal(keep, settings, stack)
        watch: list[Performer] = [] if keep is None else [keep_table(self.board, keep)]
        self.workshop = Workshop(self.board, pins)
        self.feed = Feed()
        self._switch, self._errands, self._tape = PowerSwitch(), Errands(), Tape(simulated_tags())
        self._page = PagePerformer(self.feed, settings if journal is None else journal.remembered.wishes)
        for kept in () if journal is None else journal.remembered.games:
            self.feed.keep(kept.number, kept.game)
        helpers: list[Performer] = [self._switch, self._errands, *watch]
        self.loop: Loop = open_loop(
            config, below, stack, simulated_tags(), helpers, self._tape, self._page, journal, attendant
        )
        table = AtTheTable(self.workshop, self._tape, self._errands.ask)
        self.app: ASGIApp = service(Board(self.feed, self.loop.post, table, self.below, self.shining), now)

    @property
    def switched_off(self) -> bool:
        """Whether people have switched the board off in its menu."""
        return self._switch.off

    def shining(self) -> Json:
        """What shines at this instant: the pins of the panel and the strip under the squares, as they are."""
        panel = {name: round(float(pin.state), 3) for name, pin in self._panel.items()}
        return {"panel": panel, "squares": self.workshop.strip()}

    def below(self) -> Json:
        """What lies below the drivers, for the page."""
        standing = {PIECES[piece].letters: cell for piece, cell in sorted(self.workshop.standing.items())}
        moving = [PIECES[piece].letters for piece in self.workshop.moving]
        return {
            "oled": self.workshop.dots(),
            "table": {"standing": standing, "moving": moving},
            "readers": self._page.readers(),
            "faults": {
                "dead": sorted(self.workshop.dead),
                "noise": self.workshop.noise,
                "cross_talk": self.workshop.mishears,
            },
            "recording": self._tape.running,
        }
