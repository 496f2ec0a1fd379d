"""The wiring of a simulated board that is played at over its page: real controller, hands from the browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.types import ASGIApp

from quarto_pi.config import Config
from quarto_pi.controller.first_start import Beside, GuideDoor, GuideLoop, GuideOutput
from quarto_pi.controller.input_poller import PostedTasks
from quarto_pi.controller.loop import Loop, Output
from quarto_pi.devices.light_patterns import PanelKind
from quarto_pi.enrolment import Gesture, Gestured, GuideEffect, ShowGuide, Task
from quarto_pi.enrolment.state import AllKnown, CheckReaders, NotStored, PutPiece, ReplacePiece
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.outputs.page import GuidePage, PageOutput
from quarto_pi.referee import Choose, Input
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.sensing.tags import TagTable
from quarto_pi.service import PowerSwitch, Watchdog
from quarto_pi.simulation.board import UIDS, Hands, SimulatedBoard
from quarto_pi.simulation.workshop import Workshop
from quarto_pi.trace.recorder import Tape
from quarto_pi.web.guard import Now
from quarto_pi.web.hands import AtTheTable
from quarto_pi.web.service import ServedBoard, service
from quarto_pi.web.streams import Feed
from quarto_pi.web.wishes import Json
from quarto_pi.wiring.board import button_pins, open_loop
from quarto_pi.wiring.guide import open_guide
from quarto_pi.wiring.platform import keep_table, simulated_hardware, simulated_tags

if TYPE_CHECKING:
    from quarto_pi.wiring.chain import OpenChain

# --- Simulated hands that follow the guide at a simulated table, so that enrolling can be tried without a board -------

NEW_UIDS: Final = tuple(f"04EE1F2A{number:02X}9C80" for number in range(256))
"""The tags of pieces that come for lost ones."""
LOST_PIECE: Final = PIECES[15]
BETWEEN_MS: Final = 400.0


class DemonstratingHands:
    """Puts down what is asked for, says yes where a piece is to be replaced, and leaves where nothing can be done."""

    def __init__(self, board: SimulatedBoard, known: TagTable, answer: Callable[[Gesture], None]) -> None:
        self._board = board
        self._known = known
        self._answer = answer
        self._new = next(uid for uid in NEW_UIDS if known.piece_of(uid) is None)
        self._placed = 0
        self._set_up = False

    def perform(self, effect: GuideEffect) -> None:
        """Do what the newest question asks for."""
        if not isinstance(effect, ShowGuide):
            return
        match effect.view.prompt:
            case PutPiece(piece=piece, count=count):
                self._put(self._new if count == 1 else UIDS[piece.number])
            case AllKnown(seen=0) if not self._set_up:
                self._set_up = True
                for each in PIECES:
                    if each != LOST_PIECE:
                        self._put(self._known.uids_of(each)[0])
            case AllKnown(seen=15):
                self._put(self._new)
            case ReplacePiece():
                self._answer(Gesture.HOLD)
            case CheckReaders(failing=(_, *_)) | NotStored():
                self._answer(Gesture.PRESS)
            case _:
                pass

    def tick(self, now: int) -> None:
        """Nothing: what hands do is planned on the board's clock."""

    def _put(self, uid: str) -> None:
        if uid in self._board.table.resting or self._placed >= len(SQUARE_NAMES):
            return
        now = self._board.clock.ns / 1_000_000
        Hands(self._board.clock, self._board.table).put(uid, SQUARE_NAMES[self._placed], now + BETWEEN_MS)
        self._placed += 1


# --- The wiring of a simulated board that is played at over its page: real controller, hands from the browser ---------

PIN_NAMES: Final = {PanelKind.THREE: ("a", "b", "attention"), PanelKind.RGB: ("red", "green", "blue")}
"""What the pins of the panel's lights are called."""


class Nowhere:
    """Where the tags of simulated pieces are stored: the next start knows nothing of them."""

    def write(self, table: TagTable) -> None:
        """Forget them."""


