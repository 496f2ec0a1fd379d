"""How to play, one screen at a time; invitations to those who pass by; what statistics are called."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from gettext import NullTranslations

from quarto_pi.referee.messages import Giving


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
