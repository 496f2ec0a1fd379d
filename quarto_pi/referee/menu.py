"""The menu of a board that has nothing but a button: a press steps, holding chooses.

It knows its items, their values and where a finger has got to; what a choice does is the referee's business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.settings import PERSON, SEAT_LEVELS, Seat, Settings, Starter
from quarto_pi.referee.transitions import Transitions
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


_T = TypeVar("_T")

Value = Starter | Variant | Calling | Seat | bool | int | str | None

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
    """What is seen of the open menu, which has other items while a game is under way."""

    item: Item
    stage: Stage
    value: Value = None
    in_game: bool = True


@dataclass(frozen=True, slots=True)
class Menu:
    """The open menu, and when it was touched last."""

    view: MenuView
    touched: int

    @classmethod
    def opened(cls, settings: Settings, at: int, in_game: bool = True) -> Menu:
        """The menu as it opens, while a game is under way or not."""
        return cls(_at_item(Item.NEW_GAME, settings, in_game), at)

    def stepped(self, settings: Settings, at: int) -> Menu:
        """The menu after a press: the next item, the next value, or no, it was not meant."""
        view = self.view
        match view.stage:
            case Stage.ITEMS:
                item = _next(items_of(settings, view.in_game), view.item)
                return Menu(_at_item(item, settings, view.in_game), at)
            case Stage.VALUES:
                return Menu(replace(view, value=_next(VALUES[view.item], view.value)), at)
            case Stage.SURE:
                return Menu(_at_item(view.item, settings, view.in_game), at)

    def entered(self, at: int) -> Menu | None:
        """The menu after holding, where that leads deeper into it; None where the choice is made."""
        match self.when_held:
            case MenuOccurrence.VALUES_WANTED:
                return Menu(replace(self.view, stage=Stage.VALUES), at)
            case MenuOccurrence.MEANT_WELL:
                return Menu(replace(self.view, stage=Stage.SURE), at)
            case _:
                return None

    @property
    def when_held(self) -> MenuOccurrence:
        """What it means to hold the button now."""
        if self.view.stage is Stage.ITEMS and self.view.item in VALUES:
            return MenuOccurrence.VALUES_WANTED
        if self.view.stage is Stage.ITEMS and self.view.item in RISKY:
            return MenuOccurrence.MEANT_WELL
        return MenuOccurrence.CHOSEN


def items_of(settings: Settings, in_game: bool = True) -> tuple[Item, ...]:
    """The lines of a board's menu: where nothing can speak, there is nothing to be said.

    While no game is under way there is nothing to be taken back or paused: what teaches the game stands there instead.
    """
    items = IN_GAME if in_game else BETWEEN_GAMES
    return tuple(item for item in items if item not in _OF_VOICE or settings.voice is not None)


def _at_item(item: Item, settings: Settings, in_game: bool) -> MenuView:
    return MenuView(item, Stage.ITEMS, value_of(item, settings), in_game)


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
