"""How to play, one screen at a time; invitations to those who pass by; what statistics are called."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from gettext import NullTranslations
from typing import assert_never

from quarto_pi.referee.messages import Giving, HowToPlay, Learn, LessonOver, LessonStage, NotYet
from quarto_pi.sensing.readings import OFFER
from quarto_pi.words.terms import Voice, on_cell, the_piece


@dataclass(frozen=True, slots=True)
class TeachingPage:
    """One screen of how to play."""

    title: str
    text: str


class Statistic(Enum):
    """What is counted over many games."""

    GAMES = "games"
    WINS = "wins"
    LOSSES = "losses"
    DRAWS = "draws"
    AVERAGE_TIME = "average time"
    MISSED = "missed"
    AGAINST = "wins against the computer"


TeachingMessage = HowToPlay | Learn | NotYet | LessonOver


def say_teaching(message: TeachingMessage, voice: Voice) -> str:
    """What is to be learned now."""
    t = voice.translations
    match message:
        case HowToPlay(page=page, giving=giving):
            return how_to_play(t, giving)[page].text
        case Learn():
            return _of_lesson(message, t)
        case NotYet(too_early=True):
            return t.gettext("Not yet! First there must be four in a row, alike in one thing.")
        case NotYet():
            return t.gettext("Right, that would win! But now see what happens if nobody calls.")
        case LessonOver():
            return t.gettext("The lesson is over. Now you play a real game.")
    assert_never(message)


def teaching_headline(message: TeachingMessage, voice: Voice) -> str:
    """What it is about, in big type."""
    t = voice.translations
    match message:
        case HowToPlay(page=page, giving=giving):
            return how_to_play(t, giving)[page].title
        case Learn(stage=stage):
            return _lesson_headline(stage, t)
        case NotYet() | LessonOver():
            return t.pgettext("menu", "Teach me")
    assert_never(message)


def _of_lesson(message: Learn, t: NullTranslations) -> str:  # noqa: C901 - one case for each stage
    gives = message.giving is Giving.ON_GIVE_PLACE
    place = on_cell(t, OFFER)
    match message.stage:
        case LessonStage.CLEAR:
            return t.gettext("Take all pieces off the board. Then the lesson begins.")
        case LessonStage.GIVE:
            if not gives:
                return t.gettext("Here your friend chooses the piece for you. Put any piece on any square.")
            form = t.gettext("Here you choose the piece for your friend. Put any piece %(on_cell)s.")
            return form % {"on_cell": place}
        case LessonStage.PLACE:
            return t.gettext("Now you are the friend. Place this piece on any square.")
        case LessonStage.SECOND | LessonStage.THIRD | LessonStage.SEE:
            return _of_line(message, t)
        case LessonStage.CALL:
            return t.gettext("Four in a row, alike in one thing: a Quarto! Press the button to call it.")
        case LessonStage.CALLED:
            return t.gettext("Quarto! In a game you would have won. But what if nobody sees it?")
        case LessonStage.GIVE_ON:
            if not gives:
                return t.gettext("Now don't press. Put another piece on any square.")
            return t.gettext("Now don't press. Put another piece %(on_cell)s.") % {"on_cell": place}
        case LessonStage.PLACE_ON:
            return t.gettext("Now your friend may still call. Don't press: place this piece on any square.")
        case LessonStage.MISSED:
            return t.gettext("Nobody called in time: these four don't count any more.")
        case LessonStage.DONE:
            return t.gettext("Now you can play! Take all pieces off the board and begin.")
    assert_never(message.stage)


def _of_line(message: Learn, t: NullTranslations) -> str:
    """Which piece goes into the line; where, if that is pointed at."""
    piece = "" if message.piece is None else the_piece(t, message.piece)
    if message.square is None:
        return t.gettext("Three in a row are alike. Take %(piece)s and make them four!") % {"piece": piece}
    form = t.gettext("Take %(piece)s. Put it on %(square)s.")
    return form % {"piece": piece, "square": message.square.name}


def _lesson_headline(stage: LessonStage, t: NullTranslations) -> str:
    match stage:
        case LessonStage.CLEAR | LessonStage.DONE:
            return t.pgettext("headline", "Clear the board")
        case LessonStage.GIVE | LessonStage.GIVE_ON:
            return t.pgettext("title of a page", "Give")
        case LessonStage.PLACE | LessonStage.SECOND | LessonStage.THIRD | LessonStage.PLACE_ON:
            return t.pgettext("title of a page", "Place")
        case LessonStage.SEE:
            return t.pgettext("headline", "Look closely!")
        case LessonStage.CALL:
            return t.pgettext("title of a page", "Call QUARTO!")
        case LessonStage.CALLED:
            return t.pgettext("headline", "QUARTO!")
        case LessonStage.MISSED:
            return t.pgettext("headline", "Missed!")
    assert_never(stage)


def how_to_play(t: NullTranslations, giving: Giving) -> tuple[TeachingPage, ...]:
    """The game for those who do not know it, in the order in which it is read."""
    return (
        TeachingPage(
            t.pgettext("title of a page", "The pieces"),
            t.gettext("Each piece is light or dark, tall or short, round or square, solid or hollow."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "The goal"),
            t.gettext("Four in a row, also diagonally, with one thing in common: all dark, all round, all tall…"),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Give"),
            _how_to_give(t, giving),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Place"),
            t.gettext("Place the piece you were given on an empty square. Then pick one for your opponent."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Call QUARTO!"),
            t.gettext("See four in a row? Press the button and call! It doesn't matter who placed the others."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Missed"),
            t.gettext("Forgot to call? Now your opponent may. After that it no longer counts."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "The end"),
            t.gettext("The first to call wins. All sixteen pieces placed and nobody called? It's a draw."),
        ),
    )


def held_button(t: NullTranslations) -> tuple[TeachingPage, ...]:
    """What it is good for to hold the button while nobody plays."""
    return (
        TeachingPage(
            t.pgettext("title of a page", "Alone?"),
            t.gettext("Hold the button: a menu opens. There you choose the computer to play with."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "New here?"),
            t.gettext("Hold the button: a menu opens. Choose “Teach me”, a short lesson."),
        ),
    )


def _how_to_give(t: NullTranslations, giving: Giving) -> str:
    """As it is done at this board: where no reader sees what is given, nobody is sent to a giving spot."""
    if giving is Giving.ON_GIVE_PLACE:
        return t.gettext("You never choose your own piece! Pick one for your opponent and put it on the giving spot.")
    return t.gettext("You never choose your own piece! Pick one and hand it to the other player.")


def invitations(t: NullTranslations) -> tuple[str, ...]:
    """What is shown in turn while nobody plays."""
    return (
        t.gettext("Fancy a game of Quarto?"),
        t.gettext("Sixteen pieces, and no two are alike."),
        t.gettext("Your opponent chooses your piece. You choose the square."),
        t.gettext("Who sees it first? Press the button!"),
    )


def demonstration(t: NullTranslations) -> str:
    """What stands over a game that the computer shows, so that nobody takes it for the one on the board."""
    return t.pgettext("attract", "Demonstration")


def language_hint(t: NullTranslations) -> str:
    """How to get another language while nobody plays."""
    return t.gettext("Another language? Press the button.")


def photo_finish(t: NullTranslations) -> tuple[str, str]:
    """What stands beside the code of a game that is over: a headline, and what the code is for."""
    return t.pgettext("page", "Photo finish"), t.pgettext("beside a code", "Your game on your phone")


def spectators(t: NullTranslations) -> tuple[str, str, str]:
    """Beside the code for spectators: a headline, what the code is for, and what to do where it cannot be shown."""
    return (
        t.pgettext("menu", "Spectators"),
        t.pgettext("beside a code", "This game on your phone"),
        t.gettext("The code for phones has no room here: ask the house for the address."),
    )


def players_at_table(
    t: NullTranslations, table: int, round_of: tuple[int, int], players: tuple[int, int]
) -> tuple[str, str, str]:
    """Who plays at the table of a tournament: the table, the round of so many, and both players by their numbers."""
    number, count = round_of
    first, second = players
    return (
        t.pgettext("page", "Table {number}").format(number=table),
        t.pgettext("page", "Round {number} of {count}").format(number=number, count=count),
        t.pgettext("page", "{first} against {second}").format(first=first, second=second),
    )


def statistic_label(t: NullTranslations, statistic: Statistic) -> str:
    """What stands beside a number of the statistics."""
    labels = {
        Statistic.GAMES: t.pgettext("statistics", "Games"),
        Statistic.WINS: t.pgettext("statistics", "Wins"),
        Statistic.LOSSES: t.pgettext("statistics", "Losses"),
        Statistic.DRAWS: t.pgettext("statistics", "Draws"),
        Statistic.AVERAGE_TIME: t.pgettext("statistics", "Time per game"),
        Statistic.MISSED: t.pgettext("statistics", "Missed Quartos"),
        Statistic.AGAINST: t.pgettext("statistics", "Wins against the computer"),
    }
    return labels[statistic]
