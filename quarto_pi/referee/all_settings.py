"""The table of all settings: those of the game, and those of the table it is played at; and where each is written down.

A new setting is a field of `Settings` or of the rules' `Options`, a row, and its key in the lists of the media that are
to have it. The lists keep the order in which the formats that exist have always had their keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.settings import BUTTON_COUNTS, LIKE_ME, PERSON, Seat, Settings, Starter
from quarto_pi.rules import Options
from quarto_pi.rules.kinds import Medium, Name, Plain, Truth, ValueRefused, Word, shown_plain
from quarto_pi.rules.options import LEVEL, RULES, Row, Setting, Within, pick

HUMAN: Final = "human"
COMPUTER: Final = "ai"
ANOTHER_BOARD: Final = "board"
"""Somebody at another board; only a game that runs has such a side, and no settings that people choose."""
FOLLOWING: Final = "like me"
"""The level that follows the person, where words stand for levels."""


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays a side: a person, or the computer with a level."""

    def allowed(self, medium: Medium) -> str:
        """What can be written there, as a noun."""
        levels = f"{LEVEL.lowest} to {LEVEL.highest}"
        match medium:
            case Medium.TRACE:
                return f'"{HUMAN}", "{COMPUTER}", "{COMPUTER} 5" ({levels}) or "{COMPUTER} {FOLLOWING}"'
            case Medium.JOURNAL:
                return f"the computer's level from {levels}, {LIKE_ME} for one that follows, or null for a person"
            case _:
                return f"the computer's level from {levels}, {LIKE_ME} for one that follows, or 0 for a person"

    def write(self, value: Seat, medium: Medium) -> Plain:
        """The value as that medium has it."""
        match medium:
            case Medium.TRACE:
                if value.is_board:
                    return ANOTHER_BOARD
                level = FOLLOWING if value.level == LIKE_ME else value.level
                return HUMAN if level is None else f"{COMPUTER} {level}"
            case Medium.JOURNAL:
                return value.level if value.board is None else f"{ANOTHER_BOARD} {value.board}"
            case _:
                return value.level or 0

    def read(self, written: object, medium: Medium) -> Seat:
        """The value that is meant."""
        if medium is Medium.TRACE:
            return self._player(written)
        if written is None and medium is Medium.JOURNAL:
            return PERSON
        if isinstance(written, str) and medium is Medium.JOURNAL and written.startswith(f"{ANOTHER_BOARD} "):
            return Seat(board=written.removeprefix(f"{ANOTHER_BOARD} "))
        if written == 0 and type(written) is int and medium is not Medium.JOURNAL:
            return PERSON
        if written == LIKE_ME and type(written) is int:
            return Seat(LIKE_ME)
        try:
            return Seat(LEVEL.read(written, medium))
        except ValueRefused as error:
            complaint = f"the computer has no level {shown_plain(written)}"
            raise ValueRefused(written, self.allowed(medium), complaint=complaint) from error

    def _player(self, written: object) -> Seat:
        match written.split() if isinstance(written, str) else ():
            case [word] if word == HUMAN and written == HUMAN:
                return PERSON
            case [word] if word == ANOTHER_BOARD and written == ANOTHER_BOARD:
                return Seat(board="")
            case [word, level] if word == COMPUTER and level in {f"{each}" for each in LEVEL.range}:
                return Seat(int(level))
            case [word, *following] if word == COMPUTER and " ".join(following) == FOLLOWING:
                return Seat(LIKE_ME)
        raise ValueRefused(written, self.allowed(Medium.TRACE))


@dataclass(frozen=True, slots=True)
class VoiceSetting:
    """Whether the board speaks; None on a board that cannot."""

    def allowed(self, _: Medium) -> str:
        """What can be written there, as a noun."""
        return "true or false"

    def write(self, value: bool | None, _: Medium) -> Plain:
        """The value as that medium has it."""
        return value

    def read(self, written: object, medium: Medium) -> bool | None:
        """The value that is meant."""
        if written is None and medium is Medium.JOURNAL:
            return None
        return Truth().read(written, medium)


def _with_voice(settings: Settings, value: bool | None) -> Settings:
    """A board that can speak does so unless it was told not to; another one cannot be told anything."""
    return replace(settings, voice=None if settings.voice is None else value is not False)


