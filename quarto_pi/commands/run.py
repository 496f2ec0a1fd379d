"""`quarto-pi run`: the controller of the board; before the first game the guide, until every piece has a tag."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from quarto_pi.commands.beginning import Beginning, beginning_of
from quarto_pi.commands.check import bundle_of_running_board
from quarto_pi.commands.enrol import GuideLines, GuideObjects
from quarto_pi.commands.options import (
    Command,
    add_board,
    add_keep,
    add_power_off,
    add_speed,
    tell_missing_words,
)
from quarto_pi.config import Config, state_folder
from quarto_pi.controller.first_start import GuideDoor, GuideOutput
from quarto_pi.controller.loop import Loop, Output
from quarto_pi.enrolment import Task
from quarto_pi.notices import NOTICES_FOLDER
from quarto_pi.referee import Choose, Effect, Show, Tell
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable
from quarto_pi.service import PowerSwitch, ServiceManager, Watchdog, power_off
from quarto_pi.trace.story import as_json
from quarto_pi.updates import CardUpdates
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.guide import TagsFile, open_guide, tags_file_of
from quarto_pi.wiring.platform import (
    Platform,
    keep_table,
    simulated_tags,
)
from quarto_pi.words import Words

if TYPE_CHECKING:
    from quarto_pi.wiring.chain import OpenChain
    from quarto_pi.wiring.page import OpenPage


@dataclass(frozen=True, slots=True)
class Learned:
    """What the guide has brought: the tags of all pieces, and the language that was chosen in it."""

    tags: TagTable
    language: str | None = None

    def hand_over(self, loop: Loop, config: Config) -> None:
        """Let the game go on in the language of the guide, and remember it."""
        language = self.language
        if language is None:
            return
        settings = config.game.settings(config.readers.offer)
        loop.post(
            lambda at: Choose(at, replace(settings if loop.state is None else loop.state.wishes, language=language))
        )


@dataclass(frozen=True, slots=True)
class Guidance:
    """The guide of one board, with all that it needs whenever it is opened."""

    config: Config
    platform: Platform
    file: TagsFile
    lines: GuideOutput
    page: OpenPage | None
    chain: OpenChain | None
    watchdog: Watchdog | None
    goes_on: Callable[[], bool]

    def learn_first(self) -> Learned | None:
        """The tags that are known, or those that the guide has brought to a board without any; None: it was stopped."""
        if self.file.exists():
            try:
                return Learned(self.file.read())
            except TagsError as error:
                # Somebody's own file is theirs to put right; what only the board wrote is no use to anybody.
                if self.config.readers.tags:
                    raise
                print(f"{error} It is kept as {self.file.set_aside()}.", file=sys.stderr)
        return self._guide(Task(language=True, waits=True), self.file.read_part(), self.config.game.language)

    def learn_again(self, current: TagTable, language: str) -> Learned | None:
        """The tags after the menu has asked for the guide; None: it was stopped."""
        part = self.file.read_part()
        return self._guide(Task(waits=True, current=current), part if part.pieces else current, language)

    def _guide(self, task: Task, table: TagTable, language: str) -> Learned | None:
        outputs = [self.lines] if self.page is None else [self.lines, self.page.guide_performer]
        if self.chain is not None:
            outputs.append(self.chain.guide_output)
        with ExitStack() as stack:
            guide = open_guide(
                self.config, self.platform, stack, task, table, self.file, language, outputs, self.watchdog
            )
            if self.page is not None:
                self.page.serve(guide)
            guide.run(self.goes_on)
        state = guide.state
        return Learned(state.roll.table, state.language) if state.ended else None


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `run` can be asked for."""
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write what the sensors see as a table trace; one that is there already is kept, and the new one has the "
        "next number that is free, such as FILE-2",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each event")
    add_keep(parser)
    add_board(parser)
    add_power_off(parser)
    add_speed(parser)
    parser.add_argument(
        "--notices",
        type=Path,
        default=NOTICES_FOLDER,
        metavar="FOLDER",
        help=f"with --start-anyway: what other services have the board say ({NOTICES_FOLDER})",
    )
    parser.add_argument(
        "--start-anyway",
        action="store_true",
        help="start also with a wrong configuration or without readers, and say so at the board; who holds the button "
        "meanwhile gets safe mode, with the usual settings",
    )


