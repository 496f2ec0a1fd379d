"""How to play, one screen at a time; invitations to those who pass by; what statistics are called."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from gettext import NullTranslations

from quarto_pi.referee.messages import HowToPlay
from quarto_pi.words.people import Voice


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


TeachingMessage = HowToPlay


def say_teaching(message: TeachingMessage, voice: Voice) -> str:
    """What is to be learned now."""
    return how_to_play(voice.translations)[message.page].text


def teaching_headline(message: TeachingMessage, voice: Voice) -> str:
    """What it is about, in big type."""
    return how_to_play(voice.translations)[message.page].title


def how_to_play(t: NullTranslations) -> tuple[TeachingPage, ...]:
    """The game for those who do not know it, in the order in which it is read."""
    return (
        TeachingPage(
            t.pgettext("title of a page", "The pieces"),
            t.gettext("Each piece is light or dark, tall or short, round or square, solid or hollow."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "The goal"),
            t.gettext("An alignment: four in a line, alike in one thing. All dark, all round, all tall ..."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Give"),
            t.gettext("You never choose your own piece! Put a piece for the other player on the give place."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Place"),
            t.gettext("Place the piece that you were given on an empty square. Then you give one back."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Call QUARTO!"),
            t.gettext("You see an alignment? Press the button and call! It does not matter who began it."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "Missed"),
            t.gettext("You forgot to call? Then the other player may. After that, the alignment no longer counts."),
        ),
        TeachingPage(
            t.pgettext("title of a page", "The end"),
            t.gettext("Who calls first wins. All sixteen pieces placed and nobody called? It is a draw."),
        ),
    )


def held_button(t: NullTranslations) -> tuple[TeachingPage, ...]:
    """What it is good for to hold the button while nobody plays."""
    return (
        TeachingPage(
            t.pgettext("title of a page", "Alone?"),
            t.gettext("Hold the button: a menu opens. There you choose the computer to play with."),
        ),
    )


def invitations(t: NullTranslations) -> tuple[str, ...]:
    """What is shown in turn while nobody plays."""
    return (
        t.gettext("Shall we play Quarto?"),
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


def statistic_label(t: NullTranslations, statistic: Statistic) -> str:
    """What stands beside a number of the statistics."""
    labels = {
        Statistic.GAMES: t.pgettext("statistics", "Games"),
        Statistic.WINS: t.pgettext("statistics", "Wins"),
        Statistic.LOSSES: t.pgettext("statistics", "Losses"),
        Statistic.DRAWS: t.pgettext("statistics", "Draws"),
        Statistic.AVERAGE_TIME: t.pgettext("statistics", "Time per game"),
        Statistic.MISSED: t.pgettext("statistics", "Missed alignments"),
        Statistic.AGAINST: t.pgettext("statistics", "Wins against the computer"),
    }
    return labels[statistic]
