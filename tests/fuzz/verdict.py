"""What counts as broken: any exception but ours, and any of ours that is not one clear sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from quarto_pi.rules import QuartoError

LONGEST = 800
"""Characters: a sentence on a small screen, with the name of a file in front of it."""


class Broken(AssertionError):
    """An input did what no input may do."""


@contextmanager
def refused_in_a_sentence() -> Iterator[None]:
    """Let an input be refused, if it is refused well."""
    try:
        yield
    except QuartoError as error:
        check_sentence(str(error))


def check_sentence(text: str) -> None:
    """A sentence that can be shown anywhere: one line, of bearable length, with an end."""
    if not text.isprintable():
        raise Broken(f"this is not one printable line: {text!r}")
    if not text.endswith((".", "?")) or text.endswith(("?.", "..")):
        raise Broken(f"this sentence has no end: {text!r}")
    if len(text) > LONGEST:
        raise Broken(f"this sentence has {len(text)} characters: {text[:200]!r}")
