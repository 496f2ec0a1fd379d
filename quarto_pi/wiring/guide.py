"""The wiring of the guide: its readers, buttons, displays and voice, and the file in which it stores the tags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from quarto_pi.config import Config, state_folder
from quarto_pi.controller.guide_loop import Beside, GuideLoop, GuideOutput, TagStore
from quarto_pi.devices.speech import Speech
from quarto_pi.enrolment import Task
from quarto_pi.sensing.tags import TagTable
from quarto_pi.service import Watchdog, counted
from quarto_pi.tags_file import TAGS_FILE, TagsFile
from quarto_pi.wiring.board import Wired, open_oled, open_square_lights, open_wired
from quarto_pi.wiring.platform import Platform

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
        from quarto_pi.outputs.guide import GuideScreen

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
        from quarto_pi.outputs.guide import GuideVoice

        outputs.append(GuideVoice(stack.enter_context(Speech(config.speech))))
    return outputs
