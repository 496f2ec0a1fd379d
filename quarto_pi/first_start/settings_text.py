"""The owner's settings file as text: its lines, whatever editor has written them, and without its secrets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.first_start.mistakes import Mistaken, SettingsMistake, WrongSetting
from quarto_pi.first_start.owner_settings import CHAIN, CHAIN_HELP, OWNER_NAMES, OWNER_SETTINGS, WIFI_HELP
from quarto_pi.rules import hint

TAKEN_OVER: Final = "(taken over)"
"""Stands for a secret that the board has taken over, and out of the file."""
MOST_BYTES_OF_SETTINGS: Final = 65_536
_QUOTES: Final = "\"'“”„‟‘’‚«»‹›「」『』＂"  # noqa: RUF001 - what editors make of a quotation mark
_COMMENTS: Final = ("#", ";", "//", "＃")  # noqa: RUF001 - as a Chinese keyboard has it
_LINE: Final = re.compile(r"([^=:＝：]*)([=:＝：])(.*)")  # noqa: RUF001
_RICH: Final = (b"{\\rtf", b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0", b"<!DOCTYPE", b"<html")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text, and how it is encoded."""

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A value that somebody has written, and the line in which it stands."""

    value: str
    line: int


@dataclass(frozen=True, slots=True)
class SaidByOwner:
    """What a settings file says by the names of `OWNER_NAMES`, and what in it is wrong; an empty value says nothing."""

    said: Mapping[str, SaidLine]
    mistakes: tuple[SettingsMistake, ...] = ()


def decode_settings(content: bytes) -> DecodedText:
    """A file's text, from whatever editor it comes; raises `Mistaken` for what is no plain text."""
    if content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(_RICH) or len(content) > MOST_BYTES_OF_SETTINGS:
        raise Mistaken(SettingsMistake(WrongSetting.NOT_TEXT))
    for encoding in _encodings(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        return DecodedText(text, encoding)
    raise Mistaken(SettingsMistake(WrongSetting.NOT_TEXT))


def _encodings(content: bytes) -> Iterator[str]:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield "utf-16"
        return
    # Without a mark UTF-16 is known by its many zeros, which stand before or after each Latin letter.
    if b"\0" in content[:200]:
        yield "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
        return
    yield "utf-8-sig" if content.startswith(b"\xef\xbb\xbf") else "utf-8"
    yield "cp1252"
    yield "latin-1"


def parse_settings(text: str) -> SaidByOwner:
    r"""What a text says.

    >>> said = parse_settings("LANGUAGE = “de”\nPIN: 123456\nhelp me\n")
    >>> {name: each.value for name, each in said.said.items()}, [mistake.line for mistake in said.mistakes]
    ({'language': 'de', 'PIN': '123456'}, [3])
    """
    said: dict[str, SaidLine] = {}
    mistakes: list[SettingsMistake] = []
    for number, written in enumerate(_lines(text), start=1):
        line = _plain(written)
        if not line or line.startswith(_COMMENTS):
            continue
        parts = _LINE.fullmatch(line)
        if parts is None:
            mistakes.append(SettingsMistake(WrongSetting.NO_VALUE, number, line))
            continue
        name, value = _name(parts[1]), unquoted(parts[3])
        if name is None:
            nearest = hint(parts[1].strip(), OWNER_NAMES)
            known = tuple(each for each in OWNER_NAMES if f"'{each}'" in nearest) or OWNER_NAMES
            mistakes.append(SettingsMistake(WrongSetting.UNKNOWN, number, parts[1].strip(), known))
        elif value:
            if name in said:
                mistakes.append(SettingsMistake(WrongSetting.TWICE, number, name))
            said[name] = SaidLine(value, number)
    return SaidByOwner(said, tuple(mistakes))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _plain(line: str) -> str:
    """A line without what nobody sees: blanks of all kinds at its ends, and marks of an editor."""
    return re.sub("[\u200b-\u200f\ufeff]", "", line).replace("\xa0", " ").replace("\u3000", " ").strip()


def _name(written: str) -> str | None:
    """The setting that is meant: case, blanks and dashes do not matter."""
    return {_letters(name): name for name in OWNER_NAMES}.get(_letters(written))


def _letters(name: str) -> str:
    return re.sub(r"[\s_‐‑‒–—−-]", "", name.strip(f"{_QUOTES} \t").casefold())  # noqa: RUF001


def unquoted(value: str) -> str:
    """A value without the pair of quotation marks around it, of whatever kind."""
    value = value.strip()
    is_quoted = len(value) > 1 and value[0] in _QUOTES and value[-1] in _QUOTES
    return value[1:-1] if is_quoted else value


# --- Without secrets, and as it is found on a new card ----------------------------------------------------------------


def without_secrets(content: bytes, known: Collection[str]) -> bytes:
    """The file with `TAKEN_OVER` in the place of these secrets; all else as it is, in its own encoding."""
    decoded = decode_settings(content)
    text = re.sub(r"[^\r\n]+", lambda line: _without_secret(line[0], known), decoded.text)
    return content if text == decoded.text else text.encode(decoded.encoding)


def _without_secret(line: str, known: Collection[str]) -> str:
    plain = _plain(line)
    parts = _LINE.fullmatch(plain)
    if plain.startswith(_COMMENTS) or parts is None or _name(parts[1]) not in known:
        return line
    return line if unquoted(parts[3]) in ("", TAKEN_OVER) else f"{parts[1].rstrip()} {parts[2]} {TAKEN_OVER}"


_HEAD: Final = (
    "# The settings of the Quarto board. Edit this file on any computer (Windows: Notepad, macOS: TextEdit),",
    "# save it, and put the card back into the board. Lines that begin with # are explanations.",
    "# Leave a line empty behind its = to say nothing about it. quarto-pi-says.txt tells what was taken over.",
    f"# PIN and password are taken out of this file once the board has them: {TAKEN_OVER} stands there then.",
)


def settings_template(said: Mapping[str, str]) -> bytes:
    """A settings file that says this, with an explanation of each line; in a form that every editor knows."""
    explained = {**{row.name: row.help for row in OWNER_SETTINGS}, **WIFI_HELP, CHAIN: CHAIN_HELP}
    lines = [*_HEAD]
    for name in OWNER_NAMES:
        lines += ["", *(f"# {text}" for text in explained[name]), f"{name} = {said.get(name, '')}".rstrip()]
    return as_windows_text("\n".join(lines))


def as_windows_text(text: str) -> bytes:
    """A text in the form that the oldest Notepad shows rightly."""
    return (text.rstrip("\n") + "\n").replace("\n", "\r\n").encode("utf-8-sig")