SETTINGS: Final[tuple[Row[Settings], ...]] = (
    *(
        Within[Settings, Options](
            row,
            lambda settings: settings.rules,
            lambda settings, rules: replace(settings, rules=rules),
        )
        for row in RULES
    ),
    Setting[Settings, Seat](
        "player_1",
        "who plays the first side",
        Side(),
        lambda settings: settings.seats[0],
        lambda settings, value: replace(settings, seats=(value, settings.seats[1])),
    ),
    Setting[Settings, Seat](
        "player_2",
        "who plays the second side",
        Side(),
        lambda settings: settings.seats[1],
        lambda settings, value: replace(settings, seats=(settings.seats[0], value)),
    ),
    Setting[Settings, Starter](
        "starter",
        "who gives the first piece",
        Word(Starter),
        lambda settings: settings.starter,
        lambda settings, value: replace(settings, starter=value),
    ),
    Setting[Settings, bool](
        "offer_reader",
        "the board has a give place with a reader",
        Truth(),
        lambda settings: settings.offer_reader,
        lambda settings, value: replace(settings, offer_reader=value),
    ),
    Setting[Settings, int](
        "buttons",
        "how many buttons call",
        BUTTON_COUNTS,
        lambda settings: settings.buttons,
        lambda settings, value: replace(settings, buttons=value),
    ),
    Setting[Settings, bool](
        "undo",
        "lifting takes back",
        Truth(),
        lambda settings: settings.undo,
        lambda settings, value: replace(settings, undo=value),
    ),
    Setting[Settings, bool](
        "coach",
        "the board says what was good and what was not",
        Truth(),
        lambda settings: settings.coach,
        lambda settings, value: replace(settings, coach=value),
    ),
    Setting[Settings, bool](
        "hindsight",
        "after a game the board says what was overlooked",
        Truth(),
        lambda settings: settings.hindsight,
        lambda settings, value: replace(settings, hindsight=value),
    ),
    Setting[Settings, bool](
        "photo_finish",
        "the display offers a game that is over to phones",
        Truth(),
        lambda settings: settings.photo_finish,
        lambda settings, value: replace(settings, photo_finish=value),
    ),
    Setting[Settings, bool | None](
        "voice",
        "the board speaks",
        VoiceSetting(),
        lambda settings: settings.voice,
        _with_voice,
    ),
    Setting[Settings, bool](
        "speak_squares",
        "the voice says what stands where hands have been",
        Truth(),
        lambda settings: settings.speaks_squares,
        lambda settings, value: replace(settings, speaks_squares=value),
    ),
    Setting[Settings, bool](
        "quiet",
        "nothing flashes and moves when a game is won",
        Truth(),
        lambda settings: settings.quiet,
        lambda settings, value: replace(settings, quiet=value),
    ),
    Setting[Settings, str](
        "language",
        "the language that the board speaks",
        Name(LANGUAGES, "the board does not speak"),
        lambda settings: settings.language,
        lambda settings, value: replace(settings, language=value),
    ),
)

IN_FILE: Final = pick(
    SETTINGS,
    "traits squares calling false_call time_out clock_seconds player_1 player_2 starter buttons undo coach"
    " hindsight photo_finish speak_squares quiet language",
)
"""The keys of the configuration's `[game]`."""

IN_JOURNAL: Final = pick(
    SETTINGS,
    "squares traits calling false_call time_out clock_seconds latch_ms final_call_ms player_1 player_2 starter undo"
    " coach hindsight photo_finish voice language speak_squares",
)
"""What the journal keeps of people's choices: nothing that is a matter of wiring."""

IN_TRACE_RULES: Final = pick(SETTINGS, "squares traits calling clock_seconds false_call time_out")
"""What the header of a trace has below `rules`."""

IN_TRACE: Final = pick(SETTINGS, "offer_reader buttons undo")
"""What the header of a trace has beside them."""

PLAYERS: Final = pick(SETTINGS, "player_1 player_2")
"""Who plays: in a trace and on the page a list of both."""

ON_PAGE_FIRST: Final = pick(SETTINGS, "squares traits calling clock_seconds")
ON_PAGE_LAST: Final = pick(
    SETTINGS, "starter coach voice language buttons offer_reader undo hindsight photo_finish speak_squares"
)
"""What the page has before the list of the players, and after it."""

BUILT: Final = frozenset({"offer_reader", "buttons"})
"""What nobody can choose, for the board is built so."""

CHOSEN: Final = tuple(row for row in IN_FILE if row.key not in BUILT)
"""What people can choose at the table and a file can have."""

MEDIA: Final[Mapping[Medium, tuple[Row[Settings], ...]]] = {
    Medium.FILE: IN_FILE,
    Medium.JOURNAL: IN_JOURNAL,
    Medium.TRACE: (*IN_TRACE_RULES, *PLAYERS, *IN_TRACE),
    Medium.PAGE: (*ON_PAGE_FIRST, *PLAYERS, *ON_PAGE_LAST),
}
"""Which medium has which settings; a record, the engine and the command line have only some of the game's own."""