def _run(arguments: argparse.Namespace) -> int:
    """Run the board until it is told to stop."""
    beginning = beginning_of(arguments)
    config, board = beginning.config, beginning.board
    tell_missing_words()
    log, switch, door = EventLog() if arguments.json else Spokesman(), PowerSwitch(), GuideDoor()
    reopening, helpers = Reopening(), list[Output]([log, switch, door])
    with ExitStack() as stack:
        if board is not None and arguments.keep:
            helpers.append(keep_table(board, arguments.keep))
        watchdog = stack.enter_context(Watchdog(ServiceManager.of(os.environ, os.getpid())))
        signal.signal(signal.SIGTERM, log.stop)
        signal.signal(signal.SIGINT, log.stop)
        if beginning.set_up(lambda: not log.stopped, watchdog):
            print("The board is set up: it starts anew with what was said.", file=sys.stderr)
            return 0
        page = beginning.page(stack)
        chain = beginning.chain(stack)
        if page is not None:
            _furnish(page, beginning, chain, reopening)
        guidance = Guidance(
            config,
            beginning.platform,
            tags_file_of(config, simulated=arguments.simulated),
            GuideObjects() if arguments.json else GuideLines(),
            page,
            chain,
            watchdog,
            lambda: not log.stopped,
        )
        learned = Learned(simulated_tags()) if arguments.simulated else guidance.learn_first()
        while learned is not None:
            # Other tags make another trace: the recorder takes the next file.
            loop = _evening(beginning, learned, page, arguments.record, helpers, watchdog, chain)
            with loop as playing:
                playing.run(lambda: not (log.stopped or switch.off or door.opened or reopening.wanted))
                language = _language(playing, config)
            if reopening.was_wanted() and not (log.stopped or switch.off):
                learned = Learned(learned.tags)
            else:
                learned = guidance.learn_again(learned.tags, language) if door.was_opened() else None
    if switch.off and arguments.power_off:
        power_off()
    return 0


def _furnish(page: OpenPage, beginning: Beginning, chain: OpenChain | None, reopening: Reopening) -> None:
    """Let the page know what it may tell of the board, and offer what its owner may do there."""
    page.know_time(beginning.known_time)
    page.offer_report(_report(beginning, page))
    updates = CardUpdates(state_folder(os.environ))
    if updates.is_card:
        updates.forget_unfinished()
        page.offer_updates(updates)
    if beginning.folder is not None:
        page.offer(beginning.folder, beginning.stick, reopening.want)
    if chain is not None:
        page.know_chain(chain.told)


@contextmanager
def _evening(  # noqa: PLR0913 - all that an evening has
    beginning: Beginning,
    learned: Learned,
    page: OpenPage | None,
    record: Path | None,
    helpers: Sequence[Output],
    watchdog: Watchdog,
    chain: OpenChain | None,
) -> Iterator[Loop]:
    """The controller with everything opened, as long as nobody asks for the guide, or for other games."""
    config = beginning.config
    with ExitStack() as stack:
        journal = beginning.journal(stack)
        if page is not None:
            page.recall(None if journal is None else journal.remembered)
        seen_by = None if page is None else page.output
        loop = open_loop(
            config,
            beginning.platform,
            stack,
            learned.tags,
            helpers,
            record,
            seen_by,
            journal,
            watchdog,
            beginning.impaired,
            beginning.hampered,
            beginning.known_time,
            chain,
        )
        learned.hand_over(loop, config)
        if page is not None:
            page.serve(loop)
            print(f"The page is at {page.address}", file=sys.stderr)
        beginning.remember()
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        print(f"The board is running{'; Ctrl-C ends it' if is_terminal else ''}.", file=sys.stderr)
        yield loop


def _report(beginning: Beginning, page: OpenPage) -> Callable[[], bytes]:
    """What makes the archive for those who are asked for help."""
    return lambda: bundle_of_running_board(
        beginning.place, beginning.config, page.output.readers, simulated=beginning.board is not None
    )


def _language(loop: Loop, config: Config) -> str:
    return config.game.language if loop.state is None else loop.state.settings.language


class Reopening:
    """Knows whether the evening is to be opened anew, over another journal."""

    def __init__(self) -> None:
        self.wanted = False

    def want(self) -> None:
        """Open it anew after the present look."""
        self.wanted = True

    def was_wanted(self) -> bool:
        """Whether it was, since it was asked last."""
        wanted, self.wanted = self.wanted, False
        return wanted


class Stoppable:
    """Knows when the controller is to end: at a signal."""

    def __init__(self) -> None:
        self.stopped = False

    def tick(self, now: int) -> None:
        """Nothing: a line that is printed stays."""

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """End the controller after the present look."""
        self.stopped = True


class EventLog(Stoppable):
    """Prints every event as an object, for other programs."""

    def perform(self, effect: Effect) -> None:
        """Print an event."""
        if isinstance(effect, Tell):
            print(json.dumps(as_json(effect.at, effect.report), separators=(",", ":")), flush=True)


class Spokesman(Stoppable):
    """Prints what the board has to say to people, in their language: a display for who has no other."""

    def __init__(self) -> None:
        super().__init__()
        self._said = ("", "")
        self._words = Words()

    def perform(self, effect: Effect) -> None:
        """Print what is to be done, and what is told in passing, when it changes."""
        if not isinstance(effect, Show):
            return
        view, seats = effect.view, effect.view.settings.seats
        if view.settings.language != self._words.language:
            self._words = Words(view.settings.language)
        notice = "" if view.notice is None else self._words.say(view.notice, seats)
        prompt = " ".join(self._words.menu(view.menu, seats)) if view.menu else self._words.say(view.prompt, seats)
        for text, before in zip((notice, prompt), self._said, strict=True):
            if text and text != before:
                print(text, flush=True)
        self._said = (notice, prompt)


RUN_COMMAND: Final = Command("run", "run the board: games by its readers, buttons and displays", _options, _run)
