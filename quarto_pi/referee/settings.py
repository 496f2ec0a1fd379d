"""What the people at the board may choose, and how long the referee waits for what."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Final

from quarto_pi.languages import LANGUAGES
from quarto_pi.rules import FalseCallRule, Options, OptionsError, Player
from quarto_pi.rules.kinds import WholeNumber
from quarto_pi.rules.options import CALL_WAIT, LEVEL

LEVEL_NUMBERS: Final = LEVEL.range
LIKE_ME: Final = LEVEL.highest + 1
"""The number of the level that follows the person at the table from game to game, where numbers stand for levels."""
SEAT_LEVELS: Final = (*LEVEL_NUMBERS, LIKE_ME)

BUTTON_COUNTS: Final = WholeNumber(1, 2)


class Starter(Enum):
    """Who gives the first piece of a game (R2)."""

    A = "a"
    B = "b"
    IN_TURN = "in turn"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Seat:
    """A side of the board: a person, the computer with a level, or somebody at another board, by that board's name."""

    level: int | None = None
    board: str | None = None

    def __post_init__(self) -> None:
        if self.level is not None and self.board is not None:
            raise OptionsError("a side is played by the computer, or at another board, not both.")
        if self.level is not None and self.level not in SEAT_LEVELS:
            raise OptionsError(f"the computer has no level {self.level}: choose {LEVEL.lowest} to {LEVEL.highest}.")

    @property
    def is_computer(self) -> bool:
        """Whether the computer plays this side."""
        return self.level is not None

    @property
    def is_board(self) -> bool:
        """Whether somebody at another board plays this side."""
        return self.board is not None

    @property
    def is_person(self) -> bool:
        """Whether somebody at this board plays this side with his own hands."""
        return self.level is None and self.board is None


PERSON: Final = Seat()


@dataclass(frozen=True, slots=True)
class Settings:
    """A board and how it is played on; what the menu changes in mid-game counts from the next game on.

    `hindsight` says after a game what somebody has overlooked. `photo_finish` offers a game that is over to phones.
    `voice` says whether it speaks, None on a board that cannot. While it `speaks_squares` it says what stands where
    hands have been. A `quiet` board does not celebrate who has won. `languages` are those that a press of the button
    goes through while nobody plays.
    """

    rules: Options = field(default_factory=Options)
    seats: tuple[Seat, Seat] = (PERSON, PERSON)
    starter: Starter = Starter.A
    offer_reader: bool = True
    buttons: int = 1
    undo: bool = True
    coach: bool = False
    hindsight: bool = True
    photo_finish: bool = True
    voice: bool | None = None
    speaks_squares: bool = False
    quiet: bool = False
    language: str = "en"
    languages: tuple[str, ...] = LANGUAGES

    def heeding(self, wishes: Settings) -> Settings:
        """These settings with what concerns no rule as it is wished for: that need not wait for the next game."""
        return replace(
            self,
            language=wishes.language,
            voice=wishes.voice,
            coach=wishes.coach,
            hindsight=wishes.hindsight,
            photo_finish=wishes.photo_finish,
            speaks_squares=wishes.speaks_squares,
        )

    def __post_init__(self) -> None:
        if self.buttons not in BUTTON_COUNTS.range:
            raise OptionsError(f"a board has one button or two, not {self.buttons}.")
        if self.language not in LANGUAGES:
            raise OptionsError(f"the board does not speak '{self.language}': choose one of {', '.join(LANGUAGES)}.")
        if not self.languages or not set(self.languages) <= set(LANGUAGES):
            raise OptionsError(f"the languages to choose from are any of {', '.join(LANGUAGES)}.")

    def seat(self, player: Player) -> Seat:
        """Who sits on this player's side."""
        return self.seats[player.value]

    @property
    def people(self) -> tuple[Player, ...]:
        """The players that are people at this board."""
        return tuple(player for player in Player if self.seat(player).is_person)

    @property
    def other_board(self) -> str | None:
        """The name of the board that this one plays with, if it does."""
        return next((seat.board for seat in self.seats if seat.board is not None), None)

    @property
    def options(self) -> Options:
        """The rules as a game at this board is judged by them."""
        giving_sensed = self.offer_reader or len(self.people) < len(Player)
        # Between two boards the last chance to call ends with words, and not with a time of one of them.
        final_call_ms = self.rules.final_call_ms if self.other_board is None else CALL_WAIT.highest
        return replace(self.rules, giving_sensed=giving_sensed, final_call_ms=final_call_ms)

    @property
    def asks_before_a_forfeit(self) -> bool:
        """Whether a false call forfeits and one button serves two people: nobody knows who has pressed it (D14)."""
        return self.buttons == 1 and len(self.people) == 2 and self.rules.false_call is FalseCallRule.FORFEIT


