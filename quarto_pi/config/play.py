"""How the board is played on, and what the search may use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from quarto_pi.config.section import Section
from quarto_pi.referee.all_settings import CHOSEN, IN_FILE
from quarto_pi.referee.settings import Settings
from quarto_pi.rules.kinds import Medium, ValueRefused, WholeNumber
from quarto_pi.rules.options import LEVEL
from quarto_pi.rules.setting import Row, Setting, Within

TABLE_MB: Final = WholeNumber(1, 16_384)
"""Megabytes for what a search remembers."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What the search may use."""

    table_mb: int = 64


@dataclass(frozen=True, slots=True)
class GameConfig:
    """How the board is played on until people choose otherwise in its menu, and the computer's level in a trace."""

    chosen: Settings = field(default_factory=Settings)
    level: int = 3

    def settings(self, offer_reader: bool) -> Settings:
        """The settings with which an evening begins, on a board with or without a give place."""
        return replace(self.chosen, offer_reader=offer_reader)

    @property
    def buttons(self) -> int:
        """How many buttons call."""
        return self.chosen.buttons

    @property
    def language(self) -> str:
        """The language that the board speaks first."""
        return self.chosen.language


def chosen_keys(wished: Settings, file: Settings) -> Mapping[str, object]:
    """The keys of `[game]` that people chose to be otherwise than the file says, with their values."""
    said = {row.key: (row.write(file, Medium.FILE), row.write(wished, Medium.FILE)) for row in CHOSEN}
    return {key: now for key, (before, now) in said.items() if now != before}


def _rows() -> Iterator[Row[GameConfig]]:
    """The keys of `[game]` in their order: those of the table of settings, and the level beside the players."""
    for row in IN_FILE:
        if row.key == "starter":
            yield Setting[GameConfig, int](
                "level",
                "the computer's in a trace that names none",
                LEVEL,
                lambda game: game.level,
                lambda game, value: replace(game, level=value),
            )
        yield Within[GameConfig, Settings](
            row, lambda game: game.chosen, lambda game, settings: replace(game, chosen=settings)
        )


def read_game(section: Section) -> GameConfig:
    """The section `[game]`."""
    game, rows = GameConfig(), tuple(_rows())
    written = {row.key: section.like(row.key, row.write(game, Medium.FILE)) for row in rows}
    section.close()
    for row in rows:
        try:
            game = row.read(game, written[row.key], Medium.FILE)
        except ValueRefused as error:
            raise section.refused(row.key, error) from error
    return game


def read_engine(section: Section) -> EngineConfig:
    """The section `[engine]`."""
    table_mb = section.take("table_mb", EngineConfig().table_mb)
    section.close()
    if table_mb not in TABLE_MB.range:
        todo = f"write {TABLE_MB.lowest} to {TABLE_MB.highest}, and leave the system some memory"
        raise section.wrong("table_mb", table_mb, todo)
    return EngineConfig(table_mb)
