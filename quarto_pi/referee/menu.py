"""The menu of a board that has nothing but a button: a press steps, holding chooses.

It knows its items, their values and where a finger has got to; what a choice does is the referee's business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.phases import Transitions
from quarto_pi.referee.remote_game import OtherBoard, Others
from quarto_pi.referee.settings import PERSON, SEAT_LEVELS, Seat, Settings, Starter
from quarto_pi.rules import ALL_TRAITS, Calling, Player, Trait


class Item(Enum):
    """A line of the menu."""

    NEW_GAME = "new game"
    UNDO = "undo"
    PAUSE = "pause"
    OPPONENT = "opponent"
    STARTER = "who starts"
    VARIANT = "variant"
    CALLING = "calling"
    COACH = "coach"
    CLOCK = "clock"
    VOICE = "voice"
    LANGUAGE = "language"
    ENROL = "enrol"
    SHUT_DOWN = "shut down"
    LEAVE = "leave"
    HOW_TO_PLAY = "how to play"
    TEACH = "teach me"
    SPEAK_SQUARES = "speak squares"
    ANOTHER_BOARD = "another board"
    SPECTATORS = "spectators"


class Stage(Enum):
    """What the finger is choosing: an item, a value for it, or whether it is meant."""

    ITEMS = "items"
    VALUES = "values"
    SURE = "sure"


class MenuOccurrence(Enum):
    """What may happen to the menu."""

    OPENED = "a button is held"
    STEPPED = "a button is pressed"
    VALUES_WANTED = "a button is held at an item with values"
    MEANT_WELL = "a button is held at an item that asks again"
    CHOSEN = "a button is held, and the choice is made"
    LEFT_ALONE = "nobody touches it for long"
    STUCK = "a button does not come up"


_CLOSING: Final = {
    MenuOccurrence.CHOSEN: None,
    MenuOccurrence.LEFT_ALONE: None,
    MenuOccurrence.STUCK: None,
}

MENU: Final[Transitions[Stage | None, MenuOccurrence]] = Transitions(
    "menu",
    None,
    {
        None: {MenuOccurrence.OPENED: Stage.ITEMS},
        Stage.ITEMS: {
            MenuOccurrence.STEPPED: Stage.ITEMS,
            MenuOccurrence.VALUES_WANTED: Stage.VALUES,
            MenuOccurrence.MEANT_WELL: Stage.SURE,
            **_CLOSING,
        },
        Stage.VALUES: {MenuOccurrence.STEPPED: Stage.VALUES, **_CLOSING},
        Stage.SURE: {MenuOccurrence.STEPPED: Stage.ITEMS, **_CLOSING},
    },
)
"""Where each occurrence leads in the menu."""


class Variant(Enum):
    """The variants that the menu offers; the configuration knows them all (R5, R6)."""

    CLASSIC = "classic"
    SQUARES = "squares"
    THREE_TRAITS = "three traits"
    TWO_TRAITS = "two traits"
    ONE_TRAIT = "one trait"


class StopWaiting(Enum):
    """The one thing to be chosen while another board's answer is waited for."""

    STOP = "stop waiting"


STOP_WAITING: Final = StopWaiting.STOP

BoardChoice = OtherBoard | StopWaiting | None
"""Another board to play with, any (None), or none any more."""

_T = TypeVar("_T")

Value = Starter | Variant | Calling | Seat | OtherBoard | StopWaiting | bool | int | str | None

RISKY: Final = frozenset({Item.NEW_GAME, Item.UNDO, Item.ENROL, Item.SHUT_DOWN})
"""What asks again before it is done."""

_CHOICES: Final = (
    Item.OPPONENT,
    Item.STARTER,
    Item.VARIANT,
    Item.CALLING,
    Item.COACH,
    Item.CLOCK,
    Item.VOICE,
    Item.LANGUAGE,
    Item.ENROL,
    Item.SHUT_DOWN,
    Item.LEAVE,
    Item.SPEAK_SQUARES,
)

IN_GAME: Final = (Item.NEW_GAME, Item.UNDO, Item.PAUSE, *_CHOICES, Item.HOW_TO_PLAY)
BETWEEN_GAMES: Final = (Item.NEW_GAME, Item.TEACH, Item.HOW_TO_PLAY, *_CHOICES)
"""The items while a game is under way, and while none is: as many presses lead to the choices of either."""