class Playground:
    """A board on its table, the controller that watches it, and the page's application.

    With `first_start` it knows no piece yet and begins with its guide.
    """

    def __init__(  # noqa: PLR0913 - all that boards at the page differ in
        self,
        config: Config,
        stack: ExitStack,
        seed: int = 0,
        *,
        paced: bool = True,
        speed: int = 1,
        now: Now = time.monotonic,
        keep: Path | None = None,
        watchdog: Watchdog | None = None,
        first_start: bool = False,
        chain: OpenChain | None = None,
    ) -> None:
        self._chain = chain
        self._config, self._keep, self._watchdog = config, keep, watchdog
        self._platform, self.board = simulated_hardware(seed, paced=paced, speed=speed, config=config)
        factory = cast("Any", self._platform.pin_factory)
        panel = config.panel_lights
        self._panel = (
            {}
            if panel is None
            else {name: factory.pin(f"GPIO{pin}") for name, pin in zip(PIN_NAMES[panel.kind], panel.pins, strict=True)}
        )
        pins = {name: factory.pin(f"GPIO{pin}") for name, pin in button_pins(config).items()}
        # The pieces stand where they stood before hands look for them.
        watch: list[Output] = [] if keep is None else [keep_table(self.board, keep)]
        self.workshop = Workshop(self.board, pins)
        self.feed = Feed()
        self._switch, self._door = PowerSwitch(), GuideDoor()
        self._tasks, self._tape = PostedTasks(), Tape(simulated_tags())
        self._helpers: list[Output] = [self._switch, self._door, self._tasks, *watch]
        self._settings = config.settings
        self._page = PageOutput(self.feed, self._settings)
        self._opened = stack.enter_context(ExitStack())
        self._loop: Loop | None = None
        self.guide: GuideLoop | None = None
        if first_start:
            self._open_guide(Task(language=True, waits=True), TagTable(), self._settings.language)
        else:
            self._open_loop(simulated_tags())
        table = AtTheTable(self.workshop, self._tape, self._tasks.ask)
        board = ServedBoard(self.feed, self._post, table, self.below, self.shining, point=self._point)
        self.app: ASGIApp = service(board, now)

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Go on until told otherwise or switched off: with the guide while it is open, and then with games."""
        while goes_on() and not self.switched_off:
            if self.guide is not None:
                self.guide.run(goes_on)
                if self.guide.state.ended:
                    self._open_loop(self.guide.state.roll.table, self.guide.state.language)
            elif self._loop is not None:
                self._loop.run(lambda: goes_on() and not self.switched_off and not self._door.opened)
                if self._loop.state is not None and self._door.was_opened():
                    language = self._loop.state.settings.language
                    self._open_guide(Task(waits=True, current=self._tags), self._tags, language)

    def _open_loop(self, tags: TagTable, language: str | None = None) -> None:
        self._opened.close()
        self.guide, self._tags = None, tags
        journal = None if self._keep is None else self._kept(self._keep)
        wishes = self._settings if journal is None else journal.remembered.wishes
        self._page = PageOutput(self.feed, wishes)
        self.feed.games.clear()
        for kept in () if journal is None else journal.remembered.games:
            self.feed.keep(kept.number, kept.game, kept.levels)
        self._loop = open_loop(
            self._config,
            self._platform,
            self._opened,
            tags,
            self._helpers,
            self._tape,
            self._page,
            journal,
            self._watchdog,
            chain=self._chain,
        )
        if language is not None:
            self._loop.post(lambda at: Choose(at, replace(wishes, language=language)))

    def _kept(self, keep: Path) -> OpenJournal:
        return open_journal(keep, self._settings, self._opened, is_on_chain=self._chain is not None)

    def _open_guide(self, task: Task, tags: TagTable, language: str) -> None:
        self._opened.close()
        self._loop = None
        outputs: list[GuideOutput] = [GuidePage(self.feed, self._settings), Beside(self._tasks)]
        if self._chain is not None:
            outputs.append(self._chain.guide_output)
        self.guide = open_guide(
            self._config,
            self._platform,
            self._opened,
            task,
            tags,
            Nowhere(),
            language,
            outputs,
            self._watchdog,
        )

    def _post(self, make: Callable[[int], Input]) -> None:
        if self._loop is not None:
            self._loop.post(make)

    def _point(self, gesture: Gesture) -> None:
        if self.guide is not None:
            self.guide.post(lambda at: Gestured(at, gesture))

    @property
    def loop(self) -> Loop:
        """The loop of the game that is played."""
        if self._loop is None:
            raise RuntimeError("nobody plays while the guide is open")
        return self._loop

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
            "chain": None if self._chain is None else self._chain.told(),
        }
