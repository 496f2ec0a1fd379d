"""The commands that read a file or a text: whatever it is, a documented exit code, and one line if it is refused."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from quarto_pi.cli import main
from tests.fuzz.dice import Dice
from tests.fuzz.kept import FOLDER
from tests.fuzz.texts import as_words
from tests.fuzz.verdict import Broken, check_sentence

FILE, TEXT = "FILE", "TEXT"
ORDERS = (
    *(("replay", FILE), ("replay", "--json", "--foreign", FILE), ("replay", "--game", FILE)),
    *(("replay", "--config", FILE, FILE), ("config", "validate", FILE), ("config", "show", "--config", FILE)),
    *(("config", "set", "--config", FILE, "game.level", TEXT), ("config", "set", "--config", FILE, TEXT, "3")),
    *(("config", "unset", "--config", FILE, TEXT), ("solve", "--value-only", TEXT), ("solve", "--traits", TEXT, TEXT)),
)
SEEDS = Path(__file__).parent / "seeds"
WRITTEN = ("configuration", "record", "tags", "trace")


def commands(data: bytes) -> None:
    """One command with a file made of what is sensible and what is not."""
    dice = Dice(data)
    order, seed = dice.choice(ORDERS), dice.choice(_seeds())
    text = as_words(dice.some(40)) or "126c/..../09../.4ba f"
    start, length = dice.number(len(seed) + 1), dice.number(30)
    with TemporaryDirectory(dir=FOLDER) as folder:
        file = Path(folder) / "file"
        file.write_bytes(seed[:start] + dice.some(100) + seed[start + length :])
        code, said = _run([{FILE: str(file), TEXT: text}.get(word, word) for word in order])
    if code not in (0, 1, 2):
        raise Broken(f"{order} ended with {code}")
    if code == 2:
        lines = said.splitlines()
        # Only `validate` says everything that is wrong at once.
        if len(lines) != 1 and (not lines or "validate" not in order):
            raise Broken(f"{order} says this, and not one line: {said!r}")
        for line in lines:
            check_sentence(line)


def _run(words: list[str]) -> tuple[object, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: object = main(words)
        except SystemExit as ending:
            code = ending.code
    return code, err.getvalue()


@cache
def _seeds() -> list[bytes]:
    return [b"", *(file.read_bytes() for name in WRITTEN for file in sorted((SEEDS / name).glob("*")))]