_NOT_IN_MATCH: Final = frozenset({Item.UNDO, Item.PAUSE, Item.ENROL})
"""What nobody at another board has agreed to."""

MOST_BOARDS_OFFERED: Final = 8
"""So many other boards are offered: whoever holds a button can't step through a whole chain."""

_OF_VOICE: Final = (Item.VOICE, Item.SPEAK_SQUARES)

SHOWN: Final = Seat(6)
"""Who plays when the computer shows a game: good enough to be worth a look, and now and then it misses something."""

_TRAITS: Final[dict[Variant, tuple[Trait, ...]]] = {
    Variant.CLASSIC: ALL_TRAITS,
    Variant.SQUARES: ALL_TRAITS,
    Variant.THREE_TRAITS: (Trait.COLOUR, Trait.HEIGHT, Trait.SHAPE),
    Variant.TWO_TRAITS: (Trait.COLOUR, Trait.SHAPE),
    Variant.ONE_TRAIT: (Trait.COLOUR,),
}

VALUES: Final[dict[Item, tuple[Value, ...]]] = {
    Item.OPPONENT: (PERSON, *(Seat(level) for level in SEAT_LEVELS), None),
    Item.STARTER: tuple(Starter),
    Item.VARIANT: tuple(Variant),
    Item.CALLING: tuple(Calling),
    Item.COACH: (False, True),
    Item.VOICE: (False, True),
    Item.SPEAK_SQUARES: (False, True),
    Item.CLOCK: (None, 30, 60, 120, 300),
    Item.LANGUAGE: LANGUAGES,
}
"""The items that have values, and which; no opponent at all is the computer that plays itself, to be looked at."""


@dataclass(frozen=True, slots=True)
class MenuView:
    """What is seen of the open menu.

    It has other items while a game is under way, while that is `in_match` with another board, on a board that
    `knows_others` to play with, and on one that spectators may watch: `watched_at` is the address for them.
    """

    item: Item
    stage: Stage
    value: Value = None
    in_game: bool = True
    in_match: bool = False
    knows_others: bool = False
    watched_at: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """The open menu, when it was touched last, and the boards that could be played with when it was opened."""

    view: MenuView
    touched: int
    others: Others | None = None

    @classmethod
    def opened(
        cls,
        settings: Settings,
        at: int,
        in_game: bool = True,
        *,
        in_match: bool = False,
        others: Others | None = None,
    ) -> Menu:
        """The menu as it opens, while a game is under way or not; on other boards' invitations if there are any."""
        is_invited = not in_game and others is not None and bool(others.invitations)
        watched_at = "" if others is None else others.watched_at
        view = MenuView(Item.NEW_GAME, Stage.ITEMS, None, in_game, in_match, others is not None, watched_at)
        menu = cls(view, at, others)
        return menu._at(Item.ANOTHER_BOARD if is_invited else Item.NEW_GAME, settings, at)

    def stepped(self, settings: Settings, at: int) -> Menu:
        """The menu after a press: the next item, the next value, or no, it was not meant."""
        view = self.view
        match view.stage:
            case Stage.ITEMS:
                return self._at(_next(items_in(view, settings), view.item), settings, at)
            case Stage.VALUES:
                return replace(self, view=replace(view, value=_next(self._values, view.value)), touched=at)
            case Stage.SURE:
                return self._at(view.item, settings, at)

    def entered(self, at: int) -> Menu | None:
        """The menu after holding, where that leads deeper into it; None where the choice is made."""
        match self.when_held:
            case MenuOccurrence.VALUES_WANTED:
                return replace(self, view=replace(self.view, stage=Stage.VALUES), touched=at)
            case MenuOccurrence.MEANT_WELL:
                return replace(self, view=replace(self.view, stage=Stage.SURE), touched=at)
            case _:
                return None

    @property
    def when_held(self) -> MenuOccurrence:
        """What it means to hold the button now."""
        if self.view.stage is Stage.ITEMS and len(self._values) > 1:
            return MenuOccurrence.VALUES_WANTED
        if self.view.stage is Stage.ITEMS and self.view.item in RISKY:
            return MenuOccurrence.MEANT_WELL
        return MenuOccurrence.CHOSEN

    @property
    def _values(self) -> tuple[Value, ...]:
        """The values of the item at which the finger is."""
        return values_of(self.view.item, self.others)

    def _at(self, item: Item, settings: Settings, at: int) -> Menu:
        """The menu with the finger at this item."""
        first = values_of(item, self.others)[:1] if item is Item.ANOTHER_BOARD else ()
        value = first[0] if first else value_of(item, settings)
        return replace(self, view=replace(self.view, item=item, stage=Stage.ITEMS, value=value), touched=at)


