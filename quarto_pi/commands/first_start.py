"""Before the first game, and when the menu asks for it: the guide, until every piece has a tag."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from quarto_pi.config import Config
from quarto_pi.controller.guide_loop import GuideOutput
from quarto_pi.enrolment import Task
from quarto_pi.referee import Choose
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable
from quarto_pi.service.watchdog import Watchdog
from quarto_pi.tags_file import TagsFile
from quarto_pi.wiring.guide import open_guide
from quarto_pi.wiring.platform import Platform

if TYPE_CHECKING:
    from collections.abc import Callable

    from quarto_pi.controller.loop import Loop
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
        with ExitStack() as stack:
            guide = open_guide(
                self.config, self.platform, stack, task, table, self.file, language, outputs, self.watchdog
            )
            if self.page is not None:
                self.page.serve(guide)
            guide.run(self.goes_on)
        state = guide.state
        return Learned(state.roll.table, state.language) if state.ended else None
