"""Compiles the catalogues: `python -m quarto_pi.words.compiling` makes the .mo beside every .po, or beside those named.

setup.py runs this file by itself wherever quarto-pi is built, on a board without a network too: so it needs the
standard library only, and imports nothing of the package. It reads .po files as `make words` writes them.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MAGIC: Final = 0x950412DE
CONTEXT: Final = "\x04"
PLURAL: Final = "\0"

_LINE: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) )?"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


class PoError(ValueError):
    """A line that no .po file has."""


def compile_all(locale: Path) -> list[Path]:
    """Compile every catalogue in a folder, and return what was made."""
    return [compile_one(po) for po in sorted(locale.glob("*/LC_MESSAGES/*.po"))]


def compile_one(po: Path) -> Path:
    """Compile one catalogue: whoever reads it meanwhile has the old one or the new one, whole."""
    mo, new = po.with_suffix(".mo"), po.with_suffix(".mo.new")
    new.write_bytes(compiled(po.read_text(encoding="utf-8"), str(po)))
    return new.replace(mo)


def compiled(text: str, name: str = "catalogue") -> bytes:
    """A .po file as the .mo that gettext reads; what is not translated yet, or only guessed, is left out.

    Raises `PoError`, which names the file and the line.
    """
    found = {key.encode(): string.encode() for key, string in _translations(text, name)}
    keys = sorted(found)
    count = len(keys)
    at = 7 * 4 + 16 * count
    tables: list[bytes] = []
    for strings in (keys, [found[key] for key in keys]):
        for string in strings:
            tables.append(struct.pack("<II", len(string), at))
            at += len(string) + 1
    head = struct.pack("<7I", MAGIC, 0, count, 7 * 4, 7 * 4 + 8 * count, 0, 7 * 4 + 16 * count)
    return head + b"".join(tables) + b"".join(string + b"\0" for string in (*keys, *(found[key] for key in keys)))


def _translations(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Every message as gettext looks it up, with its translation."""
    number = 1
    for block in re.split(r"\n(?=\n)", text):
        parts = _parts_of(block, name, number)
        number += block.count("\n") + 1
        strings = [string for key, string in parts.items() if key.startswith("msgstr")]
        if not strings or not all(strings) or re.search("^#,.*fuzzy", block, re.MULTILINE):
            continue
        if "msgid" not in parts:
            raise PoError(f"{name}, before line {number}: a translation of nothing")
        context = parts["msgctxt"] + CONTEXT if "msgctxt" in parts else ""
        plural = PLURAL + parts["msgid_plural"] if "msgid_plural" in parts else ""
        yield f"{context}{parts['msgid']}{plural}", PLURAL.join(strings)


def _parts_of(block: str, name: str, first: int) -> dict[str, str]:
    """A message's parts by their keywords, each in one piece."""
    parts: dict[str, str] = {}
    keyword = ""
    for number, line in enumerate(block.split("\n"), first):
        if not line or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None or not (found[1] or keyword):
            raise PoError(f"{name}, line {number}: this is no line of a catalogue: {line}")
        keyword = found[1] or keyword
        parts[keyword] = parts.get(keyword, "") + _ESCAPED.sub(lambda each: _ESCAPES.get(each[1], each[0]), found[2])
    return parts


if __name__ == "__main__":
    for file in sys.argv[1:]:
        compile_one(Path(file))
    if not sys.argv[1:]:
        compile_all(Path(__file__).parent / "locale")