def values_of(item: Item, others: Others | None = None) -> tuple[Value, ...]:
    """The values that an item has to choose from; the boards that wait for an answer come before any board."""
    if item is not Item.ANOTHER_BOARD or others is None:
        return VALUES.get(item, ())
    if others.is_waiting:
        return (STOP_WAITING,)
    boards = others.choices[:MOST_BOARDS_OFFERED]
    calling = tuple(board for board in boards if board.invites or board in others.invitations)
    return (*calling, None, *(board for board in boards if board not in calling))


def items_of(
    settings: Settings, in_game: bool = True, *, in_match: bool = False, knows_others: bool = False
) -> tuple[Item, ...]:
    """The lines of a board's menu: where nothing can speak, there is nothing to be said.

    While no game is under way there is nothing to be taken back or paused: what teaches the game stands there instead.
    """
    if in_game or in_match:
        items = tuple(item for item in IN_GAME if not in_match or item not in _NOT_IN_MATCH)
    else:
        items = (*BETWEEN_GAMES, *((Item.ANOTHER_BOARD,) if knows_others else ()))
    return tuple(item for item in items if item not in _OF_VOICE or settings.voice is not None)


def items_in(view: MenuView, settings: Settings) -> tuple[Item, ...]:
    """The lines of a menu that is open."""
    items = items_of(settings, view.in_game, in_match=view.in_match, knows_others=view.knows_others)
    return (*items, *((Item.SPECTATORS,) if view.watched_at else ()))


def _next(values: tuple[_T, ...], value: _T) -> _T:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


def value_of(item: Item, settings: Settings) -> Value:
    """The value that an item has at present; None for one without."""
    match item:
        case Item.OPPONENT:
            return settings.seat(Player.B) if settings.people else None
        case Item.STARTER:
            return settings.starter
        case Item.VARIANT:
            return variant_of(settings)
        case Item.CALLING:
            return settings.rules.calling
        case Item.COACH:
            return settings.coach
        case Item.CLOCK:
            return settings.rules.clock_ms and settings.rules.clock_ms // 1000
        case Item.VOICE:
            return settings.voice
        case Item.SPEAK_SQUARES:
            return settings.speaks_squares
        case Item.LANGUAGE:
            return settings.language
        case _:
            return None


def variant_of(settings: Settings) -> Variant | None:
    """The variant of the menu that is played; None for one that the menu does not know."""
    rules = settings.rules
    for variant in Variant:
        if rules.traits == _TRAITS[variant] and rules.squares is (variant is Variant.SQUARES):
            return variant
    return None


def with_item(settings: Settings, item: Item, value: Value) -> Settings:  # noqa: C901 - one case for each item
    """The settings with another value for an item."""
    rules = settings.rules
    match item, value:
        case Item.OPPONENT, Seat():
            return replace(settings, seats=(PERSON, value))
        case Item.OPPONENT, None:
            return replace(settings, seats=(SHOWN, SHOWN))
        case Item.STARTER, Starter():
            return replace(settings, starter=value)
        case Item.VARIANT, Variant():
            rules = replace(rules, traits=_TRAITS[value], squares=value is Variant.SQUARES)
        case Item.CALLING, Calling():
            rules = replace(rules, calling=value)
        case Item.COACH, bool():
            return replace(settings, coach=value)
        case Item.VOICE, bool():
            return replace(settings, voice=value)
        case Item.SPEAK_SQUARES, bool():
            return replace(settings, speaks_squares=value)
        case Item.CLOCK, None:
            rules = replace(rules, clock_ms=None)
        case Item.CLOCK, int():
            rules = replace(rules, clock_ms=value * 1000)
        case Item.LANGUAGE, str():
            return replace(settings, language=value)
    return replace(settings, rules=rules)
