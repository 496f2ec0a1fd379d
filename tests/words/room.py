"""How much room a text takes on a screen of 128 x 64: a first rule in characters; the screens measure pixels."""

from __future__ import annotations

from unicodedata import east_asian_width

from quarto_pi.languages import LANGUAGE_NAMES


def latin_or_chinese(language: str, latin: int, chinese: int) -> int:
    """A measure for a language of letters, or for one of wide characters, as its own name is written."""
    return chinese if any(east_asian_width(letter) in "WF" for letter in LANGUAGE_NAMES[language]) else latin


def width(text: str) -> float:
    """The width in characters of the language's own kind: a Latin letter is half as wide as a Chinese character."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return wide + (len(text) - wide) / 2 if wide else len(text)


def lines_needed(text: str, letters: int, characters: int) -> int:
    """How many lines a text fills: of so many Latin letters, broken at spaces, or of so many Chinese characters."""
    if any(east_asian_width(letter) in "WF" for letter in text):
        return _broken_anywhere(text, characters)
    lines, filled = 1, 0
    for word in text.split(" "):
        if filled and filled + 1 + len(word) > letters:
            lines, filled = lines + 1, 0
        filled += len(word) + (1 if filled else 0)
        if filled > letters:
            return 99
    return lines


def _broken_anywhere(text: str, characters: int) -> int:
    lines, filled = 1, 0.0
    for letter in text:
        wide = 1 if east_asian_width(letter) in "WF" else 0.5
        # A full stop or a comma may hang over: it never begins a line.
        if filled + wide > characters and letter not in "，。！？：、":
            lines, filled = lines + 1, 0
        filled += wide
    return lines
