"""What can be wrong with a request to the rules, each with a name of its own."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

# --- What somebody may have meant who wrote a word that is not known --------------------------------------------------


def hint(word: str, known: Collection[str]) -> str:
    """The nearest right word, or all of them, as the end of an error's sentence.

    >>> hint("color", ["colour", "height"])
    "did you mean 'colour'?"
    >>> hint("weight of it", ["a", "b"])
    'choose from a, b.'
    """
    nearest = get_close_matches(word, known, n=1)
    return f"did you mean '{nearest[0]}'?" if nearest else f"choose from {', '.join(known)}."


# --- What can be wrong with a request to the rules, each with a name of its own ---------------------------------------

LONGEST_SENTENCE: Final = 320
"""Characters of a sentence; it is what is quoted in it that makes one longer."""


class QuartoError(Exception):
    r"""Anything that the rules refuse; the text is one sentence fit to be shown, whatever is quoted in it.

    >>> str(QuartoError("'b\n2' is not a square."))
    "'b\\n2' is not a square."
    """

    def __str__(self) -> str:
        """The sentence in one printable line; of one that is too long, the beginning and what to do are kept."""
        text = "".join(
            letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in super().__str__()
        )
        return (
            text
            if len(text) <= LONGEST_SENTENCE
            else f"{text[: LONGEST_SENTENCE // 2]}…{text[-(LONGEST_SENTENCE // 2) + 1 :]}"
        )


class NotationError(QuartoError, ValueError):
    """A text that is not a piece, square, position or game record; it names the place and the right form."""


class OptionsError(QuartoError, ValueError):
    """Options that no game can be played with."""


class IllegalAction(QuartoError, ValueError):
    """An action that the rules do not allow now; the game is unchanged."""


class WrongMoment(IllegalAction):
    """The action belongs to another phase or to the other player."""


class GameOver(WrongMoment):
    """The game has ended: only a new game can follow."""


class ClockPaused(WrongMoment):
    """The game is paused: it has to be resumed first."""


class SquareTaken(IllegalAction):
    """A piece already stands on that square."""


class SquareEmpty(IllegalAction):
    """No piece stands on that square."""


class PieceNotAvailable(IllegalAction):
    """The piece is on the board or in hand already."""


class PieceNotGiven(IllegalAction):
    """Another piece than the given one was put down (D6); it is not a move."""

    def __init__(self, found: object, expected: object) -> None:
        super().__init__(f"{found} was put down, but {expected} was given: put {found} back and place {expected}.")
        self.found = found
        self.expected = expected


class NothingToUndo(IllegalAction):
    """No placement is known that could be taken back."""


class TimeRunsBackwards(IllegalAction):
    """The action's time lies before the one that the game has reached."""
