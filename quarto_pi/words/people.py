"""Who is called what: a person alone against the computer is "you", two people are Player 1 and Player 2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from gettext import NullTranslations

from quarto_pi.referee.settings import PERSON, Seat
from quarto_pi.rules import Player

Seats = tuple[Seat, Seat]

TWO_PEOPLE: Seats = (PERSON, PERSON)


@dataclass(frozen=True, slots=True)
class Voice:
    """A language, and who sits at the board: all that a sentence needs besides its message."""

    translations: NullTranslations
    seats: Seats
    names: Mapping[Player, str]

    def is_computer(self, player: Player) -> bool:
        """Whether the computer plays this side."""
        return self.seats[player.value].is_computer

    def is_person(self, player: Player) -> bool:
        """Whether somebody at this board plays this side."""
        return self.seats[player.value].is_person

    def is_board(self, player: Player) -> bool:
        """Whether somebody at another board plays this side."""
        return self.seats[player.value].is_board

    def is_you(self, player: Player) -> bool:
        """Whether this is the only person at the board, who is simply spoken to."""
        return self.is_person(player) and not self.is_person(player.other)

    def name(self, player: Player) -> str:
        """A player's name where it stands alone: "Player 1", "You", "Computer"."""
        t = self.translations
        if player not in self.names:
            if self.is_you(player):
                return t.pgettext("a player's name", "You")
            if self.is_board(player):
                return t.pgettext("a player's name", "Other board")
            if self.is_computer(player) and not self.is_computer(player.other):
                return t.pgettext("a player's name", "Computer")
        return self.subject(player)

    def subject(self, player: Player) -> str:
        """A player's name where it begins a sentence: "Player 1", "The computer"."""
        t = self.translations
        if player in self.names:
            return self.names[player]
        if self.is_board(player):
            return t.pgettext("begins a sentence", "The other board")
        if not self.is_computer(player):
            return t.gettext("Player %(number)d") % {"number": player.value + 1}
        if self.is_computer(player.other):
            return t.gettext("Computer %(number)d") % {"number": player.value + 1}
        return t.pgettext("begins a sentence", "The computer")

    def turn_of(self, player: Player) -> str:
        """Whose turn it is, in big type: "Your turn", or the player's name."""
        return self.translations.pgettext("headline", "Your turn") if self.is_you(player) else self.name(player)

    def tell(self, player: Player, you: str, named: str, **fields: object) -> str:
        """A sentence about a player: the first one for the only person at the board, the other one with the name."""
        if self.is_you(player):
            return you % fields
        return named % {"player": self.subject(player), **fields}

    def sentences(self, first: str, second: str) -> str:
        """Two whole sentences, one after the other."""
        form = self.translations.pgettext("two sentences", "%(first)s %(second)s")
        return form % {"first": first, "second": second}
