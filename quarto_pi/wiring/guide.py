"""The wiring of the guide: its readers, buttons, displays and voice, and the file in which its tags are kept.

While pieces are being enrolled the tags so far stand in a second file beside it; the last one makes it whole.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from quarto_pi.config import Config, state_folder
from quarto_pi.controller.first_start import Beside, GuideLoop, GuideOutput, TagStore
from quarto_pi.devices.speech import Speech
from quarto_pi.enrolment import Task
from quarto_pi.files import PREVIOUS_SUFFIX, replace_text
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable, format_tags, parse_tags
from quarto_pi.service import Watchdog, counted
from quarto_pi.wiring.board import Wired, open_oled, open_square_lights, open_wired
from quarto_pi.wiring.platform import Platform

TAGS_FILE: Final = "tags.toml"
"""Its name in the folder of the board's state."""


class TagsFile:
    """Where the tags are kept, with what was there before (`.bak`) and what is not finished (`.part`)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = path.with_name(f"{path.name}{PREVIOUS_SUFFIX}")
        self.part = path.with_name(f"{path.name}.part")

    def exists(self) -> bool:
        """Whether there are tags of all pieces, right or wrong."""
        return self.path.exists()

    def read(self) -> TagTable:
        """The tags of all sixteen pieces."""
        return parse_tags(_text_of(self.path), str(self.path))

    def read_part(self) -> TagTable:
        """The tags of an enrolment that was broken off; none if there was none, or if nobody can read it."""
        try:
            return parse_tags(_text_of(self.part), str(self.part), whole=False)
        except TagsError:
            return TagTable()

    def write(self, table: TagTable) -> None:
        """Keep these tags: as the tags of the board once every piece has one, until then as a part of them."""
        text = format_tags(table)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if table.missing:
            replace_text(self.part, text)
            return
        # What the controller would refuse to read is never written.
        parse_tags(text, str(self.path))
        if not self.path.exists() or self.path.read_bytes() != text.encode():
            replace_text(self.path, text)
        self.forget_part()

    def forget_part(self) -> None:
        """Begin anew the next time."""
        with suppress(OSError):
            self.part.unlink(missing_ok=True)
            self.part.with_name(f"{self.part.name}{PREVIOUS_SUFFIX}").unlink(missing_ok=True)

    def set_aside(self) -> Path:
        """Rename a file that cannot be read, so that it can be looked at and is in nobody's way."""
        aside = self.path.with_name(f"{self.path.name}.damaged")
        self.path.replace(aside)
        return aside


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise TagsError(f"the tags file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise TagsError(f"the tags file {path} is not UTF-8 text (byte {error.start}).") from error


SIMULATED_FILE: Final = "simulated-tags.toml"
"""Where the tags of the simulated pieces go: never over those of real ones."""


def tags_file_of(config: Config, *, simulated: bool = False) -> TagsFile:
    """The file that the configuration names, otherwise the one in the folder of the board's state."""
    if config.readers.tags:
        return TagsFile(Path(config.readers.tags))
    return TagsFile(state_folder(os.environ) / (SIMULATED_FILE if simulated else TAGS_FILE))


def known_so_far(file: TagsFile) -> tuple[TagTable, TagTable | None]:
    """The tags with which the guide begins, and those that count meanwhile.

    An enrolment that was broken off goes on before anything else.
    """
    current = file.read() if file.exists() else None
    part = file.read_part()
    return (part, current) if part.pieces or current is None else (current, current)


def open_guide(  # noqa: PLR0913 - all that a guide has
    config: Config,
    platform: Platform,
    stack: ExitStack,
    task: Task,
    table: TagTable,
    store: TagStore,
    language: str,
    outputs: Sequence[GuideOutput] = (),
    watchdog: Watchdog | None = None,
) -> GuideLoop:
    """The guide above the board's own devices; the stack closes what it has opened."""
    wired = open_wired(config, platform, stack)
    bank = wired.bank
    bank.start()
    cells = config.readers.cells
    shown_by = [*outputs, *_open_outputs(config, platform, stack, wired)]
    if watchdog is not None:
        shown_by.append(Beside(watchdog))
    loop = GuideLoop(bank, wired.buttons, platform.clock, store, shown_by, task, table, cells, language)
    if watchdog is not None:
        signs = {"the sweep": counted(lambda: bank.sweeps), "the loop": counted(lambda: loop.turns)}
        watchdog.attend(
            signs, lambda: (bank.answering, len(bank.cells)), lambda: bank.sweeps > 0, "learning its pieces"
        )
    return loop


def _open_outputs(config: Config, platform: Platform, stack: ExitStack, wired: Wired) -> list[GuideOutput]:
    outputs: list[GuideOutput] = []
    if config.oled is not None:
        oled = stack.enter_context(open_oled(config.oled, platform))
        oled.start()
        from quarto_pi.outputs.first_start import GuideScreen

        outputs.append(GuideScreen(oled))
    if wired.panel is not None:
        from quarto_pi.outputs.lights import PanelOutput

        outputs.append(Beside(PanelOutput(wired.panel)))
    if config.square_lights is not None:
        squares = stack.enter_context(open_square_lights(config.square_lights, platform))
        squares.start()
        from quarto_pi.outputs.lights import SquaresOutput

        outputs.append(Beside(SquaresOutput(squares)))
    if config.speech is not None:
        from quarto_pi.outputs.first_start import GuideVoice

        outputs.append(GuideVoice(stack.enter_context(Speech(config.speech))))
    return outputs
