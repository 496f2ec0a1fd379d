"""How the board is played on, and what the search may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.config.section import Section
from quarto_pi.referee.settings import LANGUAGES, LEVELS, Seat, Settings, Starter
from quarto_pi.rules import (
    ALL_TRAITS,
    Calling,
    FalseCall,
    Options,
    QuartoError,
    TimeOut,
    Trait,
    format_traits,
    hint,
    parse_traits,
)

MOST_TABLE_MB: Final = 16_384
LONGEST_CLOCK_SECONDS: Final = 3_600


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What the search may use."""

    table_mb: int = 64


@dataclass(frozen=True, slots=True)
class GameConfig:
    """How the board is played on until people choose otherwise in its menu.

    `player_1` and `player_2` are the computer's level on that side, 0 is a person.
    """

    squares: bool = False
    traits: tuple[Trait, ...] = ALL_TRAITS
    calling: Calling = Calling.BUTTON
    false_call: FalseCall = FalseCall.REFUSE
    time_out: TimeOut = TimeOut.SHOW
    clock_seconds: int = 0
    player_1: int = 0
    player_2: int = 0
    level: int = 3
    starter: Starter = Starter.A
    buttons: int = 1
    undo: bool = True
    coach: bool = False
    language: str = "en"

    def settings(self, offer_reader: bool) -> Settings:
        """The settings with which an evening begins, on a board with or without a give place."""
        rules = Options(
            squares=self.squares,
            traits=self.traits,
            calling=self.calling,
            false_call=self.false_call,
            time_out=self.time_out,
            clock_ms=self.clock_seconds * 1000 or None,
        )
        return Settings(
            rules=rules,
            seats=(Seat(self.player_1 or None), Seat(self.player_2 or None)),
            starter=self.starter,
            offer_reader=offer_reader,
            buttons=self.buttons,
            undo=self.undo,
            coach=self.coach,
            language=self.language,
        )


def chosen_keys(wished: Settings, file: Settings) -> Mapping[str, object]:
    """The keys of `[game]` that people chose to be otherwise than the file says, with their values."""
    said = _game_keys(file)
    return {key: value for key, value in _game_keys(wished).items() if value != said[key]}


def _game_keys(settings: Settings) -> dict[str, object]:
    """What can be chosen at the table, as it is written in a file."""
    rules = settings.rules
    first, second = (seat.level or 0 for seat in settings.seats)
    return {
        "squares": rules.squares,
        "traits": format_traits(rules.traits),
        "calling": rules.calling.value,
        "false_call": rules.false_call.value,
        "time_out": rules.time_out.value,
        "clock_seconds": (rules.clock_ms or 0) // 1000,
        "player_1": first,
        "player_2": second,
        "starter": settings.starter.value,
        "undo": settings.undo,
        "coach": settings.coach,
        "language": settings.language,
    }


def read_game(section: Section) -> GameConfig:
    """The section `[game]`."""
    plain = GameConfig()
    traits = section.take("traits", format_traits(plain.traits))
    game = GameConfig(
        squares=section.take("squares", plain.squares),
        traits=plain.traits,
        calling=Calling(section.word("calling", Calling, plain.calling)),
        false_call=FalseCall(section.word("false_call", FalseCall, plain.false_call)),
        time_out=TimeOut(section.word("time_out", TimeOut, plain.time_out)),
        clock_seconds=section.take("clock_seconds", plain.clock_seconds),
        player_1=section.take("player_1", plain.player_1),
        player_2=section.take("player_2", plain.player_2),
        level=section.take("level", plain.level),
        starter=Starter(section.word("starter", Starter, plain.starter)),
        buttons=section.take("buttons", plain.buttons),
        undo=section.take("undo", plain.undo),
        coach=section.take("coach", plain.coach),
        language=section.take("language", plain.language),
    )
    section.close()
    if not 0 <= game.clock_seconds <= LONGEST_CLOCK_SECONDS:
        raise section.wrong("clock_seconds", game.clock_seconds, f"write 1 to {LONGEST_CLOCK_SECONDS}, or 0 for none")
    for key in ("player_1", "player_2"):
        if getattr(game, key) not in (0, *LEVELS):
            raise section.wrong(key, getattr(game, key), "write the computer's level from 1 to 10, or 0 for a person")
    if game.level not in LEVELS:
        raise section.wrong("level", game.level, "write a level from 1 to 10")
    if game.buttons not in (1, 2):
        raise section.wrong("buttons", game.buttons, "a board has 1 or 2")
    if game.language not in LANGUAGES:
        raise section.wrong("language", game.language, hint(game.language, LANGUAGES).rstrip(".?"))
    try:
        return replace(game, traits=parse_traits(traits))
    except QuartoError as error:
        raise section.wrong("traits", traits, f"{error}".rstrip(".?")) from error


def read_engine(section: Section) -> EngineConfig:
    """The section `[engine]`."""
    table_mb = section.take("table_mb", EngineConfig().table_mb)
    section.close()
    if not 1 <= table_mb <= MOST_TABLE_MB:
        raise section.wrong("table_mb", table_mb, f"write 1 to {MOST_TABLE_MB}, and leave the system some memory")
    return EngineConfig(table_mb)
