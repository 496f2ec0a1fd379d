"""The journal's files with anything done to them: the board starts, plays, and keeps what is played from then on."""

from __future__ import annotations

import contextlib
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.repair import reading
from tests.cafe.controller import hands_at
from tests.fuzz.dice import Dice
from tests.fuzz.verdict import Broken, check_sentence

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a disk would be worn by this
FOLDER = IN_MEMORY if IN_MEMORY.is_dir() else None
ACTIONS = 60
"""Of hands before the damage: some games."""
AFTERWARDS = 6
PAGE = 4096


@cache
def _kept() -> dict[str, bytes]:
    """The files of a journal with some games in it, one of them under way, as a power cut leaves them."""
    with TemporaryDirectory(dir=FOLDER) as folder, ExitStack() as stack:
        hands = hands_at(Path(folder), stack, seed="kept")
        hands.begin()
        for _, _state in zip(range(ACTIONS), hands.play(), strict=False):
            pass
        return {file.name: file.read_bytes() for file in Path(folder).iterdir() if file.is_file()}


def journal(data: bytes) -> None:
    """Files changed, cut, mixed up or replaced, then an evening over them."""
    dice = Dice(data)
    with TemporaryDirectory(dir=FOLDER) as name:
        folder = Path(name)
        for file, content in _kept().items():
            (folder / file).write_bytes(_damaged(dice, content))
        notes: list[str] = []
        with ExitStack() as stack:
            hands = hands_at(folder, stack, seed="after", start_over=True, say=notes.append)
            hands.begin()
            for _, _state in zip(range(AFTERWARDS), hands.play(), strict=False):
                pass
        for note in notes:
            check_sentence(note)
        with reading(folder) as connection, contextlib.closing(connection.execute("PRAGMA quick_check")) as checked:
            if checked.fetchone() != ("ok",):
                raise Broken(f"{folder / JOURNAL_FILE} is not sound after an evening over it; {notes}")


def _damaged(dice: Dice, content: bytes) -> bytes:
    if not dice.left or dice.chance(30):
        return content
    changed = bytearray(content)
    for _ in range(1 + dice.number(4)):
        start = dice.number(max(1, len(changed)))
        match dice.number(6):
            case 0:
                changed[start : start + 1] = dice.take(1)
            case 1:
                changed[start : start + 512] = bytes(len(changed[start : start + 512]))
            case 2:
                page = start // PAGE * PAGE
                changed[page : page + PAGE] = dice.some(64).ljust(PAGE, b"\xff")
            case 3:
                del changed[start:]
            case 4:
                other = dice.number(max(1, len(changed)))
                changed[start : start + PAGE] = changed[other : other + PAGE]
            case _:
                changed[:] = dice.some(255)
    return bytes(changed)
