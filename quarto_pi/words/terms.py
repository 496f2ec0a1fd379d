"""What things are called: pieces, squares, the give place, alignments.

A word has another form in another place of the sentence, in most languages: a piece's traits agree with the word for
piece, four pieces are spoken of in the plural. The context of a message says which form is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from quarto_pi.rules import Alignment, Piece, TraitValue
from quarto_pi.sensing.readings import OFFER


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
