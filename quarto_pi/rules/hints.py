"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches


def hint(word: str, known: Collection[str]) -> str:
    """The nearest right word, or all of them, as the end of an error's sentence.

    >>> hint("color", ["colour", "height"])
    "did you mean 'colour'?"
    >>> hint("weight of it", ["a", "b"])
    'choose from a, b.'
    """
    nearest = get_close_matches(word, known, n=1)
    return f"did you mean '{nearest[0]}'?" if nearest else f"choose from {', '.join(known)}."