@dataclass(frozen=True, slots=True)
class Patience:
    """How many milliseconds the referee waits for what; docs/referee.md says why so long.

    `rest`, `rest_in_auto`: so long a piece has to lie before it counts as placed or given; longer where that may end
    the game at once. `together`: pieces put down so shortly after one another came at once. `exchange`: so long the
    giver's second thought is taken for a receiver who gives early.
    `wrong`, `missing`: so long a piece may lie where it should not, or be away, before the display asks for it.
    `doubt`: so long a piece that is heard and not believed holds up what came after it.
    `lifting`: so much later than a press a piece may be missed that was in the air by then.
    `in_the_air`: so long the last piece may be away before it is asked whether to take it back.
    `unseen`: so long a given piece may be out of sight before a square without a reader is asked about.
    `unheard`: so long a piece may be missing before it is asked whether it stands there with a dead tag, and
    `in_hand` a given piece, which somebody may be thinking about.
    `each_question`: so long each of several answers is offered. `reading`: nobody presses sooner for what is shown.
    `who_called`: so long a press may change the answer;
    `excited`: a press so soon after the call is part of it. `cleared`: an empty board in mid-game is a new one after
    that; `cleared_early`: the same after a single placement. `remains`: what still stands of the
    last game is asked to be taken off once nobody has touched it for so long.
    `first_look`: nothing is missed from a game that goes on so soon after a start.
    `bounce`, `menu`, `choose`, `stuck`: what a button's movements mean. `menu_left`: an untouched menu closes.
    `told`: so long a lesson tells what nobody has to do anything for; `hint`: after so long it points at the square
    that is to be found. `page`: so long each page of how to play is shown to who has asked for it.
    `notice`: how long something is told. `hurry`: the clock's warning. `left_alone`: nobody is there.
    `celebrates`: so long it is celebrated who has won, and `result`: so long it is told, until it is told how the next
    game begins. `over_alone`: a result has been seen. `abandoned`: a game that nobody has touched for so long is given
    up, and `still_there` before that its players are asked for; 0: never, as in a replay, whose trace ends there.
    `unreachable`: a game is given up when the board it is played with has been away for so long.
    `guest`: the board speaks its own language again. `sleeps`: it goes to sleep where no hours are kept; 0: never.
    `woken`: a touch wakes it for so long while the house is closed.
    """

    rest: int = 500
    rest_in_auto: int = 800
    together: int = 130
    exchange: int = 3_000
    exchange_unseen: int = 10_000
    wrong: int = 1_000
    missing: int = 1_500
    doubt: int = 5_000
    lifting: int = 400
    in_the_air: int = 500
    unseen: int = 4_000
    unheard: int = 5_000
    in_hand: int = 20_000
    each_question: int = 4_000
    reading: int = 300
    who_called: int = 5_000
    excited: int = 700
    cleared: int = 10_000
    cleared_early: int = 60_000
    remains: int = 4_000
    bounce: int = 50
    menu: int = 3_000
    choose: int = 1_000
    stuck: int = 10_000
    menu_left: int = 20_000
    told: int = 8_000
    hint: int = 10_000
    page: int = 8_000
    notice: int = 8_000
    first_look: int = 3_000
    hurry: int = 10_000
    left_alone: int = 60_000
    celebrates: int = 3_000
    result: int = 4_000
    over_alone: int = 180_000
    abandoned: int = 0
    still_there: int = 120_000
    unreachable: int = 900_000
    guest: int = 300_000
    sleeps: int = 900_000
    woken: int = 120_000

    def __post_init__(self) -> None:
        for each in fields(self):
            if getattr(self, each.name) < 0:
                raise OptionsError(f"{each.name} is {getattr(self, each.name)} ms: a time cannot be negative.")
