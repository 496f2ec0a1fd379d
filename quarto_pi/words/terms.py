"""Who and what is called how: players, pieces, squares, the give place, alignments.

A word has another form in another place of the sentence, in most languages: a piece's traits agree with the word for
piece, four pieces are spoken of in the plural. The context of a message says which form is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from gettext import NullTranslations

from quarto_pi.referee.settings import PERSON, Seat
from quarto_pi.rules import Alignment, Piece, Player, TraitValue
from quarto_pi.sensing.readings import OFFER

# --- Who is called what: a person alone against the computer is "you", two people are Player 1 and Player 2 -----------

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


# --- What things are called: pieces, squares, the give place, alignments ----------------------------------------------


def trait_words(t: NullTranslations) -> dict[TraitValue, str]:
    """The value of each trait, standing alone: "dark"."""
    return {
        TraitValue.LIGHT: t.pgettext("one piece", "light"),
        TraitValue.DARK: t.pgettext("one piece", "dark"),
        TraitValue.TALL: t.pgettext("one piece", "tall"),
        TraitValue.SHORT: t.pgettext("one piece", "short"),
        TraitValue.ROUND: t.pgettext("one piece", "round"),
        TraitValue.SQUARE: t.pgettext("one piece", "square"),
        TraitValue.SOLID: t.pgettext("one piece", "solid"),
        TraitValue.HOLLOW: t.pgettext("one piece", "hollow"),
    }


def piece_alone(t: NullTranslations, piece: Piece) -> str:
    """A piece by its traits, standing alone: "dark, short, round, hollow"."""
    form = t.pgettext("one piece", "%(colour)s, %(height)s, %(shape)s, %(top)s")
    return _described(form, trait_words(t), piece)


def the_piece(t: NullTranslations, piece: Piece) -> str:
    """A piece as the object of a sentence: "the dark, short, round, hollow piece"."""
    words = {
        TraitValue.LIGHT: t.pgettext("the piece, object", "light"),
        TraitValue.DARK: t.pgettext("the piece, object", "dark"),
        TraitValue.TALL: t.pgettext("the piece, object", "tall"),
        TraitValue.SHORT: t.pgettext("the piece, object", "short"),
        TraitValue.ROUND: t.pgettext("the piece, object", "round"),
        TraitValue.SQUARE: t.pgettext("the piece, object", "square"),
        TraitValue.SOLID: t.pgettext("the piece, object", "solid"),
        TraitValue.HOLLOW: t.pgettext("the piece, object", "hollow"),
    }
    form = t.pgettext("the piece, object", "the %(colour)s, %(height)s, %(shape)s, %(top)s piece")
    return _described(form, words, piece)


def _described(form: str, words: dict[TraitValue, str], piece: Piece) -> str:
    return form % {value.trait.value: words[value] for value in piece.values}


def alignment(t: NullTranslations, aligned: Alignment) -> str:
    """An alignment: its squares and all that its pieces share."""
    words = {
        TraitValue.LIGHT: t.pgettext("four pieces", "all light"),
        TraitValue.DARK: t.pgettext("four pieces", "all dark"),
        TraitValue.TALL: t.pgettext("four pieces", "all tall"),
        TraitValue.SHORT: t.pgettext("four pieces", "all short"),
        TraitValue.ROUND: t.pgettext("four pieces", "all round"),
        TraitValue.SQUARE: t.pgettext("four pieces", "all square"),
        TraitValue.SOLID: t.pgettext("four pieces", "all solid"),
        TraitValue.HOLLOW: t.pgettext("four pieces", "all hollow"),
    }
    squares = " ".join(square.name for square in aligned.squares)
    values = listed(t, (words[value] for value in aligned.values))
    return t.pgettext("an alignment", "%(squares)s: %(values)s") % {"squares": squares, "values": values}


def listed(t: NullTranslations, parts: Iterable[str]) -> str:
    """Several things, one after another."""
    return t.pgettext("between the parts of a list", ", ").join(parts)


def cell_name(t: NullTranslations, cell: str) -> str:
    """A cell's name standing alone: "c2", "giving spot"."""
    return t.pgettext("a cell's name", "giving spot") if cell == OFFER else cell


def on_cell(t: NullTranslations, cell: str) -> str:
    """Where something lies: "on c2", "on the giving spot"."""
    if cell == OFFER:
        return t.pgettext("where it lies", "on the giving spot")
    return t.pgettext("where it lies", "on %(square)s") % {"square": cell}


def what_stands(t: NullTranslations, pieces: Iterable[tuple[str, Piece]]) -> str:
    """What stands where, for who cannot see it: "c2: dark, short, round, hollow. giving spot: ..."."""
    form = t.pgettext("what stands there", "%(cell)s: %(piece)s.")
    told = [form % {"cell": cell_name(t, cell), "piece": piece_alone(t, piece)} for cell, piece in pieces]
    return " ".join(told) or t.pgettext("what stands there", "The board is empty.")


def from_cell(t: NullTranslations, cell: str) -> str:
    """Where something is taken from: "from c2", "from the giving spot"."""
    if cell == OFFER:
        return t.pgettext("where it is taken from", "from the giving spot")
    return t.pgettext("where it is taken from", "from %(square)s") % {"square": cell}
